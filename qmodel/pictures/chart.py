"""A chart of lines as SVG written by hand: no library, and colours that follow the page."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from math import floor, isfinite, log10
from textwrap import shorten

from qmodel.errors import InvalidInput
from qmodel.pictures.picture import TONES, Picture, css

#: Size of a chart; one much wider has letters too small to read on a telephone. [px]
WIDE, HIGH = 440, 270
#: Where the axes are. [px]
LEFT, RIGHT, TOP, BOTTOM = 58, WIDE - 10, 8, HIGH - 38
#: Dashes of lines, which differ in more than colour.
DASHES = ("none", "7 3", "2 3", "9 3 2 3", "4 2", "12 5")
#: Height of a line of text. [px]
LINE = 16
_HALO = "paint-order: stroke; stroke: var(--paper, transparent); stroke-width: 3px"


@dataclass(frozen=True, slots=True)
class Line:
    """A line, broken where it has no height; with a band where it is uncertain."""

    #: Told apart by it where there are several.
    name: str
    #: Across and up.
    points: Sequence[tuple[float, float]]
    #: Across, the lower and the upper end.
    band: Sequence[tuple[float, float, float]] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """Something at one place: a dot on the line where it has a height, else a stroke."""

    #: Across.
    at: float
    #: What is there.
    name: str
    #: Up.
    height: float | None = None
    #: Of the interval of the height.
    ends: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over a common axis, from zero up."""

    #: What the picture shows, with its numbers.
    alt: str
    #: What the axes are, with units.
    across: str
    up: str
    lines: Sequence[Line]
    marks: Sequence[Mark] = ()
    #: A height that is not to be passed, and its name.
    level: tuple[float, str] | None = None
    #: From here to there something holds.
    region: tuple[float, float, str] | None = None
    #: Height of the picture; the highest of all that is drawn if not given.
    top: float | None = None
    #: Of the axis across; round numbers if not given.
    ticks: Sequence[tuple[float, str]] = ()

    @property
    def span(self) -> tuple[float, float]:
        """The ends of the axis across."""
        at = [x for line in self.lines for x, _ in line.points]
        if not at:
            raise InvalidInput("a chart needs a point")
        return (min(at), max(at)) if max(at) > min(at) else (min(at) - 0.5, max(at) + 0.5)

    @property
    def height(self) -> float:
        """The upper end of the axis up."""
        if self.top is not None:
            return self.top
        heights = [y for line in self.lines for _, y in line.points if isfinite(y)]
        heights += [high for line in self.lines for _, _, high in line.band if isfinite(high)]
        most = max([*heights, *([self.level[0]] if self.level else [])], default=0.0)
        room = 1.0 + 0.07 * max(len(self.marks), len(self.lines))  # for what is written above
        return most * room if most > 0.0 else 1.0

    @property
    def picture(self) -> Picture:
        """The chart as it is shown."""
        return Picture(
            f'<svg viewBox="0 0 {WIDE} {HIGH}" style="width: 100%; max-width: {WIDE * 1.3:.0f}px; '
            f'font-size: 12px; font-family: system-ui, sans-serif; fill: {css("ink")}">'
            + "".join(_parts(self))
            + "</svg>",
            self.alt,
        )


