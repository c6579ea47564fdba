"""Predicted over measured, number by number, with intervals: where a model misses and by how much.

Colours are those of the house, so that the picture follows a dark page; shapes say the same again.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calibration.agreements.comparison import Comparison
from qmodel.pictures.picture import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INSIDE, _OUTSIDE = LIGHT["tone-1"], LIGHT["tone-2"]
_NEXT = 0.75  # from one number to the next, in lines of a name


def draw_ratios(axes: "Axes", comparisons: Sequence[Comparison]) -> None:
    """Draw each comparison as a line: the interval over the measured number, the middle as a dot.

    A number outside its interval is a cross of another colour, one that a fit saw is hollow.
    Numbers of one subject and metric stand together under their name; limits, such as "under
    21 %", are left out.
    """
    groups: dict[str, list[Comparison]] = {}
    for each in comparisons:
        if not each.published.is_limit:
            groups.setdefault(f"{each.subject}, {each.metric}", []).append(each)
    line = 0.0
    for name, members in groups.items():
        # The name has a line to itself, so that the numbers have the whole width of a phone.
        across = axes.get_yaxis_transform()
        text = axes.text(0.0, line, name, transform=across, va="center", fontsize=10)
        text.set_in_layout(False)
        first = line + _NEXT
        for each in members:
            line += _NEXT
            _draw(axes, line, each)
        # What would be right, beside the numbers alone: it would strike the names through.
        axes.vlines(1.0, first - 0.35, line + 0.35, color=LIGHT["quiet"], linewidth=1.0, zorder=1)
        line += 1.0
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_ylim(line - 0.4, -0.6)
    axes.set_xlabel("predicted over measured, 90 % intervals")


def _draw(axes: "Axes", line: float, each: Comparison) -> None:
    measured = each.published.nearest(each.predicted.mid)
    low, mid, high = (
        v / measured for v in (each.predicted.low, each.predicted.mid, each.predicted.high)
    )
    tone = _INSIDE if each.inside else _OUTSIDE
    axes.errorbar(
        mid, line, xerr=[[mid - low], [high - mid]], fmt="o" if each.inside else "X",
        markersize=4.0 if each.inside else 8.0, color=tone,
        markerfacecolor="white" if each.status == "fitted" else tone, ecolor=tone, elinewidth=1.6,
        linestyle="none", zorder=3,
    )  # fmt: skip
