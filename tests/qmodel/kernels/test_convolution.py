"""Closed networks of one class: the exact recursions against 50 digits, and through `solve`."""

import random

import pytest
from mpmath import mp, mpf

import qmodel as qm
from qmodel.kernels.convolution import convolution, convolve
from qmodel.kernels.exact import exact
from qmodel.kernels.saturation import saturated
from qmodel.model.closed_network import one_class
from qmodel.solvers.product_form import convolution as by_convolution
from qmodel.solvers.product_form import mva
from tests.qmodel.kernels.test_mean_value_analysis import plain_mean_value_analysis
from tests.tables import rows
from tests.truth import rational

mp.dps = 50


def fifty_digits(population, delay, stations):
    """Throughput and residence times at stations of [(demand, rates), ...]."""
    truth = rational.solve(network_of(population, delay, stations), mpf)
    return [truth.throughput[0], *truth.residence_time[0]]


def network_of(population, delay, stations):
    made = []
    for k, (_, rates) in enumerate(stations):
        servers = tuple(float(j) for j in range(1, len(rates) + 1))
        made.append(
            qm.QueueingStation(f"station {k}", len(rates))
            if rates == servers
            else qm.LoadDependentStation(f"station {k}", rates)
        )
    return qm.Network(
        made, [qm.ClosedClass("users", population, delay)], [[d for d, _ in stations]]
    )


def at(population, delay, stations):
    """Throughput and residence times by convolution."""
    return convolution(one_class(network_of(population, delay, stations)))[population]


def random_stations(rng, kinds):
    stations = []
    for _ in range(rng.randint(1, 5)):
        demand = 10 ** (rng.uniform(-3, 0) if rng.random() < 0.8 else rng.uniform(-9, 3))
        kind = rng.choice(kinds)
        if kind == "single":
            rates = (1.0,)
        elif kind == "several":
            rates = tuple(float(j) for j in range(1, rng.choice([2, 3, 8, 64]) + 1))
        else:
            rates = tuple(10 ** rng.uniform(-1, 1) for _ in range(rng.randint(1, 12)))
        stations.append((demand, rates))
    return stations


