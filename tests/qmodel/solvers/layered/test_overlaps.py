"""Work after the answer, parallel branches, calls sent, arrivals, replicas, priorities."""

import pytest

import qmodel as qm
from qmodel import Answer, Choice, Entry, Layered, Processor, Repeat, Service, Together, Users, Work
from qmodel.solvers.layered.replicas import spread
from tests.tables import asked, rows


def model(users, *services, **processors):
    return Layered(users, services, [Processor(n, c) for n, c in processors.items()])


def alone(steps, threads=1, users=1, think=1.0, cores=1):
    """Users of one service."""
    return model([Users("u", users, think, {"e": 1})],
                 Service("s", [Entry("e", steps=steps)], threads, "p"), p=cores)  # fmt: skip


def test_work_after_the_answer_is_waited_for_by_who_comes_next():
    # Away 1 s, then the rest of the second phase and the first: 2.5 s in all.
    found = qm.solve_layers(alone([Work(1.0), Answer(), Work(1.0)]))
    assert found["u"].throughput == pytest.approx(1 / 2.5, rel=0.04)
    assert found.entries["e"][1] == pytest.approx(1.0)
    assert found["s"].busy_threads == pytest.approx(2.0 * found["u"].throughput)
    free = qm.solve_layers(alone([Work(1.0), Answer(), Work(1.0)], threads=None, cores=None))
    assert free["u"].response_time == pytest.approx(1.0)


def test_branches_take_as_long_as_the_last_of_them():
    steps = [Work(0.2), Together([[Work(0.5)], [Work(0.5)], [Work(0.5)]])]
    found = qm.solve_layers(alone(steps, cores=None))
    assert found["u"].response_time == pytest.approx(0.2 + 0.5 * 11 / 6, rel=0.002)
    one = qm.solve_layers(alone(steps))  # of one core they share it
    assert one["u"].response_time == pytest.approx(1.7, rel=0.02)


def test_choices_and_repetitions_have_their_means():
    steps = [Choice([(0.3, [Work(1.0)])]), Repeat(2.5, [Work(0.1)])]
    assert qm.solve_layers(alone(steps))["u"].response_time == pytest.approx(0.55)
    truly = qm.simulate(alone(steps), events=20_000, seconds=None, seed=1)["u"]
    assert truly.low < 0.55 < truly.high


def test_arrivals_and_what_is_sent_are_streams():
    mm2 = model([Users("o", None, 0.0, {"e": 1}, arrival_rate=1.5)],
                Service("s", [Entry("e", 1.0, sends={"l": 1})], 2, None),
                Service("log", [Entry("l", 0.5)], 1, "p"), p=1)  # fmt: skip
    found = qm.solve_layers(mm2)
    assert found["o"].response_time == pytest.approx(1 / (1 - 0.75**2), rel=1e-6)
    wait = 0.75 * 0.5 / 0.25  # M/M/1
    assert found["log"].thread_wait == pytest.approx(wait, rel=1e-6)
    with pytest.raises(qm.Unstable, match="'p' would be 150 % busy, expected < 100"):
        qm.solve_layers(model([Users("o", None, 0.0, {"e": 1}, arrival_rate=1.5)],
                              Service("s", [Entry("e", 1.0)], None, "p"), p=1))  # fmt: skip
    with pytest.raises(qm.Unstable, match="'s' gets 150 % of what it can do, expected < 100"):
        qm.solve_layers(model([Users("o", None, 0.0, {"e": 1}, arrival_rate=1.5)],
                              Service("s", [Entry("e", 1.0)], 1, None)))  # fmt: skip


def test_replicas_are_alike_and_counted_together():
    copies = model([Users("u", 12, 1.0, {"e": 1})],
                   Service("s", [Entry("e", 0.2)], 3, "p", replicas=3), p=1)  # fmt: skip
    found = qm.solve_layers(copies)
    assert found["s"].throughput == pytest.approx(found["u"].throughput)
    assert found.busy_cores["p"] == pytest.approx(0.2 * found["u"].throughput)
    assert found.processors["p"] == pytest.approx(found.busy_cores["p"] / 3)
    net = qm.Network([qm.QueueingStation(f"p{i}") for i in range(3)],
                     [qm.ClosedClass("u", 12, 1.0)], [[0.2 / 3] * 3])  # fmt: skip
    assert found["u"].throughput == pytest.approx(qm.solve(net)["u"].throughput, rel=0.01)


def priorities(n, disc="priority"):
    users = ([Users(u, n, 1.0, {u + "e": 1}) for u in "ab"] if n else
             [Users(u, None, 0.0, {u + "e": 1}, arrival_rate=3.0) for u in "ab"])  # fmt: skip
    services = [
        Service(u * 2, [Entry(u + "e", 0.1)], None, "p", priority="ba".index(u)) for u in "ab"
    ]
    return Layered(users, services, [Processor("p", 1, 1.0, disc)])


