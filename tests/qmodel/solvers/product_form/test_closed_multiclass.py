"""Closed networks of several classes: the exact methods against rational numbers and each other."""

import random
import re

import pytest
from mpmath import mp, mpf

import qmodel as qm
from qmodel.model.closed_network import several_classes
from qmodel.solvers.product_form import multiclass_convolution, multiclass_mva, recal
from qmodel.solvers.product_form.lattice_limit import BYTES, STATES, WORK, size
from qmodel.solvers.product_form.population_lattice import lattice
from tests.truth import rational

EXACT = ["multiclass-mva", "multiclass-convolution", "recal"]


def random_network(seed, kinds, classes=None, customers=6):
    rng = random.Random(seed)
    makers = {
        "single": qm.QueueingStation,
        "several": lambda name: qm.QueueingStation(name, rng.choice([2, 3, 8, 20])),
        "delay": qm.DelayStation,
        "any": lambda name: qm.LoadDependentStation(
            name, [10 ** rng.uniform(-1, 1) for _ in range(rng.randint(1, 7))]
        ),
    }
    stations = [makers[rng.choice(kinds)](f"station {k}") for k in range(rng.randint(1, 4))]
    made = [
        qm.ClosedClass(f"class {c}", rng.randint(0, customers), rng.choice([0.0, 0.1, 3.0, 1e4]))
        for c in range(classes or rng.randint(2, 3))
    ]
    demand = [
        [
            10 ** rng.uniform(-3, 0) if rng.random() < 0.7 else rng.choice([0.0, 1e-9, 1e3])
            for _ in stations
        ]
        for _ in made
    ]
    for row in demand:
        row[0] = row[0] or 0.3
    return qm.Network(stations, made, demand)


def assert_agree(solution, throughput, residence, rel=1e-12):
    assert solution.throughputs == pytest.approx(throughput, rel=rel, abs=0)
    for row, expected in zip(solution.residence_times, residence, strict=True):
        assert row == pytest.approx(expected, rel=rel, abs=0)


@pytest.mark.parametrize("seed", range(30))
def test_any_stations_agree_with_fifty_digits(seed):
    network = random_network(seed, ["single", "several", "any", "delay"])
    with mp.workdps(50):
        expected = rational.solve(network, mpf)
    found = qm.solve(network, "multiclass-convolution")
    for c, x in enumerate(found.throughputs):
        assert x == pytest.approx(float(expected.throughput[c]), rel=1e-13, abs=0)
        for k, q in enumerate(found.queue_lengths[c]):
            assert q == pytest.approx(float(expected.queue_length[c][k]), rel=1e-12, abs=0)


def test_thrashing_beside_several_servers_with_long_think_times():
    """Beyond 200 customers the memory is 20 times slower: constants span 10^1000 and more."""
    stations = [qm.LoadDependentStation("memory", [*[20.0] * 200, 1.0]),
                qm.QueueingStation("cpu", 8), qm.QueueingStation("disk")]  # fmt: skip
    demand = [1.0, 2.0, 0.1]
    for think_time, sizes in [(1000.0, (1120, 80)), (300.0, (850, 50))]:
        split = qm.Network(
            stations,
            [qm.ClosedClass(f"class {c}", n, think_time) for c, n in enumerate(sizes)],
            [demand, demand],
        )
        whole = qm.solve(
            qm.Network(stations, [qm.ClosedClass("all", sum(sizes), think_time)], [demand])
        )
        found = qm.solve(split)
        assert sum(found.throughputs) == pytest.approx(whole.throughputs[0], rel=1e-12)
        for row in found.residence_times:
            assert row == pytest.approx(whole.residence_times[0], rel=1e-10)


