"""Networks against published numbers, and at their limits."""

from itertools import pairwise

import pytest

import qmodel as qm
from qmodel.devices import lan
from qmodel.devices.frames import frame_count, wire_bytes
from tests.tables import asked, rows


def test_only_the_usable_share_of_a_network_carries_traffic():
    assert lan.transfer_time(875e3, 10e6, 0.7) == pytest.approx(1.0, rel=1e-12)
    assert lan.transfer_time(875e3, 10e6) == pytest.approx(0.7, rel=1e-12)


#: Metcalfe and Boggs 1976, table 1: efficiency at 3 Mb/s with slots of 16 us, by stations, for
#: packets of 4096, 1024, 512 and 48 bits.
TABLE_1 = {
    1: (1.0000, 1.0000, 1.0000, 1.0000), 2: (0.9884, 0.9552, 0.9143, 0.5000),
    3: (0.9857, 0.9447, 0.8951, 0.4444), 4: (0.9842, 0.9396, 0.8862, 0.4219),
    5: (0.9834, 0.9367, 0.8810, 0.4096), 10: (0.9818, 0.9310, 0.8709, 0.3874),
    32: (0.9807, 0.9272, 0.8642, 0.3737), 64: (0.9805, 0.9263, 0.8627, 0.3708),
    128: (0.9804, 0.9259, 0.8620, 0.3694), 256: (0.9803, 0.9257, 0.8616, 0.3686),
}  # fmt: skip


@pytest.mark.parametrize(("stations", "printed"), TABLE_1.items())
def test_the_table_of_metcalfe_and_boggs(stations, printed):
    found = [lan.efficiency(bits / 8, stations, slot=48 / 8) for bits in (4096, 1024, 512, 48)]
    # Two of the forty differ from exact arithmetic by one in the last digit.
    assert found == pytest.approx(list(printed), abs=1.5e-4)


def test_contention_at_its_limits():
    assert lan.acquisition(10**7) == pytest.approx(0.36788, abs=1e-5)
    assert lan.saturated_efficiency(1538.0) == pytest.approx(
        lan.efficiency(1538.0, 10**7), rel=1e-6
    )
    rates = lan.contention_rates(257.0)
    assert rates[0] == 1.0
    assert len(rates) == lan.MANY
    assert all(b < a for a, b in pairwise(rates))
    for share in (0.3, 0.7, 0.99):
        assert lan.saturated_efficiency(lan.frame_of_share(share)) == pytest.approx(share)


def test_overhead_by_message_size():
    assert wire_bytes(1460) == 1538.0
    sizes = [wire_bytes(size) for size in range(3000)]
    assert sizes == sorted(sizes)
    assert wire_bytes(0) == 84.0
    assert wire_bytes(1460, replies=0.5) == 1538 + 0.5 * 84
    assert frame_count(1461) == 2


def test_a_lone_user_has_the_whole_rate_and_many_have_the_usable_share():
    segment = lan.Segment(10e6, frame=lan.frame_of_share(0.70))
    demand = segment.time(875e3)
    network = qm.Network([segment.station("lan")], [qm.ClosedClass("users", 1)], [[demand]])
    assert qm.solve(network).response_times[0] == pytest.approx(0.7)
    many = qm.solve(network.with_population(1000)).throughputs[0]
    assert many * 875e3 * 8 == pytest.approx(7e6, rel=1e-6)


def test_switched_segments_lose_nothing():
    assert isinstance(lan.Segment(10e6).station("lan"), qm.LoadDependentStation)
    assert lan.Segment(10e6, shared=False).station("lan") == qm.QueueingStation("lan")
    assert lan.Segment(10e6, frame=float("inf")).station("lan") == qm.QueueingStation("lan")


@pytest.mark.parametrize(("call", "text"), rows(__file__, "what_no_network_can_be"))
def test_what_no_network_can_be(call, text):
    with pytest.raises(qm.InvalidInput, match=text):
        asked(call, globals())
