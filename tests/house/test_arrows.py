"""Imports only go down, and there is no circle of any kind: eager, in a function, type-only."""

import ast
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("qmodel", "calibration", "advisor")


def modules(root, package):
    """Modules of a package by dotted name."""
    found = {}
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(known):
    """Pairs of modules, the importing one first, wherever in the file the import stands."""
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{path}: a relative import"
                targets = [
                    full if (full := f"{node.module}.{alias.name}") in known else node.module
                    for alias in node.names
                ]
            else:
                continue
            for target in map(known_part(known), targets):
                if target and target != name:
                    yield name, target


def known_part(known):
    """The longest beginning of a dotted name that is a module."""

    def of(name):
        while name and name not in known:
            name = name.rpartition(".")[0]
        return name

    return of


def circles(known):
    """Sets of modules that import each other, directly or by way of others."""
    graph = nx.DiGraph(imports(known))
    return [sorted(c) for c in nx.strongly_connected_components(graph) if len(c) > 1]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_circle(package):
    known = modules(ROOT, package)
    assert len(known) > 50
    assert circles(known) == []


@pytest.mark.parametrize(
    "there",
    ["import p.b", "def f():\n    from p import b", "if TYPE_CHECKING:\n    from p.b import x"],
)
def test_a_circle_of_any_kind_is_seen(tmp_path, there):
    package = tmp_path / "p"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text(there)
    (package / "b.py").write_text("from p import a\nx = 1")
    assert circles(modules(tmp_path, "p")) == [["p.a", "p.b"]]