def _parts(chart: Chart) -> Iterator[str]:
    low, high = chart.span
    top = chart.height

    def x(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (value - low) / (high - low)

    def y(value: float) -> float:
        # What is far above is cut off by the picture's edge.
        return BOTTOM - (BOTTOM - TOP) * min(value / top, 3.0)

    if chart.region:
        start, end, name = chart.region
        left, right = x(max(start, low)), x(min(end, high))
        yield (
            f'<rect x="{left:.1f}" y="{TOP}" width="{max(right - left, 0):.1f}" '
            f'height="{BOTTOM - TOP}" style="fill: {css("tone-4")}; fill-opacity: 0.14"/>'
        )
        inside = right - left > 6.5 * len(name)
        at, name = (left + 6, name) if inside else (right + 4, f"\u25c2 {name}")
        beside = y(chart.level[0]) if chart.level else TOP  # the name of a low level is there
        up = BOTTOM - 7 if BOTTOM - beside > 2 * LINE else beside - 5 - LINE
        yield _text(at, up, name, f"fill: {css('tone-4')}; {_HALO if not inside else ''}")
    for value in round_numbers(0.0, top):
        yield _rule(LEFT, y(value), RIGHT, y(value), "grid")
        yield _text(LEFT - 6, y(value) + 4, f"{value:.6g}", f"fill: {css('quiet')}", "end")
    for value, name in chart.ticks or [(v, f"{v:.6g}") for v in round_numbers(low, high)]:
        yield _rule(x(value), BOTTOM, x(value), BOTTOM + 4, "quiet")
        where = "end" if x(value) > RIGHT - 12 else "middle"
        yield _text(x(value), BOTTOM + LINE, name, f"fill: {css('quiet')}", where)
    yield _rule(LEFT, BOTTOM, RIGHT, BOTTOM, "quiet")
    yield _text((LEFT + RIGHT) / 2, HIGH - 6, chart.across, "", "middle")
    middle = (TOP + BOTTOM) / 2
    yield _text(14, middle, chart.up, "", "middle", f'transform="rotate(-90 14 {middle})"')
    for line, tone, dash in zip(chart.lines, TONES, DASHES, strict=False):
        if line.band:
            forth = [f"{x(at):.1f} {y(upper):.1f}" for at, _, upper in line.band]
            back = [f"{x(at):.1f} {y(lower):.1f}" for at, lower, _ in reversed(line.band)]
            band = f"M{'L'.join([*forth, *back])}z"
            yield f'<path d="{band}" style="fill: {css(tone)}; fill-opacity: 0.18"/>'
        style = f"fill: none; stroke: {css(tone)}; stroke-width: 2.4; stroke-dasharray: {dash}"
        runs = groupby(line.points, lambda point: isfinite(point[1]))
        path = "".join(
            "M" + "L".join(f"{x(at):.1f} {y(value):.1f}" for at, value in run)
            for there, run in runs
            if there
        )
        yield f'<path d="{path}" style="{style}"/>'
    if chart.level:
        value, name = chart.level
        yield _rule(LEFT, y(value), RIGHT, y(value), "tone-2", "6 4")
        early = [h for line in chart.lines for at, h in line.points if x(at) < LEFT + 140]
        where = "end" if any(0.75 * value < h < 1.4 * value for h in early) else "start"
        at = RIGHT - 6 if where == "end" else LEFT + 6
        yield _text(at, y(value) - 5, name, f"fill: {css('tone-2')}; {_HALO}", where)
    yield from _names(chart, x, y)


def _names(chart: Chart, x: Callable[[float], float], y: Callable[[float], float]) -> Iterator[str]:
    """Marks, and the names of several lines, each on a line of its own at the top."""
    row = TOP + LINE - 4
    if len(chart.lines) > 1:
        for line, tone, dash in zip(chart.lines, TONES, DASHES, strict=False):
            yield _rule(LEFT + 8, row - 4, LEFT + 34, row - 4, tone, dash, 2.4)
            yield _text(LEFT + 40, row, shorten(line.name, 44, placeholder="…"), _HALO)
            row += LINE
    rows = [row + LINE * i for i in range(len(chart.marks))]
    for mark, up in zip(chart.marks, rows, strict=True):
        at = x(mark.at)
        yield _rule(at, up - 10, at, BOTTOM, "ink", "2 3")
        if mark.ends is not None:
            yield _rule(at, y(mark.ends[0]), at, y(mark.ends[1]), "tone-1", "none", 5.0, 0.5)
        if mark.height is not None:
            yield (
                f'<circle cx="{at:.1f}" cy="{y(mark.height):.1f}" r="5.5" style="fill: '
                f'{css("tone-1")}; stroke: {css("paper")}; stroke-width: 2"/>'
            )
    for mark, up in zip(chart.marks, rows, strict=True):
        at = x(mark.at)
        left = at - LEFT > 6.6 * len(mark.name)
        bold = f"font-weight: 650; {_HALO}"
        yield _text(at - 6 if left else at + 6, up, mark.name, bold, "end" if left else "start")


def round_numbers(low: float, high: float, count: int = 5) -> tuple[float, ...]:
    """About so many round numbers between two."""
    rough = (high - low) / count
    size = 10.0 ** floor(log10(rough))
    step = next(size * each for each in (1, 2, 5, 10) if size * each >= rough * 0.999)
    first = -floor(-low / step)
    return tuple(round(i * step, 12) for i in range(first, floor(high / step * (1 + 1e-12)) + 1))


def _rule(
    left: float, up: float, right: float, down: float, tone: str, dash: str = "none",
    width: float = 1.0, opacity: float = 1.0,
) -> str:  # fmt: skip
    return (
        f'<line x1="{left:.1f}" y1="{up:.1f}" x2="{right:.1f}" y2="{down:.1f}" style="stroke: '
        f'{css(tone)}; stroke-width: {width}; stroke-dasharray: {dash}; opacity: {opacity}"/>'
    )


def _text(
    x: float, y: float, text: str, style: str = "", anchor: str = "start", more: str = ""
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more} style="{style}">'
        f"{escape(printable(text))}</text>"
    )


def printable(text: str) -> str:
    """Text in which a sign stands for what no page can show."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)
