"""The little Markdown that the pages need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; what would end a cell is escaped."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


class Code(str):
    """What a table shows as code, in one piece."""

    __slots__ = ()


def cell(value: object) -> str:
    """Text for one cell of a table."""
    if isinstance(value, Code):
        return f"`{value}`"
    return plain(str(value)).replace("|", "\\|").replace("\n", " ")


def plain(text: str) -> str:
    """Text in which nothing is markup."""
    for sign in ("\\", "`", "*", "_", "<", "$", "{", "[", "]", "^", "~"):
        text = text.replace(sign, "\\" + sign)
    return text


def code(text: str, language: str = "text") -> str:
    """A fenced block."""
    return f"```{language}\n{text.strip(chr(10))}\n```\n"
