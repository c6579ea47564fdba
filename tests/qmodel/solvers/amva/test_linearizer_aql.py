"""Linearizer, AQL and the laws for several servers: against plain loops, peers, and limits."""

import random

import numpy as np
import pytest

import qmodel as qm
from qmodel.solvers.amva import aql, bard_schweitzer, linearizer, linearizer_core
from qmodel.solvers.amva.multiserver import LAWS
from qmodel.solvers.amva.variants import VARIANTS
from qmodel.solvers.invariants import violation

METHODS = (linearizer, aql, bard_schweitzer)
NAMES = [module.NAME for module in METHODS]


def plain_core(n, z, d, seen):
    """One population by substitution; ``seen(queue)`` is what an arrival sees, [class][station]."""
    classes, stations = d.shape
    queue = np.outer(n, np.ones(stations)) / stations
    x = np.zeros(classes)
    for _ in range(20000):
        times = d * (1.0 + seen(queue))
        x = np.divide(n, z + times.sum(axis=1), out=np.zeros(classes), where=n > 0)
        left, queue = queue, x[:, None] * times
        if np.abs(queue - left).max() < 1e-13:
            break
    return x, queue


def plain_linearizer(n, z, d, passes=3):
    """Chandy and Neuse as they write it, loops and all."""
    classes, stations = d.shape
    change = np.zeros((classes, stations, classes))

    def solved(m):
        def seen(queue):
            found = np.zeros_like(queue)
            for c in range(classes):
                for j in range(classes):
                    if m[j]:
                        share = queue[j] / m[j] + change[j, :, c]
                        found[c] += (m[j] - (j == c)) * share
            return found

        return plain_core(m, z, d, seen)

    for _ in range(passes):
        whole = solved(n)[1] / n[:, None]
        new = np.zeros_like(change)
        for c in range(classes):
            m = n - np.eye(classes)[c]
            queue = solved(m)[1]
            for j in range(classes):
                new[j, :, c] = queue[j] / m[j] - whole[j] if m[j] else 0.0
        change = new
    return solved(n)


def plain_aql(n, z, d, passes=3):
    """Zahorjan, Eager and Sweillam likewise."""
    classes, stations = d.shape
    change = np.zeros((classes, stations))

    def solved(m):
        total = m.sum()
        return plain_core(m, z, d, lambda queue: (total - 1) * (queue.sum(axis=0) / total + change))

    for _ in range(passes):
        whole = solved(n)[1].sum(axis=0) / n.sum()
        change = np.array(
            [solved(n - one)[1].sum(axis=0) / (n.sum() - 1) - whole for one in np.eye(classes)]
        )
    return solved(n)


def light(seed):
    """A network far enough from saturation that differences keep all utilizations below 1."""
    rng = random.Random(seed)
    classes = [qm.ClosedClass(f"c{c}", rng.randint(2, 7), rng.uniform(2, 6)) for c in range(3)]
    stations = [qm.QueueingStation(f"s{k}") for k in range(4)]
    return qm.Network(
        stations, classes, [[rng.uniform(0.02, 0.3) for _ in stations] for _ in classes]
    )


@pytest.mark.parametrize(("module", "plain"), [(linearizer, plain_linearizer), (aql, plain_aql)])
@pytest.mark.parametrize("seed", range(4))
def test_the_algorithm_as_published(module, plain, seed):
    network = light(seed)
    n = np.array([c.population for c in network.classes], float)
    x, queue = plain(n, np.array(network.think_time), np.array(network.demand))
    found = qm.solve(network, module.NAME, passes=3)
    assert found.throughputs == pytest.approx(x, rel=1e-9)
    assert found.queue_length == pytest.approx(queue, rel=1e-8)
    assert found.residual <= 1e-10


def test_linearizer_is_that_of_a_peer():
    """LINE 3.0.8, pfqn_linearizer with a tolerance of 1e-13."""
    network = qm.Network(
        [qm.QueueingStation(f"s{k}") for k in range(3)],
        [qm.ClosedClass("a", 4, 1.0), qm.ClosedClass("b", 7), qm.ClosedClass("c", 3, 5.0)],
        [[0.1, 0.2, 0.02], [0.3, 0.05, 0.4], [0.2, 0.1, 0.3]],
    )
    expected = [[0.934523, 0.724057, 0.258818], [2.76097, 0.197895, 4.041134],
                [0.381455, 0.075134, 0.64187]]  # fmt: skip
    found = qm.solve(network, "linearizer").queue_length
    assert found == pytest.approx(np.array(expected), abs=1e-6)


