"""Open networks: the methods themselves, their corners, and what they refuse."""

from fractions import Fraction
from math import isclose
from random import Random

import pytest

import qmodel as qm
from qmodel.numerics.residual_capacity import spare_capacity
from qmodel.single_station import MM1, MMm

DISK = qm.QueueingStation("disk")


def one_station(station, demand, rate):
    return qm.solve(qm.Network([station], [qm.OpenClass("mail", rate)], [demand]))


@pytest.mark.parametrize("servers", [1, 2, 8, 10_000])
@pytest.mark.parametrize("utilization", [0.0, 0.5, 0.95, 1 - 1e-9])
def test_an_open_station_is_the_single_station(servers, utilization):
    rate = utilization * servers / 0.02
    solution = one_station(qm.QueueingStation("cpu", servers), 0.02, rate)
    alone = MMm(rate, 0.02, servers)
    assert solution["mail", "cpu"].residence_time == pytest.approx(alone.residence_time, rel=1e-14)
    if servers == 1:
        assert solution["mail", "cpu"].residence_time == pytest.approx(
            MM1(rate, 0.02).residence_time, rel=1e-15
        )


def test_load_dependent_station_of_very_many_customers_neither_overflows_nor_is_lost():
    rates = [0.5] * 3000 + [2.0]  # too slow until 3,000 are there: weights up to 1.99^3000
    solution = one_station(qm.LoadDependentStation("array", rates), 1.0, 0.995)
    # All but certainly the station is at its fast end: a queue that falls to 3,000 at rate 2.
    assert solution.queue_lengths[0][0] == pytest.approx(
        _two_sided(Fraction(1, 2), 2, Fraction("0.995"), 3000), rel=1e-9
    )


def test_weights_that_grow_a_hundredfold_at_each_customer_do_not_overflow():
    rates = [0.01] * 400 + [2.0]  # weights up to 100^400
    solution = one_station(qm.LoadDependentStation("array", rates), 1.0, 1.0)
    assert solution.queue_lengths[0][0] == pytest.approx(
        _two_sided(Fraction("0.01"), 2, Fraction(1), 400), rel=1e-12
    )


def _two_sided(slow, fast, load, length):
    """Mean number where the rate is ``slow`` with up to ``length`` customers, then ``fast``."""
    down, up = slow / load, load / fast
    weight = total = Fraction(1)
    present = Fraction(length)
    for n in range(length - 1, length - 400, -1):  # what is left out is below 1e-100
        weight *= down
        total += weight
        present += n * weight
    total += up / (1 - up)
    present += length * up / (1 - up) + up / (1 - up) ** 2
    return float(present / total)


@pytest.mark.parametrize("rate", [0.0, 1e-300])
def test_a_class_that_hardly_arrives_sees_what_the_others_leave(rate):
    network = qm.Network(
        [DISK, qm.QueueingStation("cpu", 2)],
        [qm.OpenClass("rare", rate), qm.OpenClass("mail", 2.0)],
        [[0.1, 0.3], [0.25, 0.5]],
    )
    solution = qm.solve(network)
    assert solution.throughputs[0] == rate
    assert solution.residence_times[0] == pytest.approx((0.1 / 0.5, 0.3 * 4 / 3), rel=1e-14)
    assert solution.queue_lengths[0] == pytest.approx((0.0, 0.0), abs=1e-299)


def test_alone_in_an_empty_network_an_arrival_meets_nobody():
    network = qm.Network(
        [DISK, qm.QueueingStation("cpu", 7), qm.LoadDependentStation("array", [0.5, 2.0])],
        [qm.OpenClass("mail", 0.0)],
        [[0.1, 0.3, 0.2]],
    )
    assert qm.solve(network).residence_times[0] == pytest.approx((0.1, 0.3, 0.4), rel=1e-15)


@pytest.mark.parametrize("missing", [1e-6, 1e-9, 1e-12])
def test_close_to_saturation_every_digit_is_kept(missing):
    rates = [1 / 3, 0.7, 0.11]
    demands = [0.9, 0.5 - missing, (1 - 0.3 - 0.35) / 0.11]
    network = qm.Network(
        [DISK], [qm.OpenClass(f"c{i}", r) for i, r in enumerate(rates)], [[d] for d in demands]
    )
    load = sum(Fraction(r) * Fraction(d) for r, d in zip(rates, demands, strict=True))
    assert load < 1
    for found, demand in zip(qm.solve(network).residence_times, demands, strict=True):
        assert abs(Fraction(found[0]) / (Fraction(demand) / (1 - load)) - 1) < Fraction(1, 10**14)


