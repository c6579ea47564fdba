"""Which stations saturate for which mixes: by hand, by three computations, by large populations."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qmodel as qm
from qmodel.analysis.heavy_traffic import fair_throughputs, sectors, two_class_sectors
from qmodel.errors import InvalidInput, NotApplicable
from tests.tables import asked, rows

TWO = qm.Network(
    [qm.QueueingStation("cpu"), qm.QueueingStation("disk"), qm.DelayStation("lan")],
    [qm.ClosedClass("edit", 20, think_time=3.0), qm.ClosedClass("report", 2)],
    [[0.4, 0.1, 5.0], [0.2, 0.5, 5.0]],
)


def test_two_classes_by_hand():
    """The processor alone: b 0.1/0.4 + (1 - b) 0.5/0.2 <= 1, so b >= 2/3; the disk: b <= 1/6."""
    found = qm.bottlenecks(TWO)
    assert [sector.stations for sector in found.sectors] == [("disk",), ("cpu", "disk"), ("cpu",)]
    assert found.switch_points == pytest.approx((1 / 6, 2 / 3), rel=1e-14)
    assert (found.sectors[0].low, found.sectors[-1].high) == (0.0, 1.0)
    assert found.possible == ("cpu", "disk")
    both = found.at((1, 1))
    # Both full: 0.4 x + 0.2 y = 0.1 x + 0.5 y = 1.
    assert both.throughputs == pytest.approx((5 / 3, 5 / 3), rel=1e-10)
    assert both.utilizations == pytest.approx((1.0, 1.0, 0.0), rel=1e-9)
    alone = found.at({"edit": 9, "report": 1})
    assert alone.throughputs == pytest.approx((0.9 / 0.4, 0.1 / 0.2), rel=1e-10)
    assert alone.stations == ("cpu",)
    assert found.at().stations == ("cpu",)  # 20 to 2


@pytest.mark.parametrize("mix", [(4, 36), (20, 20), (36, 4)])
def test_large_populations_come_near_the_limit(mix):
    limit = qm.bottlenecks(TWO).at(mix)
    errors = []
    for scale in (1, 4, 8):
        network = TWO.with_population(*(scale * n for n in mix))
        solution = qm.solve(network, "exact")
        errors.append(max(abs(np.array(solution.throughputs) / np.array(limit.throughputs) - 1.0)))
        busy = dict(zip(network.station_names, solution.station_utilizations))
        assert max(busy, key=busy.get) in {*limit.stations, "lan"}
    assert errors[2] < errors[1] < errors[0]
    assert errors[2] < 0.3 * errors[0]


def test_three_classes_and_their_limit():
    stations = [qm.QueueingStation(name) for name in "abc"]
    classes = [qm.ClosedClass(name, 1) for name in "uvw"]
    network = qm.Network(stations, classes, [[0.5, 0.1, 0.2], [0.1, 0.5, 0.2], [0.2, 0.2, 0.5]])
    found = qm.bottlenecks(network)
    sets = {sector.stations for sector in found.sectors}
    assert {("a",), ("b",), ("c",), ("a", "b", "c")} <= sets
    for sector in found.sectors:
        assert sector.low is None
        assert sum(sector.mix) == pytest.approx(1.0)
        assert found.at(sector.mix).stations == sector.stations
    limit = found.at((1, 1, 1))
    solution = qm.solve(network.with_population(40, 40, 40), "exact")
    assert solution.throughputs == pytest.approx(limit.throughputs, rel=0.05)


loads = st.one_of(st.just(0.0), st.sampled_from([0.2, 0.4, 0.5]), st.floats(0.01, 1.0))


@st.composite
def tables(draw, classes):
    """Demands of some classes at one to five stations, twins and zeros among them."""
    stations = draw(st.integers(1, 5))
    rows = [[draw(loads) for _ in range(stations)] for _ in range(classes)]
    for row in rows:
        row[draw(st.integers(0, stations - 1))] = draw(st.floats(0.1, 1.0))
    return [tuple(row) for row in rows]


def full_at(rows, mix):
    _, used = fair_throughputs(rows, mix)
    return tuple(k for k, share in enumerate(used) if share >= 1.0 - 1e-9)


@given(rows=tables(2))
def test_the_closed_form_is_what_the_linear_programs_and_the_optimum_say(rows):
    found = two_class_sectors(rows)
    assert found[0][1] == 0.0
    assert found[-1][2] == 1.0
    for (_, _, end), (_, start, _) in pairwise(found):
        assert end == start
    for stations, low, high in found:
        if high - low > 1e-6:
            for part in (0.01, 0.5, 0.99):
                share = low + part * (high - low)
                assert full_at(rows, (share, 1.0 - share)) == stations
    wide = {stations for stations, low, high in found if high - low > 1e-6}
    assert wide <= {stations for stations, _ in sectors(rows)}


@given(rows=tables(3), numbers=st.tuples(*[st.floats(0.05, 1.0)] * 3))
def test_every_mix_is_in_one_of_the_sectors(rows, numbers):
    mix = tuple(n / sum(numbers) for n in numbers)
    throughputs, used = fair_throughputs(rows, mix)
    assert max(used) == pytest.approx(1.0, abs=1e-9)
    # Nothing better: no other feasible throughputs, such as these times others, gain.
    other = np.array(mix) / (np.array(rows).T @ np.array(mix)).max()
    assert np.dot(mix, np.log(throughputs)) >= np.dot(mix, np.log(other)) - 1e-9
    assert full_at(rows, mix) in {stations for stations, _ in sectors(rows)} or any(
        abs(share - 1.0) < 1e-6 for k, share in enumerate(used) if k not in full_at(rows, mix)
    )


def test_servers_rates_and_open_classes_count_by_what_is_left():
    network = qm.Network(
        [qm.QueueingStation("cpu", 4), qm.LoadDependentStation("array", [1.0, 2.0, 1.6])],
        [qm.ClosedClass("a", 3), qm.OpenClass("mail", 2.0)],
        [[0.9, 0.4], [0.5, 0.1]],
    )
    found = qm.bottlenecks(network)
    assert found.loads == (pytest.approx((0.9 / 3.0, 0.4 / 1.4)),)
    limit = found.at()
    assert limit.stations == ("cpu",)
    assert limit.throughputs == pytest.approx((3.0 / 0.9,))
    assert limit.utilizations == pytest.approx((1.0, (0.2 + 0.4 * 3.0 / 0.9) / 1.6))


def test_one_class_and_tied_stations():
    network = qm.Network(
        [qm.QueueingStation("a"), qm.QueueingStation("b", 2), qm.QueueingStation("c")],
        [qm.ClosedClass("u", 3)], [[0.2, 0.4, 0.1]],
    )  # fmt: skip
    assert [sector.stations for sector in qm.bottlenecks(network).sectors] == [("a", "b")]


def test_a_class_without_a_share_does_not_matter():
    assert qm.bottlenecks(TWO).at((0, 5)).stations == ("disk",)
    assert qm.bottlenecks(TWO).at((0, 5)).throughputs == pytest.approx((0.0, 2.0))


@pytest.mark.parametrize(("network", "said"), rows(__file__, "no_heavy_load"))
def test_what_has_no_heavy_load_is_refused(network, said):
    network = asked(network, globals())
    with pytest.raises(NotApplicable, match=said):
        qm.bottlenecks(network)


def test_open_classes_alone_may_be_too_much():
    network = qm.Network(
        [qm.QueueingStation("a")], [qm.OpenClass("o", 11.0), qm.ClosedClass("u", 1)], [[0.1], [0.1]]
    )
    with pytest.raises(qm.Unstable):
        qm.bottlenecks(network)


@pytest.mark.parametrize(("mix", "said"), rows(__file__, "mixes"))
def test_a_mix_that_is_none_is_one_line(mix, said):
    mix = asked(mix, globals())
    with pytest.raises((InvalidInput, qm.InvalidNetwork), match=said):
        qm.bottlenecks(TWO).at(mix)
