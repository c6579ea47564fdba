"""A picture of the agreement: each system's predictions over its measured numbers."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from advisor.report.ratio_plot import draw_ratios
from calibration.agreements.agreement import Agreement
from qmodel.documents.writing import write_bytes
from qmodel.errors import InvalidInput
from qmodel.pictures.plot import house_style, need_matplotlib

#: Formats a picture is written in, by the ending of its file.
FORMATS = (".svg", ".png", ".pdf")
#: Width, and the heights of a number and of what is about a system's numbers. [inch]
WIDTH, LINE, AROUND = 6.5, 0.13, 1.0


class CannotDraw(InvalidInput):
    """The picture cannot be drawn; the text says what would be right."""


def draw_agreements(found: Sequence[Agreement], target: Path, *, force: bool = True) -> None:
    """Draw systems one below the other, numbers that a fit saw with hollow marks.

    InvalidInput if matplotlib is not installed, the file's ending is none of `FORMATS`, or it
    cannot be written.
    """
    check_drawing(target)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    heights = [AROUND + LINE * len(each.comparisons) for each in found]
    # A picture of the same numbers is the same file: no date, no random names inside.
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(target.suffix)
    drawn = BytesIO()
    with mpl.rc_context(house_style()):
        figure = Figure(figsize=(WIDTH, sum(heights)))
        for axes, each in zip(
            figure.subplots(len(found), 1, squeeze=False, height_ratios=heights).flatten(),
            found,
            strict=True,
        ):
            draw_ratios(axes, each.comparisons)
            axes.set_title(each.system.name)
        figure.savefig(
            drawn, dpi=150, metadata=metadata, format=target.suffix[1:], facecolor="white",
            transparent=False,
        )  # fmt: skip
    write_bytes(target, drawn.getvalue(), force=force)


def check_drawing(target: Path) -> None:
    """Refuse what could not be drawn, before any work is done for it."""
    if target.suffix not in FORMATS:
        ending = f"ends in {target.suffix}" if target.suffix else "has no ending"
        raise CannotDraw(f"{target}: {ending}, expected {', '.join(FORMATS)}")
    need_matplotlib("drawing")
