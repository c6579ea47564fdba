"""Every measured system: all its numbers accounted for, and no held-out number behind a prediction.

That no held-out number enters a fit is shown twice: by the names of the cells a prediction says it
rests on, and by changing the number in its table and predicting again.
"""

import re
import sys
from fnmatch import fnmatchcase
from functools import cache

import pytest

import calibration.printed_tables.table
from calibration.agreements.agreement import agreement, coverage, unseen
from calibration.agreements.comparison import STATUSES
from calibration.printed_tables.card import printed_number, read_toml
from calibration.printed_tables.table import TABLES, MeasuredTable, load_table, table_names
from calibration.systems import SYSTEM_NAMES, UnknownSystem, load_system
from scripts.paper_agreement.compared import compared

BY_NAME = pytest.mark.parametrize("name", SYSTEM_NAMES)


def measured_cells(source):
    """Cells of measured tables that hold a number; the end of a range is none of its own."""
    return [
        f"{table.name}:{row}:{column.name}"
        for table in map(load_table, table_names(source))
        if table.kind in ("measured", "text")
        for row in table.rows
        for column in table.columns
        if column.name != "to" and table.cell(row, column.name).value is not None
    ]


@pytest.fixture(scope="module")
def found():
    return {name: agreement(load_system(name)) for name in SYSTEM_NAMES}


@BY_NAME
def test_every_measured_number_is_compared_given_or_listed_with_its_reason(found, name):
    compared = {c.published.cell for c in found[name].comparisons}
    assert compared
    given = [f"{name}/{cell}" for cell in read_toml(TABLES / name / "limits.toml")["given"]]
    excused = [cell for each in load_system(name).not_modelled for cell in each.cells]
    for cell in measured_cells(name):
        assert cell in compared or any(fnmatchcase(cell, p) for p in (*given, *excused)), cell
    assert all(each.reason and each.what for each in load_system(name).not_modelled)
    assert len(excused) == len(set(excused))


@BY_NAME
def test_what_is_not_modelled_is_not_compared_and_exists(found, name):
    compared = {c.published.cell for c in found[name].comparisons}
    cells = measured_cells(name)
    for each in load_system(name).not_modelled:
        for pattern in each.cells:
            assert any(fnmatchcase(cell, pattern) for cell in cells), pattern
            assert not any(fnmatchcase(cell, pattern) for cell in compared), pattern


@BY_NAME
def test_intervals_are_ordered_and_finite_and_every_limit_is_marked(found, name):
    for c in found[name].comparisons:
        assert c.predicted.low <= c.predicted.mid <= c.predicted.high < float("inf"), c
        assert c.status in STATUSES
        assert c.published.low <= c.published.high
        assert c.subject
        assert c.metric
        assert c.model


@BY_NAME
def test_no_held_out_cell_is_behind_a_prediction_by_name(found, name):
    every = found[name].comparisons
    fitted_cells = {cell for model in load_system(name).models for cell in model.fitted_on}
    for c in every:
        if c.status == "held out":
            assert c.published.cell not in fitted_cells, c
        if c.status != "fitted":
            assert c.published.cell not in c.fitted_on, c
    held_out = {c.published.cell for c in every if c.status == "held out"}
    for c in every:
        assert not held_out & set(c.fitted_on), c


@BY_NAME
def test_predictions_do_not_move_with_the_held_out_numbers(found, name, monkeypatch):
    every = found[name].comparisons
    held_out = {c.published.cell for c in every if c.status == "held out"}
    before = [(c.published.cell, c.predicted) for c in every if c.status in {"fitted", "held out"}]
    again = changed(name, held_out, monkeypatch)
    same([(c.published.cell, c.predicted) for c in again if c.status in {"fitted", "held out"}],
         before)  # fmt: skip
    values = [
        {c.published.cell: c.published.value for c in those if c.status == "held out"}
        for those in (every, again)
    ]
    # Of domino46 it is a word: about double.
    assert not held_out or values[0] != values[1] or name == "domino46"


