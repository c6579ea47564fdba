"""The agreement report in the terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from advisor.findings.words import percent, signed
from advisor.report.screen import show_list, table
from calibration.agreements.agreement import Agreement, Coverage, Summary, coverage, unseen
from calibration.agreements.comparison import STATUSES, Comparison
from calibration.agreements.published import Published
from calibration.agreements.system import Model

#: Lines of the list of failures.
ROOM = 20


def show_agreements(console: Console, found: Sequence[Agreement], *, every: bool = False) -> None:
    """Print how many numbers lie in their intervals, and each system's errors."""
    console.print(_unseen([c for each in found for c in each.comparisons]))
    console.print()
    console.print(_overview(found) if every else _short(found))
    if not every:
        console.print(
            Text("a system: qmodel agreement SYSTEM   every metric and failure: --all", "dim")
        )
        return
    for each in found:
        console.print()
        console.print(_heading(each))
        console.print(_summaries(each, alone=False))
        console.print(_failures(each))


def show_agreement(console: Console, found: Agreement, *, every: bool = False) -> None:
    """Print how well one system is predicted; ``every`` adds models and comparisons."""
    if not every:
        console.print(_heading(found))
        console.print(_unseen(found.comparisons))
        console.print()
        console.print(_short([found]))
        failed = list(_failure_lines(found.comparisons))
        if failed:
            console.print()
            show_list(console, lambda n: Group(*failed[:n]), len(failed), room=ROOM)
        console.print()
        left = len(found.system.not_modelled)
        console.print(
            Text(f"models, every number, {left} cells that no model speaks to: --all", "dim")
        )
        return
    system = found.system
    console.print(_heading(found))
    for model in system.models:
        console.print(_model(model))
    for check in system.checks:
        console.print(Text(f"check: {check}"))
    console.print()
    console.print(_summaries(found, alone=True))
    for status in STATUSES:
        rows = [c for c in found.comparisons if c.status == status]
        if rows:
            console.print()
            console.print(_rows(rows, f"Numbers {status}"))
    console.print()
    console.print(_failures(found))
    console.print(_overview([found]))
    console.print(_unseen(found.comparisons))
    console.print()
    for factor in system.factors:
        console.print(Text(f"taken over: {factor.name}: {_measured(factor.gain)}, {factor.valid}"))
    for each in system.not_modelled:
        console.print(Text(f"not modelled: {each.what}: {each.reason}", style="dim"))
    for note in system.notes:
        console.print(Text(f"not known: {note}", style="dim"))


def _short(found: Sequence[Agreement]) -> Table:
    """One row a system and status: how many numbers, how far off, how many inside."""
    shown = table("system", "numbers", "mean error", "inside the 90 %", "half-width")
    for column in shown.columns[2:]:
        column.justify = "right"
    for agreement in found:
        for each in agreement.coverage():
            shown.add_row(
                agreement.system.name,
                f"{each.count} {each.status}",
                percent(each.error),
                f"{each.inside} of {each.count}",
                percent(each.half_width),
            )
    return shown


def _heading(found: Agreement) -> Text:
    return Text(f"{found.system.name}: {found.system.title}  ({found.system.source})", style="bold")


def _model(model: Model) -> Text:
    values = ", ".join(
        f"{p.name} {p.value:.4g}"
        + ("" if p.standard_error is None else f" +- {p.standard_error:.2g}")
        + (f" {p.unit}" if p.unit not in ("", "1") else "")
        for p in model.parameters
    )
    chi_square = "" if model.chi_square is None else f"chi-square {model.chi_square:.1f}, "
    lines = [f"model '{model.name}': {model.description}"]
    if values:
        lines.append(
            f"  {values}\n  {model.degrees_of_freedom + len(model.parameters)} numbers, "
            f"{chi_square}{model.degrees_of_freedom} degrees of freedom"
        )
    return Text("\n".join(lines))


def _overview(found: Sequence[Agreement]) -> Table:
    table = _table("Mean absolute error and coverage of the 90 % intervals", ("system", "numbers"))
    for heading in (
        "error",
        "without known failures",
        "inside",
        "median half-width",
        "limits kept",
    ):
        table.add_column(heading, justify="right", overflow="fold")
    groups = [(each.system.name, each.coverage()) for each in found]
    if len(found) > 1:
        groups.append(("all", coverage([c for each in found for c in each.comparisons])))
    for name, coverages in groups:
        for each in coverages:
            table.add_row(*_coverage(name, each), style="bold" if name == "all" else "")
    return table


