"""The field's words inside: what a module says of itself can be checked by who knows the field."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "qmodel"
ROOMS = ("solvers", "matrix_analytic", "numerics", "response_times", "kernels")
MODULES = sorted(p for room in ROOMS for p in (ROOT / room).rglob("*.py"))
#: Idioms that stand for a term of the field, and are none.
IDIOMS = (
    r"\bnobody\b",
    r"\bthose who\b",
    r"\bmakes? no sense\b",
    r"\bwhat leaves\b",
    r"\btold apart\b",
    r"\bseen through\b",
    r"\bfelt\b",
    r"\bmet again\b",
    r"\bdearer\b",
)
#: Names that say nothing, of functions, classes, fields and modules.
EMPTY = {"found", "often", "told", "ways", "here", "come", "comes", "told_apart"}
#: What has no theory: the choice of a method and its record.
PLUMBING = {"__init__", "method", "solve", "recorded_accuracy"}
#: What a room is about, said in it.
TERMS = {
    "matrix_analytic": (
        "phase-type",
        "QBD",
        "generator",
        "stationary distribution",
        "uniformiz",
        "superposition",
        "first-passage",
        "rational arrival process",
        "Krylov",
        "FCFS",
    ),
    "solvers/marie": ("Marie", "conditional throughput", "marginal"),
    "solvers/global_balance": ("generator", "stationary", "global balance"),
    "solvers/amva": ("arrival theorem", "Linearizer", "Schweitzer", "residence time"),
    "solvers/product_form": ("normalizing constant", "convolution", "mean value analysis"),
    "solvers/decomposition": ("traffic equations", "superposition", "departure"),
    "response_times": ("tagged customer", "sojourn", "Laplace", "arrival theorem"),
}


def name_of(path):
    return str(path.relative_to(ROOT))


def docstrings(tree):
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef
    return [text for n in ast.walk(tree) if isinstance(n, kinds) and (text := ast.get_docstring(n))]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_docstrings_have_no_private_idiom(path):
    said = "\n".join(docstrings(ast.parse(path.read_text(encoding="utf-8"))))
    assert [i for i in IDIOMS if re.search(i, said, re.IGNORECASE)] == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_names_say_something(path):
    assert path.stem not in EMPTY
    defined = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined.append(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            defined.append(node.target.id)
    assert [n for n in defined if n.strip("_") in EMPTY] == []


@pytest.mark.parametrize(
    "path",
    [p for p in MODULES if p.stem not in PLUMBING and name_of(p).startswith(ROOMS[:2])],
    ids=name_of,
)  # fmt: skip
def test_every_module_of_theory_has_a_source(path):
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert re.search(r"\b(19|20)\d\d\b", said) or "Original" in said or "THEORY.md" in said


@pytest.mark.parametrize("room", TERMS)
def test_a_room_says_what_it_is_about(room):
    text = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / room).rglob("*.py"))
    text = re.sub(r"\s+", " ", text).lower()
    assert [t for t in TERMS[room] if t.lower() not in text] == []