@pytest.mark.parametrize("method", EXACT)
def test_nobody_at_all_and_nowhere_to_queue(method):
    nobody = qm.Network(
        [qm.QueueingStation("a")], [qm.ClosedClass("x", 0), qm.ClosedClass("y", 0)], [[1], [2]]
    )
    assert qm.solve(nobody, method).throughputs == (0.0, 0.0)
    delays = qm.Network(
        [qm.DelayStation("a"), qm.QueueingStation("unused")],
        [qm.ClosedClass("x", 3, 1.0), qm.ClosedClass("y", 4, 2.0)],
        [[0.5, 0.0], [0.0, 0.0]],
    )
    found = qm.solve(delays, method)
    assert found.throughputs == (2.0, 2.0)
    assert found.residence_times == ((0.5, 0.0), (0.0, 0.0))


def test_recal_reaches_beyond_the_lattice():
    """Twenty classes of three customers: 10^12 populations; halves merged are ten of six."""
    rng = random.Random(1)
    stations = [qm.QueueingStation(name) for name in "abc"]
    demand = [[rng.uniform(0.01, 0.1) for _ in stations] for _ in range(4)]
    many = qm.Network(
        stations,
        [qm.ClosedClass(f"class {c}", 3, 1.0) for c in range(20)],
        [demand[c % 4] for c in range(20)],
    )
    assert "population vectors" in (multiclass_mva.why_not(many) or "")
    found = qm.solve(many)
    assert (found.method, found.reason) == ("recal", "exact")
    few = qm.Network(stations, [qm.ClosedClass(f"class {c}", 15, 1.0) for c in range(4)], demand)
    expected = qm.solve(few, "multiclass-mva")
    for c in range(20):
        assert found.throughputs[c] == pytest.approx(expected.throughputs[c % 4] / 5, rel=1e-12)
        assert found.residence_times[c] == pytest.approx(expected.residence_times[c % 4], rel=1e-12)


def test_what_is_too_large_is_refused_with_its_size():
    stations = [qm.QueueingStation(f"station {k}") for k in range(12)]
    wide = qm.Network(
        stations,
        [qm.ClosedClass(f"class {c}", 99) for c in range(5)],
        [[0.1] * 12 for _ in range(5)],
    )
    assert size([99] * 5) > STATES
    with pytest.raises(qm.NotApplicable, match=r"1e\+10 population vectors, it takes 1e\+08"):
        qm.solve(wide, "multiclass-mva")
    with pytest.raises(qm.NotApplicable, match=r"495 customers at 12 queueing stations are"):
        qm.solve(wide, "recal")
    assert recal.work(wide) > WORK
    deep = qm.Network(
        stations[:2], [qm.ClosedClass(f"class {c}", 1) for c in range(26)], [[0.1] * 2] * 26
    )
    assert size([1] * 26) < STATES
    with pytest.raises(qm.NotApplicable, match=f"GB, it takes {BYTES / 1e9:g} GB"):
        qm.solve(deep, "multiclass-mva")


def test_many_stations_of_several_servers_are_as_much_work_as_they_take_time():
    """Each is begun anew on every hyperplane, in as many passes: few numbers, and minutes."""
    classes = [qm.ClosedClass("a", 100, 1.0), qm.ClosedClass("b", 50, 2.0)]

    def network(count):
        stations = [qm.QueueingStation(f"station {k}", 2) for k in range(count)]
        return qm.Network(stations, classes, [[0.1] * count] * 2)

    assert qm.methods_for(network(40))["multiclass-convolution"] is None
    assert "numbers, it takes 1e+10" in (
        qm.methods_for(network(133))["multiclass-convolution"] or ""
    )


def test_a_hyperplane_larger_than_a_chunk_is_the_same(monkeypatch):
    network = random_network(8, ["single", "several"], classes=3, customers=9)
    model = several_classes(network)
    whole = multiclass_convolution.solve(network)
    monkeypatch.setattr("qmodel.solvers.product_form.population_lattice.CHUNK", 3)
    monkeypatch.setattr("qmodel.solvers.product_form.population_lattice.KEPT", 0)
    assert lattice(model.population)[1] is None
    parts = multiclass_convolution.solve(network)
    assert_agree(parts, whole.throughputs, whole.residence_times, 1e-13)


