"""Plots in the house style, drawn with Matplotlib."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO, StringIO
from re import sub
from typing import TYPE_CHECKING, Any

from qmodel.errors import InvalidInput
from qmodel.pictures.chart import Chart
from qmodel.pictures.picture import LIGHT, TONES, Picture, css

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


#: Width and height; a plot much wider has letters too small to read on a telephone. [inch]
SIZE = (4.8, 3.2)
#: Lines differ in dash as well as in colour.
DASHES = ("-", (0, (6, 3)), (0, (1.5, 2)), (0, (8, 2, 1.5, 2)), (0, (3, 1)), (0, (10, 4)))


def house_style() -> dict[Any, Any]:
    """Matplotlib's settings for the house style, for ``matplotlib.rc_context``."""
    from cycler import cycler

    colours = [LIGHT[tone] for tone in TONES]
    return {
        "axes.prop_cycle": cycler(color=colours) + cycler(linestyle=DASHES),
        "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": LIGHT["quiet"],
        "axes.labelcolor": LIGHT["ink"], "axes.titlecolor": LIGHT["ink"], "axes.facecolor": "none",
        "axes.grid": True, "axes.axisbelow": True, "grid.color": LIGHT["grid"],
        "figure.facecolor": "none", "figure.constrained_layout.use": True, "figure.figsize": SIZE,
        "font.size": 11, "legend.frameon": False, "legend.labelcolor": LIGHT["ink"],
        "lines.linewidth": 2.2, "lines.markersize": 6, "savefig.transparent": True,
        "svg.fonttype": "none", "svg.hashsalt": "qmodel", "text.color": LIGHT["ink"],
        "xtick.color": LIGHT["quiet"], "ytick.color": LIGHT["quiet"],
    }  # fmt: skip


class Sheet:
    """What `sheet` hands out: axes to draw on, and afterwards the picture."""

    def __init__(self, figure: "Figure", axes: "Axes", alt: str) -> None:
        self.figure = figure
        self.axes = axes
        self._alt = alt
        self._width = round(96 * figure.get_figwidth() * 1.15)

    @property
    def picture(self) -> Picture:
        """The plot as a picture whose colours follow the page."""
        import matplotlib as mpl

        written = StringIO()
        with mpl.rc_context(house_style()):
            self.figure.savefig(written, format="svg", metadata={"Date": None})
        text = written.getvalue()
        text = text[text.index("<svg ") :]
        # The plot is as wide as the page lets it be.
        text = sub(r' (?:width|height)="[\d.]+pt"', "", text, count=2)
        text = text.replace("<svg ", f'<svg style="width: 100%; max-width: {self._width}px" ', 1)
        for name, colour in LIGHT.items():
            if name != "paper":
                text = text.replace(colour, css(name))
        return Picture(text.replace("DejaVu Sans", "inherit"), self._alt)


@contextmanager
def sheet(alt: str, size: tuple[float, float] = SIZE) -> Iterator[Sheet]:
    """Axes in the house style; ``alt`` says what the plot shows, ``size`` is in inches."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(house_style()):
        figure = Figure(figsize=size)
        FigureCanvasSVG(figure)
        yield Sheet(figure, figure.add_subplot(), alt)


def need_matplotlib(what: str) -> None:
    """Refuse what cannot be drawn without Matplotlib, before any work is done for it.

    Raises `InvalidInput` if it is not installed; the text says how to.
    """
    try:
        import matplotlib as mpl  # noqa: F401, whether it is there
    except ImportError:
        raise InvalidInput(
            f"{what} needs matplotlib; install it with: pip install 'qmodel-capacity[plot]'"
        ) from None


def png(chart: Chart) -> bytes:
    """The chart; its text is kept inside the file."""
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
            written, format="png", dpi=160, facecolor="white", transparent=False,
            metadata={"Description": chart.alt},
        )  # fmt: skip
    return written.getvalue()
