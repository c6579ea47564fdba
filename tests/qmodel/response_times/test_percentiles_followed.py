"""A tagged customer followed through the network: truth of another chain, closed forms, limits."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from scipy.linalg import expm

import qmodel as qm
from qmodel.model.visit_routing import ImpliedRouting
from qmodel.numerics.absorbing_ctmc import absorption_time
from qmodel.numerics.krylov_reduction import krylov_reduced
from qmodel.numerics.uniformization import AbsorbingChain, uniformized
from qmodel.response_times import tagged_class as module
from qmodel.response_times.assumptions import orders
from qmodel.response_times.population_distribution import ServedStation, population_distribution
from qmodel.response_times.tagged_class import tagged_response
from qmodel.response_times.tagged_routing import is_markovian, others_routing, tagged_routing
from tests.truth.passage import Place, Round

SHARES = (0.05, 0.5, 0.9, 0.95, 0.99, 0.999)


def by_following(network, solution=None):
    return tagged_response(solution or qm.solve(network), 0, orders(network), exact=True)


def random_network(seed):
    """A small network of any stations and the true round; visits at random that forget."""
    random = Random(seed)
    kind = random.choice(["turn", "central", "skip", "again"])
    size = random.choice([1, 2, 3]) if kind in {"turn", "again"} else random.choice([2, 3])
    stations, places = [], [None]
    for k in range(size):
        order, servers = random.choice(["fcfs", "fcfs", "ps", "delay"]), random.choice([1, 1, 2, 3])
        time = 10 ** random.uniform(-1.5, 0.5)
        if order == "delay":
            stations.append(qm.DelayStation(f"s{k}"))
        else:
            stations.append(qm.QueueingStation(f"s{k}", servers, order))
        places.append(Place(time, 0 if order == "delay" else servers, order))
    rows = [[0.0] * (size + 1) for _ in range(size + 1)]
    visits = [1.0] * size
    if kind == "central":
        rounds = random.uniform(1.5, 6.0)
        parts = [random.uniform(0.2, 1.0) for _ in range(size - 1)]
        visits = [rounds, *((rounds - 1) * p / sum(parts) for p in parts)]
        rows[0][1], rows[1][0] = 1.0, 1 / rounds
        for k, v in enumerate(visits[1:], 2):
            rows[1][k], rows[k][1] = v / rounds, 1.0
    elif kind == "again":  # all stations in turn, again and again
        rounds = random.uniform(1.5, 4.0)
        visits = [rounds] * size
        for k in range(size):
            rows[k][k + 1] = 1.0
        rows[size][0], rows[size][1] = 1 / rounds, 1 - 1 / rounds
        if size == 1:
            return random_network(seed + 1000)  # the truth knows no way from a station to itself
    else:  # each station in turn, or not
        if kind == "skip":
            visits = [1.0, *(random.choice([0.3, 0.8, 1.0]) for _ in range(size - 1))]
        for a in range(size + 1):
            left = 1.0
            for b in range(a + 1, size + 1):
                rows[a][b], left = left * visits[b - 1], left * (1 - visits[b - 1])
            rows[a][0] = left if a else 0.0
    population = random.choice([1, 2, 3, 5] if size > 2 else [1, 3, 6])
    think = 10 ** random.uniform(-1.5, 1.0)
    places[0] = Place(think, 0)
    network = qm.Network.from_visits(
        stations, [qm.ClosedClass("users", population, think)], [visits],
        [[place.time for place in places[1:]]],
    )  # fmt: skip
    return network, Round(places, rows, population)


@pytest.mark.parametrize("seed", range(20))
def test_random_networks_have_the_true_percentiles(seed):
    network, true = random_network(seed)
    found = by_following(network)
    assert found.exact
    assert found.scaling == pytest.approx(1.0, rel=1e-9)
    times = found.percentiles(SHARES)
    assert true.tails(times) == pytest.approx([1 - share for share in SHARES], abs=1e-7, rel=1e-6)
    assert qm.percentiles(qm.solve(network), SHARES).exact == (True,)


@pytest.mark.parametrize("ratio", [1.0, 1e3, 1e7, 1e12])
@pytest.mark.parametrize("rounds", [2.0, 30.0])
def test_one_customer_alone_goes_round_by_itself(rounds, ratio):
    network = qm.Network.from_visits(
        [qm.QueueingStation("cpu"), qm.QueueingStation("disk")], [qm.ClosedClass("user", 1, 0.0)],
        [[rounds, rounds - 1.0]], [[1.0, 1.0 / ratio]],
    )  # fmt: skip
    stay = 1.0 - 1.0 / rounds
    # Two exponential phases, by the roots of their characteristic polynomial.
    half = 0.5 * (1.0 + ratio)
    fast = half + (half * half - ratio * (1.0 - stay)) ** 0.5
    slow = ratio * (1.0 - stay) / fast
    at_first = 1.0 - stay  # rate of an end at first
    weight = (fast - at_first) / (fast - slow)
    times = np.array(by_following(network).percentiles(SHARES))
    tails = weight * np.exp(-slow * times) + (1.0 - weight) * np.exp(-fast * times)
    assert tails.tolist() == pytest.approx([1 - share for share in SHARES], abs=1e-8)


@pytest.mark.parametrize("visits", [[3.0, 2.5, 2.2], [1.5, 2.0, 1.2], [0.4, 0.7, 0.2]])
def test_a_lone_customer_goes_the_rounds_of_the_network(visits, monkeypatch):
    network = qm.Network.from_visits(
        [qm.QueueingStation(name) for name in "abc"], [qm.ClosedClass("user", 1, 1.0)], [visits],
        [[0.2, 0.5, 0.9]],
    )  # fmt: skip
    solution = qm.solve(network)
    found = by_following(network, solution).percentiles(SHARES[1:])
    monkeypatch.setattr(module, "tagged_response", lambda *_, **__: None)
    expected = qm.percentiles(solution, SHARES[1:]).response_times[0]
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_others_whose_ways_remember_are_not_called_exact():
    network = qm.Network.from_visits(
        [qm.QueueingStation(name) for name in "abc"], [qm.ClosedClass("users", 4, 1.0)],
        [[3.0, 2.5, 2.2]], [[0.2, 0.1, 0.15]],
    )  # fmt: skip
    found = qm.percentiles(qm.solve(network), [0.95])
    assert found.exact == (False,)
    assert "others go on from each station at random" in found.assumptions[0]
    assert by_following(network).scaling == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize(
    "visits",
    [[4.0, 3.0], [4.0, 1.0], [2.0, 2.0], [2.0, 1.5], [1.0, 0.5], [3.0, 2.5, 2.2], [0.3, 0.2]],
)
def test_ways_make_the_visits(visits):
    rounds = ImpliedRouting.of(visits)
    for ways in (others_routing(rounds, visits), tagged_routing(rounds, visits)):
        often = np.linalg.solve(np.eye(len(ways.station)) - ways.onward.T, ways.entry)
        total = np.bincount(ways.station, often)
        assert total == pytest.approx(visits, rel=1e-12)
        assert often @ ways.exits() == pytest.approx(ways.entry.sum(), rel=1e-12)
    assert is_markovian(rounds) == (visits != [3.0, 2.5, 2.2])


def test_bad_cases_have_finite_times():
    disk, cpu = qm.QueueingStation("disk"), qm.QueueingStation("cpu", 4, "fcfs")
    for times in ([1e-9, 1.0], [1.0, 1e-9], [1e-6, 1e6], [1e-12, 1e-12]):
        for population in (1, 9):
            for think_time in (0.0, 1e-9, 1e12):
                network = qm.Network.from_visits(
                    [disk, cpu], [qm.ClosedClass("u", population, think_time)], [[3, 2]], [times]
                )
                found = qm.percentiles(qm.solve(network), SHARES).response_times[0]
                assert all(0.0 <= a < b < float("inf") for a, b in pairwise(found))


@pytest.mark.parametrize("never", [1e-5, 1e-3, 1e-2])
def test_what_is_left_out_hardly_matters(never, monkeypatch):
    network = qm.Network.from_visits(
        [qm.QueueingStation(name, 1, "fcfs") for name in ("cpu", "disk", "tape")],
        [qm.ClosedClass("users", 12, 3.0)], [[5.0, 2.0, 2.0]], [[0.05, 0.1, 0.08]],
    )  # fmt: skip
    solution = qm.solve(network)
    true = by_following(network, solution)
    monkeypatch.setattr(module, "LEVELS", ((1e-99, 1e-99), (never, 1e-6)))
    monkeypatch.setattr(module, "NUMBERS", 400)
    found = by_following(network, solution)
    assert true.exact
    assert found.left_out == never
    assert found.percentiles(SHARES[1:5]) == pytest.approx(
        true.percentiles(SHARES[1:5]), rel=3.0 * never**0.8
    )
    says = qm.percentiles(solution, [0.95], exact=True)
    assert says.exact == (False,)
    assert f"but not to what is found less often than {never:g} (p95 off by" in says.assumptions[0]


def test_a_share_of_none_takes_no_time():
    network = random_network(1)[0]
    none, half, nearly_all = by_following(network).percentiles((0.0, 0.5, 0.9999999))
    assert none == 0.0 < half < nearly_all < float("inf")


def test_too_large_or_other_networks_are_not_followed():
    cpu, disk = qm.QueueingStation("cpu"), qm.QueueingStation("disk")
    users = qm.ClosedClass("users", 3, 1.0)
    for network in (
        qm.Network([cpu], [users, qm.ClosedClass("others", 2, 1.0)], [[0.1], [0.1]]),
        qm.Network([cpu], [qm.OpenClass("mail", 1.0)], [0.1]),
        qm.Network([cpu], [qm.ClosedClass("nobody", 0, 1.0)], [0.1]),
        qm.Network([cpu], [users], [0.0]),
        qm.Network([cpu], [qm.ClosedClass("crowd", 3001, 1e6)], [0.1]),
        qm.Network([qm.DelayStation("lan")], [users], [0.1], scv=[[0.0]]),
        qm.Network([qm.QueueingStation("cpu", 1, "fcfs")], [users], [0.1], scv=[[4.0]]),
        qm.Network(
            [cpu, disk, qm.QueueingStation("tape")],
            [qm.ClosedClass("users", 900, 0.0)],
            [[0.1, 0.1, 0.1]],
        ),
    ):
        assert by_following(network) is None


def test_an_approximate_solution_stretches_the_times():
    network = qm.Network.from_visits(
        [cpu := qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
        [qm.ClosedClass("users", 4, 1.0)], [[4.0, 3.0]], [[0.2, 0.3]],
    )  # fmt: skip
    assert cpu.name == "cpu"
    exact, near = qm.solve(network), qm.solve(network, "bard-schweitzer")
    ratio = near.response_times[0] / exact.response_times[0]
    assert abs(ratio - 1.0) > 1e-3
    found, expected = (qm.percentiles(each, SHARES) for each in (near, exact))
    assert found.exact == (False,)
    assert found.response_times[0] == pytest.approx(
        [ratio * time for time in expected.response_times[0]], rel=1e-6
    )


def test_numbers_are_those_of_the_network_with_one_customer_less():
    stations = [qm.QueueingStation("a", 2), qm.QueueingStation("b"), qm.DelayStation("c")]
    row, number = [0.8, 0.3, 0.4], np.arange(8.0)
    speeds = [np.minimum(number, 2), np.minimum(number, 1), number]
    servers = [ServedStation(d, d, speed, 0) for d, speed in zip(row, speeds, strict=True)]
    found = population_distribution(servers, 6, 2.0, rare=0.0, most=1000)
    assert len(found.probability) == 84  # 6 customers at 4 places
    fewer = qm.solve(qm.Network(stations, [qm.ClosedClass("u", 6, 2.0)], [row]))
    assert found.probability @ found.number == pytest.approx(fewer.queue_lengths[0], rel=1e-12)
    assert population_distribution(servers, 6, 2.0, rare=0.0, most=83) is None
    less = population_distribution(servers, 6, 2.0, rare=0.01, most=84)
    assert 20 < len(less.probability) < 60
    assert less.probability @ less.number == pytest.approx(fewer.queue_lengths[0], rel=0.06)


def test_steps_and_the_reduced_chain_end_alike():
    random = np.random.default_rng(5)
    size = 40
    source, target = (grid.ravel() for grid in np.indices((size, size)))
    off = source != target
    rate = random.exponential(size=size * size)[off] * (random.random(off.sum()) < 0.2)
    source, target = source[off], target[off]
    leave = 0.1 * random.random(size)
    start = random.dirichlet(np.ones(size))
    matrix = np.zeros((size, size))
    matrix[source, target] = rate
    matrix -= np.diag(matrix.sum(axis=1) + leave)
    often = np.linalg.solve(-matrix.T, start)
    chain = AbsorbingChain(start, source, target, rate, leave, often)
    times = np.array([0.01, 0.3, 1.0, 3.0, 10.0, 60.0])
    true = [float(start @ expm(t * matrix).sum(axis=1)) for t in times]
    mean, second = often.sum(), -2.0 * np.linalg.solve(matrix.T, often).sum()
    for found in (uniformized(chain, 1e-12), krylov_reduced(chain), absorption_time(chain, 1e-12)):
        assert found.tail(times) == pytest.approx(true, abs=1e-9)
        assert found.moments() == pytest.approx((mean, second / mean**2 - 1.0), rel=1e-8)
        assert found.error <= 1e-12
