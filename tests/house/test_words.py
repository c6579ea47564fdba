"""The field's words inside, which a reader can check; a planner's words where people read."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

from tests.tables import rows

ROOT = Path(__file__).resolve().parents[2] / "qmodel"
ROOMS = ("solvers", "matrix_analytic", "numerics", "response_times", "kernels")
MODULES = sorted(p for room in ROOMS for p in (ROOT / room).rglob("*.py"))
#: Idioms that stand for a term of the field, and are none.
IDIOMS = (
    r"\bnobody\b", r"\bthose who\b", r"\bmakes? no sense\b", r"\bwhat leaves\b", r"\btold apart\b",
    r"\bseen through\b", r"\bfelt\b", r"\bmet again\b", r"\bdearer\b",
)  # fmt: skip
#: Idioms that a planner should not have to guess at: in what is printed, and in public docstrings.
AT_THE_DOOR = (
    *IDIOMS, r"\b(some(body|one)|hardly anybody|ways|worlds|buys?)\b", r"\bas fast again\b",
    r"\bdear\b", r"\busers? (then )?waits?\b", r"\bmakes? (\w+ )?users wait\b",
    r"\b(is|are) content\b|\bcontent where\b", r"\blinear surrogate\b", r"\bAkaike's\b",
    r"\bnot asked\b", r"\bis not chance\b", r"\bwould say\b", r"\bcome by\b", r"\bcould judge\b",
    r"\balone is admissible\b", r"\(each of \d",
)  # fmt: skip
#: Names that say nothing, of functions, classes, fields and modules.
EMPTY = {"found", "often", "told", "ways", "here", "come", "comes", "told_apart"}
#: What has no theory: the choice of a method and its record.
PLUMBING = {"__init__", "method", "solve", "recorded_accuracy"}
#: What a room is about, said in it.
TERMS = dict(rows(__file__, "terms"))


def name_of(path):
    return str(path.relative_to(ROOT))


def docstrings(tree):
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef
    return [text for n in ast.walk(tree) if isinstance(n, kinds) and (text := ast.get_docstring(n))]


def defined(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


@pytest.fixture(scope="module")
def modules():
    """By name: docstrings, that of the module, and names, without the trees, which are large."""
    trees = ((name_of(path), ast.parse(path.read_text(encoding="utf-8"))) for path in MODULES)
    return {n: ("\n".join(docstrings(t)), ast.get_docstring(t), {*defined(t)}) for n, t in trees}


def test_docstrings_have_no_private_idiom(modules):
    idioms = re.compile("|".join(IDIOMS), re.IGNORECASE)
    found = ((name, idioms.search(text)) for name, (text, _, _) in modules.items())
    assert [(name, match[0]) for name, match in found if match] == []


def test_names_say_something(modules):
    named = [(n, each) for n, (_, _, names) in modules.items() for each in (Path(n).stem, *names)]
    assert [each for each in named if each[1].strip("_") in EMPTY] == []


def test_every_module_of_theory_has_a_source(modules):
    said = {
        name: text
        for name, (_, text, _) in modules.items()
        if Path(name).stem not in PLUMBING and name.startswith(ROOMS[:2])
    }
    assert len(said) > 70
    sources = r"\b(19|20)\d\d\b|Original|THEORY\.md"
    assert [name for name, text in said.items() if not re.search(sources, text)] == []
    sections = re.findall(r"^## (.*)", (ROOT / "solvers/THEORY.md").read_text(), re.MULTILINE)
    assert {*re.findall(r"solvers/THEORY\.md`, ([\w/]+)\.", "".join(said.values()))} == {*sections}


@pytest.mark.parametrize("room", TERMS)
def test_a_room_says_what_it_is_about(room):
    text = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / room).rglob("*.py"))
    text = re.sub(r"\s+", " ", text).lower()
    assert [t for t in TERMS[room] if t.lower() not in text] == []


def printed(path):
    """Strings of a module that are sentences: neither docstrings nor keys."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef
    docs = {id(n.body[0].value) for n in ast.walk(tree) if isinstance(n, kinds) and n.body
            and isinstance(n.body[0], ast.Expr)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value
        if isinstance(node, kinds) and shown_by_the_command(path, node):
            yield ast.get_docstring(node) or ""


def shown_by_the_command(path, node):
    """Manuals of rules, and the help of commands."""
    if isinstance(node, ast.Module):
        return path.parent.name == "rules"
    return path.parent.name == "cli" and node.name.endswith("_command")


def public_docstrings(package):
    """Of the names of a package, and of their public members."""
    module = importlib.import_module(package)
    for name in module.__all__:
        value = getattr(module, name)
        members = vars(value).items() if inspect.isclass(value) else ()
        for each, member in [("", value), *members]:
            if not each.startswith("_") and (text := inspect.getdoc(member)):
                yield f"{name}.{each}".rstrip("."), text


@pytest.mark.parametrize("package", ["qmodel", "calibration", "advisor"])
def test_what_is_printed_is_in_a_planners_words(package):
    said = [
        (path.name, text)
        for path in sorted((ROOT.parent / package).rglob("*.py"))
        for text in printed(path)
        if " " in text
    ]
    assert len(said) > 300
    said += public_docstrings(package)
    idioms = re.compile("|".join(AT_THE_DOOR), re.IGNORECASE)
    found = ((where, idioms.search(" ".join(text.split()))) for where, text in said)
    assert [(where, match[0]) for where, match in found if match] == []
