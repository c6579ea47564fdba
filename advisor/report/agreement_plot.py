"""Pictures of the agreement: measured against predicted with intervals, and errors by table.

Colours are those of Okabe and Ito, which people with any colour vision tell apart; shapes say the
same again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.agreements.agreement import Agreement
from calibration.agreements.comparison import STATUSES, Comparison, Status
from qmodel.documents.writing import write_bytes
from qmodel.errors import InvalidInput
from qmodel.pictures.plot import need_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

#: Formats a picture is written in, by the ending of its file.
FORMATS = (".svg", ".png", ".pdf")

_COLUMNS = 4
_PANEL = 2.6  # inches

#: A panel whose numbers span more than this factor has logarithmic axes.
_SPAN = 30.0


@dataclass(frozen=True, slots=True)
class _Look:
    colour: str
    marker: str
    filled: bool


_LOOKS: dict[Status, _Look] = {
    "held out": _Look("#0072B2", "o", filled=True),
    "left out": _Look("#E69F00", "s", filled=True),
    "fitted": _Look("#777777", "^", filled=False),
}
_FAILURE = "#D55E00"


class CannotDraw(InvalidInput):
    """The picture cannot be drawn or written; the text says what would be right."""


def draw_agreements(
    found: Sequence[Agreement], target: Path, *, force: bool = True
) -> tuple[Path, ...]:
    """Draw all systems into one file, or into a directory as two.

    Parameters
    ----------
    found : sequence of Agreement
        The systems.
    target : Path
        A file that ends in .svg, .png or .pdf, or a directory, which is made if need be.
    force : bool
        Whether a picture that is there is replaced.

    Returns
    -------
    tuple of Path
        The files written.

    Raises
    ------
    InvalidInput
        If matplotlib is not installed, the ending is another one, or the place cannot be written.
    """
    check_drawing(target)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    panels = _panels(found)
    tables = [(t, s, e) for each in found for t, s, e in each.by_table()]
    tall, low = _PANEL * ceil(len(panels) / _COLUMNS) + 0.8, 0.22 * len(dict(_rows(tables))) + 1.2
    # A picture of the same numbers is the same file: no date, no random names inside.
    style: Any = {"svg.hashsalt": "qmodel", "svg.fonttype": "none", "font.size": 8}
    with mpl.rc_context(style):
        if target.suffix in FORMATS and not target.is_dir():
            whole = Figure(figsize=(_PANEL * _COLUMNS, tall + low), layout="constrained")
            parts: Any = whole.subfigures(2, 1, height_ratios=(tall, low))
            above, below = parts
            _draw_panels(above, panels)
            _draw_tables(below, tables)
            return (_write(whole, target, force),)
        upper = Figure(figsize=(_PANEL * _COLUMNS, tall), layout="constrained")
        lower = Figure(figsize=(_PANEL * _COLUMNS, low), layout="constrained")
        _draw_panels(upper, panels)
        _draw_tables(lower, tables)
        return (
            _write(upper, target / "measured_predicted.svg", force),
            _write(lower, target / "errors_by_table.svg", force),
        )


def check_drawing(target: Path) -> None:
    """Refuse what could not be drawn, before any work is done for it.

    Raises
    ------
    InvalidInput
        If matplotlib is not installed or the ending is another one.
    """
    if target.suffix and target.suffix not in FORMATS and not target.is_dir():
        raise CannotDraw(f"{target}: ends in {target.suffix}, expected {', '.join(FORMATS)}")
    need_matplotlib("drawing")


def _write(figure: Figure, path: Path, force: bool) -> Path:
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotDraw(f"{path}: cannot be written: {error.strerror}") from None
    drawn = BytesIO()
    figure.savefig(drawn, dpi=150, metadata=metadata, format=path.suffix.lower().removeprefix("."))
    write_bytes(path, drawn.getvalue(), force=force)
    return path


def _panels(found: Sequence[Agreement]) -> dict[tuple[str, str], list[Comparison]]:
    """Numbers that can share axes: of one system and one unit, counts apart from ratios."""
    panels: dict[tuple[str, str], list[Comparison]] = {}
    for each in found:
        for c in each.comparisons:
            if c.published.is_limit:
                continue
            unit = c.unit if c.unit != "1" else "ratio" if c.published.value < 2.0 else "count"
            panels.setdefault((each.system.name, unit), []).append(c)
    return panels


def _draw_panels(
    figure: Figure | SubFigure, panels: dict[tuple[str, str], list[Comparison]]
) -> None:
    figure.suptitle("Predicted against measured, with 90 % intervals", fontweight="bold")
    rows = ceil(len(panels) / _COLUMNS)
    axes = figure.subplots(rows, _COLUMNS, squeeze=False).flatten()
    for ax, ((system, unit), comparisons) in zip(axes, panels.items(), strict=False):
        ax.set_title(f"{system} [{unit}]", fontsize=8)
        _draw_points(ax, comparisons)
    for ax in axes[len(panels) :]:
        ax.set_axis_off()
    for i, ax in enumerate(axes[: len(panels)]):
        if i % _COLUMNS == 0:
            ax.set_ylabel("predicted")
        if i + _COLUMNS >= len(panels):
            ax.set_xlabel("measured")
    _legend(figure, {c.status for each in panels.values() for c in each}, outside=True)


def _draw_points(ax: Axes, comparisons: Sequence[Comparison]) -> None:
    for status in reversed(STATUSES):
        look = _LOOKS[status]
        for c in comparisons:
            if c.status != status:
                continue
            colour = look.colour if c.inside else _FAILURE
            ax.errorbar(
                c.published.value,
                c.predicted.mid,
                yerr=[[c.predicted.mid - c.predicted.low], [c.predicted.high - c.predicted.mid]],
                xerr=[[c.published.value - c.published.low], [c.published.high - c.published.value]]
                if c.published.high > c.published.low
                else None,
                fmt=look.marker if c.inside else "X",
                markersize=4 if c.inside else 6,
                color=colour,
                markerfacecolor=colour if look.filled else "white",
                elinewidth=0.8,
                zorder=3 if look.filled else 2,
            )
    _same_axes(ax, comparisons)


def _same_axes(ax: Axes, comparisons: Sequence[Comparison]) -> None:
    """Both axes over one range, and the line where predicted is measured."""
    numbers = [v for c in comparisons for v in (c.published.low, c.published.high, c.predicted.mid)]
    ends = [v for c in comparisons for v in (c.predicted.low, c.predicted.high)]
    low, high = min(numbers + ends), max(numbers + ends)
    if min(numbers) > 0.0 and max(numbers) / min(numbers) > _SPAN:
        ax.set_xscale("log")
        ax.set_yscale("log")
        low = max(low, min(numbers) / 2.0) / 1.2
        high *= 1.2
    else:
        margin = 0.05 * (high - low)
        low, high = low - margin, high + margin
        ax.locator_params(nbins=5)
    ax.plot((low, high), (low, high), color="#bbbbbb", linewidth=0.8, zorder=1)
    ax.set_xlim(low, high)
    ax.set_ylim(low, high)
    ax.set_aspect("equal")
    ax.tick_params(labelsize=7)


def _legend(figure: Figure | SubFigure, shown: set[Status], *, outside: bool) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], label=status, **_mark(status)) for status in STATUSES if status in shown
    ]
    if outside:
        marks.append(
            Line2D([], [], linestyle="", marker="X", color=_FAILURE, label="outside its interval")
        )
    figure.legend(handles=marks, loc="outside lower center", ncols=4, frameon=False)


def _mark(status: Status) -> dict[str, Any]:
    look = _LOOKS[status]
    return {
        "linestyle": "",
        "marker": look.marker,
        "color": look.colour,
        "markerfacecolor": look.colour if look.filled else "white",
        "zorder": 3 if look.filled else 2,
    }


def _rows(tables: Sequence[tuple[str, Status, float]]) -> Iterable[tuple[str, int]]:
    """Tables in order of appearance, each with its line."""
    return ((table, i) for i, table in enumerate(dict.fromkeys(t for t, _, _ in tables)))


def _draw_tables(figure: Figure | SubFigure, tables: Sequence[tuple[str, Status, float]]) -> None:
    figure.suptitle("Mean absolute error by table", fontweight="bold")
    ax = figure.subplots()
    lines = dict(_rows(tables))
    for table, status, error in tables:
        ax.plot(max(error * 100.0, 0.1), lines[table], **_mark(status))
    ax.set_yticks(list(lines.values()), list(lines), fontsize=7)
    ax.set_ylim(len(lines) - 0.5, -0.5)
    ax.set_xscale("log")
    ticks = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
    ax.set_xticks(ticks, ["0.1 or less", *(f"{tick:g} %" for tick in ticks[1:])])
    ax.minorticks_off()
    ax.grid(color="#dddddd", linewidth=0.6, zorder=0)
    _legend(figure, {status for _, status, _ in tables}, outside=False)
