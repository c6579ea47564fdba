"""Changes of a network that must not change, or only scale, its solution."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

import qmodel as qm
from tests.properties.checks import changed, close, pairs, same
from tests.strategies import networks

ONE = networks()
SEVERAL = networks(closed=(1, 2), opened=(0, 1), population=(0, 4), most_stations=3)


@given(SEVERAL, st.sampled_from([2.0**-20, 2.0**-1, 3.0, 2.0**10]))
def test_time_scale(network, factor):
    """Seconds or milliseconds: rates are divided, times multiplied, numbers stay."""
    classes = [
        replace(c, think_time=c.think_time * factor)
        if isinstance(c, qm.ClosedClass)
        else replace(c, arrival_rate=c.arrival_rate / factor)
        for c in network.classes
    ]
    demand = [[d * factor for d in row] for row in network.demand]
    for slow, fast in pairs(changed(network, classes=classes, demand=demand), network):
        for c in range(len(classes)):
            assert slow.throughputs[c] * factor == close(fast.throughputs[c])
            same(slow.queue_lengths[c], fast.queue_lengths[c])
            same(slow.utilizations[c], fast.utilizations[c])


@given(SEVERAL, st.randoms(use_true_random=False))
def test_order_of_stations(network, random):
    order = list(range(len(network.stations)))
    random.shuffle(order)
    shuffled = changed(
        network,
        stations=[network.stations[k] for k in order],
        demand=[[row[k] for k in order] for row in network.demand],
    )
    for one, other in pairs(shuffled, network):
        same(one.throughputs, other.throughputs)
        for mine, theirs in zip(one.queue_lengths, other.queue_lengths, strict=True):
            same(mine, [theirs[k] for k in order])


@given(SEVERAL)
def test_order_of_classes(network):
    reverse = changed(network, classes=network.classes[::-1], demand=network.demand[::-1])
    for one, other in pairs(reverse, network):
        same(one.throughputs[::-1], other.throughputs)
        for mine, theirs in zip(one.queue_lengths[::-1], other.queue_lengths, strict=True):
            same(mine, theirs)


@given(SEVERAL)
def test_a_station_nobody_visits(network):
    larger = changed(
        network,
        stations=[*network.stations, qm.QueueingStation("idle")],
        demand=[[*row, 0.0] for row in network.demand],
    )
    for one, other in pairs(larger, network):
        same(one.throughputs, other.throughputs)
        for mine, theirs in zip(one.residence_times, other.residence_times, strict=True):
            same(mine[:-1], theirs)
            assert mine[-1] == 0


@given(SEVERAL)
def test_a_class_nobody_belongs_to(network):
    larger = changed(
        network,
        classes=[*network.classes, qm.ClosedClass("nobody", 0, 1.0)],
        demand=[*network.demand, [1.0] * len(network.stations)],
    )
    for one, other in pairs(larger, network):
        same(one.throughputs[:-1], other.throughputs)
        assert one.throughputs[-1] == 0
        for mine, theirs in zip(one.queue_lengths[:-1], other.queue_lengths, strict=True):
            same(mine, theirs)


@given(networks(closed=(1, 1), opened=(0, 1), population=(2, 6), most_stations=3))
def test_splitting_a_class(network):
    first, *rest = network.classes
    half = first.population // 2
    parts = [
        replace(first, name="one part", population=half),
        replace(first, name="other part", population=first.population - half),
    ]
    split = changed(network, classes=[*parts, *rest], demand=[network.demand[0], *network.demand])
    for one, other in pairs(split, network):
        assert one.throughputs[0] + one.throughputs[1] == close(other.throughputs[0])
        for k in range(len(network.stations)):
            both = one.queue_lengths[0][k] + one.queue_lengths[1][k]
            assert both == close(other.queue_lengths[0][k])
        same(one.residence_times[0], one.residence_times[1])


@given(ONE)
def test_think_time_is_a_delay_station(network):
    (customers,) = network.classes
    terminals = changed(
        network,
        stations=[*network.stations, qm.DelayStation("terminals")],
        classes=[replace(customers, think_time=0.0)],
        demand=[[*network.demand[0], customers.think_time]],
    )
    for one, other in pairs(terminals, network):
        same(one.throughputs, other.throughputs)
        same(one.residence_times[0][:-1], other.residence_times[0])


@given(networks(kinds="m", population=(1, 8)))
def test_servers_are_speeds(network):
    """An m-server station is a load-dependent one with speeds 1, 2 ... m."""
    speeds = [
        qm.LoadDependentStation(s.name, [float(j) for j in range(1, s.servers + 1)])
        for s in network.stations
    ]
    for one, other in pairs(changed(network, stations=speeds), network):
        same(one.throughputs, other.throughputs)
        same(one.queue_lengths[0], other.queue_lengths[0])
        same(one.utilizations[0], other.utilizations[0])


@given(networks(kinds="m", population=(1, 2)))
def test_enough_servers_are_a_delay(network):
    for one, other in pairs(
        network, changed(network, stations=[qm.DelayStation(s.name) for s in network.stations])
    ):
        same(one.residence_times[0], other.residence_times[0])


@given(networks(kinds="l", population=(1, 8)), st.sampled_from([0.25, 8.0]))
def test_speed_and_demand_scale_together(network, factor):
    faster = changed(
        network,
        stations=[
            qm.LoadDependentStation(s.name, [r * factor for r in s.rates]) for s in network.stations
        ],
        demand=[[d * factor for d in network.demand[0]]],
    )
    for one, other in pairs(faster, network):
        same(one.throughputs, other.throughputs)
        same(one.queue_lengths[0], other.queue_lengths[0])


@given(networks(kinds="sdml", population=(1, 8), most_stations=3))
def test_flow_equivalent_station(network):
    """Chandy, Herzog and Woo 1975: what does not think is one station, exactly."""
    (customers,) = network.classes
    if not any(network.demand[0]) or not customers.think_time:
        return
    inner = changed(network, classes=[replace(customers, think_time=0.0)])
    sizes = range(1, customers.population + 1)
    rates = [qm.solve(inner.with_population(n), "exact").throughputs[0] for n in sizes]
    outer = qm.Network([qm.LoadDependentStation("inside", rates)], [customers], [[1.0]])
    for one, other in pairs(outer, network):
        same(one.throughputs, other.throughputs)
        assert one.queue_lengths[0][0] == close(sum(other.queue_lengths[0]))


@given(networks(closed=(1, 1), opened=(1, 1), population=(1, 4), most_stations=3))
def test_an_open_class_that_never_arrives(network):
    closed, opened = network.classes
    never = changed(network, classes=[closed, replace(opened, arrival_rate=0.0)])
    alone = qm.Network(network.stations, [closed], [network.demand[0]])
    for one, other in pairs(never, alone):
        assert one.throughputs == (close(other.throughputs[0]), 0.0)
        same(one.queue_lengths[0], other.queue_lengths[0])
