"""Pictures of a review: response time by users, utilizations, options, the day's timetable.

Each is drawn narrow, so that its letters can be read on a telephone, and says in its alternative
text the numbers it shows.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import shorten

from advisor.configuration.configuration import Configuration
from advisor.configuration.hours import DAY, Window
from advisor.configuration.schema import BatchTask
from advisor.findings.records import Advice
from advisor.findings.review import Review
from advisor.findings.words import counted, percent_range, seconds, seconds_range
from advisor.predicting.outlook import Outlook
from advisor.report.basis import load
from calibration.model_evaluation.model import NOT_MEASURED
from qmodel.errors import InvalidInput
from qmodel.pictures.picture import Picture
from qmodel.pictures.plot import DASHES, Sheet, sheet
from qmodel.pictures.tones import LIGHT, TONES

#: Width of every picture. [inch]
WIDE = 4.8
#: Most classes and options that are drawn; the tables have all.
MOST = 6
MARKS = "os^Dv*"


def response_times(
    growth: Sequence[tuple[Outlook, Outlook]], limit: float | None = None
) -> Picture:
    """Response time of each class against users, at the worst peak hour, with intervals.

    Parameters
    ----------
    growth : sequence of (Outlook, Outlook)
        At several numbers of users: users alone, and at the worst peak hour.
    limit : float, optional
        What was promised. [s]
    """
    _need_matplotlib()
    from matplotlib.ticker import MaxNLocator

    names = [c.name for c in growth[-1][1].classes if not c.batch][:MOST]
    lines = {
        name: [(peak.users, found) for _, peak in growth if (found := peak.time_of(name))]
        for name in names
    }
    said = "; ".join(
        f"{plain(name)}: "
        + ", ".join(f"{seconds_range(r)} at {counted(n, 'user')}" for n, r in points)
        for name, points in lines.items()
    )
    target = f" The target is {seconds(limit)}." if limit else ""
    alt = f"Response time against users at the worst peak hour. {said}.{target}"
    with _drawn(alt, 3.2) as drawn:
        axes = drawn.axes
        handles = []
        for i, points in enumerate(lines.values()):
            users = [n for n, _ in points]
            tone = LIGHT[TONES[i]]
            axes.fill_between(
                users,
                [r.low for _, r in points],
                [r.high for _, r in points],
                color=tone,
                alpha=0.2,
                linewidth=0,
            )
            handles += axes.plot(
                users,
                [r.mid for _, r in points],
                color=tone,
                linestyle=DASHES[i],
                marker=MARKS[i],
            )
        if limit:
            axes.axhline(limit, color=LIGHT["quiet"], linestyle=DASHES[2], linewidth=1.6)
            right = axes.get_yaxis_transform()
            axes.text(0.99, limit, "target", transform=right, ha="right", va="bottom", fontsize=10)
        axes.set_xlabel("users")
        axes.set_ylabel("response time [s]")
        # Room for the legend above what is drawn.
        top = max([limit or 0.0, *(r.high for points in lines.values() for _, r in points)])
        axes.set_ylim(0.0, 1.25 * top if top > 0.0 else 1.0)
        axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
        axes.legend(handles, [f" {_short(name)}" for name in lines], loc="upper left")
    return _finished(drawn, "growth")


def utilizations(review: Review) -> Picture:
    """How busy each resource is at the worst peak hour, with intervals."""
    resources = [r for r in review.outlook.resources if r.name != NOT_MEASURED]
    said = ", ".join(f"{r.name} {percent_range(r.utilization)}" for r in resources)
    alt = f"Utilization at {load(review)} at the worst peak hour: {said}."
    with _drawn(alt, 0.9 + 0.42 * len(resources)) as drawn:
        axes = drawn.axes
        for row, resource in enumerate(resources):
            busy = resource.utilization
            tone = LIGHT["tone-2" if resource.name == review.outlook.bottleneck else "tone-1"]
            axes.barh(row, busy.mid * 100, height=0.6, color=tone, alpha=0.75)
            axes.plot(
                [busy.low * 100, busy.high * 100],
                [row, row],
                color=LIGHT["ink"],
                linestyle="-",
                marker="|",
                markersize=9,
                linewidth=1.5,
            )
        axes.set_yticks(range(len(resources)), [r.name for r in resources])
        axes.set_ylim(len(resources) - 0.4, -0.6)
        axes.set_xlim(0, 104)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("busy [%]")
    return _finished(drawn, "busy")


def before_and_after(advice: Sequence[Advice]) -> Picture:
    """Response time of the first class before, and after each option, with intervals."""
    shown = list(advice[:MOST])
    before = shown[0].effect[0].before
    metric = plain(shown[0].effect[0].metric)
    said = "; ".join(
        f"{i}. {plain(a.option.change.title)}: {seconds_range(a.effect[0].after)}"
        for i, a in enumerate(shown, 1)
    )
    alt = f"{metric[:1].upper()}{metric[1:]} now {seconds_range(before)}; with one option alone: "
    with _drawn(f"{alt}{said}.", 1.1 + 0.55 * len(shown)) as drawn:
        axes = drawn.axes
        axes.axvspan(before.low, before.high, color=LIGHT["tone-2"], alpha=0.2, linewidth=0)
        axes.axvline(before.mid, color=LIGHT["tone-2"], linestyle=DASHES[1], linewidth=1.6)
        axes.text(before.low, -0.75, "now ", color=LIGHT["tone-2"], ha="right", va="center")
        for row, each in enumerate(shown):
            after = each.effect[0].after
            axes.plot([after.low, after.high], [row, row], color=LIGHT["tone-1"], linestyle="-")
            axes.plot(after.mid, row, color=LIGHT["tone-1"], marker="o", markersize=8)
            axes.text(
                0.01,
                row - 0.38,
                f"{row + 1}. {_short(each.option.change.title, 44)}",
                transform=axes.get_yaxis_transform(),
                va="center",
                fontsize=10,
            )
        axes.set_yticks([])
        axes.set_ylim(len(shown) - 0.5, -1.1)
        axes.set_xlim(0, 1.08 * max(before.high, *(a.effect[0].after.high for a in shown)))
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(_short(f"{metric} [s]", 48))
    return _finished(drawn, "options")


def timetable(configuration: Configuration) -> Picture:
    """The day: hours of the peak, and when each batch task runs."""
    settings = configuration.settings
    peak, batch = settings.workload.peak, settings.batch
    said = "; ".join(f"{plain(b.name)} {hours_of(b, configuration)}" for b in batch)
    alt = f"Timetable of the day: users' peak {peak}; {said}."
    with _drawn(alt, 0.95 + 0.55 * len(batch)) as drawn:
        axes = drawn.axes
        for start, length in _pieces(peak):
            axes.axvspan(
                start / 60, (start + length) / 60, color=LIGHT["tone-2"], alpha=0.15, linewidth=0
            )
        axes.text(peak.start / 60 + 0.2, -0.8, "users' peak", color=LIGHT["tone-2"], va="center")
        for row, each in enumerate(batch):
            for start, length in _pieces(hours_of(each, configuration)):
                axes.barh(
                    row + 0.1, length / 60, left=start / 60, height=0.32, color=LIGHT["tone-1"]
                )
            axes.text(
                0.01,
                row - 0.28,
                _short(each.name, 44),
                transform=axes.get_yaxis_transform(),
                va="center",
                fontsize=10,
            )
        axes.set_yticks([])
        axes.set_ylim(len(batch) - 0.5, -1.1)
        axes.set_xlim(0, 24)
        axes.set_xticks(range(0, 25, 4), [f"{hour:02d}:00" for hour in range(0, 25, 4)])
        axes.grid(visible=False, axis="y")
    return _finished(drawn, "day")


def hours_of(batch: BatchTask, configuration: Configuration) -> Window:
    """When a task runs: its window, off-peak if it has none."""
    return batch.hours or configuration.settings.workload.off_peak


def plain(text: str) -> str:
    """Text without what no page can show."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def _pieces(window: Window) -> Iterator[tuple[int, int]]:
    """Start and length of the parts of a window that lie in one day, in minutes."""
    first = min(window.length, DAY - window.start)
    yield window.start, first
    if window.length > first:
        yield 0, window.length - first