def _unseen(comparisons: Sequence[Comparison]) -> Text:
    found = unseen(comparisons)
    if found is None:
        return Text("no number was held out")
    return Text(
        f"{found.inside} of {found.count} numbers that no fit saw lie in their 90 % intervals; "
        f"median half-width {percent(found.half_width)}",
        style="bold",
    )


def _coverage(name: str, each: Coverage) -> list[str]:
    return [
        name,
        f"{each.count} {each.status}",
        percent(each.error),
        f"{percent(each.error_but_failures)} ({each.known_failures})"
        if each.known_failures
        else "",
        f"{each.inside} of {each.count}",
        percent(each.half_width),
        f"{each.limits_kept} of {each.limits}" if each.limits else "",
    ]


def _summaries(found: Agreement, *, alone: bool) -> Table:
    table = _table("", ("subject", "metric", "numbers"))
    for heading in ("error", "worst", "inside", "half-width"):
        table.add_column(heading, justify="right", overflow="fold")
    table.add_column("best naive guess", overflow="fold")
    if alone:
        table.add_column("models alone", overflow="fold")
    for status in STATUSES:
        for each in found.summaries():
            if each.status == status:
                cells = _summary(each)
                if alone:
                    cells.append(_alone(each))
                table.add_row(*cells, style="dim" if status == "fitted" else "")
    return table


def _summary(each: Summary) -> list[str]:
    case = f", {each.case}" if each.case else ""
    naive = min(each.baselines, key=lambda named: named[1], default=None)
    return [
        each.subject,
        each.metric,
        f"{each.count} {each.status}{case}",
        percent(each.error),
        percent(each.worst),
        f"{each.inside} of {each.count}",
        percent(each.half_width),
        "" if naive is None else f"{percent(naive[1])}, {naive[0]}",
    ]


def _alone(each: Summary) -> str:
    """Errors of rival models, where there is more than the one that predicts."""
    if len(each.by_model) < 2:
        return ""
    return "\n".join(f"{percent(error)} {name}" for name, error in each.by_model)


def _rows(comparisons: Sequence[Comparison], title: str) -> Table:
    table = _table(title, ("cell", "metric"))
    for heading in ("measured", "predicted", "90 % interval", "error", "inside"):
        table.add_column(heading, justify="right", overflow="fold")
    for c in comparisons:
        table.add_row(
            _place(c.published),
            f"{c.subject}, {c.metric}" + (" (extrapolated)" if c.extrapolated else ""),
            _measured(c.published),
            f"{c.predicted.mid:.4g}",
            f"{c.predicted.low:.4g} to {c.predicted.high:.4g}",
            signed(c.error),
            "yes" if c.inside else "NO",
        )
    return table


def _place(number: Published) -> str:
    """Table, row and column, without the system that the report is about."""
    cell = number.cell.partition("/")[2].replace(":", " ")
    return cell.removesuffix(" value")


def _measured(number: Published) -> str:
    unit = "" if number.unit == "1" else f" {number.unit}"
    if number.is_limit:
        sign = "<" if number.value == number.high else ">"
        return f"{sign} {number.value:.4g}{unit}"
    if number.low < number.high:
        return f"{number.low:.4g} to {number.high:.4g}{unit}"
    return f"{number.value:.4g}{unit}"


def _failures(found: Agreement) -> Group:
    return Group(*_failure_lines(found.comparisons))


def _failure_lines(comparisons: Sequence[Comparison]) -> Iterator[RenderableType]:
    for c in comparisons:
        if c.status == "fitted" or not (c.known_failure or not c.inside):
            continue
        where = "" if c.inside else ", outside its interval"
        why = c.known_failure or c.note
        kind = "known failure" if c.known_failure else "fails"
        yield Text(
            f"{kind}: {_place(c.published)}, {c.metric} {signed(c.error)}{where}"
            + (f" ({why})" if why else ""),
            style="yellow",
        )


def _table(title: str, headings: Sequence[str]) -> Table:
    shown = table(*headings)
    shown.title, shown.title_justify = title or None, "left"
    shown.columns[0].no_wrap = False
    return shown
