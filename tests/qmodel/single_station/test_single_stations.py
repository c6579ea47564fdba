"""Single stations: one another, 50-digit references."""

from fractions import Fraction
from math import factorial, inf, nan

import mpmath
import pytest
from mpmath import mp, mpf

import qmodel as qm
from qmodel.laws.erlang import erlang_b, erlang_c
from qmodel.single_station import MG1, MM1, MXG1, MMm, MMmK
from qmodel.single_station.powers import geometric_sums
from tests.tables import asked, rows

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


STATIONS = [
    MM1(0.75, 1.0),
    MMm(5.0, 0.5, 3),
    MMm(2.0, 0.5, 2),  # rates of wait and of service are equal: the textbook formula divides by 0
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


def test_general_service_has_the_others_as_special_cases():
    for load in (0.0, 0.2, 0.9, 1 - 1e-9):
        station = MG1(load, 1.0, scv=1.0)
        assert station.residence_time == pytest.approx(MM1(load, 1.0).residence_time, rel=1e-15)
        assert station.queue_length == pytest.approx(MM1(load, 1.0).queue_length, rel=1e-15)


@pytest.mark.parametrize("terms", [0, 1, 2, 3, 17, 1000])
@pytest.mark.parametrize("q", [0.0, 1e-9, 0.5, 1 - 1e-9, 1.0])
def test_geometric_sums(terms, q):
    log_q = float(mpmath.log(q)) if q else -inf
    total, moment = geometric_sums(log_q, terms)
    with mp.workdps(60):
        exact = mpmath.exp(mpf(log_q)) if q else mpf(0)
        assert total == pytest.approx(float(_series(exact, terms) if terms else 0), rel=1e-14)
        assert moment == pytest.approx(float(_moments(exact, terms)) if terms else 0, rel=1e-13)


@pytest.mark.parametrize(
    ("scv", "sizes"),
    [(0.0, [0.0, 0.0, 1.0]), (0.5, [0.5**n for n in range(1, 60)]), (1.0 / 9.0, [0.5, 0.5])],
)
def test_variances_of_batches_are_those_of_the_chain(scv, sizes):
    """M[X]/M/1 with batches of three, of geometric sizes, of one or two; J of one's own before."""
    mean = sum((n + 1) * p for n, p in enumerate(sizes))
    queue = MXG1(0.2, 1.0, mean, scv)
    chance = [1.0]  # of n customers: what comes down from n is what went up past it
    for n in range(1, 900):
        chance.append(
            sum(0.2 * chance[i] * sum(sizes[n - i - 1 :]) for i in range(max(0, n - 60), n))
        )
    total = sum(chance)
    found = [sum(n**k * p for n, p in enumerate(chance)) / total for k in (1, 2)]
    assert queue.queue_length == pytest.approx(found[0])
    assert queue.number_variance == pytest.approx(found[1] - found[0] ** 2)
    own = [sum(n**k * sum(sizes[n:]) / mean for n in range(len(sizes))) for k in (1, 2)]
    ahead, squares = found[0] + own[0], found[1] + 2.0 * found[0] * own[0] + own[1]
    assert queue.waiting_time_variance == pytest.approx(squares - ahead**2 + ahead)


def test_variances_with_limited_room():
    """Hardly limited as without limit; of one place behind a server by hand."""
    wide, free = MMmK(1.5, 1.0, 2, 400), MMm(1.5, 1.0, 2)
    assert wide.number_variance == pytest.approx(free.number_variance)
    assert wide.waiting_time_variance == pytest.approx(free.waiting_time_variance)
    one = MMmK(1.0, 1.0, 1, 2)
    assert (one.waiting_time_variance, one.number_variance) == (
        pytest.approx(0.75),
        pytest.approx(2 / 3),
    )
    assert one.at_least(1) == pytest.approx(2 / 3)


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


@pytest.mark.parametrize("make", [make for (make,) in rows(__file__, "unstable")])
def test_unstable_stations_are_refused(make):
    make = asked(make, globals())
    with pytest.raises(qm.Unstable, match=r"utilization would be .* %; unstable. Largest"):
        make()


def test_refusal_names_the_largest_rate():
    with pytest.raises(qm.Unstable) as refused:
        MM1(1.0, 68.0)
    assert str(refused.value) == (
        "utilization would be 6800 %; unstable. Largest stable rate 0.0147 /s"
    )


@pytest.mark.parametrize("make", [make for (make,) in rows(__file__, "bad_values")])
def test_bad_values_are_refused_by_name(make):
    make = asked(make, globals())
    names = "rate|time|servers|capacity|customers|SCV|percentile"
    for bad in (nan, inf, -1.0, "three", None, True, [1.0]):
        with pytest.raises(qm.InvalidInput, match=names):
            pytest.fail(f"{bad!r} is taken: {make(bad)!r}")


@pytest.mark.parametrize(
    ("make", "text"), rows(__file__, "bad_values_are_refused_with_what_is_expected")
)
def test_bad_values_are_refused_with_what_is_expected(make, text):
    with pytest.raises(qm.InvalidInput, match=None) as refused:
        asked(make, globals())
    assert text in str(refused.value)
