"""The coverage table: all 77 recommendations, asked of the advisor, and none passed over."""

from dataclasses import replace

import pytest

from qmodel.errors import FileError
from scripts.paper_coverage import outcome as oc
from scripts.paper_coverage.ask import compare, outcomes
from scripts.paper_coverage.check import checked
from scripts.paper_coverage.page import TABLE, table_text
from scripts.paper_coverage.recommendation import PAPERS, Quantity, load_recommendations
from tests.advisor.configurations import ROOT
from tests.tables import asked, rows, text_of

ROW = text_of(__file__, "row")


@pytest.fixture(scope="module")
def pairs():
    return list(zip(load_recommendations(), oc.load_outcomes(), strict=True))


def test_every_recommendation_of_every_paper_stands_in_one_file():
    rows = checked()
    assert len(rows) == sum(PAPERS.values()) == 77
    assert len({row.id for row in rows}) == 77
    assert sum(row.kind == "quantitative" for row in rows) == 47


def test_each_is_covered_by_a_rule_or_says_why_not():
    for row in load_recommendations():
        assert row.rules or len(row.reason.split()) >= 5, row.id
        assert not row.example or (ROOT / row.example).is_file(), row.id
        assert not row.rules or row.example or row.reason, row.id


def test_a_number_that_a_model_speaks_to_is_compared(pairs):
    for row, outcome in pairs:
        if oc.is_applicable(row):
            assert outcome.compared, row.id


@pytest.mark.parametrize("paper", PAPERS)
def test_the_outcomes_are_what_the_advisor_says(paper, pairs):
    """Asked again, of every configuration: the same findings, the same numbers."""
    rows = [row for row, _ in pairs if row.paper == paper]
    wanted = [outcome for row, outcome in pairs if row.paper == paper]
    assert list(outcomes(rows, ROOT)) == wanted, "run python -m scripts.paper_coverage"


def test_the_table_is_written_from_the_outcomes():
    found = table_text(load_recommendations(), oc.load_outcomes())
    assert TABLE.read_text(encoding="utf-8") == found, "run python -m scripts.paper_coverage"


def test_every_rule_does_as_its_row_expects(pairs):
    for row, outcome in pairs:
        assert outcome.as_expected(row), f"{row.id}: {outcome.why}"
        if row.example:
            assert set(outcome.fired) | set(outcome.silent) == set(row.rules)


def test_nine_tenths_of_what_a_model_speaks_to_is_reproduced(pairs):
    """And every number outside is explained in its row, by an erratum or by the model."""
    total = oc.tally(*zip(*pairs, strict=True))
    assert total.recommendations == 77
    assert total.modelled - total.applicable <= 2
    assert total.applicable >= 25
    assert total.reproduced >= 0.9 * total.applicable
    for row, outcome in pairs:
        if not oc.is_reproduced(row, outcome) and row.verdict != "not modelled":
            assert row.verdict in {"qualified", "contradicted"}, row.id
            assert row.because, row.id
            assert row.errata or row.kind == "qualitative", row.id
    assert total.numbers == total.within + total.inside + total.wrong + sum(
        each.agreed in {"outside", "no number"}
        for row, outcome in pairs
        if oc.is_applicable(row)
        for each in outcome.compared
    )


def test_what_agrees_has_no_number_outside(pairs):
    for row, outcome in pairs:
        assert row.verdict != "agrees" or outcome.agrees, row.id


def test_what_is_documented_alone_is_never_called_computed(pairs):
    """A row that no model speaks to may only pass numbers on, or reckon with them."""
    for row, outcome in pairs:
        if row.verdict == "not modelled" and row.rules:
            for each, quantity in zip(outcome.compared, row.quantity, strict=True):
                assert quantity.of in {"option", "evidence", "threshold"}, row.id
                assert each.found is None or each.found.low == each.found.high, row.id


@pytest.mark.parametrize(("printed", "found", "agreed"), rows(__file__, "agreement"))
def test_agreement(printed, found, agreed):
    found = asked(found, globals())
    quantity = Quantity(of="outlook", metric="utilization of cpu", unit="%", **printed)
    there = found and oc.Counterpart(*found, "computed")
    assert compare(quantity, there).agreed == agreed


def test_a_rule_that_falls_silent_is_not_reproduced(pairs):
    row, outcome = next((r, o) for r, o in pairs if r.id == "notes31-01")
    assert oc.is_reproduced(row, outcome)
    silent = replace(outcome, fired=(), silent=row.rules)
    assert not oc.is_reproduced(row, silent)
    wrong = oc.Compared("utilization of cpu", "50", "%", None, "outside")
    assert not oc.is_reproduced(row, replace(outcome, compared=(wrong,)))


@pytest.mark.parametrize(
    ("old", "new", "words"), rows(__file__, "a_faulty_file_is_refused_in_one_line")
)
def test_a_faulty_file_is_refused_in_one_line(tmp_path, old, new, words):
    assert old in ROW
    path = tmp_path / "memory.toml"
    path.write_text(ROW.replace(old, new), encoding="utf-8")
    with pytest.raises(FileError) as error:
        checked(tmp_path, complete=False)
    said = str(error.value)
    assert said.startswith(f"{path}:")
    assert "\n" not in said
    assert all(word in said for word in words), said


def test_a_recommendation_stands_once_and_all_are_there(tmp_path):
    (tmp_path / "a.toml").write_text(ROW, encoding="utf-8")
    assert len(checked(tmp_path, complete=False)) == 1
    with pytest.raises(FileError, match="no row for notes31-01, notes31-03"):
        checked(tmp_path)