def test_spare_capacity_is_the_exact_difference_rounded():
    work = [(0.1, 3.0), (1e-8, 0.3), (7.0, 0.1 - 1e-18), (1e200, 1e-208)]
    exact = 1 - sum(Fraction(a) * Fraction(b) for a, b in work)
    assert isclose(spare_capacity(1.0, work), float(exact), rel_tol=1e-14)
    assert spare_capacity(1.0, [(1e300, 1e300)]) < 0


@pytest.mark.parametrize("seed", range(40))
def test_spare_capacity_of_random_classes_close_to_saturation(seed):
    rng = Random(seed)
    rates = [rng.uniform(0.1, 9.0) for _ in range(rng.randint(1, 5))]
    shares = [rng.random() for _ in rates]
    missing = 10.0 ** -rng.randint(3, 12)
    work = [
        (rate, share / sum(shares) / rate * (1.0 - missing))
        for rate, share in zip(rates, shares, strict=True)
    ]
    exact = 1 - sum(Fraction(a) * Fraction(b) for a, b in work)
    assert exact > 0
    assert abs(Fraction(spare_capacity(1.0, work)) / exact - 1) < Fraction(1, 10**14)


def test_unstable_names_class_station_utilization_and_the_largest_rate():
    with pytest.raises(qm.Unstable) as refused:
        one_station(qm.QueueingStation("CPU"), 68.0, 1.0)
    assert str(refused.value) == (
        "class 'mail' at station 'CPU': utilization would be 6800 %; unstable. "
        "Largest stable rate 0.0147 /s"
    )


def test_unstable_names_the_station_with_the_least_room_and_the_class_that_asks_most():
    network = qm.Network(
        [DISK, qm.QueueingStation("cpu", 2), qm.DelayStation("lan")],
        [qm.OpenClass("mail", 1.0), qm.OpenClass("search", 1.0)],
        [[0.7, 2.5, 9e9], [0.4, 1.5, 0.0]],
    )
    with pytest.raises(qm.Unstable, match="'mail' at station 'cpu': utilization would be 200 %"):
        qm.solve(network)
    with pytest.raises(qm.Unstable, match=r"0\.5 /s, the other open classes in proportion"):
        qm.solve(network)


@pytest.mark.parametrize(
    ("rate", "demand", "others"), [(1.0, 0.5, True), (0.0, 0.5, False), (1.0, 0.0, False)]
)
def test_classes_in_proportion_are_those_that_come_there(rate, demand, others):
    classes = [qm.OpenClass("mail", 2.0), qm.OpenClass("search", rate)]
    with pytest.raises(qm.Unstable, match="'mail' at station 'disk'") as refused:
        qm.solve(qm.Network([DISK], classes, [[1.5], [demand]]))
    assert ("the other open classes in proportion" in str(refused.value)) == others


def test_stable_just_below_the_rate_that_the_refusal_names():
    for station in (
        DISK,
        qm.QueueingStation("cpu", 3),
        qm.LoadDependentStation("array", [1.0, 3.0, 2.0]),
    ):
        limit = {"disk": 1.0, "cpu": 3.0, "array": 2.0}[station.name] / 0.25
        assert one_station(station, 0.25, limit * (1 - 1e-9)).queue_lengths[0][0] > 1e8
        with pytest.raises(qm.Unstable):
            one_station(station, 0.25, limit)


def test_a_network_without_open_classes_is_refused_with_the_class_named():
    network = qm.Network([DISK], [qm.OpenClass("mail", 1), qm.ClosedClass("users", 3)], [[0.1]] * 2)
    with pytest.raises(qm.NotApplicable, match="class 'users' is closed"):
        qm.solve(network, "open")


def test_products_that_overflow_are_unstable_not_a_number():
    with pytest.raises(qm.Unstable):
        one_station(DISK, 1e200, 1e200)
