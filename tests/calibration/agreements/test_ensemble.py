"""Ranges from several calibrations."""

from dataclasses import replace
from math import inf

import pytest

from calibration.agreements.ensemble import Variant, combine, combine_changes, variants
from calibration.estimation.interval import Range
from calibration.systems import load_system


def way(member, axis):
    return Variant(member, axis, {})


def test_one_member_without_uncertainty_is_a_point():
    assert combine([way("a", 0)], [3.0]) == Range(3.0, 3.0, 3.0)


def test_ratios_add_in_quadrature_and_stay_positive():
    found = combine([way("a", axis) for axis in (0, 1, 1, 2, 2)], [10.0, 20.0, 5.0, 40.0, 2.5])
    ratio = 2 ** (1 + 4) ** 0.5  # logarithms of 2 and 4 in quadrature
    assert found.low == pytest.approx(10.0 / ratio)
    assert found.high == pytest.approx(10.0 * ratio)


def test_a_number_that_is_0_in_some_variant_stays_within_its_limits_too():
    """Ratios to 0 are none, so differences add in quadrature: they may lead out on both sides."""
    ways = [way("a", axis) for axis in (0, 1, 1, 2, 2)]
    assert combine(ways, [0.9, 0.99, 0.0, 0.99, 0.0], most=1.0) == Range(0.0, 0.9, 1.0)
    assert combine(ways, [1.0, 3.0, 0.0, 4.0, 0.0]) == Range(0.0, 1.0, pytest.approx(1 + 13**0.5))


def test_a_utilization_stays_within_one():
    found = combine([way("a", axis) for axis in (0, 1, 1)], [0.95, 0.99, 0.90], most=1.0)
    assert found.high <= 1.0
    wide = combine([way("a", axis) for axis in (0, 1, 1, 2, 2)], [0.9, 0.99, 0.8, 0.99, 0.8], 1.0)
    assert wide.high == 1.0


def test_axes_add_in_quadrature():
    ways = [way("a", axis) for axis in (0, 1, 1, 2, 2)]
    found = combine_changes(ways, [10.0, 13.0, 7.0, 14.0, 6.0])
    assert (found.low, found.mid, found.high) == (5.0, 10.0, 15.0)


def test_an_axis_that_moves_one_way_only_widens_that_side():
    found = combine_changes([way("a", axis) for axis in (0, 1, 1)], [10.0, 12.0, 11.0])
    assert (found.low, found.high) == (10.0, 12.0)


def test_members_span_the_range():
    found = combine([way("a", 0), way("b", 0)], [10.0, 14.0])
    assert found == Range(10.0, 12.0, 14.0)


def test_every_member_gets_the_same_axes_in_pairs():
    members = [replace(each, otherwise=()) for each in load_system("notes31").members]
    ways = variants(members, ["edit", "search"])
    counts = {}
    for each in ways:
        counts.setdefault(each.member, []).append(each.axis)
    assert len(counts) == len(members)
    for axes in counts.values():
        assert axes.count(0) == 1
        assert all(axes.count(axis) == 2 for axis in set(axes) - {0})
    assert {w.write_share for w in ways} == {0.0, 0.5, 1.0}


def test_what_a_task_may_be_otherwise_is_an_axis_of_its_own():
    member = load_system("notes31").members[0]
    (other,) = member.otherwise
    assert [w for w in variants([member], ["edit"]) if w.tasks["search"] == other] == []
    ways = variants([member], ["search"])
    (found,) = (w for w in ways if w.tasks["search"] == other)
    assert [w.axis for w in ways].count(found.axis) == 1
    assert found.axis == max(w.axis for w in ways)


def test_a_larger_standard_error_widens_the_range():
    member = load_system("notes31").members[0]

    def doubled(f):
        rows = tuple(tuple(4 * c for c in row) for row in f.fit.covariance)
        return replace(f, fit=replace(f.fit, covariance=rows))

    wide = replace(member, fitted=tuple(map(doubled, member.fitted)))

    def spread(m):
        ways = variants([m], ["edit"])
        found = combine(ways, [w.tasks["edit"].cpu for w in ways])
        return found.high - found.low

    assert spread(wide) == pytest.approx(2 * spread(member), rel=0.01)


@pytest.mark.parametrize("weight", [None, 1.0])
def test_what_has_no_bound_in_the_middle_keeps_its_finite_ends(weight):
    ways = [replace(way("a", axis), weight=weight) for axis in (0, 1, 1)]
    assert combine(ways, [inf, 5.0, inf]) == Range(5.0, inf, inf)
    assert combine_changes(ways, [inf, inf, -5.0]) == Range(-5.0, inf, inf)
    assert combine_changes(ways, [-inf, -5.0, -inf]) == Range(-inf, -inf, -5.0)
    assert combine_changes(ways, [-1.0, -inf, 0.0]).low == -inf
    assert combine_changes(ways, [-inf, inf, 0.0]) == Range(-inf, 0.0, inf)