def test_priorities_are_those_of_cobham_and_of_the_simulation():
    found = qm.solve_layers(priorities(0))
    assert found["a"].response_time == pytest.approx(0.1 / 0.7, rel=1e-6)
    assert found["b"].response_time == pytest.approx(0.1 / 0.7 / 0.4, rel=1e-4)
    closed, truly = qm.solve_layers(priorities(3)), qm.simulate(
        priorities(3), events=60_000, seconds=None, seed=1)  # fmt: skip
    assert closed["a"].response_time == pytest.approx(truly["a"].value, rel=0.02)
    assert closed["b"].response_time == pytest.approx(truly["b"].value, rel=0.07)
    notes = qm.solve_layers(priorities(3, "fcfs")).notes
    assert notes == ("p serves in order of arrival: solved as if shared equally",)


SHORT, LONG, LAST = (1, 100.0, 0.001), (1, 1.0, 0.1), (0, 3.0, 0.11)


@pytest.mark.parametrize(
    "streams", [(SHORT, LONG, LAST), (LONG, SHORT, LAST), ((2, 0.03, 10.0), (1, 3.0, 0.1), LAST)]
)
def test_the_last_waits_for_all_of_higher_priority(streams):
    """Priority, rate and demand of each; after Cobham."""
    users = [Users(f"u{d}{p}", None, 0.0, {f"e{d}{p}": 1}, arrival_rate=x) for p, x, d in streams]
    services = [
        Service(f"s{d}{p}", [Entry(f"e{d}{p}", d)], None, "p", priority=p) for p, _, d in streams
    ]
    found = qm.solve_layers(Layered(users, services, [Processor("p", 1, 1.0, "priority")]))
    left = 1.0 - sum(x * d for _, x, d in streams[:-1])
    (_, x, d), before = streams[-1], sum(x * d * d for _, x, d in streams[:-1])
    last = found[users[-1].name].response_time
    assert last == pytest.approx((d + before / left) / (left - x * d), rel=1e-4)


#: Two tiers, and by `qm.simulate`, 1.5 million events from seed 1: response time and throughput.
TIERS = [asked(row, globals()) for (row,) in rows(__file__, "tiers")]


def two_tiers(page, query):
    return model([Users("u", 8, 2.0, {"e": 1})], Service("web", [Entry("e", steps=page)], 4, "p"),
                 Service("db", [Entry("q", steps=query)], 2, "d"), p=2, d=1)  # fmt: skip


@pytest.mark.parametrize(("page", "query", "time", "rate"), TIERS)
def test_tiers_are_near_the_simulation(page, query, time, rate):
    found = qm.solve_layers(two_tiers(page, query))["u"]
    assert found.response_time == pytest.approx(time, rel=0.07)
    assert found.throughput == pytest.approx(rate, rel=0.02)


SIDES = {name: asked(text, globals()) for name, text in rows(__file__, "sides")}


@pytest.mark.parametrize("side", SIDES)
def test_what_goes_on_beside_is_simulated(side):
    made, exact = SIDES[side]
    found = qm.simulate(made(), events=25_000, seconds=None, seed=2)["u"]
    assert found.value == pytest.approx(exact, rel=0.04)


def test_calls_that_are_sent_wait_for_each_other():
    sends = model([Users("o", None, 0.0, {"e": 1}, arrival_rate=1.0)],
                  Service("s", [Entry("e", 0.5, sends={"l": 1.5})], None, None),
                  Service("log", [Entry("l", 0.4)], 1, "p"), p=1)  # fmt: skip
    found = qm.simulate(sends, events=25_000, seconds=None, seed=3)
    assert found["o"].value == pytest.approx(0.5, rel=0.02)  # it does not wait for them
    assert found.utilizations[0][0].value == pytest.approx(0.6, rel=0.04)


@pytest.mark.parametrize(("steps", "said"), rows(__file__, "what_cannot_be"))
def test_what_cannot_be(steps, said):
    with pytest.raises((qm.InvalidNetwork, qm.NotApplicable), match=said):
        qm.simulate(alone(asked(steps, globals())), events=10)


def test_replicas_need_a_processor_and_agree_on_it():
    with pytest.raises(qm.InvalidNetwork, match="2 replicas and no processor"):
        Service("s", [Entry("e", 1.0)], 1, None, 2)
    services = [Service("s", [Entry("e", 1.0, {"f": 1})], 1, "p", 2),
                Service("t", [Entry("f", 1.0)], 1, "p")]  # fmt: skip
    with pytest.raises(qm.InvalidNetwork, match="'s' and 't' share processor 'p', expected"):
        model([Users("u", 1, 1.0, {"e": 1})], *services, p=1)
    four = model([Users("u", 1, 1.0, {"e": 1})], Service("s", [Entry("e", 1.0)], 1, "p", 4), p=1)
    assert len(spread(four).processors) == 4
