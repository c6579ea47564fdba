"""Services whose threads wait for the threads of others."""

from dataclasses import replace  # noqa: F401, named in the table

import pytest

import qmodel as qm
from qmodel import Entry, Layered, Processor, Service, Users
from tests.tables import asked, rows
from tests.truth import nested as truth


def two_tiers(users=5, threads=3, connections=1, *, fixed=False, **more):
    """Users whose threads hold connections, with think times and demands of the chain's tests."""
    web = Service("web", [Entry("page", 0.12, {"query": 2}, fixed=fixed)], threads, "app")
    pool = Service("pool", [Entry("query", 0.1)], connections, "db")
    cores = [Processor("app", 2), Processor("db", more.get("cores", 1))]
    return Layered([Users("users", users, 0.4, {"page": 1})], [web, pool], cores)


def as_network(users, threads, connections, *, fixed=False):
    """The same as limits inside of each other."""
    stations = [qm.QueueingStation("app", 2), qm.QueueingStation("db")]
    limits = [qm.PopulationLimit("web", threads, ["app", "db"], held="visit"),
              qm.PopulationLimit("pool", connections, ["db"], held="visit")]  # fmt: skip
    return qm.Network(stations, [qm.ClosedClass("users", users, 0.4)], [[0.12, 0.2]],
                      visit_ratio=[[3.0, 2.0]], limits=limits,
                      routes={"users": ["app", "db"] * 2 + ["app"]} if fixed else ())  # fmt: skip


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize(("users", "threads", "connections"), [(5, 3, 1), (5, 4, 2), (6, 2, 1)])
def test_two_tiers_are_limits_inside_of_each_other(users, threads, connections, fixed):
    found = qm.solve_layers(two_tiers(users, threads, connections, fixed=fixed))
    network = as_network(users, threads, connections, fixed=fixed)
    same = qm.solve(network, "nested-fes")
    response, throughput = truth.solve(network, users)
    assert found["users"].response_time == pytest.approx(same["users"].response_time, rel=1e-6)
    assert found["users"].response_time == pytest.approx(response, rel=0.01)
    assert found["users"].throughput == pytest.approx(throughput, rel=0.01)
    assert found["web"].thread_wait == pytest.approx(same["users", "web"].residence_time, rel=1e-6)


def test_threads_for_all_are_no_limit():
    plain = qm.Network([qm.QueueingStation("app", 2), qm.QueueingStation("db")],
                       [qm.ClosedClass("users", 9, 0.4)], [[0.12, 0.2]])  # fmt: skip
    exact = qm.solve(plain)["users"]
    for threads, connections in ((None, None), (9, 9), (20, None)):
        found = qm.solve_layers(two_tiers(9, threads, connections))
        assert found["users"].throughput == pytest.approx(exact.throughput, rel=1e-9)
        assert found["web"].thread_wait == 0.0


@pytest.mark.parametrize("fixed", [False, True])
def test_the_simulation_has_the_chain_in_its_intervals(fixed):
    response, _ = truth.solve(as_network(5, 3, 1, fixed=fixed), 5)
    found = qm.simulate(two_tiers(fixed=fixed), events=80_000, seconds=None, seed=4)["users"]
    assert abs(found.value - response) < 1.5 * found.half_width
    assert found.half_width < 0.03 * response


def shared():
    """Two groups of users whose services share a machine and a pool with two entries."""
    front = Service("front", [Entry("page", 0.1, {"read": 1.5})], 3, "one")
    batch = Service("batch", [Entry("job", 0.3, {"write": 2}, fixed=True)], 2, "two")
    pool = Service("pool", [Entry("read", 0.08), Entry("write", 0.2)], 2, "one")
    users = [Users("people", 8, 3.0, {"page": 1}), Users("tasks", 3, 4.0, {"job": 1})]
    return Layered(users, [front, batch, pool], [Processor("one", 2), Processor("two")])


def test_a_pool_and_a_machine_of_several_callers():
    found = qm.solve_layers(shared())
    # By `qm.simulate`, 700,000 events from seed 5: half widths of 1 % and, of the tasks' rate, 2 %.
    for name, time, rate in (("people", 0.25178, 2.4576), ("tasks", 0.77869, 0.63156)):
        assert found[name].response_time == pytest.approx(time, rel=0.03)
        assert found[name].throughput == pytest.approx(rate, rel=0.02)
    flow = {name: u.throughput for name, u in found.users.items()}
    assert found.entries["read"][0] == pytest.approx(1.5 * flow["people"])
    assert found["pool"].throughput == pytest.approx(1.5 * flow["people"] + 2 * flow["tasks"])
    work = flow["people"] * (0.1 + 1.5 * 0.08) + flow["tasks"] * 2 * 0.2
    assert found.processors["one"] == pytest.approx(work / 2)


