"""A module that moves, a name that changes: imports, doctests, records, and nothing else."""

from scripts.rename import moved, renamed
from tests.tables import text_of

SOURCE = text_of(__file__, "source")


def test_a_module_moves():
    assert moved(SOURCE, "a.b.old", "a.c.new") == (
        SOURCE.replace("`a.b.old` and a/b/old.py", "`a.c.new` and a/c/new.py")
        .replace("from a.b import old, other", "from a.c import new\nfrom a.b import other")
        .replace("from a.b.old", "from a.c.new")
        .replace("return old.work", "return new.work")
    )


def test_a_room_moves_in_its_contract():
    contract = '[[tool.importlinter.contracts]]\ncontainers = ["a.b"]\nlayers = ["x | old", "y"]\n'
    assert moved(contract, "a.b.old", "a.b.new") == contract.replace("x | old", "x | new")


def test_a_name_changes_where_it_is_that_of_the_module():
    assert renamed(SOURCE, "a.b.old", "work", "toil", home=False) == (
        SOURCE.replace("import work", "import toil")
        .replace(">>> work", ">>> toil")
        .replace("old.work(told) + work(told)", "old.toil(told) + toil(told)")
    )
    assert renamed("work = 1\n", "a.b.old", "work", "toil", home=False) == "work = 1\n"
