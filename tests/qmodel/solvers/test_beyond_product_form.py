"""Networks beyond product form: what they may hold, who refuses them, and their plain cases."""

import math
import pickle
from dataclasses import replace  # noqa: F401, named in the tables

import numpy as np
import pytest

import qmodel as qm
from qmodel.errors import InvalidInput, InvalidNetwork, NotApplicable, Unstable
from qmodel.solvers import METHODS
from qmodel.solvers.open_load import check_served
from qmodel.solvers.solve import RENAMED
from tests.tables import asked, rows

QUEUE, FORK = qm.QueueingStation, qm.ForkJoinStation
USERS = qm.ClosedClass("users", 6, 2.0)
BATCH = qm.ClosedClass("batch", 3, 0.5, priority=1)


def network(first, *, classes=(USERS, BATCH), demand=((0.3, 0.2), (0.6, 0.1)), **more):
    return qm.Network([first, QUEUE("disk")], classes, demand[: len(classes)], **more)


FCFS = network(QUEUE("cpu", discipline="fcfs"))
VARIABLE = network(QUEUE("cpu", discipline="fcfs"), classes=(USERS,), scv=[[4.0, 1.0]])
PRIORITY = network(QUEUE("cpu", discipline="priority"))
PREEMPTIVE = network(QUEUE("cpu", 2, "preemptive"))
FORKED = network(FORK("cpu", 2), classes=(USERS,))
LIMITED = network(
    QUEUE("cpu"), classes=(USERS,), limits=[qm.PopulationLimit("memory", 2, ["cpu", "disk"])]
)
ROOM = qm.Network(
    [QUEUE("cpu"), QUEUE("disk", buffer=3)], [qm.ClosedClass("users", 6)], [[0.3, 0.2]]
)
BURSTY = qm.Network([QUEUE("cpu")], [qm.OpenClass("mail", 1.0, arrival_scv=4.0)], [[0.3]])
BEYOND = {
    "fcfs": (FCFS, "classes 'users' and 'batch' have different service times, 0.3 and 0.6 s, at"),
    "scv": (VARIABLE, "class 'users' at station 'cpu' has SCV 4 under fcfs"),
    "priority": (PRIORITY, "classes 'users' and 'batch' have different priorities at station"),
    "preemptive": (PREEMPTIVE, "classes 'users' and 'batch' have different priorities at"),
    "fork": (FORKED, "station 'cpu' forks each visit into 2 parts"),
    "limit": (LIMITED, "limit 'memory' lets in 2 customers only"),
    "room": (ROOM, "station 'disk' has room for 3 customers only"),
    "arrivals": (BURSTY, "class 'mail' arrives with SCV 4"),
}
CLOSED = [name for name in BEYOND if name != "arrivals"]


@pytest.mark.parametrize("name", BEYOND)
def test_the_assumption_that_fails_is_named(name):
    found, reason = BEYOND[name]
    assert found.product_form_violation().startswith(reason)
    assert not found.has_product_form_kinds


#: Methods made for networks beyond product form.
MADE_FOR = {
    "global-balance", "marie", "extended-amva", "flow-equivalent", "aggregated-fes",
    "nested-fes", "two-station-blocking",
}  # fmt: skip


@pytest.mark.parametrize("name", CLOSED)
def test_methods_of_product_form_refuse_with_that_assumption(name):
    found, reason = BEYOND[name]
    refusals = qm.methods_for(found)
    for method in METHODS:
        if method.name not in MADE_FOR:
            assert refusals[method.name] is not None, method.name
    for method in ("mva", "convolution", "multiclass-mva", "multiclass-convolution", "recal"):
        assert refusals[method].startswith(reason), method
    if name != "room":  # which has an exact solution for any number of customers
        many = found.with_population(*(40 * c.population for c in found.classes))
        with pytest.raises(NotApplicable, match=r"cpu|memory"):
            qm.solve(many, "exact")


@pytest.mark.parametrize(("name", "population", "method"), rows(__file__, "made_for"))
def test_auto_picks_the_method_made_for_it(name, population, method):
    found, reason = BEYOND[name]
    solution = qm.solve(found.with_population(*population))
    assert solution.method == method
    assert "no product form: " in solution.reason
    assert reason in solution.reason