def test_no_station_does_more_than_it_can():
    """On the example of Chandy and Neuse the equations alone make a utilization of 1.0008."""
    network = qm.Network(
        [qm.DelayStation("delay"), qm.QueueingStation("queue")],
        [qm.ClosedClass("class 1", 8), qm.ClosedClass("class 2", 1)],
        [[8.0, 1.0], [0.0, 1.0]],
    )
    n, z = np.array([8.0, 1.0]), np.array([8.0, 0.0])
    x, queue = plain_linearizer(n, z, np.array([[1.0], [1.0]]))
    assert queue[0, 0] == pytest.approx(2.769, abs=1e-3)  # LQNS V6, libmva/regression/test1.cc
    assert x.sum() > 1.0005
    found = qm.solve(network, "linearizer")
    assert found.station_utilizations[1] <= 1.0 + 1e-12
    assert found.queue_lengths[0][1] == pytest.approx(queue[0, 0], rel=2e-3)
    assert abs(found.queue_lengths[0][1] - 2.773) < abs(queue[0, 0] - 2.773)  # the exact answer


@pytest.mark.parametrize("law", [law for law in LAWS.values() if law], ids=lambda law: law.name)
def test_slopes_of_laws_are_their_differences(law):
    rates = np.arange(1.0, 9.0)[:, None]
    load = np.array([[0.3, 2.0, 5.0, 7.9, 8.5]])  # the last as an iterate may be
    up, down, here = (law.at(load + h, rates) for h in (1e-6, -1e-6, 0.0))
    for value in (0, 1):
        slope = (up[value] - down[value]) / 2e-6 * np.ones_like(load)
        assert here[2 + value] * np.ones_like(load) == pytest.approx(slope, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("name", ["linearizer", "aql", "bard-schweitzer"])
@pytest.mark.parametrize("load", [1.0, 2.5, 3.6])
def test_marginal_probabilities_are_those_of_an_open_station_in_the_limit(name, load):
    """Many customers that think long are Poisson arrivals."""
    network = qm.Network(
        [qm.QueueingStation("cpu", 4)], [qm.ClosedClass("users", 10**6, 10**6 / load)], [1]
    )
    opened = qm.Network(network.stations, [qm.OpenClass("arrivals", load)], [1])
    expected = qm.solve(opened).response_times[0]
    assert qm.solve(network, name).response_times[0] == pytest.approx(expected, rel=2e-3)


def test_rolia_solves_its_equations():
    network = qm.Network(
        [qm.QueueingStation("cpu", 4), qm.QueueingStation("disk")],
        [qm.ClosedClass("a", 9, 2.0), qm.ClosedClass("b", 5)],
        [[1.0, 0.3], [2.0, 0.1]],
    )
    s = qm.solve(network, "bard-schweitzer/rolia")
    for c, customers in enumerate(network.classes):
        others = (
            sum(row[0] for row in s.queue_lengths) - s.queue_lengths[c][0] / customers.population
        )
        busy = s.station_utilizations[0] - s.utilizations[c][0] / customers.population
        expected = network.demand[c][0] * (1 + busy**4 * others / 4)
        assert s.residence_times[c][0] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("method", [*NAMES, *(m.name for m in VARIANTS)])
def test_one_customer_is_exact_and_one_server_needs_no_law(method):
    stations = [qm.QueueingStation("cpu", 3), qm.QueueingStation("disk"), qm.DelayStation("lan")]
    alone = qm.Network(stations, [qm.ClosedClass("user", 1, 2.0)], [0.9, 0.2, 0.4])
    assert qm.solve(alone, method).residence_times[0] == pytest.approx([0.9, 0.2, 0.4], rel=1e-9)
    single = qm.Network(stations[1:], [qm.ClosedClass("users", 7, 2.0)], [0.2, 0.4])
    base = method.partition("/")[0]
    assert qm.solve(single, method).throughputs == qm.solve(single, base).throughputs
    assert qm.solve(single, method).method == method


@pytest.mark.parametrize("name", NAMES)
def test_where_all_find_a_server_free_nobody_waits(name):
    network = qm.Network(
        [qm.QueueingStation("cpu", 12), qm.QueueingStation("disk")],
        [qm.ClosedClass("a", 7, 1.0), qm.ClosedClass("b", 5)],
        [[0.5, 0.0], [0.3, 0.1]],
    )
    found = qm.solve(network, name)
    assert found.residence_times[0][0] == 0.5
    assert found.throughputs[0] == pytest.approx(7 / 1.5, rel=1e-12)


def extreme(seed):
    """Up to 100,000 customers, demands over twelve decades, ties, empty classes, zero demands."""
    rng = random.Random(seed)
    stations = []
    for k in range(rng.randint(1, 8)):
        kind = rng.random()
        if kind < 0.55:
            stations.append(qm.QueueingStation(f"s{k}"))
        elif kind < 0.8:
            stations.append(qm.QueueingStation(f"s{k}", rng.choice([2, 3, 8, 64, 500])))
        elif kind < 0.9:
            stations.append(qm.DelayStation(f"s{k}"))
        else:
            steps = [rng.choice([0.1, 0.5, 1.0]) for _ in range(rng.randint(1, 20))]
            stations.append(qm.LoadDependentStation(f"s{k}", np.cumsum(steps)))
    tied = rng.random() < 0.3
    classes, demand = [], []
    for c in range(rng.randint(1, 8)):
        row = [0.0 if rng.random() < 0.15 else 10 ** rng.uniform(-9, 3) for _ in stations]
        if tied:
            each = 10 ** rng.uniform(-3, 0)
            row = [
                each * getattr(s, "servers", 1) * rng.choice([1.0, 1.0 + 1e-9]) for s in stations
            ]
        think_time = rng.choice([0.0, 1.0, max(row) * 10 ** rng.uniform(0, 4)])
        population = rng.choice([0, 1, 1, 2, 5, int(10 ** rng.uniform(0, 5)), 100_000])
        classes.append(qm.ClosedClass(f"c{c}", population, think_time or float(not any(row))))
        demand.append(row)
    return qm.Network(stations, classes, demand)


@pytest.mark.parametrize("seed", range(4, 12))
@pytest.mark.parametrize("module", METHODS, ids=NAMES)
def test_extreme_networks_converge_and_break_no_law(module, seed):
    solution = module.solve(extreme(seed))
    assert violation(solution, exact=False) is None
    assert solution.iterations <= (3000 if module.NAME == "aql" else 200)


@pytest.mark.parametrize("module", METHODS, ids=NAMES)
def test_stopping_early_hands_over_the_last_iterate(module, monkeypatch):
    for stopped in (linearizer_core, bard_schweitzer):
        monkeypatch.setattr(stopped, "STEPS", 2)
    with pytest.raises(qm.NotConverged, match=module.NAME) as caught:
        module.solve(light(1))
    assert caught.value.last.residual > caught.value.tolerance
    assert len(caught.value.last.throughputs) == 3


def test_speeds_that_grow_are_solved_and_others_refused():
    classes = [qm.ClosedClass("a", 6, 1.0), qm.ClosedClass("b", 4)]
    demand = [[0.4, 0.2], [0.5, 0.1]]
    disk = qm.QueueingStation("disk")
    servers = qm.Network([qm.QueueingStation("cpu", 3), disk], classes, demand)
    speeds = qm.Network([qm.LoadDependentStation("cpu", [1, 2, 3]), disk], classes, demand)
    assert qm.solve(speeds, "aql").throughputs == qm.solve(servers, "aql").throughputs
    thrashing = qm.Network([qm.LoadDependentStation("cpu", [1, 2, 1.5]), disk], classes, demand)
    with pytest.raises(qm.NotApplicable, match="'cpu' slows down as customers come"):
        qm.solve(thrashing, "linearizer")
    with pytest.raises(qm.NotApplicable, match="'cpu' is load-dependent"):
        qm.solve(speeds, "linearizer/seidmann")


@pytest.mark.parametrize("method", ["linearizer", "second-differences"])
def test_only_the_speeds_that_so_many_customers_reach_count(method):
    """Of four customers nobody ever sees the fifth speed."""
    classes = [qm.ClosedClass("a", 2, 1.0), qm.ClosedClass("b", 2)]
    demand = [[0.4, 0.2], [0.5, 0.1]]

    def network(*rates):
        stations = [qm.LoadDependentStation("cpu", rates), qm.QueueingStation("disk")]
        return qm.Network(stations, classes, demand)

    for hidden in (1000.0, 1.0):
        with pytest.raises(qm.NotApplicable, match="'cpu' slows down as customers come"):
            qm.solve(network(2.0, 1.5, 1.0, 1.8, hidden), method)
    found, exact = (qm.solve(network(1, 2, 3, 4, 0.5), m) for m in (method, "exact"))
    assert found.throughputs == pytest.approx(exact.throughputs, rel=0.02)


def test_mixed_networks_are_near_the_exact_ones():
    network = qm.Network(
        [qm.QueueingStation("cpu", 2), qm.QueueingStation("disk")],
        [qm.ClosedClass("a", 8, 1.0), qm.ClosedClass("b", 5), qm.OpenClass("mail", 1.0)],
        [[0.4, 0.2], [0.5, 0.1], [0.5, 0.3]],
    )
    near, exact = qm.solve(network, "mixed-linearizer"), qm.solve(network, "mixed")
    assert near.response_times == pytest.approx(exact.response_times, rel=0.02)
    assert near.throughputs[2] == exact.throughputs[2] == 1.0
    assert near.response_times != exact.response_times


@pytest.mark.parametrize("name", NAMES)
def test_a_sweep_gives_the_same_as_one_after_another(name):
    rng = random.Random(7)
    stations = [qm.QueueingStation("a"), qm.QueueingStation("b", 3), qm.DelayStation("d")]
    drawn = [
        qm.Network(
            [stations[0], qm.QueueingStation("b", rng.choice([1, 2, 4])), stations[2]],
            [qm.ClosedClass(f"c{c}", rng.randint(0, 9), rng.choice([0.0, 1.0])) for c in range(2)],
            [[rng.uniform(0.01, 0.2) for _ in stations] for _ in range(2)],
        )
        for _ in range(16)
    ]
    found = qm.sweep(drawn, method=name)
    assert found.methods == (name,)
    for i, network in enumerate(drawn):
        one = qm.solve(network, name)
        assert found.throughput[i] == pytest.approx(one.throughput, rel=1e-8)
        assert found.residence_time[i] == pytest.approx(one.residence_time, rel=1e-8)
