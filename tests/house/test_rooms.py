"""The rules of the house that a machine can watch."""

import ast
import inspect
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

import qmodel

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("qmodel", "calibration", "advisor")
MODULES = sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py"))


@cache
def docstrings(path):
    """That of a module, and its public definitions without one; trees that stay take memory."""
    tree = ast.parse(path.read_text())
    return ast.get_docstring(tree), [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for node in public_definitions(tree)
        if ast.get_docstring(node) is None
        and not any(
            isinstance(d, ast.Name) and d.id == "overload"
            for d in getattr(node, "decorator_list", [])
        )
    ]


def names(paths):
    return [str(p.relative_to(ROOT)) for p in paths]


def test_no_room_is_over_400_lines():
    long = {
        str(p.relative_to(ROOT)): n for p in MODULES if (n := len(p.read_text().splitlines())) > 400
    }
    assert not long


def test_half_of_the_rooms_are_under_150_lines():
    sizes = sorted(len(p.read_text().splitlines()) for p in MODULES)
    assert sizes[len(sizes) // 2] <= 150 < len(sizes)


def test_no_utils():
    assert not [
        n for n in names(MODULES) if re.search(r"(^|/)(utils?|helpers?|misc|common)(\.py$|/)", n)
    ]


def test_every_module_says_what_it_is():
    silent = [path for path in MODULES if not docstrings(path)[0]]
    assert not names(silent)


def public_definitions(tree):
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                        yield inner


def test_every_public_definition_has_a_docstring():
    assert not [each for path in MODULES for each in docstrings(path)[1]]


def with_example(name):
    """Classes and functions; exceptions are shown by the functions that raise them."""
    thing = getattr(qmodel, name)
    is_error = isinstance(thing, type) and issubclass(thing, Exception)
    return (inspect.isclass(thing) or inspect.isfunction(thing)) and not is_error


@pytest.mark.parametrize("name", [n for n in qmodel.__all__ if with_example(n)])
def test_public_names_of_qmodel_are_documented_with_an_example(name):
    assert ">>>" in getattr(qmodel, name).__doc__


def test_no_path_of_a_machine_and_no_registry_in_the_project():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\n")
    text_files = [
        ROOT / name
        for name in listed
        if name.endswith((".py", ".md", ".toml", ".cfg", ".csv", ".out", ".yml"))
        or name in ("Makefile", ".ci/run")
    ]
    pattern = re.compile(r"/(?:work|farm|root|home)/[a-z.]|pypi\.|pythonhosted|\.\./shared")
    bad = [
        str(p.relative_to(ROOT))
        for p in text_files
        if p.exists()
        and p != Path(__file__).resolve()
        and pattern.search(p.read_text(encoding="utf-8"))
    ]
    assert not bad


@pytest.mark.parametrize("path", sorted((ROOT / "decisions").glob("*.md")), ids=lambda p: p.stem)
def test_a_decision_has_its_parts_and_fits_a_page(path):
    text = path.read_text(encoding="utf-8")
    for part in ("Context", "Decision", "Consequences", "What would change our mind"):
        assert f"**{part}.**" in text or f"## {part}" in text
    assert len(text.splitlines()) <= 60