def _short(text: str, width: int = 30) -> str:
    return shorten(plain(text), width, placeholder="\u2026") or plain(text)[:width]


def _need_matplotlib() -> None:
    try:
        import matplotlib as mpl  # noqa: F401, whether it is there
    except ImportError:
        raise InvalidInput(
            "the report's pictures need matplotlib; install it with: "
            "pip install 'qmodel-capacity[plot]'"
        ) from None


@contextmanager
def _drawn(alt: str, high: float) -> Iterator[Sheet]:
    _need_matplotlib()
    import matplotlib as mpl

    # Names are names: no mathematics in them, and letters that only the page's font has.
    with mpl.rc_context({"text.parse_math": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Glyph.*missing from")
        with sheet(alt, (WIDE, high)) as drawn:
            yield drawn


def _finished(drawn: Sheet, name: str) -> Picture:
    """The picture for a page with others: ids of its own, nothing but the drawing."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Glyph.*missing from")
        picture = drawn.picture
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", picture.svg, flags=re.DOTALL)
    svg = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (?:xmlns(?::\w+)?|version)="[^"]*"', "", svg)
    svg = re.sub(r' id="([^"]*)"', rf' id="{name}-\1"', svg)
    svg = re.sub(r'xlink:href="#([^"]*)"', rf'href="#{name}-\1"', svg)
    svg = svg.replace("url(#", f"url(#{name}-")
    svg = re.sub(r"font-family: [^;\"]*", "font-family: inherit", svg)
    return Picture(svg, picture.alt)