@BY_NAME
def test_a_left_out_number_does_not_move_its_own_prediction(found, name, monkeypatch):
    """At up to five of them; the names of all are held to it above."""
    left_out = [c for c in found[name].comparisons if c.status == "left out"]
    for each in left_out[:: max(1, -(-len(left_out) // 5))]:
        with monkeypatch.context() as patch:
            again = changed(name, {each.published.cell}, patch)
        (twin,) = (
            c
            for c in again
            if c.status == "left out"
            and (c.published.cell, c.metric) == (each.published.cell, each.metric)
        )
        assert twin.published.value != each.published.value
        same([(each.metric, twin.predicted)], [(each.metric, each.predicted)])


@BY_NAME
def test_the_fitted_numbers_do_move_the_predictions(found, name, monkeypatch):
    """Otherwise the two tests above would pass for a model that ignores the tables."""
    fitted = [c for c in found[name].comparisons if c.status == "fitted"]
    if not fitted:  # domino85: every fit leaves its own row out, so the others must move it
        fitted = [c for c in found[name].comparisons if c.status == "left out"]
    cells = {c.published.cell for c in fitted}
    status = fitted[0].status
    again = changed(name, cells, monkeypatch, slightly)
    before = [c.predicted.mid for c in fitted]
    after = [c.predicted.mid for c in again if c.status == status]
    assert before != pytest.approx(after, rel=1e-6)


def test_coverage_counts_what_the_rows_say(found):
    every = [c for each in found.values() for c in each.comparisons]
    for each in coverage(every):
        rows = [c for c in every if c.status == each.status and not c.published.is_limit]
        assert each.count == len(rows)
        assert each.inside == sum(
            c.predicted.low <= c.published.high and c.published.low <= c.predicted.high
            for c in rows
        )
        assert each.limits == sum(c.status == each.status for c in every) - len(rows)


def test_nine_in_ten_unseen_numbers_lie_in_their_intervals(found):
    """Held out or left out, the known failures among them."""
    every = unseen([c for each in found.values() for c in each.comparisons])
    assert every.count > 90
    assert every.inside >= 0.9 * every.count
    assert every.half_width < 0.15


def test_an_unknown_system_names_the_nearest():
    with pytest.raises(UnknownSystem, match="did you mean 'notes31'"):
        load_system("notes32")


@pytest.mark.parametrize("name", SYSTEM_NAMES)
def test_what_is_recorded_is_what_the_models_say(name):
    """`python -m scripts.write_agreement` records it anew."""
    found, kept = compared(name), load_system(name).compare()
    assert len(found) == len(kept)
    for now, then in zip(found, kept, strict=True):
        numbers = [
            (each.predicted.low, each.predicted.mid, each.predicted.high,
             *dict(each.by_model).values(), *dict(each.baselines).values())
            for each in (now, then)
        ]  # fmt: skip
        # Other processors end 3e-7 apart.
        assert numbers[0] == pytest.approx(numbers[1], rel=2e-6)
        words = [
            (each.published, each.subject, each.metric, each.case, each.status, each.model,
             each.fitted_on, each.extrapolated, each.known_failure, each.note)
            for each in (now, then)
        ]  # fmt: skip
        assert words[0] == words[1]


def same(after, before):
    """Equal but for print rounding, which of a product of two printed numbers depends on both."""
    assert [cell for cell, _ in after] == [cell for cell, _ in before]
    for (cell, new), (_, old) in zip(after, before, strict=True):
        assert (new.low, new.mid, new.high) == pytest.approx(
            (old.low, old.mid, old.high), rel=1e-4
        ), cell


def changed(name, cells, monkeypatch, change=None):
    """The comparisons of a system in whose tables these cells have other numbers.

    Meanwhile nothing is remembered that modules read from tables before, and nothing afterwards.
    """

    def changed_table(**parts):
        lines = [list(line) for line in parts["texts"]]
        for line in lines:
            for i, column in enumerate(parts["columns"]):
                if f"{parts['name']}:{line[0]}:{column.name}" in cells:
                    line[i] = (change or another)(line[i])
        return MeasuredTable(**parts | {"texts": tuple(map(tuple, lines))})

    monkeypatch.setattr(calibration.printed_tables.table, "MeasuredTable", changed_table)
    readers = ("calibration.systems", "calibration.printed_tables", "scripts.paper_agreement")
    fresh = {}
    for module in [m for n, m in sys.modules.items() if n.startswith(readers)]:
        for each, thing in [*vars(module).items()]:
            if hasattr(thing, "cache_clear"):
                again = fresh.setdefault(thing, cache(thing.__wrapped__))
                monkeypatch.setattr(module, each, again)
    try:
        return compared(name)
    finally:
        monkeypatch.undo()


def another(text):
    """Another number, printed as exactly: its first digit is another."""
    if re.search(r"\d", text):
        return re.sub(r"[1-9]", lambda digit: str(int(digit[0]) % 9 + 1), text, count=1)
    return {"one": "two", "five": "six", "seven": "eight"}.get(text, text)


def slightly(text):
    """Another number, printed as exactly: its last digit is another."""
    return re.sub(r"\d(?=\D*$)", lambda digit: str((int(digit[0]) + 1) % 10), text)


def test_another_number_is_another_and_printed_as_exactly():
    for text in ("1,600", "42MB", "-2%", "0.10", "93"):
        unit = re.sub(r"[-\d.,]", "", text)
        assert printed_number(another(text), unit) != printed_number(text, unit)
        assert len(another(text)) == len(text)
    assert load_table("groupwise52/table_1").cell("1000", "memory").value == 137e6
