"""The coverage table as a page: every recommendation, and what the advisor makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calibration.printed_tables.table import errata
from calibration.systems import load_system
from scripts.paper_coverage.outcome import Outcome, number_text, tally
from scripts.paper_coverage.recommendation import HERE, PAPERS, Recommendation

TABLE = HERE / "TABLE.md"
VERDICTS = ("agrees", "qualified", "contradicted", "not modelled")


def table_text(rows: Sequence[Recommendation], found: Sequence[Outcome]) -> str:
    """The whole page in Markdown."""
    return "\n".join(_page(rows, found)) + "\n"


def _page(rows: Sequence[Recommendation], found: Sequence[Outcome]) -> Iterator[str]:
    total = tally(rows, found)
    yield "# What the papers recommend, and what the advisor makes of it"
    yield ""
    yield "Written by `python -m scripts.paper_coverage`; a test fails if it is stale. Each row's"
    yield "rules were asked about the configuration named with it. Intervals are 90 %; how numbers"
    yield "are held against the advisor's is told in `README.md`."
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


def _verdict(row: Recommendation) -> str:
    because = f": {row.because}" if row.because else ""
    return f"**{row.verdict}**{because}" + (f" [{', '.join(row.errata)}]" if row.errata else "")
