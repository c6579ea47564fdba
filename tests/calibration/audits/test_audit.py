"""The audit of the shipped tables: what it finds, from what, and what is linked afterwards."""

import dataclasses
import math
from functools import cache

import pytest

import calibration as cal
from calibration.audits.audit import LEVEL, threshold
from calibration.audits.contradiction import Contradiction, Place  # noqa: F401, named in the table
from calibration.audits.errata_links import link
from calibration.audits.noise import SHIPPED
from calibration.printed_tables.card import TableError
from calibration.printed_tables.run import REPLICATE_DIFFERENCE
from calibration.printed_tables.table import errata, load_table, sources, table_names
from tests.tables import asked, rows


@cache
def audits(view="printed"):
    """Of each source, as printed or as corrected by its errata."""
    return {source: cal.audit_source(source, view) for source in sources()}


#: What must be found, by law, rows and the erratum at the place.
FOUND = {erratum: each for erratum, *each in rows(__file__, "found")}


def found_at(erratum):
    return [
        each
        for audit in audits().values()
        for each in audit.contradictions
        if erratum in each.errata
    ]


@pytest.mark.parametrize("erratum", FOUND)
def test_finds_and_links(erratum):
    law, rows = FOUND[erratum]
    (contradiction,) = found_at(erratum)
    assert contradiction.law == law
    assert [row.partition("/")[2] for row in contradiction.rows] == rows
    assert contradiction.errata == (erratum,)
    assert contradiction.size > 1.5
    assert contradiction.message
    assert contradiction.resolves


def test_finds_nothing_else_but_volumes_of_other_block_sizes():
    every = [each for audit in audits().values() for each in audit.contradictions]
    recorded = audits()["postgresql_live"].contradictions  # judged with its system
    others = [e for e in every if not set(e.errata) & FOUND.keys() and e not in recorded]
    assert {each.errata for each in others} == {("E-N95-18",)}
    assert {each.law for each in others} == {"forced flow"}
    rows = {row for each in others for row in each.rows}
    assert {"notes31/table_4_4: smart", "notes31/table_4_7: 4 KB"} <= rows


@pytest.mark.parametrize(("erratum", "words"), rows(__file__, "messages_hold_the_numbers"))
def test_messages_hold_the_numbers(erratum, words):
    (contradiction,) = found_at(erratum)
    for word in words:
        assert word in contradiction.message


def test_sizes_in_units_of_uncertainty():
    (mix,) = found_at("E-D09-03")
    one_run = REPLICATE_DIFFERENCE["utilization"] / math.sqrt(2)
    by_hand = math.log(53.4 / 39.5 * 0.8) / math.hypot(
        math.hypot(one_run, 0.05 / 39.5 / math.sqrt(3)),
        math.hypot(one_run, 0.05 / 53.4 / math.sqrt(3)),
    )
    assert mix.size == pytest.approx(by_hand, rel=1e-9)


def test_errata_that_no_law_finds_are_listed():
    for source, audit in audits().items():
        named = {name for each in audit.contradictions for name in each.errata}
        listed = {each.id for each in audit.not_found}
        assert named | listed == {each.id for each in errata(source)}
        assert not named & listed
    assert {"E-N95-07", "E-N95-13", "E-N95-17"} <= {e.id for e in audits()["notes31"].not_found}


def test_corrected_tables_keep_only_what_no_correction_settles():
    left = {
        name
        for audit in audits("corrected").values()
        for c in audit.contradictions
        for name in c.errata
    }
    assert left == {"E-N95-18", "E-D09-03"}
    corrected = [each for source in sources() for each in errata(source) if each.is_applied]
    assert not left & {each.id for each in corrected}


def test_laws_do_not_read_errata():
    """The same contradictions from tables that carry no errata at all."""
    for source in sources():
        tables = [
            dataclasses.replace(load_table(name, "printed"), errata=())
            for name in table_names(source)
        ]
        bare = cal.audit(tables)
        assert bare.contradictions == audits()[source].contradictions


def test_one_table_alone_and_as_one_of_its_source():
    alone = cal.audit(load_table("notes31/table_4_7", "printed"))
    assert not alone.contradictions  # nothing tells how many workstations there were
    together = audits()["notes31"].of_table("notes31/table_4_7")
    assert {each.law for each in together.contradictions} == {"stated population", "forced flow"}
    table_7 = cal.audit(load_table("domino85/table_7", "printed"))
    assert [each.law for each in table_7.contradictions] == ["percentages", "class mix"]
    assert {each.id for each in table_7.not_found} == {"E-D09-04", "E-D09-06"}


def test_what_was_changed_between_runs_keeps_laws_silent():
    silent = cal.audit(load_table("notes31/table_4_5")).silent
    assert any("each of another configuration" in each.reason for each in silent)


def test_tables_of_two_sources_cannot_be_audited_together():
    tables = [load_table("notes31/table_4_7"), load_table("domino85/table_7")]
    with pytest.raises(TableError, match="of one source"):
        cal.audit(tables)
    with pytest.raises(TableError, match="got none"):
        cal.audit([])


def test_more_noise_silences_what_noise_can_make():
    noisy = cal.audit_source("domino85", noise=SHIPPED.scaled(2.0))
    assert "class mix" not in {each.law for each in noisy.contradictions}
    assert {e.law for e in noisy.contradictions} == {"percentages"}  # arithmetic has no noise


def test_threshold_grows_with_the_number_of_tests():
    from statistics import NormalDist

    for tests in (1, 10, 1000):
        tail = 2 * (1 - NormalDist().cdf(threshold(tests)))
        assert tests * tail == pytest.approx(LEVEL, rel=1e-6)
    assert threshold(0) == threshold(1) < threshold(2)


@pytest.mark.parametrize(("place", "linked"), rows(__file__, "errata_are_linked_by_place"))
def test_errata_are_linked_by_place(place, linked):
    found = Contradiction("a law", ("a row",), 5.0, "", "", places=(asked(place, globals()),))
    assert link(found, errata("notes31")).errata == asked(linked, globals())
