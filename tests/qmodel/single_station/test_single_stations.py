"""Single stations: one another, closed networks, 50-digit references."""

from __future__ import annotations

from fractions import Fraction
from math import exp, factorial, inf, nan

import mpmath
import pytest
from mpmath import mp, mpf

import qmodel as qm
from qmodel.laws.erlang import erlang_b, erlang_c
from qmodel.single_station import MD1, MG1, MM1, MachineRepair, MMm, MMmK
from qmodel.single_station.powers import geometric_sums

SERVICE = 0.037


def several_servers(rate, servers, capacity, numbers):
    """M/M/m(/K) from its balance equations, in mpmath, state by state or by geometric sums."""
    load = mpf(rate) * mpf(SERVICE)
    ratio, weight, free = load / servers, mpf(1), mpf(0)
    weights = {}
    for n in range(servers):
        if n in numbers:
            weights[n] = weight
        free += weight
        weight *= load / (n + 1)
    for n in numbers:
        if n >= servers:
            weights[n] = weight * ratio ** (n - servers)
    if capacity is None:
        full, ahead, got_in = weight / (1 - ratio), weight * ratio / (1 - ratio) ** 2, None
        found_busy = full
    else:
        states = capacity - servers + 1
        full = weight * _series(ratio, states)
        found_busy = weight * _series(ratio, states - 1)
        ahead = weight * _moments(ratio, states)
        got_in = free + found_busy
    total = free + full
    got_in = total if got_in is None else got_in
    return {
        "probability": {n: w / total for n, w in weights.items()},
        "throughput": mpf(rate) * got_in / total,
        "waiting_time": ahead / got_in / mpf(rate),
        "waiting_probability": found_busy / got_in,
    }


def _series(q, terms):
    return mpf(terms) if q == 1 else (1 - q**terms) / (1 - q)


def _moments(q, terms):
    if q == 1:
        return mpf(terms) * (terms - 1) / 2
    return q * (1 - terms * q ** (terms - 1) + (terms - 1) * q**terms) / (1 - q) ** 2


def off(found, true):
    """Relative error; below the smallest floats only that there is hardly anything."""
    return float(abs(mpf(found) - true) / (abs(true) if abs(true) > mpf(10) ** -280 else 1))


