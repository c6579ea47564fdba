"""What every screen is made of: marks, bars, tables that cut no word, and lists that end."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from re import sub
from textwrap import wrap

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from advisor.findings.words import seconds_range
from calibration.estimation.interval import Range

#: Lines of a screen.
LINES = 40
#: Cells of a bar.
BAR = 18
MARKS = {
    "FITS": ("✓", "bold green"), "AT RISK": ("?", "bold yellow"), "TOO SLOW": ("✗", "bold red"),
    "OVERLOADED": ("✗", "bold red"), "NOT KNOWN": ("?", "bold yellow"),
}  # fmt: skip


def bar(utilization: float, limit: float | None = None, cells: int = BAR) -> Text:
    """A utilization as cells, with a stroke where the target is."""
    filled = min(cells, round(utilization * cells))
    drawn = ["█"] * filled + ["░"] * (cells - filled)
    if limit is not None and filled <= (at := round(limit * cells)) < cells:
        drawn[at] = "|"
    text = Text("".join(drawn))
    # The colour says what the length says as well.
    colour = "red" if utilization >= 0.8 else "yellow" if utilization >= 0.6 else "green"
    text.stylize(colour, 0, filled)
    text.stylize("dim", filled)
    return text


def short(time: Range) -> str:
    """A time and its interval where there is little room."""
    return seconds_range(time).replace(" to ", "-")


def whole(console: Console, text: str, style: str = "") -> Text:
    """A text in lines that break no number from its unit."""
    glued = sub(r"(?<=[0-9]) (?=[%/a-zA-Z])", "\xa0", text)
    lines = wrap(glued, console.width, break_on_hyphens=False) or [""]
    return Text("\n".join(lines).replace("\xa0", " "), style)


def table(*headings: str, right: Sequence[str] = ()) -> Table:
    """A table without lines, whose cells are wrapped and never cut; the first is one line."""
    found = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for i, heading in enumerate(headings):
        found.add_column(
            heading, justify="right" if heading in right else "left", overflow="fold",
            no_wrap=i == 0,
        )  # fmt: skip
    return found


def show_list(
    console: Console, build: Callable[[int], RenderableType], count: int, *, room: int | None
) -> None:
    """Print as many rows as there is room for, and how many more there are, if not one alone."""

    def height(rows: int) -> int:
        return len(console.render_lines(build(rows), pad=False))

    shown = count
    if room is not None and height(count) > room:
        shown = bisect_left(range(1, count), room, key=height)
    console.print(build(shown))
    if shown < count:
        console.print(Text(f"{count - shown} more: --all", style="dim"))


def targets_kept(kept: Sequence[str]) -> str:
    """Targets that the command line leaves to the file."""
    return f"from the file: target of {', of '.join(each.replace('_', ' ') for each in kept)}"
