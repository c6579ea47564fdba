"""What is imported when: a fast start, and one class solved where NumPy is absent."""

from tests.cli.conftest import python
from tests.tables import text_of

HEAVY = ("numpy", "pandas", "scipy", "sympy", "networkx", "pydantic", "pint")
LOADED = f"import sys; print([m for m in {HEAVY} if m in sys.modules])"

#: A finder that refuses NumPy, as an interpreter without it does.
WITHOUT_NUMPY = text_of(__file__, "without_numpy")

ONE_CLASS = WITHOUT_NUMPY + text_of(__file__, "one_class")


def test_imports_tables_and_help_load_nothing_heavy():
    script = text_of(__file__, "nothing_heavy").replace("{LOADED}", LOADED)
    outcome = python("-c", script)
    assert outcome.err == ""
    assert "Usage: qmodel" in outcome.out
    assert outcome.out.splitlines().count("[]") == 3


def test_one_class_is_built_solved_and_printed_without_numpy():
    outcome = python("-c", ONE_CLASS)
    assert (outcome.code, outcome.err) == (0, "")
    for words in ("numpy is refused", "response time", "bottleneck: cpu"):
        assert words in outcome.out
    assert "arrays need numpy" in outcome.out


def test_the_command_solves_one_class_without_numpy(written):
    path = written("model.toml", text_of(__file__, "model"))
    script = f"sys.argv = ['qmodel', 'solve', {str(path)!r}]\nfrom advisor.cli import main\nmain()"
    outcome = python("-c", f"{WITHOUT_NUMPY}\n{script}")
    assert (outcome.code, outcome.err) == (0, "")
    assert "bottleneck: cpu" in outcome.out


def test_several_classes_load_numpy_only_when_asked():
    script = text_of(__file__, "several_classes").replace("{LOADED}", LOADED)
    before, after = python("-c", script).out.splitlines()
    assert before == "[]"
    assert after == "['numpy']"