@pytest.mark.parametrize("name", CLOSED)
def test_auto_is_exact_for_a_few_customers(name):
    found, reason = BEYOND[name]
    solution = qm.solve(found)
    if name == "room":
        assert solution.method == "two-station-blocking"
        assert solution.reason.startswith("exact; no product form: ")
    else:
        assert solution.method == "global-balance"
        assert solution.reason.startswith("exact for stations passed in turn")
    assert reason in solution.reason


def test_large_networks_go_to_the_approximate_mean_value_analysis():
    large = FCFS.with_population(300, 200)
    assert "population vectors" in qm.methods_for(large)["marie"]
    assert qm.solve(large).method == "extended-amva"


#: Networks that look as if they broke product form and do not, each with its plain equal.
PLAIN = [asked(call, globals()) for (call,) in rows(__file__, "plain")]


@pytest.mark.parametrize("found", PLAIN)
def test_plain_cases_are_exact(found):
    assert found.product_form_violation() is None
    stations = [QUEUE(s.name, s.servers) for s in found.stations[:2] if isinstance(s, QUEUE)]
    plain = qm.Network(stations, found.classes, [row[:2] for row in found.demand])
    solution, exact = qm.solve(found), qm.solve(plain)
    assert solution.reason.startswith("exact")
    assert solution.throughputs == pytest.approx(exact.throughputs, rel=1e-13)
    for row, other in zip(solution.residence_times, exact.residence_times, strict=True):
        assert row[:2] == pytest.approx(other, rel=1e-13)
        assert not any(row[2:])


#: Nearly plain: the approximations meet the exact answer where their cause vanishes.
@pytest.mark.parametrize(("near", "plain", "rel"), rows(__file__, "nearly_plain"))
def test_isolation_has_no_jump_at_product_form(near, plain, rel):
    near = asked(near, globals())
    plain = asked(plain, globals())
    solution = qm.solve(near, "marie")
    exact = qm.solve(plain)
    assert solution.throughputs == pytest.approx(exact.throughputs, rel=rel)
    assert solution.response_times == pytest.approx(exact.response_times, rel=rel)


def test_one_customer_never_waits():
    """Nor do the approximations think so, where no method of product form serves."""
    alone = qm.ClosedClass("one", 1, 1.0)
    fork = qm.Network([FORK("mirror", 2)], [alone], [[0.2]])
    for method in ("marie", "extended-amva"):
        assert qm.solve(fork, method).response_times[0] == pytest.approx(0.3, rel=1e-12)
    fork = qm.Network([FORK("stripe", 4)], [alone], [[0.12]])
    for method in ("marie", "extended-amva"):
        assert qm.solve(fork, method).response_times[0] == pytest.approx(0.25, rel=1e-12)


def test_what_closed_classes_leave_may_be_too_little():
    stations = [QUEUE("cpu", discipline="preemptive")]
    classes = [qm.ClosedClass("batch", 30), qm.OpenClass("mail", 0.2, priority=1)]
    with pytest.raises(Unstable, match="class 'mail' at station 'cpu'"):
        qm.solve(qm.Network(stations, classes, [[0.5], [0.1]]), "extended-amva")


def test_who_waits_outside_is_seen():
    solution = qm.solve(LIMITED)
    assert LIMITED.station_names == ("cpu", "disk", "memory")
    assert solution["users", "memory"].residence_time > 0.0
    assert solution["users", "memory"].utilization == 0.0
    inside = solution.queue_lengths[0][:2]
    assert sum(inside) <= 2.0
    assert solution.bottleneck == "cpu"


def test_limits_take_turns():
    """Two limited parts, one of them for one class only."""
    stations = [QUEUE("cpu"), QUEUE("disk"), QUEUE("tape")]
    limits = [
        qm.PopulationLimit("memory", 2, ["cpu", "disk"]),
        qm.PopulationLimit("drive", 1, ["tape"], classes=["batch"]),
    ]
    demand = [[0.3, 0.2, 0.1], [0.6, 0.1, 0.5]]
    solution = qm.solve(qm.Network(stations, [USERS, BATCH], demand, limits=limits))
    assert solution.method == "marie"
    assert solution["batch", "drive"].residence_time > 0.0
    assert solution["users", "drive"].residence_time == 0.0
    free = qm.solve(qm.Network(stations, [USERS, BATCH], demand))
    assert sum(solution.throughputs) < sum(free.throughputs)


