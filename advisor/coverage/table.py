"""The coverage table as a page: every recommendation, and what the advisor makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from advisor.coverage.outcome import Compared, Outcome
from advisor.coverage.recommendation import HERE, PAPERS, Recommendation, certain_errata
from calibration.printed_tables.table import errata
from calibration.systems import load_system

TABLE = HERE / "TABLE.md"
VERDICTS = ("agrees", "qualified", "contradicted", "not modelled")

Pair = tuple[Recommendation, Outcome]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many recommendations are covered, and how many are reproduced.

    Parameters
    ----------
    recommendations, by_rule, by_reason : int
        All; those that a rule covers; the others, which give a reason.
    quantitative, modelled, applicable, reproduced : int
        With numbers; those of them that a model speaks to; those of these that are not refuted by
        a certain erratum; those of these where every rule does as expected and every number agrees.
    numbers, within, inside, wrong : int
        Printed numbers of applicable recommendations; within their tolerance; outside it but
        inside the 90 % interval; wrong by a certain erratum.
    fitted : int
        Of these numbers, those that the model was fitted to.
    width : float
        Median half-width of the intervals of those that are inside them only, over the middle. [1]
    """

    recommendations: int
    by_rule: int
    by_reason: int
    quantitative: int
    modelled: int
    applicable: int
    reproduced: int
    numbers: int
    within: int
    inside: int
    wrong: int
    fitted: int
    width: float


def tally(rows: Sequence[Recommendation], found: Sequence[Outcome]) -> Tally:
    """Count."""
    pairs = list(zip(rows, found, strict=True))
    quantitative = [(row, outcome) for row, outcome in pairs if row.kind == "quantitative"]
    applicable = [pair for pair in quantitative if is_applicable(pair[0])]
    numbers = [each for _, outcome in applicable for each in outcome.compared]
    inside = [
        (each.found.high - each.found.low) / 2.0 / abs(each.found.mid)
        for each in numbers
        if each.agreed == "inside the interval" and each.found and each.found.mid
    ]
    return Tally(
        len(rows),
        sum(bool(row.rules) for row in rows),
        sum(not row.rules for row in rows),
        len(quantitative),
        sum(row.verdict != "not modelled" for row, _ in quantitative),
        len(applicable),
        sum(is_reproduced(*pair) for pair in applicable),
        len(numbers),
        sum(each.agreed == "within the tolerance" for each in numbers),
        sum(each.agreed == "inside the interval" for each in numbers),
        sum(each.agreed == "wrong in print" for each in numbers),
        sum(each.found is not None and each.found.how == "fitted" for each in numbers),
        round(median(inside), 3) if inside else 0.0,
    )


def is_applicable(row: Recommendation) -> bool:
    """Whether it is quantitative, a model speaks to it, and no certain erratum refutes it."""
    refuted = row.verdict == "contradicted" and bool(certain_errata() & set(row.errata))
    return row.kind == "quantitative" and row.verdict != "not modelled" and not refuted


def is_reproduced(row: Recommendation, outcome: Outcome) -> bool:
    """Whether the advisor gives it for the paper's configuration, and its numbers agree."""
    return outcome.as_expected(row) and outcome.agrees and row.verdict != "contradicted"


def table_text(rows: Sequence[Recommendation], found: Sequence[Outcome]) -> str:
    """The whole page in Markdown."""
    return "\n".join(_page(rows, found)) + "\n"


def _page(rows: Sequence[Recommendation], found: Sequence[Outcome]) -> Iterator[str]:
    total = tally(rows, found)
    yield "# What the papers recommend, and what the advisor makes of it"
    yield ""
    yield "Written by `python -m advisor.coverage`; a test fails if it is stale. Each row's rules"
    yield "were asked about the configuration named with it. Intervals are 90 %; how numbers"
    yield "are held against the advisor's is told in `advisor/coverage/__init__.py`."
    yield ""
    yield f"- {total.recommendations} recommendations: {total.by_rule} covered by a rule,"
    yield f"  {total.by_reason} not, with the reason."
    yield f"- {total.quantitative} have numbers. A model or a threshold speaks to"
    yield f"  {total.modelled} of them, and a certain erratum refutes"
    yield f"  {total.modelled - total.applicable}. Of the other {total.applicable},"
    yield f"  {total.reproduced}"
    share = total.reproduced / total.applicable if total.applicable else 0.0
    yield f"  ({100 * share:.0f} %) are reproduced: the rules do as expected, every number agrees."
    yield f"- Of {total.numbers} numbers compared there, {total.within} are within their tolerance,"
    yield f"  {total.inside} inside the interval only (median half-width"
    yield f"  {100 * total.width:.0f} % of the number), {total.wrong} wrong in print by a certain"
    outside = total.numbers - total.within - total.inside - total.wrong
    yield f"  erratum, {outside} outside, each explained in its row."
    yield f"- {total.fitted} of these numbers are among those that the model was fitted to, as the"
    yield "  row says: there it describes what was measured and predicts nothing."
    counts = ", ".join(f"{sum(r.verdict == v for r in rows)} {v}" for v in VERDICTS)
    yield f"- Verdicts: {counts}."
    for paper in PAPERS:
        yield ""
        yield f"## {load_system(paper).title}"
        yield ""
        yield f"{load_system(paper).source}."
        yield ""
        yield "| | recommendation | advisor | numbers | verdict |"
        yield "|---|---|---|---|---|"
        pairs = zip(rows, found, strict=True)
        yield from (_line(*pair) for pair in pairs if pair[0].paper == paper)
    named = sorted({erratum for row in rows for erratum in row.errata})
    if named:
        yield ""
        yield "## Errata named above"
        yield ""
        every = {each.id: each for paper in PAPERS for each in errata(paper)}
        yield from (f"- {name} ({every[name].confidence}): {every[name].finding}" for name in named)


def _line(row: Recommendation, outcome: Outcome) -> str:
    says = f"{row.says}<br>*{row.place}*"
    if row.printed:
        says += f"<br>printed: {row.printed}"
    cells = (row.id, says, _advisor(row, outcome), _numbers(outcome), _verdict(row))
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _advisor(row: Recommendation, outcome: Outcome) -> str:
    if not row.rules:
        return f"no rule: {row.reason}"
    if not row.example:
        return f"{', '.join(row.rules)}; no example" + (f": {row.reason}" if row.reason else "")
    expected = "as expected" if outcome.as_expected(row) else "not as expected"
    done = [f"{code} fires" for code in outcome.fired] + [f"{c} silent" for c in outcome.silent]
    where = row.example + (f" with {', '.join(row.settings)}" if row.settings else "")
    return f"{', '.join(done)} ({expected}) on {where}<br>{'<br>'.join(outcome.why)}"


def _numbers(outcome: Outcome) -> str:
    return "<br>".join(map(number_text, outcome.compared))


def number_text(each: Compared) -> str:
    """One comparison in words."""
    unit = f" {each.unit}" if each.unit not in {"", "1"} else ""
    start = f"{each.metric}: printed {each.printed}{unit}, "
    if each.found is None:
        return f"{start}the advisor has no number"
    low, mid, high = (f"{value:.4g}" for value in (each.found.low, each.found.mid, each.found.high))
    interval = "" if low == high else f" ({low} to {high})"
    note = f" ({each.note})" if each.note else ""
    return f"{start}{each.found.how} {mid}{unit}{interval}, {each.agreed}{note}"


def _verdict(row: Recommendation) -> str:
    because = f": {row.because}" if row.because else ""
    return f"**{row.verdict}**{because}" + (f" [{', '.join(row.errata)}]" if row.errata else "")