def test_a_call_that_is_passed_on_is_one_of_the_caller():
    def model(**entry):
        return Layered([Users("u", 6, 1.0, entry.pop("users"))],
                       [Service("a", [Entry("ask", 0.2, **entry)], 1, "p"),
                        Service("b", [Entry("do", 0.3)], 2, "q")],
                       [Processor("p"), Processor("q")])  # fmt: skip

    passed = model(users={"ask": 1}, forwards={"do": 1.0})
    one, other = qm.solve_layers(passed), qm.solve_layers(model(users={"ask": 1, "do": 1}))
    assert one["u"].response_time == pytest.approx(other["u"].response_time, rel=1e-9)
    truly = qm.simulate(passed, events=25_000, seconds=None, seed=1)["u"]
    assert truly.low < one["u"].response_time < truly.high


def test_a_full_pool_above_idle_hardware_is_the_bottleneck():
    found = qm.solve_layers(two_tiers(30, 8, 1, cores=4))
    assert found.bottleneck == "pool"
    assert found.processors["db"] < 0.3 < 0.95 < found["pool"].utilization
    assert qm.solve_layers(two_tiers(30, 16, 8)).bottleneck == "db"


def test_the_answer_as_a_table_and_plainly():
    found = qm.solve_layers(two_tiers())
    plain = found.to_dict()
    assert plain["tasks"]["web"]["throughput"] == plain["users"]["users"]["throughput"]
    assert set(plain["processors"]) == {"app", "db"}
    assert found._columns()["name"] == ["users", "web", "pool", "app", "db"]
    with pytest.raises(qm.InvalidInput, match="no users or service 'disk'; there is users, web"):
        found["disk"]
    with pytest.raises(qm.InvalidInput, match="is not a layered model"):
        qm.solve_layers(3)


PAGE = Service("web", [Entry("page", 0.1, {"query": 1})], 2)
QUERY = Service("db", [Entry("query", 0.1)], 2)
USERS = Users("u", 3, 1.0, {"page": 1})


@pytest.mark.parametrize(("made", "problem"), rows(__file__, "what_is_no_model"))
def test_what_is_no_model(made, problem):
    with pytest.raises(qm.InvalidNetwork, match=problem):
        asked(made, globals())


def test_what_callers_share_is_said():
    pool = Service("pool", [Entry("short", 0.01), Entry("long", 0.09)], 2, "db")
    users = [Users("a", 40, 1.6, {"long": 1}), Users("b", 5, 0.02, {"short": 2})]
    (said,) = qm.solve_layers(Layered(users, [pool], [Processor("db", 4)])).notes
    assert said.startswith("pool: callers who hold it for other times")


def test_a_thread_that_calls_for_long_meets_others_who_call_shortly():
    """Callers who share the processor of the pool they call: simulated, half widths of 2 %."""
    pool = Service("pool", [Entry("long", 0.74), Entry("short", 0.125)], 3, "one")
    front = Service("front", [Entry("page", 0.34, {"long": 1, "short": 1})], 1, "one")
    back = Service("back", [Entry("job", 0.464, {"short": 2}, fixed=True)], 6, "two")
    users = [Users("few", 5, 99.2, {"job": 1}), Users("many", 40, 99.2, {"page": 1, "job": 1})]
    model = Layered(users, [pool, front, back], [Processor("one"), Processor("two", 2)])
    found = qm.solve_layers(model).users
    assert found["few"].response_time == pytest.approx(0.890, rel=0.04)
    assert found["many"].response_time == pytest.approx(3.98, rel=0.13)


def test_calls_of_a_service_that_is_never_full_come_in_runs():
    """By a simulator written for it 0.1089 s; 0.0981 where each call comes for itself."""
    pool = Service("pool", [Entry("get", 0.0, {"query": 1}, fixed=True)], 4)
    services = [
        Service("web", [Entry("page", 0.01, {"get": 3})], processor="front"), pool,
        Service("db", [Entry("query", 0.012, {"read": 1}, fixed=True)], processor="back"),
        Service("disk", [Entry("read", 0.004)], processor="drives"),
    ]  # fmt: skip
    users = [Users("u", 150, 2.0, {"page": 1}, fixed=True)]
    machines = [Processor("front", 4), Processor("back", 4), Processor("drives", 2)]
    found = qm.solve_layers(Layered(users, services, machines))["u"].response_time
    assert found == pytest.approx(0.1089, rel=0.03)