@pytest.mark.parametrize("name", BEYOND)
def test_records_travel(name):
    found, _ = BEYOND[name]
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert hash(again) == hash(found)
    assert again.product_form_violation() == found.product_form_violation()
    assert eval(repr(found), vars(qm)) == found


@pytest.mark.parametrize("name", CLOSED)
def test_doors_that_need_product_form_say_so(name):
    found, reason = BEYOND[name]
    for door in (qm.bounds, qm.bottlenecks, qm.symbolic.symbolic):
        if door is qm.symbolic.symbolic and len(found.classes) > 1:
            continue
        with pytest.raises(NotApplicable) as caught:
            door(found)
        assert reason in str(caught.value)


def test_curve_sweep_and_sensitivity_answer():
    curve = qm.curve(VARIABLE, [1, 6, 12])
    assert curve.method == "global-balance"
    assert curve[1].throughputs == pytest.approx(qm.solve(VARIABLE).throughputs, rel=1e-12)
    grid = qm.sweep(VARIABLE, {"population": [2, 6], "demand.cpu": [0.3, 0.1]})
    assert grid.throughput.shape == (4, 1)
    assert not np.isnan(grid.throughput).any()
    at = [i for i, d in enumerate(grid.columns()["demand.cpu"]) if d == 0.3]
    assert grid.throughput[at[1], 0] == pytest.approx(curve[1].throughputs[0], rel=1e-12)
    slopes = qm.sensitivity(VARIABLE)
    assert not slopes.exact
    assert slopes["users"].by_demand["cpu"].elasticity.response_time > 0.0
    slopes = qm.sensitivity(LIMITED)
    with pytest.raises(InvalidInput, match=r"no demand .memory.; there is demand of users at cpu"):
        slopes["users"].by_demand["memory"]


@pytest.mark.parametrize("discipline", ["any", "fcfs", "ps"])
@pytest.mark.parametrize("servers", [1, 2])
def test_mixed_networks_in_any_order(discipline, servers):
    """Equal exponential service: the order does not matter, nor how the demand is split."""
    classes = [qm.ClosedClass("c", 8), qm.OpenClass("o", 2.0)]
    stations = [QUEUE("a", discipline=discipline), QUEUE("b", servers, discipline)]
    found = qm.Network(stations, classes, [[0.1, 0.2], [0.2, 0.2]], visit_ratio=[[1, 1], [2, 1]])
    plain = qm.Network([QUEUE("a"), QUEUE("b", servers)], classes, [[0.1, 0.2], [0.2, 0.2]])
    assert qm.solve(found).response_times == pytest.approx(
        qm.solve(plain).response_times, rel=1e-13
    )


@pytest.mark.parametrize(("make", "says"), rows(__file__, "refusals"))
def test_refusals(make, says):
    with pytest.raises(InvalidNetwork) as caught:
        asked(make, globals())
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(("changes", "method", "says"), rows(__file__, "cannot"))
def test_what_the_methods_cannot(changes, method, says):
    changes = asked(changes, globals())
    assert qm.methods_for(network(QUEUE("cpu"), **changes))[method].startswith(says)


def test_rooms_that_no_method_solves():
    three = qm.Network(
        [QUEUE("a", buffer=2), QUEUE("b"), QUEUE("c")], [qm.ClosedClass("u", 4)], [[1, 1, 1]]
    )
    assert qm.methods_for(three)["two-station-blocking"].startswith("it takes two places")
    full = qm.Network(
        [QUEUE("a", buffer=2), QUEUE("b", buffer=2)], [qm.ClosedClass("u", 4)], [[1, 1]]
    )
    assert "may block each other for good" in qm.methods_for(full)["two-station-blocking"]
    with pytest.raises(NotApplicable, match="room for 2 customers only"):
        qm.solve(three)