@pytest.mark.parametrize("servers", [1, 2, 8, 100, 10_000])
@pytest.mark.parametrize("utilization", [1e-6, 0.1, 0.5, 0.9, 0.999, 1 - 1e-9])
def test_several_servers_to_50_digits(servers, utilization):
    rate = utilization * servers / SERVICE
    numbers = [0, 1, servers // 2, servers - 1, servers, servers + 5, servers + 10**9]
    with mp.workdps(50):
        true = several_servers(rate, servers, None, numbers)
        station = MMm(rate, SERVICE, servers)
        assert off(station.waiting_probability, true["waiting_probability"]) < 1e-13
        assert off(station.waiting_time, true["waiting_time"]) < 1e-13
        assert off(station.residence_time, true["waiting_time"] + mpf(SERVICE)) < 1e-14
        for n in numbers:
            assert off(station.probability(n), true["probability"][n]) < 1e-12
        if servers == 1:
            one = MM1(rate, SERVICE)
            assert off(one.waiting_time, true["waiting_time"]) < 1e-15
            for n in numbers:
                assert off(one.probability(n), true["probability"][n]) < 1e-12


@pytest.mark.parametrize("servers", [1, 2, 10_000])
@pytest.mark.parametrize("utilization", [1e-6, 1 - 1e-9, 1.0, 1 + 1e-9, 1.1, 1e6])
@pytest.mark.parametrize("places", [0, 1, 7, 10**6])
def test_limited_room_to_50_digits(servers, utilization, places):
    rate, capacity = utilization * servers / SERVICE, servers + places
    numbers = [0, servers // 2, servers - 1, servers, min(capacity, servers + 5), capacity]
    with mp.workdps(60):
        true = several_servers(rate, servers, capacity, numbers)
        station = MMmK(rate, SERVICE, servers, capacity)
        assert off(station.throughput, true["throughput"]) < 1e-13
        assert off(station.waiting_time, true["waiting_time"]) < 1e-12
        assert off(station.waiting_probability, true["waiting_probability"]) < 1e-12
        assert off(station.blocking_probability, true["probability"][capacity]) < 1e-12
        for n in numbers:
            assert off(station.probability(n), true["probability"][n]) < 1e-12
        assert station.probability(capacity + 1) == 0.0


def machines(population, think_time, service_time, servers):
    """M/M/m//N from its balance equations, in mpmath."""
    ratio, weight = mpf(service_time) / mpf(think_time), mpf(1)
    weights, busy, present = [weight], mpf(0), mpf(0)
    for n in range(1, population + 1):
        weight *= (population - n + 1) * ratio / min(n, servers)
        weights.append(weight)
        busy += min(n, servers) * weight
        present += n * weight
    total = mpmath.fsum(weights)
    throughput = busy / total / mpf(service_time)
    return throughput, present / total, [w / total for w in weights]


@pytest.mark.parametrize(
    ("population", "think_time", "service_time", "servers"),
    [
        (1, 1.0, 0.3, 1), (5, 10.0, 0.3, 1), (300, 1.0, 0.1, 8), (1000, 1e4, 1.0, 3),
        (10_000, 1.0, 0.01, 64), (10_000, 3.0, 1.0, 2500), (5_000, 1e-9, 1e3, 7),
    ],
)  # fmt: skip
def test_machine_repair_to_50_digits(population, think_time, service_time, servers):
    station = MachineRepair(population, think_time, service_time, servers)
    with mp.workdps(50):
        throughput, queue, probabilities = machines(population, think_time, service_time, servers)
        assert off(station.throughput, throughput) < 1e-13
        assert off(station.queue_length, queue) < 1e-13
        assert off(station.residence_time, queue / throughput) < 1e-13
        assert abs(station.waiting_time - (queue / throughput - mpf(service_time))) <= (
            1e-12 * station.waiting_time + 1e-300
        )
        for n in (0, 1, population // 2, population - 1, population, int(queue)):
            assert off(station.probability(n), probabilities[n]) < 1e-12


def test_machine_repair_of_a_million():
    station = MachineRepair(10**6, think_time=1.0, service_time=1e-5, servers=4)
    # The servers never idle: 4 / S leave, and the rest of the million is in the queue.
    assert station.throughput == pytest.approx(4e5, rel=1e-13)
    assert station.queue_length == pytest.approx(10**6 - 4e5, rel=1e-12)
    assert station.throughput * (1.0 + station.residence_time) == pytest.approx(1e6, rel=1e-12)


STATIONS = [
    MM1(0.75, 1.0),
    MMm(5.0, 0.5, 3),
    MMm(2.0, 0.5, 2),  # rates of wait and of service are equal: the textbook formula divides by 0
    MMmK(5.0, 0.5, 3, 7),
    MMmK(12.0, 0.5, 3, 9),
    MMmK(5.0, 0.5, 3, 3),
    MMmK(0.9, 1.0, 1, 4),
    MachineRepair(12, 2.0, 0.5, 2),
    MachineRepair(3, 2.0, 0.5, 5),
    MachineRepair(6, 0.0, 0.5, 2),
    MD1(0.75, 1.0),
]


@pytest.mark.parametrize("station", STATIONS, ids=repr)
def test_means_belong_to_the_distributions(station):
    numbers = [station.probability(n) for n in range(600)]
    assert sum(numbers) == pytest.approx(1.0, rel=1e-12)
    assert station.queue_length == pytest.approx(
        sum(n * p for n, p in enumerate(numbers)), rel=1e-9
    )
    assert station.throughput * station.residence_time == pytest.approx(
        station.queue_length, rel=1e-12
    )
    servers = getattr(station, "servers", 1)
    busy = sum(min(n, servers) * p for n, p in enumerate(numbers))
    assert station.utilization == pytest.approx(busy / servers, rel=1e-12)
    for cdf, mean in (
        (station.waiting_time_cdf, station.waiting_time),
        (station.residence_time_cdf, station.residence_time),
    ):
        # Midpoints between the kinks of M/D/1, which are at multiples of S.
        step = station.service_time / 8
        tail = [1.0 - cdf((i + 0.5) * step) for i in range(int(15 * station.residence_time / step))]
        assert sum(tail) * step == pytest.approx(mean, rel=5e-3, abs=1e-9)
    assert station.waiting_time_cdf(0.0) == pytest.approx(
        1.0 - station.waiting_probability, rel=1e-12, abs=1e-15
    )
    assert station.residence_time_cdf(0.0) == pytest.approx(0.0, abs=1e-15)
    assert station.waiting_time_cdf(-1.0) == station.residence_time_cdf(-1.0) == 0.0
    assert station.waiting_time_cdf(1e9) == station.residence_time_cdf(1e9) == 1.0


@pytest.mark.parametrize("station", STATIONS, ids=repr)
@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 0.9, 0.999999])
def test_percentiles_are_where_the_distributions_say(station, p):
    for cdf, percentile in (
        (station.waiting_time_cdf, station.waiting_time_percentile),
        (station.residence_time_cdf, station.percentile),
    ):
        time = percentile(p)
        assert cdf(time * (1 + 1e-9)) >= p - 1e-13
        if time > 0.0:
            assert cdf(time * (1 - 1e-9)) <= p + 1e-13


def erlang_tail(phases, rate, t):
    """P(Erlang(phases, rate) > t), by its sum."""
    x = rate * t
    return sum(exp(-x) * x**i / factorial(i) for i in range(phases))


@pytest.mark.parametrize("t", [0.01, 0.4, 1.0, 3.0])
@pytest.mark.parametrize(
    ("station", "found"),
    [
        (MMmK(5.0, 0.5, 3, 7), lambda n: MMmK(5.0, 0.5, 3, 7).probability(n)),
        (MachineRepair(8, 1.0, 0.5, 3), lambda n: MachineRepair(7, 1.0, 0.5, 3).probability(n)),
    ],
)
def test_waiting_times_are_mixtures_of_erlang_times(station, found, t):
    most = (station.capacity if isinstance(station, MMmK) else station.population) - 1
    share = sum(found(n) for n in range(most + 1))
    exceeds = sum(found(n) / share * erlang_tail(n - 2, 3 / 0.5, t) for n in range(3, most + 1))
    assert 1.0 - station.waiting_time_cdf(t) == pytest.approx(exceeds, rel=1e-12)


def deterministic_numbers(load, last):
    """M/D/1 from its generating function, a power series in many digits."""
    load = mpf(load)
    arrivals = [mpmath.exp(-load) * load**i / mpmath.factorial(i) for i in range(last + 2)]
    return _embedded(arrivals, 1 - load, last)


def _embedded(arrivals, empty, last):
    above = [empty * (a - b) for a, b in zip(arrivals, [mpf(0), *arrivals], strict=False)]
    below = [a - (i == 1) for i, a in enumerate(arrivals)]
    found = []
    for i in range(last + 1):
        taken = mpmath.fsum(found[k] * below[i - k] for k in range(i))
        found.append((above[i] - taken) / below[0])
    return found


@pytest.mark.parametrize("load", [1e-3, 0.1, 0.5, 0.9, 1 - 1e-9])
def test_deterministic_service_in_many_digits(load):
    rate = load / 0.5
    station = MD1(rate, 0.5)
    with mp.workdps(400):
        true = deterministic_numbers(mpf(rate) * mpf(0.5), 200)
        for n in (0, 1, 2, 5, 20, 100, 127, 128, 129, 200):
            assert off(station.probability(n), true[n]) < 1e-13
        for t in (0.0, 0.2, 0.5, 0.7, 1.3, 4.99, 20.1, 60.0):
            true_cdf = _erlang_deterministic(mpf(rate), mpf(0.5), mpf(t))
            assert abs(station.waiting_time_cdf(t) - true_cdf) < 2e-14
            assert abs(station.residence_time_cdf(t + 0.5) - true_cdf) < 2e-14


def _erlang_deterministic(rate, time, t):
    """The alternating sum of Erlang, A. K. (1909), which needs the many digits."""
    total = mpf(0)
    for k in range(int(mpmath.floor(t / time)) + 1):
        x = rate * (k * time - t)
        total += x**k / mpmath.factorial(k) * mpmath.exp(-x)
    return (1 - rate * time) * total


PHASES = [(0.75, 3, 0.5), (0.25, 1, 2.5)]


@pytest.mark.parametrize("load", [0.3, 0.9, 1 - 1e-9])
def test_general_service_in_many_digits(load):
    station = MG1.of_phases(load, PHASES)
    with mp.workdps(400):
        arrivals = [mpf(0)] * 152
        for weight, number, mean in PHASES:
            during = mpf(load) * mpf(mean) / number
            q = during / (1 + during)
            for i in range(152):
                ways = mpmath.binomial(number + i - 1, i)
                arrivals[i] += mpf(weight) * ways * (1 - q) ** number * q**i
        true = _embedded(arrivals, 1 - mpf(load), 150)
        for n in (0, 1, 2, 10, 50, 150):
            assert off(station.probability(n), true[n]) < 1e-12


def test_general_service_has_the_others_as_special_cases():
    for load in (0.0, 0.2, 0.9, 1 - 1e-9):
        exponential, equal = MG1(load, 1.0, scv=1.0), MG1(load, 1.0, scv=0.0)
        assert exponential.residence_time == pytest.approx(MM1(load, 1.0).residence_time, rel=1e-15)
        assert exponential.queue_length == pytest.approx(MM1(load, 1.0).queue_length, rel=1e-15)
        assert equal.waiting_time == MD1(load, 1.0).waiting_time
        phases = MG1.of_phases(load, [(1.0, 1, 1.0)])
        for n in (0, 1, 7, 400):
            assert phases.probability(n) == pytest.approx(MM1(load, 1.0).probability(n), rel=1e-12)
    nearly_equal = MG1.of_phases(0.7, [(1.0, 1_000_000, 1.0)])
    for n in range(8):
        assert nearly_equal.probability(n) == pytest.approx(MD1(0.7, 1.0).probability(n), rel=1e-4)


def test_general_service_with_a_rare_and_long_kind_adds_up():
    station = MG1.of_phases(0.5, [(0.999, 4, 1.0), (0.001, 2, 500.0)])
    assert all(0.0 < station.probability(n) < 1.0 for n in (0, 1, 2, 50, 2000))
    mean = station.service_time
    assert mean == pytest.approx(1.499, rel=1e-15)
    # Second moments by hand: 0.999 * 1 * 1.25 + 0.001 * 250000 * 1.5.
    assert station.scv == pytest.approx((0.999 * 1.25 + 375.0) / mean**2 - 1.0, rel=1e-12)
    assert station.waiting_time == pytest.approx(
        0.5 * (0.999 * 1.25 + 375.0) / 2 / (1 - 0.5 * mean), rel=1e-12
    )


def test_a_kind_during_which_never_fewer_than_hundreds_arrive():
    weight, long = 1e-4, 4000.0  # 2,000 arrivals in it, and 0 with probability 1e-869
    station = MG1.of_phases(0.5, [(1.0 - weight, 1, 0.1), (weight, 10**6, long)])
    q = 0.05 / 1.05  # of an arrival before the end of a short service
    none, one = (1.0 - weight) * (1.0 - q), (1.0 - weight) * q * (1.0 - q)
    first = station.probability(0) * (1.0 - none) / none
    second = (station.probability(0) + first) * (1.0 - none - one) / none
    assert station.probability(1) == pytest.approx(first, rel=1e-12)
    assert station.probability(2) == pytest.approx(second, rel=1e-11)


def test_mean_and_scv_do_not_give_a_distribution():
    station = MG1(0.5, 1.0, scv=4.0)
    assert station.probability(0) == 0.5
    with pytest.raises(qm.NotApplicable, match=r"MG1\.of_phases"):
        station.probability(1)


@pytest.mark.parametrize("terms", [0, 1, 2, 3, 17, 1000])
@pytest.mark.parametrize("q", [0.0, 1e-9, 0.5, 1 - 1e-9, 1.0])
def test_geometric_sums(terms, q):
    log_q = float(mpmath.log(q)) if q else -inf
    total, moment = geometric_sums(log_q, terms)
    with mp.workdps(60):
        exact = mpmath.exp(mpf(log_q)) if q else mpf(0)
        assert total == pytest.approx(float(_series(exact, terms) if terms else 0), rel=1e-14)
        assert moment == pytest.approx(float(_moments(exact, terms)) if terms else 0, rel=1e-13)


def test_erlang_formulas_of_very_many_servers():
    # Large m at load m: B is near sqrt(2 / (pi m)) (a classical asymptote).
    assert erlang_b(10**8, 1e8) == pytest.approx((2 / (mpmath.pi * 1e8)) ** 0.5, rel=1e-3)
    assert erlang_b(10**9, 1.0) == 0.0
    assert erlang_b(0, 5.0) == 1.0
    assert erlang_b(5, 0.0) == 0.0
    assert erlang_b(10, 1e300) == 1.0
    assert 0.99 < erlang_c(1000, 999.999, 0.001) < 1.0


@pytest.mark.parametrize("servers", [1, 2, 30])
@pytest.mark.parametrize("load", [0.01, 1.0, 29.5, 500.0])
def test_erlang_b_by_definition(servers, load):
    terms = [Fraction(load) ** i / factorial(i) for i in range(servers + 1)]
    assert erlang_b(servers, load) == pytest.approx(float(terms[-1] / sum(terms)), rel=1e-14)


@pytest.mark.parametrize(
    "make",
    [
        lambda: MM1(2.0, 0.5), lambda: MMm(4.0, 0.5, 2), lambda: MD1(3.0, 0.5),
        lambda: MG1(2.0, 0.5, 3.0), lambda: MG1.of_phases(2.0, [(1.0, 2, 0.5)]),
        lambda: MM1(1e200, 1e200),
    ],
)  # fmt: skip
def test_unstable_stations_are_refused(make):
    with pytest.raises(qm.Unstable, match=r"utilization would be .* %; unstable. Largest"):
        make()


def test_refusal_names_the_largest_rate():
    with pytest.raises(qm.Unstable) as refused:
        MM1(1.0, 68.0)
    assert str(refused.value) == (
        "utilization would be 6800 %; unstable. Largest stable rate 0.0147 /s"
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda x: MM1(x, 0.1), lambda x: MM1(1.0, x), lambda x: MMm(1.0, 0.1, x),
        lambda x: MMm(x, 0.1, 2), lambda x: MMmK(1.0, 0.1, 2, x), lambda x: MMmK(1.0, x, 2, 3),
        lambda x: MachineRepair(x, 1.0, 0.1), lambda x: MachineRepair(3, x, 0.1),
        lambda x: MachineRepair(3, 1.0, x), lambda x: MD1(1.0, x), lambda x: MG1(1.0, 0.1, x),
        lambda x: MG1.of_phases(1.0, [(1.0, 2, x)]), lambda x: MG1.of_phases(1.0, [(x, 2, 0.1)]),
        lambda x: MM1(1.0, 0.1).percentile(x), lambda x: MMmK(1.0, 0.1, 2, 3).probability(x),
        lambda x: MachineRepair(3, 1.0, 0.1).probability(x),
        lambda x: MD1(1.0, 0.1).waiting_time_percentile(x),
    ],
)  # fmt: skip
def test_bad_values_are_refused_by_name(make):
    names = "rate|time|servers|capacity|population|customers|SCV|mean|probability|percentile"
    for bad in (nan, inf, -1.0, "three", None, True, [1.0]):
        with pytest.raises(qm.InvalidInput, match=names):
            pytest.fail(f"{bad!r} is taken: {make(bad)!r}")


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: MM1(1.0, 0.0), "service time is 0 s, expected > 0 s"),
        (lambda: MMm(1.0, 0.1, 0), "number of servers is 0, expected >= 1"),
        (lambda: MMm(1.0, 0.1, 1.5), "number of servers is 1.5, expected a whole number"),
        (lambda: MMmK(1.0, 0.1, 3, 2), "capacity is 2, expected >= the number of servers, 3"),
        (lambda: MM1(1.0, 0.1).percentile(1.0), "expected 0 <= p < 1"),
        (lambda: MM1(1.0, 0.1).probability(-1), "number of customers is -1, expected >= 0"),
        (lambda: MM1(1.0, 0.1).waiting_time_cdf(nan), "time is nan"),
        (lambda: MG1.of_phases(1.0, []), "add up to 0, expected 1"),
        (lambda: MG1.of_phases(1.0, [(0.5, 1, 0.1)]), "add up to 0.5, expected 1"),
        (lambda: MG1.of_phases(1.0, [(0.5, 1)]), "expected probability, number, mean"),
        (lambda: MG1.of_phases(1.0, 3), "phases is 3, expected a sequence"),
        (lambda: MG1(1.0, 0.2, 1.0, ((1.0, 1, 0.1),)), "phases have mean 0.1 s"),
        (lambda: MachineRepair(10**10, 1.0, 0.1), "expected <= 1000000000"),
    ],
)
def test_bad_values_are_refused_with_what_is_expected(make, text):
    with pytest.raises(qm.InvalidInput, match=None) as refused:
        make()
    assert text in str(refused.value)


def test_what_would_take_for_ever_is_refused():
    with pytest.raises(qm.NotApplicable, match="it takes at most"):
        MMmK(1.0, 1.0, 1, 10**9).percentile(0.5)
    with pytest.raises(qm.NotApplicable, match="it takes at most"):
        MG1.of_phases(0.5, PHASES).probability(10**7)
