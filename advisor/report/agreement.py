"""The agreement report in the terminal."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from advisor.findings.words import percent, signed
from advisor.report.screen import show_list, table
from calibration.agreements.agreement import Agreement, unseen
from calibration.agreements.comparison import STATUSES, Comparison
from calibration.agreements.live import reached
from calibration.agreements.live_corpus import UNSEEN
from calibration.agreements.published import Published
from calibration.agreements.system import Model
from qmodel.errors import NotApplicable

#: Lines of the list of failures.
ROOM = 20


def show_agreements(console: Console, found: Sequence[Agreement], *, every: bool = False) -> None:
    """Print how many numbers lie in their intervals, and each system's errors."""
    console.print(_unseen([c for each in found for c in each.comparisons]))
    console.print()
    console.print(_short(found))
    if not every:
        console.print(Text("a system: qmodel agreement SYSTEM   every number: --all", style="dim"))
        return
    for each in found:
        console.print()
        show_agreement(console, each, every=True)


def show_reached(
    console: Console, found: Sequence[Agreement], repeats: Mapping[str, float]
) -> None:
    """Print what is asked of predictions of recorded systems, and what is reached.

    ``repeats`` is how often a second run of the same level would have been as near.
    """
    every = [c for each in found for c in each.comparisons]
    if not every:
        raise NotApplicable("no level beyond a quarter of saturation was recorded")
    others = [name for name, _ in every[0].baselines]
    here, *rest = (reached(every, name) for name in ("", *others))
    new = [c for each in found if each.system.name.endswith(f"_{UNSEEN}") for c in each.comparisons]
    apart = reached(new) if new else None
    head = [UNSEEN] if apart else []
    shown = table("of levels and changes", "asked", "here", *head, "repeat", *others)
    for column in shown.columns[1:]:
        column.justify = "right"
    for what, asked, name in (
        ("throughput within 5 %", "80 %", "throughput"),
        ("utilization within 0.05", "80 %", "utilization"),
        ("response time inside", "80-97 %", "inside"),
        ("half-width of that", "≤ 25 %", "half_width"),
        ("p95 within 10 %", "all", "p95"),
        ("p99 within 15 %", "all", "p99"),
    ):
        cells = [
            percent(getattr(each, name)) for each in rest if name in {"throughput", "utilization"}
        ]
        again = percent(repeats[name]) if name in repeats else ""
        shares = [getattr(each, name) for each in (here, apart) if each]
        own = ["-" if share is None else percent(share) for share in shares]
        shown.add_row(what, asked, *own, again, *cells)
    console.print(shown)
    if apart:
        what = f"{UNSEEN}: recordings by which no law, weight or expectation was chosen"
        console.print(Text(what, style="dim"))
    console.print(Text("repeat: a run, by the other runs of its level", style="dim"))
    console.print()


def show_agreement(console: Console, found: Agreement, *, every: bool = False) -> None:
    """Print how well one system is predicted; ``every`` adds models and comparisons."""
    system = found.system
    console.print(Text(f"{system.name}: {system.title}  ({system.source})", style="bold"))
    console.print(_unseen(found.comparisons))
    console.print()
    console.print(_short([found]))
    failed = list(_failure_lines(found.comparisons))
    if failed:
        console.print()
        show_list(console, lambda n: Group(*failed[:n]), len(failed), room=None if every else ROOM)
    console.print()
    if not every:
        left = len(system.not_modelled)
        console.print(
            Text(f"models, every number, {left} cells without a model's answer: --all", "dim")
        )
        return
    for model in system.models:
        console.print(_model(model))
    for status in STATUSES:
        rows = [c for c in found.comparisons if c.status == status]
        if rows:
            console.print()
            console.print(_rows(rows, f"Numbers {status}"))
    console.print()
    for each in system.not_modelled:
        console.print(Text(f"not modelled: {each.what}: {each.reason}", style="dim"))
    for note in system.notes:
        console.print(Text(f"not known: {note}", style="dim"))


def _short(found: Sequence[Agreement]) -> Table:
    """One row a system and status: how many numbers, how far off, how many inside."""
    numbers = ("mean error", "inside the 90 %", "half-width")
    shown = table("system", "numbers", *numbers, right=numbers)
    for agreement in found:
        for each in agreement.coverage():
            shown.add_row(
                agreement.system.name, f"{each.count} {each.status}", percent(each.error),
                f"{each.inside} of {each.count}", percent(each.half_width),
            )  # fmt: skip
    return shown


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


def _unseen(comparisons: Sequence[Comparison]) -> Text:
    found = unseen(comparisons)
    if found is None:
        return Text("no number was held out")
    return Text(
        f"{found.inside} of {found.count} numbers that no fit saw lie in their 90 % intervals; "
        f"median half-width {percent(found.half_width)}",
        style="bold",
    )


def _rows(comparisons: Sequence[Comparison], title: str) -> Table:
    shown = table("cell", "metric")
    shown.title, shown.title_justify, shown.columns[0].no_wrap = title, "left", False
    for heading in ("measured", "predicted", "90 % interval", "error", "inside"):
        shown.add_column(heading, justify="right", overflow="fold")
    if any(c.extrapolated for c in comparisons):
        shown.caption, shown.caption_justify = "* extrapolated", "left"
    for c in comparisons:
        place = _place(c.published)
        subject = "" if place.startswith(f"{c.subject}, ") else f"{c.subject}, "
        shown.add_row(
            place, f"{subject}{c.metric}" + (" *" if c.extrapolated else ""),
            _measured(c.published), f"{c.predicted.mid:.4g}",
            f"{c.predicted.low:.4g} to {c.predicted.high:.4g}", signed(c.error),
            "yes" if c.inside else "NO",
        )  # fmt: skip
    return shown


def _place(number: Published) -> str:
    """Table, row and column, without the system that the report is about; the level of a corpus."""
    return number.cell.partition("/")[2].replace(":", " ").removesuffix(" value") or number.row


def _measured(number: Published) -> str:
    unit = "" if number.unit == "1" else f" {number.unit}"
    if number.is_limit:
        sign = "<" if number.value == number.high else ">"
        return f"{sign} {number.value:.4g}{unit}"
    if number.low < number.high:
        return f"{number.low:.4g} to {number.high:.4g}{unit}"
    return f"{number.value:.4g}{unit}"


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
