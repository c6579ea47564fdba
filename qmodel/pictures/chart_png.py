"""A chart as a PNG, drawn by Matplotlib on paper of its own, since it knows no page around it."""

from __future__ import annotations

from io import BytesIO

from qmodel.errors import InvalidInput
from qmodel.pictures.chart import Chart
from qmodel.pictures.picture import LIGHT


def need_matplotlib(what: str) -> None:
    """Refuse what cannot be drawn without Matplotlib, before any work is done for it.

    Raises
    ------
    InvalidInput
        If it is not installed; the text says how to.
    """
    try:
        import matplotlib as mpl  # noqa: F401, whether it is there
    except ImportError:
        raise InvalidInput(
            f"{what} needs matplotlib; install it with: pip install 'qmodel-capacity[plot]'"
        ) from None


def png(chart: Chart) -> bytes:
    """The chart; its text is kept inside the file."""
    from qmodel.pictures.plot import sheet

    with sheet(chart.alt) as drawn:
        axes = drawn.axes
        for line in chart.lines:
            (made,) = axes.plot(*zip(*line.points, strict=True), label=line.name)
            if line.band:
                at, low, high = zip(*line.band, strict=True)
                axes.fill_between(at, low, high, color=made.get_color(), alpha=0.18, linewidth=0)
        for i, mark in enumerate(chart.marks):
            axes.axvline(mark.at, color=LIGHT["quiet"], linewidth=1, linestyle=":")
            place = (mark.at, 0.98 - 0.1 * i)
            axes.annotate(
                f" {mark.name}", place, xycoords=("data", "axes fraction"), va="top", fontsize=9
            )
        axes.set(xlabel=chart.across, ylabel=chart.up, ylim=(0.0, chart.height))
        if len(chart.lines) > 1:
            axes.legend()
        written = BytesIO()
        drawn.figure.savefig(
            written,
            format="png",
            dpi=160,
            facecolor="white",
            transparent=False,
            metadata={"Description": chart.alt},
        )
    return written.getvalue()