def steep_network(population, rates):
    """Two classes at two stations whose rates floats cannot follow."""
    return qm.Network(
        [qm.LoadDependentStation("wild", rates), qm.LoadDependentStation("tame", [1.0, 1.5])],
        [qm.ClosedClass("a", population[0], 1.0), qm.ClosedClass("b", population[1], 0.5)],
        [[2e-6, 0.3], [4.0, 1e-3]],
    )


STEEP = [
    [6.0e-35, 6.3e23, 6.9e30, 381.0],
    [9.2e-28, 1.2e-4, 3.0e14, 5.2e-28, 4.0e27, 6.4e-6, 1.5e37],
    [1e30, 1e-30, 1e30, 1e-30],
]


@pytest.mark.parametrize("rates", STEEP)
def test_rates_beyond_the_range_of_floats_are_refused_by_name(rates):
    network = steep_network((7, 5), rates)
    text = f"'wild' go from {min(rates):.3g} to {max(rates):.3g}, too far apart"
    with pytest.raises(qm.NotApplicable, match=re.escape(text)):
        qm.solve(network, "exact")


def test_what_why_not_allows_is_right_or_refused_where_floats_end():
    rng = random.Random(5)
    solved = 0
    for _ in range(60):
        width = rng.choice([1, 2, 3, 10])
        rates = [
            [10 ** rng.uniform(-width, width) for _ in range(rng.randint(1, 5))] for _ in range(2)
        ]
        network = qm.Network(
            [qm.LoadDependentStation("x", rates[0]), qm.LoadDependentStation("y", rates[1])],
            [qm.ClosedClass("a", rng.randint(1, 4), 1.0), qm.ClosedClass("b", rng.randint(1, 3))],
            [[10 ** rng.uniform(-6, 6) for _ in range(2)] for _ in range(2)],
        )
        if multiclass_convolution.why_not(network) is not None:
            continue
        found = qm.solve(network, "multiclass-convolution")
        with mp.workdps(60):
            truth = rational.solve(network, mpf)
        for x, exact in zip(found.throughputs, truth.throughput):
            assert x == pytest.approx(float(exact), rel=1e-9)
        solved += 1
    assert solved > 30


def two_cliffs(scale):
    """Two stations that slow down at many customers, which one hyperplane cannot hold."""
    return qm.Network(
        [
            qm.LoadDependentStation("memory", [*[166.0] * scale, 1.0]),
            qm.LoadDependentStation("pool", [*[4301.0] * scale, *[1.0] * scale, 4301.0]),
        ],
        [qm.ClosedClass("a", scale, 1.0), qm.ClosedClass("b", 2 * scale, 1.0)],
        [[0.0, 1.0], [1.76, 0.72]],
    )


def test_cliffs_beyond_floats_are_refused_in_words():
    network = two_cliffs(150)
    assert multiclass_convolution.why_not(network) is None  # nobody can know before
    with pytest.raises(qm.NotApplicable, match="leave the range of floats"):
        qm.solve(network, "exact")


def test_thrashing_and_many_servers_stay_with_floats():
    """Rates that fall threefold, or rise as servers do, are not steep at any size."""
    thrashing = [1.0 / (1.0 + 0.01 * j) for j in range(200)]
    for population in ((200, 200), (2000, 500)):
        network = qm.Network(
            [qm.LoadDependentStation("memory", thrashing), qm.QueueingStation("cpu", 128)],
            [qm.ClosedClass("a", population[0], 1.0), qm.ClosedClass("b", population[1])],
            [[1.0, 2.0], [2.0, 1.0]],
        )
        assert multiclass_convolution.why_not(network) is None


def test_the_first_class_goes_from_nobody_to_everybody():
    pass_by = multiclass_mva.with_first_class([4, 2, 1], [1.0, 0.0, 2.0], [[0.1], [0.2], [0.3]])
    assert [n for n, _, _ in pass_by] == [0, 1, 2, 3, 4]
