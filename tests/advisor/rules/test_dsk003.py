"""DSK003: arrays further apart than the 6 % that were measured as even."""

import pytest

from tests.advisor.cases import ask, case_with, reviewed
from tests.advisor.speaking import ten_drives


@pytest.mark.parametrize(("spread", "fires"), [(0.06, False), (0.061, True), (0.29, True)])
def test_boundary(spread, fires):
    assert bool(ask("DSK003", ten_drives(raid="raid1", arrays=5, spread=spread))) is fires


def test_what_was_measured_stands_beside():
    (found,) = ask("DSK003", ten_drives(raid="raid1", arrays=5, spread=0.29))
    assert [e.value for e in found.evidence] == pytest.approx([29.0, 6.0, 29.0, 1.0])


def test_even_arrays_take_the_load_off_the_busiest():
    """Shares of five arrays 29 % apart run from 22.5 to 17.5 %: even ones have 20 %."""
    found = reviewed("DSK003", ten_drives(2600, raid="raid1", arrays=5, spread=0.29))
    (advice,) = (a for a in (*found.advice, *found.rejected) if a.rule == "DSK003")
    assert not advice.rejected
    assert dict(advice.option.change.settings) == {("disk", "spread"): 0.0}
    busy = next(e for e in advice.effect if e.metric == "utilization of disk")
    # Nothing if what limits arrays is common to all of them.
    assert busy.change.low == pytest.approx(0.200 / 0.2253 - 1, abs=0.002)
    assert busy.change.high == pytest.approx(0.0, abs=1e-9)
    assert ask("DSK003", advice.option.change.apply(found.configuration)) == []


@pytest.mark.parametrize(
    ("cpu", "level", "state"), [(0.9, "note", "symptom"), (0.1, "warning", "problem")]
)
def test_it_is_a_problem_where_the_drives_are_the_bottleneck(cpu, level, state):
    uneven = ten_drives(raid="raid1", arrays=5, spread=0.29)
    (found,) = ask("DSK003", case_with(uneven, cpu=cpu, disk=0.5))
    assert (found.level, found.state) == (level, state)
    assert found.evidence[0].threshold == pytest.approx(6.0)