def worst(found, expected):
    return max(float(abs(a / b - 1)) for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize("seed", range(12))
def test_convolution_agrees_with_fifty_digits(seed):
    rng = random.Random(seed)
    stations = random_stations(rng, ["single", "several", "any"])
    population = rng.choice([1, 2, 3, 7, 30, 60])
    delay = rng.choice([0.0, 0.1, 1.0, 10.0, 1000.0])
    expected = fifty_digits(population, delay, stations)
    model = one_class(network_of(population, delay, stations))
    assert worst(convolution(model)[population], expected) < 1e-13
    some = {1, (population + 1) // 2, population}  # whole series rather than single coefficients
    assert worst(convolution(model, some)[population], expected) < 1e-13
    assert worst(convolution(model, stations=False)[population], expected[:1]) < 1e-13
    limit = saturated(model)
    if limit is not None:
        assert worst(limit, expected) < 1e-13


@pytest.mark.parametrize("seed", range(8))
def test_mean_value_analysis_agrees_with_fifty_digits(seed):
    rng = random.Random(100 + seed)
    stations = random_stations(rng, ["single"])
    population = rng.choice([1, 2, 30, 90])
    delay = rng.choice([0.0, 1.0, 100.0])
    solution = qm.solve(network_of(population, delay, stations), "mva")
    found = (solution.throughputs[0], *solution.residence_times[0])
    assert worst(found, fifty_digits(population, delay, stations)) < 1e-13


#: From the issue: demands 5, 12, 20 ms and 320 ms on 8 servers, think time 1 s.
EIGHT_SERVERS = qm.Network(
    [*(qm.QueueingStation(name) for name in "abc"), qm.QueueingStation("d", servers=8)],
    [qm.ClosedClass("users", 50, think_time=1.0)],
    [0.005, 0.012, 0.020, 0.320],
)


@pytest.mark.parametrize(
    ("population", "throughput"), rows(__file__, "eight_servers_at_any_population")
)
@pytest.mark.parametrize("method", ["auto", "convolution"])
def test_eight_servers_at_any_population(population, throughput, method):
    found = qm.solve(EIGHT_SERVERS.with_population(population), method)
    assert found.throughputs[0] == pytest.approx(throughput, rel=1e-14)


def test_saturation_agrees_with_the_recursions_as_soon_as_it_holds():
    rng = random.Random(7)
    fired = 0
    for _ in range(60):
        demands = tuple(rng.uniform(0.1, 1.0) for _ in range(rng.randint(1, 5)))
        delay = rng.choice([0.0, 5.0, 300.0])
        for population in (30, 100, 300, 1000):
            network = network_of(population, delay, [(d, (1.0,)) for d in demands])
            limit = saturated(one_class(network))
            if limit is not None:
                fired += 1
                expected = plain_mean_value_analysis(population, delay, demands)
                assert worst(limit, expected) < 1e-13
                break
    assert fired > 40


def test_saturation_does_not_fire_with_tied_bottlenecks():
    network = network_of(10**6, 1.0, [(0.5, (1.0,)), (0.5, (1.0,)), (0.1, (1.0,))])
    assert saturated(one_class(network)) is None


def test_saturation_does_not_fire_before_its_time():
    """A near tie is stationary to the last bit for a while, long before the limit."""
    model = one_class(network_of(1000, 0.0, [(1.0, (1.0,)), (0.9999, (1.0,))]))
    assert saturated(model) is None
    throughput, *_ = saturated(model._replace(population=10**6))
    assert throughput == pytest.approx(1.0, rel=1e-12)  # one over the largest demand


def test_weights_that_sink_out_of_range_and_rise_again():
    """Fast while few, slow when many: weights fall to 1e-600 and come back to rule the sum."""
    sinking = [(1e3, (*[1e6] * 125, 1.0)), (0.5, (1.0,))]
    for population, stations in [(100, sinking), (200, [*sinking, (0.4, (1, 2))])]:
        expected = fifty_digits(population, 1.0, stations)
        assert worst(at(population, 1.0, stations), expected) < 1e-13
        model = one_class(network_of(population, 1.0, stations))
        found = exact(model, range(1, population + 1))
        assert worst(found[population], expected) < 1e-13


def test_rates_beyond_the_population_do_not_matter():
    def found(rates):
        network = qm.Network(
            [qm.LoadDependentStation("cpu", rates)], [qm.ClosedClass("users", 3, 1.0)], [0.5]
        )
        return qm.solve(network).throughputs[0]

    assert found([1.0, 1.5, 1.7]) == pytest.approx(found([1.0, 1.5, 1.7, 9.0, 0.001]), rel=1e-14)


def test_nine_decades_of_demand_and_a_long_think_time():
    demands = [1e-9, 1e-5, 1.0, 1e3, 0.3]
    for population in (5, 200):
        stations = [(d, (1.0,)) for d in demands]
        found = qm.solve(network_of(population, 1e4, stations))
        expected = fifty_digits(population, 1e4, stations)
        assert worst((found.throughputs[0], *found.residence_times[0]), expected) < 1e-13


def test_a_crowd_of_which_few_matter_takes_a_unit_of_its_own():
    """No float holds e^-30000, the weight of 10 customers in the unit of 30,000."""
    delay, stations = 60.0, [(0.002, (1.0, 2.0, 3.0, 4.0)), (0.001, (1.0,))]
    model = one_class(network_of(30_000, delay, stations))
    assert 10 not in convolve(model, [10, 30_000], True, float)
    rows = convolution(model, [10, 30_000])
    assert worst(rows[10], fifty_digits(10, delay, stations)) < 1e-13
    assert rows[30_000] == pytest.approx(at(30_000, delay, stations), rel=1e-13)


def test_a_few_of_a_crowd_keep_weights_that_only_their_products_hold():
    """2^-1100 is no float, but the weights it scales, near 2^-600, are."""
    stations = [(0.02, tuple(range(1, 17))), (0.00059077, tuple(range(1, 65)))]
    stations = [(demand, tuple(map(float, rates))) for demand, rates in stations]
    rows = convolution(one_class(network_of(900, 1.0, stations)), [129, 900])
    assert worst(rows[129], fifty_digits(129, 1.0, stations)) < 1e-13
    throughput, *times = rows[900]
    assert throughput * (1.0 + sum(times)) == pytest.approx(900, rel=1e-13)  # Little's law


@pytest.mark.parametrize("method", [mva, by_convolution])
def test_both_are_exact_and_refuse_what_they_cannot_do(method):
    assert method.METHOD.exact
    stations = [qm.QueueingStation("cpu"), qm.QueueingStation("disk")]
    classes = [qm.ClosedClass("a", 3), qm.ClosedClass("b", 3)]
    two = qm.Network(stations, classes, [[0.1, 0.2]] * 2)
    assert method.why_not(two) == "it takes one class with customers, there are 2"
    one = qm.Network(stations, classes[:1], [[0.1, 0.2]])
    assert method.why_not(one) is None
    tied = qm.Network([qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
                   [qm.ClosedClass("users", 10**14)], [[0.2, 0.2]])  # fmt: skip
    assert method.why_not(tied).startswith("1e+14 customers")
