"""Growth in the terminal and as plain data."""

from dataclasses import asdict
from math import isfinite
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.findings import words
from advisor.forecasting.forecast import Crossing, Growth
from advisor.report.plain import fields, settings_data
from advisor.report.screen import targets_kept, whole
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.interval import Range

#: The longest horizon of a plan. [months]
_LONG = 600.0


def growth_data(found: Growth) -> dict[str, Any]:
    """Crossings and upgrades in base units; infinite, in JSON null, is never."""
    return {
        "users": found.users if found.arrival_rate is None else None,
        "arrival_rate": found.arrival_rate, "targets_of_the_file": list(found.kept),
        "saturates": found.saturates or None,
        "saturation": asdict(found.saturation) if found.saturation else None,
        "growth_per_month": asdict(found.per_month), "source": found.source,
        "interval": "90 %, of demands, models and growth together", "first": _crossing(found.first),
        "crossings": [_crossing(each) for each in found.crossings],
        "upgrades": [
            {
                "title": each.title,
                "settings": settings_data(each.settings),
                "months_bought": asdict(each.bought),
                "months": asdict(each.months),
            }
            for each in found.upgrades
        ],
        **fields(found, "worlds", "seed"),
    }  # fmt: skip


def show_growth(console: Console, found: Growth) -> None:
    """Print when each target is missed, how surely, and what upgrades bring."""
    stated = found.source.startswith("as stated") and found.per_month.low < found.per_month.high
    spread = "; ± is one standard deviation, the interval holds 90 %" if stated else ""
    who = words.crowd(found.users, found.arrival_rate)
    rate = f"{words.signed_range(found.per_month)} a month ({found.source}{spread})"
    console.print(whole(console, f"{who}, {rate}"))
    console.print(whole(console, targets_last(found.first.months), "bold"))
    console.print()
    table = Table("target", "missed in [months]", "at load", box=None, pad_edge=False)
    for month, _ in found.first.probabilities:
        table.add_column(f"by {month}", justify="right")
    first = "never" if found.saturation is None else f"{found.saturates} fills first"
    for each in found.crossings:
        show = words.percent if each.target.startswith("utilization") else words.seconds
        limit = show(each.limit)
        load = "-" if each.load is None else f"{words.number_range(each.load)} x"
        if each.load is not None and each.load.high == 0.0:
            load = "no load"
        what = each.target.replace(NOT_MEASURED, words.resource_name(NOT_MEASURED))
        table.add_row(
            f"{what} {limit}", _months(each.months, "never" if each.load else first), load,
            *map(_chance, each.probabilities),
        )  # fmt: skip
    table.add_row(
        "any of them", _months(found.first.months), "", *map(_chance, found.first.probabilities)
    )
    console.print(table)
    if found.saturation is not None:
        load = words.number_range(found.saturation)
        console.print(Text(f"{found.saturates} is full at {load} x the present load"))
    if found.unmeasured:
        console.print(Text(found.unmeasured))
    if found.kept:
        console.print(Text(targets_kept(found.kept), style="dim"))
    console.print()
    useful = [each for each in found.upgrades if each.bought.high > 0.0]
    if useful:
        bought = Table(
            "upgrade", "months gained", "then missed in [months]", box=None, pad_edge=False
        )
        for upgrade in useful:
            bought.add_row(
                upgrade.title, _months(upgrade.bought, "no end"), _months(upgrade.months)
            )
        console.print(bought)
    if idle := [each.title for each in found.upgrades if each.bought.high <= 0.0]:
        console.print(Text(f"no gain by itself: {'; '.join(idle)}", style="dim"))
    soon = found.first.probabilities[0][0]
    console.print(
        Text(
            f"by {soon}: share of {found.worlds:,} simulated futures (seed {found.seed}) that miss "
            f"it by month {soon}; others: medians and 90 % intervals of demands, models and growth",
            style="dim",
        )
    )


def targets_last(months: Range) -> str:
    """How long all targets are kept, in a sentence."""
    if months.high == 0.0:
        return "The targets are missed today."
    if months.mid == 0.0:
        return "The targets may be missed today already."
    if isfinite(months.mid):
        return f"The targets are kept for {_months(months, 'no end')} months."
    if not isfinite(months.low):
        return "The targets are never missed."
    soon = f"within {months.low:.1f} months" if months.low else "today already"
    return f"By the best estimate the targets are never missed; in 5 % of the futures {soon}."


def _chance(probability: tuple[int, float]) -> str:
    return f"{100 * probability[1]:.0f} %"


def _months(found: Range, endless: str = "never") -> str:
    if found.low == found.mid == found.high == 0.0:
        return "now"
    low, mid, high = (_month(value, endless) for value in (found.low, found.mid, found.high))
    return mid if low == high else f"{mid} ({low} to {high})"


def _month(value: float, endless: str) -> str:
    if not isfinite(value):
        return endless
    return f"{value:.1f}" if value < _LONG else f"> {_LONG:.0f}"


def _crossing(found: Crossing) -> dict[str, Any]:
    return {
        **fields(found, "target", "limit"),
        "unit": "1" if found.target.startswith("utilization") else "s" if found.limit else None,
        "load": asdict(found.load) if found.load else None,
        "months": asdict(found.months),
        "probabilities": [{"months": m, "probability": p} for m, p in found.probabilities],
    }
