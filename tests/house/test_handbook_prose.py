"""The handbook: no number in the prose without its assertion, cells short enough to read."""

import ast
import re
from pathlib import Path

import pytest

BOOK = Path(__file__).parents[2] / "book"
PAGES = sorted(p for p in BOOK.rglob("*.md") if not {"_build", "made"} & set(p.parts))
CELL = re.compile(r"^```\{code-cell\}.*?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"(?<![\w./-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w]*-?\d)")
#: What is no prose: front matter, fenced blocks, dials, mathematics, code, targets of links.
ASIDE = (
    re.compile(r"\A---\n.*?\n---\n", re.DOTALL),
    re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL),
    re.compile(r"^:::\{anywidget\}.*?^:::$", re.MULTILINE | re.DOTALL),
    re.compile(r"^\s*(?:\d+\.|:::.*)", re.MULTILINE),
    re.compile(r"\$\$.*?\$\$|\$[^$]+\$", re.DOTALL),
    re.compile(r"`[^`]*`"),
    re.compile(r"\]\([^)]*\)|<https?:[^>]*>"),
)


def prose(text: str) -> str:
    for pattern in ASIDE:
        text = pattern.sub(" ", text)
    return text


def cells(text: str) -> list[tuple[str, str]]:
    """Options and source of every cell."""
    found = []
    for body in CELL.findall(text):
        if body.startswith("---\n"):
            options, _, source = body[4:].partition("---\n")
        else:
            lines = body.splitlines(keepends=True)
            count = next(
                (i for i, line in enumerate(lines) if not line.startswith(":")), len(lines)
            )
            options, source = "".join(lines[:count]), "".join(lines[count:])
        found.append((options, source))
    return found


def asserted(text: str) -> set[str]:
    """Every number, as the prose prints it, that a cell asserts or calls given."""
    found: set[str] = set()
    for _, source in cells(text):
        if "said(" not in source and "given(" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                strings = [a.value for a in node.args if isinstance(a, ast.Constant)]
                if node.func.id == "said":
                    found.add(str(strings[0]))
                elif node.func.id == "given":
                    found.update(map(str, strings))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_every_number_in_prose_is_asserted(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert set(NUMBER.findall(prose(text))) <= asserted(text)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_cells_that_are_read_have_at_most_twelve_lines(page: Path) -> None:
    for options, source in cells(page.read_text(encoding="utf-8")):
        if "remove-cell" not in options and "set-up" not in options:  # not shown
            assert len(source.strip().splitlines()) <= 12, source


def test_a_number_without_assertion_is_found() -> None:
    page = "# Title\n\nIt takes 2.5 s at `3` users, $x = 4$.\n\n1. item\n"
    assert NUMBER.findall(prose(page)) == ["2.5"]
    assert asserted('```{code-cell} ipython3\nsaid("2.5", x)\ngiven("7")\n```\n') == {"2.5", "7"}
