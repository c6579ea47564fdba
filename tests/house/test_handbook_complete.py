"""The handbook leaves nothing out: every rule, command, option, table and public name is in it."""

import ast
import re
import tomllib
from importlib import import_module
from inspect import ismodule
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "book"
#: Packages and rooms of public names, as the code declares them.
ROOMS = ("qmodel", "qmodel.kernels", "qmodel.single_station", "qmodel.routing", "qmodel.symbolic",
         "calibration", "advisor")  # fmt: skip


@pytest.fixture(scope="module")
def made():
    """A page that the library writes, by name, as it would be written now."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BOOK))
        yield lambda name: import_module(f"reference.{name}").page()


def headings(text):
    """The titles of all sections, without the backslashes of Markdown."""
    return [
        line.lstrip("# ").replace("\\", "") for line in re.findall(r"^#+ .+$", text, re.MULTILINE)
    ]


def files(folder, pattern):
    return sorted((ROOT / folder).glob(pattern))


def test_every_rule(made):
    """A rule is a file: its code and its slug are its name."""
    found = headings(made("rules"))
    rules = [p.stem for p in files("advisor/rules", "*_*.*") if re.match(r"[a-z]{3}\d+_", p.stem)]
    assert len(rules) > 20
    for rule in rules:
        code, _, slug = rule.partition("_")
        assert f"{code.upper()} {slug.replace('_', '-')}" in found


def test_every_command_with_all_its_options(made):
    import typer

    from advisor.cli.app import app

    text = made("commands")
    found = headings(text)
    waiting = [("qmodel", typer.main.get_command(app))]
    commands = 0
    while waiting:
        name, command = waiting.pop()
        if hasattr(command, "commands"):
            waiting += [(f"{name} {n}", c) for n, c in command.commands.items() if not c.hidden]
            continue
        commands += 1
        assert name in found
        section = text.split(f"\n## {name}\n")[1].split("\n## ")[0]
        for option in command.params:
            if option.param_type_name == "option" and not option.hidden:
                assert option.opts[0] in section, name
    assert commands >= 14


def test_every_measured_table(made):
    """A table is a card with a CSV beside it."""
    text = made("measured_tables").replace("\\", "")
    cards = files("calibration/tables", "*/*.csv")
    assert len(cards) > 40
    for card in cards:
        assert f"{card.parent.name}/{card.stem} " in text or f"{card.parent.name}/{card.stem}" in {
            cell.strip(" `") for cell in text.split("|")
        }


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name(made, room):
    found = headings(made("api"))
    for name in public(room):
        assert f"{room}.{name}" in found


def public(room):
    """Public names as the source declares them: ``__all__``, or else what a module defines."""
    package, _, name = room.partition(".")
    module = getattr(import_module(package), name) if name else import_module(package)
    body = ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
    for node in body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            listed = ast.literal_eval(node.value)
            return [n for n in listed if not ismodule(getattr(module, n))]
    defined = [n.name for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    assert defined
    return [n for n in defined if not n.startswith("_")]


def test_rooms_are_not_taken_for_names():
    assert "solve" in public("qmodel")
    assert "symbolic" not in public("qmodel")


@pytest.mark.usefixtures("made")  # puts the book on the path
def test_every_page_is_in_the_table_of_contents():
    contents = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))
    listed = {c["file"] for part in contents["parts"] for c in part["chapters"]}
    written = {
        p.relative_to(BOOK).with_suffix("").as_posix()
        for folder in ("learn", "decide", "look_up")
        for p in files(f"book/{folder}", "*.md")
    }
    written |= {f"made/{name}" for name in import_module("reference").PAGES}
    assert written == listed


def test_every_chapter_says_what_it_takes_and_builds_on_chapters_before_it():
    contents = yaml.safe_load((BOOK / "_toc.yml").read_text(encoding="utf-8"))
    listed = [c["file"] for part in contents["parts"] for c in part["chapters"]]
    parts = tomllib.loads((BOOK / "chapters.toml").read_text(encoding="utf-8"))
    homes = {name: f"{part}/{name}" for part, of in parts.items() for name in of}
    assert set(homes.values()) == {p for p in listed if p.startswith(("learn/", "decide/"))}
    for of in parts.values():
        for name, each in of.items():
            for needed in each["needs"]:
                assert listed.index(homes[needed]) < listed.index(homes[name]), (name, needed)


def test_every_dial_is_on_a_page_and_has_the_librarys_answer():
    placed = set()
    for page in BOOK.rglob("*.md"):
        if "_build" not in page.parts:
            placed |= set(re.findall(r"\{anywidget\} (\w+)", page.read_text(encoding="utf-8")))
    assert placed
    answers = {p.stem for p in files("book/tests/dials", "*.py")} - {"__init__"}
    assert placed == answers


def test_what_dials_give_to_copy_is_there():
    """The Python that a dial shows imports names of today."""
    lines = [
        match
        for path in files("book/dials", "*.mjs")
        for match in re.findall(
            r"^from ((?:qmodel|advisor|calibration)[\w.]*) import ([\w, ]+)$",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    ]
    assert lines
    for module, names in lines:
        assert set(names.split(", ")) <= set(dir(import_module(module))), (module, names)
