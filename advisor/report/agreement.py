"""The agreement report in the terminal."""

from __future__ import annotations

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from advisor.words import percent
from calibration.agreement import BASELINES, Agreement, Comparison, Summary


def show_agreement(console: Console, found: Agreement) -> None:
    """Print what was fitted, what was held out, and the errors next to the baselines."""
    system = found.system
    console.print(Text(f"{system.title}  ({system.source})", style="bold"))
    for member in system.members:
        console.print(Text(f"calibration '{member.name}': {member.description}", style="italic"))
        for fitted in member.fitted:
            fit = fitted.fit
            values = ", ".join(
                f"{name} {value:.4g} +- {error:.2g}"
                for name, value, error in zip(
                    fitted.names, fit.values, fit.standard_errors, strict=True
                )
            )
            console.print(
                Text(
                    f"  {fitted.task.name}: {values}\n"
                    f"    {len(fit.residuals)} numbers, {len(fit.values)} parameters, "
                    f"chi-square {fit.chi_square:.1f}, {fit.degrees_of_freedom} degrees of freedom"
                )
            )
    for task, estimate in found.demands:
        console.print(
            Text(
                f"check: {task} takes {estimate.value:.4g} +- {estimate.standard_error:.2g} s of "
                f"processor by the utilization law over {len(estimate.by_run)} runs, fitted and "
                f"held out; they scatter by {percent(estimate.variation)}"
            )
        )
    console.print()
    console.print(_summaries(found))
    console.print()
    console.print(_rows([c for c in found.comparisons if not c.fitted], "Held-out rows"))
    console.print()
    console.print(_rows([c for c in found.comparisons if c.fitted], "Fitted rows"))
    console.print()
    outside = [c for c in found.comparisons if not c.fitted and not c.inside]
    held_out = [c for c in found.comparisons if not c.fitted]
    console.print(
        Text(
            f"{len(held_out) - len(outside)} of {len(held_out)} held-out numbers lie in their "
            "90 % intervals.",
            style="bold",
        )
    )
    for comparison in outside:
        off = comparison.error(comparison.predicted.mid)
        console.print(
            Text(
                f"  fails: {comparison.source}, {comparison.metric} {off * 100:+.1f} %"
                + (f" ({comparison.note})" if comparison.note else ""),
                style="yellow",
            )
        )
    for note in system.notes:
        console.print(Text(f"not known: {note}", style="dim"))


def _summaries(found: Agreement) -> Table:
    names = [member.name for member in found.system.members]
    table = Table(
        title="Mean absolute error: the prediction, each calibration alone, and naive baselines",
        title_justify="left",
        box=None,
        pad_edge=False,
    )
    for heading in ("task", "metric", "rows"):
        table.add_column(heading, no_wrap=True)
    for heading in ("error", "worst", *names, *BASELINES, "inside"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in found.summaries():
        table.add_row(*_summary(each), style="dim" if each.fitted else "")
    return table


def _summary(each: Summary) -> list[str]:
    kind = "fitted" if each.fitted else "held out"
    return [
        each.task,
        each.metric,
        f"{each.count} {kind}, N = {each.population}",
        percent(each.error),
        percent(each.worst),
        *(percent(error) for _, error in each.by_member),
        *(percent(error) for _, error in each.baselines),
        f"{each.inside} of {each.count}",
    ]


def _rows(comparisons: list[Comparison], title: str) -> Group:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for heading in ("source", "metric"):
        table.add_column(heading)
    for heading in ("measured", "predicted", "90 % interval", "error", "inside"):
        table.add_column(heading, justify="right")
    for c in comparisons:
        table.add_row(
            c.source.partition(", ")[2],
            c.metric,
            f"{c.measured.value:.4g} {c.unit}",
            f"{c.predicted.mid:.4g}",
            f"{c.predicted.low:.4g} to {c.predicted.high:.4g}",
            f"{c.error(c.predicted.mid) * 100:+.1f} %",
            "yes" if c.inside else "NO",
        )
    return Group(table)
