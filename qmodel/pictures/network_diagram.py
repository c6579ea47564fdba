"""A diagram of a network: who thinks, who arrives, and the stations they visit."""

from collections.abc import Sequence
from html import escape

from qmodel.errors import InvalidInput
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.model.stations import DelayStation, ForkJoinStation, LoadDependentStation, Station
from qmodel.pictures.picture import TONES, Picture, css

#: Width and height of one station's place, stations in a row. [px]
WIDE, HIGH, IN_A_ROW = 176, 104, 4
#: Servers drawn one by one; more are a number.
DRAWN = 4


def draw(network: Network, solution: Solution | None = None) -> Picture:
    """Draw a network; with its solution, stations show how busy they are.

    Parameters
    ----------
    network : Network
        What to draw.
    solution : Solution, optional
        A solution of it: the queue in front of a station fills with its utilization.

    Returns
    -------
    Picture
        Shown as it is by notebooks; ``save`` writes it to a file.

    Raises
    ------
    InvalidInput
        If the solution is that of another network.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, draw
    >>> draw(Network([QueueingStation("cpu", 2)], [ClosedClass("users", 5, 1.0)], [0.2])).alt
    'closed class users (5 customers, 1 s think time); station cpu: 2 servers, 0.2 s'
    """
    if solution is not None and solution.network != network:
        raise InvalidInput("the solution is that of another network; solve this one")
    busy = solution.station_utilizations if solution else (None,) * len(network.stations)
    rows = -(-len(network.stations) // IN_A_ROW)
    columns = min(len(network.stations), IN_A_ROW)
    left = 168
    width, height = left + columns * WIDE + 8, max(rows * HIGH, 46 * len(network.classes)) + 40
    parts = [_sources(network, height)]
    for k, (station, share) in enumerate(zip(network.stations, busy, strict=True)):
        x, y = left + (k % IN_A_ROW) * WIDE, 20 + (k // IN_A_ROW) * HIGH
        if k % IN_A_ROW == 0:
            parts.append(_arrow(x - 26, x + 2, y + 34))
        parts.append(_station(station, x, y, [row[k] for row in network.demand], share))
    text = f"font: 13px var(--pst-font-family-base, sans-serif); fill: {css('ink')}"
    svg = (
        f'<svg viewBox="0 0 {width} {height}" style="max-width: {width}px; width: 100%; {text}">'
        f"{''.join(parts)}</svg>"
    )
    return Picture(svg, _sentence(network, solution))


def _sources(network: Network, height: int) -> str:
    """The classes at the left: closed ones think, open ones arrive."""
    parts = []
    top = (height - 46 * len(network.classes)) / 2
    for c, customer_class in enumerate(network.classes):
        y = top + 46 * c
        tone = css(TONES[c % len(TONES)])
        if isinstance(customer_class, ClosedClass):
            note = f"{customer_class.population}, think {customer_class.think_time:.4g} s"
            mark = f'<rect x="8" y="{y + 6}" width="18" height="14" rx="2" style="fill: {tone}"/>'
            mark += f'<rect x="13" y="{y + 20}" width="8" height="4" style="fill: {tone}"/>'
        else:
            note = f"{customer_class.arrival_rate:.4g} /s"
            mark = f'<path d="M8 {y + 14}h12m-5-5l6 5l-6 5" style="{_line(tone, 2.5)}"/>'
        parts.append(mark + _text(34, y + 14, customer_class.name, "600") + _text(34, y + 31, note))
    return "".join(parts)


def _station(
    station: Station, x: float, y: float, demand: Sequence[float], share: float | None
) -> str:
    ink = css("ink")
    middle = y + 34
    parts = []
    if isinstance(station, DelayStation):
        parts.append(f'<circle cx="{x + 24}" cy="{middle}" r="20" style="{_line(ink)}"/>')
        parts.append(f'<path d="M{x + 24} {middle - 12}v12l8 6" style="{_line(ink)}"/>')
        end = x + 44
    else:
        parts.append(_queue(x + 4, middle, share))
        count = _servers(station)
        drawn = min(count, DRAWN)
        radius = 18.0 if drawn == 1 else 34 / drawn
        for i in range(drawn):
            at = middle + (i - (drawn - 1) / 2) * 2 * radius
            circle = f'<circle cx="{x + 86}" cy="{at:.1f}" r="{radius:.1f}"'
            parts.append(f'{circle} style="{_line(ink)}"/>')
        if isinstance(station, LoadDependentStation):
            slant = f"M{x + 72} {middle + 16}l28 -32m-9 1l9 -1l-1 9"
            parts.append(f'<path d="{slant}" style="{_line(ink)}"/>')
        end = x + 86 + radius
        if count > DRAWN:
            parts.append(_text(end + 4, middle + 5, f"x {count}"))
            end += 34
    parts.append(_arrow(end + 4, x + WIDE + 2, middle))
    times = " / ".join(f"{d:.4g}" for d in demand) + " s"
    parts.append(_text(x + 4, y + 86, station.name, "600"))
    parts.append(_text(x + 4, y + 101, times if share is None else f"{times}, {share:.0%} busy"))
    return "".join(parts)


def _servers(station: Station) -> int:
    """How many serve there at once, 1 for a station of changing speed."""
    if isinstance(station, ForkJoinStation):
        return station.branches
    return getattr(station, "servers", 1)


def _queue(x: float, middle: float, share: float | None) -> str:
    """An open box with bars; what is busy is filled from the server's side."""
    high, wide = 32, 60
    parts = []
    if share is not None:
        filled = wide * min(share, 1.0)
        parts.append(
            f'<rect x="{x + wide - filled:.1f}" y="{middle - high / 2}" width="{filled:.1f}" '
            f'height="{high}" style="fill: {css("tone-2")}; opacity: 0.35"/>'
        )
    bars = "".join(f"M{x + wide - 14 * i} {middle - high / 2}v{high}" for i in (1, 2, 3))
    box = f"M{x} {middle - high / 2}h{wide}v{high}h-{wide}"
    return "".join(parts) + f'<path d="{box}{bars}" style="{_line(css("ink"))}"/>'


def _arrow(start: float, end: float, y: float) -> str:
    return (
        f'<path d="M{start:.1f} {y}H{end:.1f}m-6-4l6 4l-6 4" style="{_line(css("quiet"), 1.5)}"/>'
    )


def _line(colour: str, width: float = 1.8) -> str:
    return f"fill: none; stroke: {colour}; stroke-width: {width}; stroke-linecap: round"


def _text(x: float, y: float, text: str, weight: str = "400") -> str:
    return f'<text x="{x}" y="{y}" style="font-weight: {weight}">{escape(text)}</text>'


def _sentence(network: Network, solution: Solution | None) -> str:
    """The diagram in words."""
    said = []
    for customer_class in network.classes:
        if isinstance(customer_class, ClosedClass):
            said.append(
                f"closed class {customer_class.name} ({customer_class.population} customers, "
                f"{customer_class.think_time:.4g} s think time)"
            )
        else:
            said.append(f"open class {customer_class.name} ({customer_class.arrival_rate:.4g} /s)")
    for k, station in enumerate(network.stations):
        kind = "delay" if isinstance(station, DelayStation) else "load-dependent"
        if not isinstance(station, DelayStation | LoadDependentStation):
            count = _servers(station)
            word = "branch" if isinstance(station, ForkJoinStation) else "server"
            plural = "" if count == 1 else "es" if word == "branch" else "s"
            kind = f"{count} {word}{plural}"
        times = ", ".join(f"{row[k]:.4g} s" for row in network.demand)
        busy = f", {solution.station_utilizations[k]:.0%} busy" if solution else ""
        said.append(f"station {station.name}: {kind}, {times}{busy}")
    return "; ".join(said)