@pytest.mark.parametrize("load", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("branches", [2, 3, 8])
def test_open_forks(branches, load):
    """Poisson arrivals: (12 - U) / 8 / (1 - U) for two branches, Nelson and Tantawi 1988, eq. 6.

    For more, the interpolation of Varma and Makowski 1994, which is within a few percent.
    """
    from qmodel.solvers.fork_join.fork_speeds import forked_speeds, light_and_heavy

    most = 60 if load < 0.9 else 260
    speeds = forked_speeds(branches, np.array([load] * most + [0.0]))
    weights = np.cumprod([1.0, *(load / speed for speed in speeds)])
    time = float((weights * np.arange(most + 1)).sum() / weights.sum()) / load
    light, heavy = light_and_heavy(branches)
    assert time * (1.0 - load) == pytest.approx(light + (heavy - light) * load, rel=1e-5)
    if branches == 2:
        assert time == pytest.approx((12.0 - load) / 8.0 / (1.0 - load), rel=1e-5)


@pytest.mark.parametrize("scv", [1 / 32, 0.1, 0.3, 0.5, 0.99, 1.0, 1.7, 20.0])
def test_phases_have_their_moments(scv):
    from qmodel.numerics.phase_type import fit_phase_type

    start, generator = map(np.array, fit_phase_type(2.0, scv))
    left = np.linalg.solve(-generator, np.ones(len(start)))
    average, moment = start @ left, 2.0 * start @ np.linalg.solve(-generator, left)
    assert sum(start) == pytest.approx(1.0, rel=1e-12)
    assert average == pytest.approx(2.0, rel=1e-12)
    assert moment / average**2 - 1.0 == pytest.approx(scv, rel=1e-9)


def test_a_class_that_is_never_served_is_named():
    stations = [QUEUE("cpu", discipline="preemptive")]
    classes = [qm.ClosedClass("hog", 2), qm.ClosedClass("poor", 2, 1.0, priority=1)]
    for method in ("marie", "extended-amva"):
        with pytest.raises(Unstable, match="class 'poor': classes of higher priority leave it"):
            qm.solve(qm.Network(stations, classes, [[0.5], [0.1]]), method)


def test_a_class_that_never_leaves_a_station():
    stations = [QUEUE("cpu", discipline="preemptive")]
    classes = [qm.ClosedClass("users", 5, 4.0), qm.ClosedClass("batch", 20, priority=1)]
    found = qm.solve(qm.Network(stations, classes, [[0.3], [0.7]]))
    alone = qm.solve(qm.Network([QUEUE("cpu")], classes[:1], [[0.3]]))
    assert found.response_times[0] == pytest.approx(alone.response_times[0], rel=1e-8)
    assert found.station_utilizations[0] == pytest.approx(1.0, rel=1e-8)


#: Networks that once broke something: nobody there, nobody visiting, two parts in circles.
ODD = [asked(call, globals()) for (call,) in rows(__file__, "odd")]


@pytest.mark.parametrize("found", ODD)
@pytest.mark.parametrize("method", ["auto", "marie", "extended-amva"])
def test_odd_networks(found, method):
    if method != "auto" and qm.methods_for(found)[method] is not None:
        return
    solution = qm.solve(found, method)
    assert max(solution.station_utilizations) <= 1.0 + 1e-9
    for c, customers in enumerate(found.classes):
        if isinstance(customers, qm.ClosedClass):
            thinking = solution.throughputs[c] * customers.think_time
            inside = sum(solution.queue_lengths[c])
            assert inside + thinking == pytest.approx(customers.population, rel=1e-6)


def test_a_limit_far_slower_than_what_feeds_it_does_not_overflow():
    """Weights grow a millionfold with each of 300 customers: nearly all wait outside."""
    memory = qm.PopulationLimit("memory", 1, stations=["cpu"])
    found = qm.solve(
        qm.Network(
            [qm.QueueingStation("cpu"), qm.QueueingStation("disk")],
            [qm.ClosedClass("users", 300)],
            [[1.0, 1e-6]],
            limits=[memory],
        ),
        "flow-equivalent",
    )
    assert found.throughputs[0] == pytest.approx(1.0, rel=1e-9)
    assert found["users", "memory"].queue_length == pytest.approx(299.0, rel=1e-5)


def test_ordered_ends_when_it_has_settled():
    """And not at its last step, five thousand a round."""
    classes = [qm.ClosedClass("a", 3, 1.0), qm.ClosedClass("b", 2, 2.0)]
    stations = [QUEUE("cpu", discipline="fcfs"), QUEUE("disk", discipline="fcfs")]
    network = qm.Network(stations, classes, [[0.5, 0.4], [0.1, 1.5]])
    assert 0 < qm.solve(network, "extended-amva").iterations < 1000


def test_names_of_old_are_taken_for_one_release_with_a_warning():
    with pytest.warns(FutureWarning, match="is now buffer"):
        station = QUEUE("disk", room=3)
    assert station == QUEUE("disk", buffer=3)
    with pytest.warns(FutureWarning, match=r"QueueingStation\.room is now buffer"):
        assert station.room == 3
    with pytest.warns(FutureWarning, match=r"DelayStation\.capacity is now max_rate"):
        assert qm.DelayStation("lan").capacity == math.inf
    with pytest.warns(FutureWarning, match="is now has_product_form_kinds"):
        assert not ROOM.is_plain
    with pytest.warns(FutureWarning, match="is now product_form_violation"):
        assert ROOM.beyond_product_form() == ROOM.product_form_violation()


def test_the_key_of_old_in_a_model_file_is_read_with_a_warning(tmp_path):
    qm.dump_network(ROOM, tmp_path / "new.toml")
    text = (tmp_path / "new.toml").read_text(encoding="utf-8")
    (tmp_path / "old.toml").write_text(text.replace("buffer = 3", "room = 3"), encoding="utf-8")
    with pytest.warns(FutureWarning, match="is now buffer"):
        assert qm.load_network(tmp_path / "old.toml") == ROOM
    both = text.replace("buffer = 3", "buffer = 3\nroom = 3")
    (tmp_path / "both.toml").write_text(both, encoding="utf-8")
    with pytest.raises(qm.FileError, match="buffer given as well"):
        qm.load_network(tmp_path / "both.toml")


def test_names_of_methods_as_they_were_are_taken_for_one_release():
    for old, new in RENAMED.items():
        assert old not in qm.methods_for(LIMITED)
        with pytest.warns(FutureWarning, match=f"method '{old}' is now '{new}'"):
            assert list(qm.methods_for(LIMITED, old)) == [new]
    network = qm.Network([QUEUE("cpu", discipline="fcfs")], [qm.ClosedClass("a", 3, 1.0)], [[0.5]])
    with pytest.warns(FutureWarning, match="is now 'marie'"):
        assert qm.solve(network, "isolation").method == "marie"
    with pytest.warns(FutureWarning, match="is now 'marie'"):
        assert qm.sweep([network], method="isolation").methods == ("marie",)
    with pytest.raises(qm.InvalidInput, match="no method 'dispersion'"):
        qm.solve(network, "dispersion")


STATIONS = [qm.QueueingStation("cpu", discipline="preemptive"), qm.QueueingStation("disk")]


CLASSES = [
    qm.ClosedClass("hog", 2), qm.ClosedClass("poor", 5, 4.0, priority=1),
    qm.ClosedClass("nobody", 0), qm.OpenClass("mail", 0.1),
]  # fmt: skip


NETWORK = qm.Network(STATIONS, CLASSES, [[1.0, 0.0], [3.0, 1.0], [1.0, 0.0], [1.0, 0.0]])


def test_a_class_is_measured_by_its_own_time_and_number():
    """Five customers, each 8 s without waiting: 5 / 8 a second at most."""
    check_served(NETWORK, {0: 1.0, 1: 1.001e-3 * 5 / 8}, 1e-3)
    with pytest.raises(qm.Unstable, match="class 'poor': classes of higher priority leave it next"):
        check_served(NETWORK, {0: 1.0, 1: 0.999e-3 * 5 / 8}, 1e-3)


@pytest.mark.parametrize("throughput", [0.0, float("nan")])
def test_what_is_no_rate_is_not_served(throughput):
    with pytest.raises(qm.Unstable, match="'hog'"):
        check_served(NETWORK, {0: throughput, 1: 1.0}, 1e-3)
