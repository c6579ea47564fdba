"""What is a table: HTML in a notebook, a frame where pandas is installed.

Built on the standard library alone, so that records of every floor can be tables.
"""

from collections.abc import Callable, Mapping
from html import escape
from importlib import import_module
from itertools import islice
from numbers import Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

#: Rows that a notebook shows of a long table.
SHOWN = 25
#: No colour but that of the text around it, so that the table can be read on a dark page.
_CELL = "border-bottom:1px solid color-mix(in srgb,currentColor 30%,transparent);padding:2px 8px"

#: Sequences or arrays of one length, by name.
Columns = Mapping[str, Any]


class Tabular:
    """A record that is a table.

    A subclass has ``_caption``, one line, and ``_columns``, base units throughout.
    """

    __slots__ = ()

    def _caption(self) -> str:
        raise NotImplementedError  # abstract: every record that is a table says its own

    def _columns(self) -> Columns:
        raise NotImplementedError  # abstract, as above

    def to_frame(self) -> "pd.DataFrame":
        """The rows that a notebook shows, all of them, as a pandas frame in base units.

        Raises
        ------
        ImportError
            If pandas is not installed; the text says how to install it.
        """
        return frame_maker()(dict(self._columns()))

    def _repr_html_(self) -> str:
        return html_table(self._caption(), self._columns())


def frame_maker() -> "Callable[..., pd.DataFrame]":
    """``pandas.DataFrame``, or one line that says what to install."""
    try:
        made: Callable[..., pd.DataFrame] = import_module("pandas").DataFrame
    except ImportError:
        raise ImportError(
            "to_frame() needs pandas; install it with: pip install 'qmodel-capacity[frame]'"
        ) from None
    return made


def html_table(caption: str, columns: Columns) -> str:
    """Columns as an HTML table, the first `SHOWN` rows of it."""
    rows = list(islice(zip(*columns.values(), strict=True), SHOWN))
    head = "".join(f'<th style="{_CELL};text-align:left">{escape(name)}</th>' for name in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    left = max(map(len, columns.values()), default=0) - SHOWN
    more = f"<p>{left} more rows: to_frame() has all of them</p>" if left > 0 else ""
    return (
        '<table style="border-collapse:collapse;color:inherit;background:transparent">'
        f'<caption style="text-align:left;color:inherit">{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
    )


def text_table(columns: Columns) -> str:
    """Columns as text, a heading and a line each row."""
    written = [[head, *map(_text, values)] for head, values in columns.items()]
    wide = [[f"{cell:<{max(map(len, column))}}" for cell in column] for column in written]
    return "\n".join("  ".join(row).rstrip() for row in zip(*wide, strict=True))


def _text(value: Any) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _cell(value: Any) -> str:
    side = "right" if isinstance(value, Real) and not isinstance(value, bool) else "left"
    return f'<td style="{_CELL};text-align:{side}">{escape(_text(value))}</td>'
