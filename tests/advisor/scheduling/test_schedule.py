"""The timetable: what it must keep, what it must reach, and what it must name."""

import itertools
from functools import cache

import pytest
from rich.console import Console

import advisor
from advisor.configuration.hours import DAY, clock
from advisor.report.timetable import show_timetable
from advisor.scheduling.conflict import Infeasible
from advisor.scheduling.day import day_of
from advisor.scheduling.request import requests_of
from advisor.scheduling.response import Responses
from qmodel.errors import QmodelError
from tests.advisor.configurations import batch, configured, quiet
from tests.tables import asked, rows

#: Users at work through the day, the same shape for all that follows.
PROFILE = {"00:00": "10 %", "06:00": "50 %", "08:00": "100 %", "18:00": "60 %", "22:00": "20 %"}


def job(name, window=("20:00", "06:00"), **keys):
    given = {"cpu": "2 s", "disk_kb": 500, "write_share": 0.5, "duration": "2 h", **keys}
    return batch(name, window, **{key: value for key, value in given.items() if value is not None})


def served(*jobs, **workload):
    """A server with one busy processor, its users and some jobs."""
    given = {"users": 40, "think_time": "10 s", "profile": PROFILE, **workload}
    return quiet(
        workload={key: value for key, value in given.items() if value is not None},
        user={"cpu": "0.15 s", "disk_kb": 16, "lan_kb": 16, "write_share": 0.5},
        batch=list(jobs),
    )


def hourly(*jobs, **workload):
    return advisor.schedule(served(*jobs, **workload), slot=60)


def start(found, name):
    return clock(found.placement(name).start)


def worst(found):
    return found.worst_after.time_after.mid


def overlap(one, other):
    """Whether two placements share a minute of the day."""
    minutes = {(one.start + m) % DAY for m in range(one.minutes)}
    return any((other.start + m) % DAY in minutes for m in range(other.minutes))


def brute_force(configuration, slot):
    """The best worst slot over every timetable there is, and how many there are."""
    day = day_of(configuration.settings.workload, slot)
    requests = requests_of(configuration, day)
    responses = Responses.of(configuration, day)
    index = {r.name: i for i, r in enumerate(requests)}
    best, count = float("inf"), 0
    for starts in itertools.product(*(r.starts for r in requests)):
        occupied = [
            {s % len(day) for s in range(at, at + r.length)}
            for at, r in zip(starts, requests, strict=True)
        ]
        allowed = all(
            starts[i] >= starts[index[name]] + requests[index[name]].length
            for i, r in enumerate(requests)
            for name in r.after
        ) and not any(
            occupied[i] & occupied[index[name]]
            for i, r in enumerate(requests)
            for name in r.not_with
        )
        if not allowed:
            continue
        count += 1
        times = (
            responses.time(
                users, [r.name for r, busy in zip(requests, occupied, strict=True) if s in busy]
            )
            for s, users in enumerate(day.users)
        )
        best = min(best, max(times))
    return best, count


#: Small cases with few enough timetables to try them all; in most of them the jobs cannot all
#: hide in the night, so that the worst slot depends on who runs beside whom.
SMALL = {name: asked(text, globals()) for name, text in rows(__file__, "small")}


@cache
def small(name, users=40):
    return hourly(*SMALL[name], users=users)


@pytest.mark.parametrize("name", SMALL)
def test_no_other_timetable_is_better(name):
    best, count = brute_force(served(*SMALL[name]), 60)
    assert count > 5
    found = small(name)
    assert worst(found) <= best * (1 + 2e-4)
    assert found.bound <= best * (1 + 1e-9)
    assert not found.stopped


@pytest.mark.parametrize("name", SMALL)
def test_every_wish_is_kept(name):
    found = small(name)
    for task in served(*SMALL[name]).settings.batch:
        mine = found.placement(task.name)
        assert mine.minutes == task.duration / 60
        inside = [(mine.start + m) % DAY in task.window for m in range(mine.minutes)]
        assert all(inside)
        if task.fixed:
            assert mine.start == task.start
        for other in task.not_with:
            assert not overlap(mine, found.placement(other))
        for other in task.after:
            before = found.placement(other)
            assert (mine.start - found.begins) % DAY >= (before.start - found.begins) % DAY + (
                before.minutes
            )


def test_the_figures_are_those_of_the_network():
    configuration = served(*SMALL["apart"])
    found = small("apart")
    for slot in found.slots:
        assert slot.alone.mid <= slot.time_after.mid * (1 + 1e-9)
        if not slot.after:
            assert slot.time_after == slot.alone
            assert slot.slower_after == 0.0
        else:
            assert slot.slower_after == pytest.approx(slot.time_after.mid / slot.alone.mid - 1)
    evening = next(s for s in found.slots if s.after and s.users)
    alone = configured(_at_peak(configuration.data, evening))
    assert advisor.predict(alone).outlook.classes[0].response_time.mid == pytest.approx(
        evening.time_after.mid, rel=1e-9
    )


def test_the_mean_is_the_one_of_every_command():
    """Over requests: a class that waits longer asks less often."""
    work = quiet(workload={"users": 60, "class": [
        {"name": "look", "share": "75 %", "cpu": "30 ms"},
        {"name": "enter", "share": "25 %", "cpu": "1 s"},
    ]})  # fmt: skip
    responses = Responses.of(work, day_of(work.settings.workload, 60))
    mean = advisor.predict(work).outlook.response_time.mid
    assert (responses.time(60, ()), responses.range(60, ()).mid) == pytest.approx((mean, mean))


def _at_peak(data, slot):
    """The configuration a user would write for one slot alone."""
    workload = {k: v for k, v in data["workload"].items() if k != "profile"}
    tasks = [
        {"name": b["name"], "cpu": b["cpu"], "disk_kb": b["disk_kb"],
         "write_share": b["write_share"], "window": ["09:00", "10:00"]}
        for b in data["batch"]
        if b["name"] in slot.after
    ]  # fmt: skip
    return {**data, "workload": {**workload, "users": slot.users}, "batch": tasks}


@pytest.mark.parametrize(("jobs", "conflict"), rows(__file__, "conflicts"))
def test_a_conflict_without_a_wish_too_many_is_named(jobs, conflict):
    jobs, conflict = asked(jobs, globals()), asked(conflict, globals())
    with pytest.raises(Infeasible) as caught:
        hourly(*jobs)
    assert set(caught.value.conflict) == conflict
    for wish in conflict:
        assert wish in str(caught.value)


def test_a_shorter_conflict_is_preferred_to_a_longer_one():
    chain = [
        job("a", ("22:00", "00:00"), duration="1 h"),
        job("b", ("22:00", "00:00"), duration="1 h", after=["a"]),
        job("c", ("22:00", "00:00"), duration="1 h", after=["b"]),
    ]
    pair = [job("x", ("01:00", "03:00")), job("y", ("01:00", "03:00"), not_with=["x"])]
    with pytest.raises(Infeasible) as caught:
        hourly(*chain, *pair)
    assert set(caught.value.conflict) == {
        "x (2 h) within 01:00-03:00", "y (2 h) within 01:00-03:00", "x not with y",
    }  # fmt: skip


def test_what_fits_no_whole_slot_says_so():
    with pytest.raises(Infeasible, match="shorter slots may do"):
        hourly(job("a", ("22:30", "23:30"), duration="1 h"))
    found = advisor.schedule(served(job("a", ("22:30", "23:30"), duration="1 h")), slot=30)
    assert start(found, "a") == "22:30"


def test_at_any_time_windows_are_left_aside():
    busy = job("a", ("10:00", "12:00"))
    assert start(hourly(busy), "a") == "10:00"
    free = advisor.schedule(served(busy), slot=60, any_time=True)
    assert start(free, "a") != "10:00"
    assert worst(free) < worst(hourly(busy))
    fixed = advisor.schedule(served({**busy, "fixed": True}), slot=60, any_time=True)
    assert start(fixed, "a") == "10:00"


def test_work_takes_longer_beside_users():
    window = ("10:00", "18:00")
    plain = hourly(job("a", window, cpu="20 s"))
    work = hourly(job("a", window, cpu="20 s", duration=None, work="2 h"))
    assert plain.placement("a").minutes == 120
    assert plain.placement("a").speed < 0.8
    assert any("of the speed it has alone" in note for note in plain.notes)
    longer = work.placement("a")
    assert longer.minutes * longer.speed >= 120 - 1
    assert (longer.minutes - 30) * longer.speed < 120
    night = hourly(
        job("a", ("00:00", "05:00"), cpu="20 s", duration=None, work="2 h"), users=1, profile=None
    )
    assert night.placement("a").minutes == 120


def test_unknown_demands_make_no_difference():
    unknown = {"name": "mystery", "window": ["10:00", "14:00"], "duration": "2 h"}
    found = advisor.schedule(quiet(batch=[unknown]), slot=60)
    assert found.placement("mystery").speed is None
    assert all(s.slower_after == 0.0 for s in found.slots)
    assert any("not known" in note for note in found.notes)


def test_users_who_arrive_from_outside():
    found = hourly(job("a", ("08:00", "00:00"), cpu="0.2 s"), arrival_rate="4 /s", think_time=None)
    assert start(found, "a") in {"22:00", "20:00", "19:00", "18:00", "21:00"}
    assert worst(found) == pytest.approx(found.bound)


def test_a_day_without_steady_state_is_refused():
    with pytest.raises(QmodelError):
        hourly(job("a"), arrival_rate="100 /s", think_time=None)


def test_uncertain_demands_give_intervals():
    found = hourly(job("a", ("08:00", "12:00"), write_share=None))
    slot = next(s for s in found.slots if s.after)
    assert slot.time_after.low < slot.time_after.mid < slot.time_after.high


def test_out_of_time_the_best_is_kept():
    found = advisor.schedule(served(*SMALL["apart"]), slot=60, time_limit=1e-9)
    assert found.stopped == "time limit"
    assert len(found.placements) == 3
    assert found.bound <= worst(found)


def test_an_interrupt_keeps_the_best():
    def interrupt(*_):
        raise KeyboardInterrupt

    found = advisor.schedule(served(*SMALL["apart"]), slot=60, progress=interrupt)
    assert found.stopped == "interrupted"
    assert len(found.placements) == 3


def test_the_day_begins_where_it_parts_no_task_from_what_comes_before():
    """A task of the night, and one of the next working day after it."""
    night = job("b1", ("23:00", "01:00"), duration="1 h")
    found = hourly(night, job("b2", ("09:00", "17:00"), duration="3 h", after=["b1"]))
    assert clock(found.begins) == "23:00"
    assert start(found, "b1") in {"23:00", "00:00"}
    assert "09:00" <= start(found, "b2") <= "14:00"


def test_a_conflict_of_orders_says_where_the_day_begins():
    one = job("a", ("09:00", "11:00"), after=["c"])
    two = job("c", ("09:00", "11:00"))
    with pytest.raises(Infeasible, match="a day that begins at 09:00"):
        hourly(one, two)


def test_where_nothing_may_move_no_timetable_is_called_best(capsys):
    show_timetable(Console(width=200), hourly(job("backup", ("12:00", "14:00"), duration=None)))
    said = capsys.readouterr().out
    assert "no task can move" in said
    assert "no timetable has" not in said
    assert "--any-time" in said


def test_where_nothing_is_gained_nothing_moves():
    """Few users all night: no hour of it is better than today's, a start between slots included."""
    night = ("20:00", "07:00")
    tasks = [
        job("a", night, start="21:05"),
        job("b", night, start="01:00"),
        job("c", night, duration="1 h"),
    ]
    found = advisor.schedule(served(*tasks, profile=None), slot=60)
    assert [p.name for p in found.placements if p.moved] == []
    assert [clock(p.start) for p in found.placements] == ["21:05", "01:00", "20:00"]
    assert found.placement("c").fixed is False
    assert found.gap <= 2e-4
    for slot in found.slots:
        assert slot.before == slot.after


@pytest.mark.parametrize(
    ("start", "stays"), [("19:30", True), ("10:00", False), ("23:10", True), ("16:30", False)]
)
def test_a_start_without_a_window_is_today_s_place(start, stays):
    """Where it is moved for something it goes into the off-peak hours."""
    found = advisor.schedule(served(job("index", None, start=start), profile=None))
    (placed,) = found.placements
    assert clock(placed.now) == start
    assert placed.moved is not stays
    assert stays or placed.start in {h * 60 % DAY for h in (22, 23, 24, 25, 26, 27, 28)}
    running = [slot.start for slot in found.slots if slot.before]
    assert running[0] == placed.now // 15 * 15 or placed.now > 22 * 60


def test_only_what_gains_something_moves():
    """One task keeps users waiting by day; the other is well where it is."""
    tasks = [job("day", ("09:00", "06:00"), start="10:00"), job("night", start="03:00")]
    found = hourly(*tasks)
    assert [p.name for p in found.placements if p.moved] == ["day"]
    assert worst(found) < found.worst_before.time_before.mid


def test_a_task_is_not_left_where_it_breaks_a_wish():
    """Today both run at the same hours, and one outside of its window."""
    tasks = [
        job("a", start="20:00"), job("b", start="20:00", not_with=["a"]),
        job("c", ("01:00", "05:00"), start="22:00"), job("d", start="21:00", after=["a"]),
    ]  # fmt: skip
    found = hourly(*tasks, profile=None)
    moved = {p.name for p in found.placements if p.moved}
    assert {"c", "d"} <= moved
    assert len(moved & {"a", "b"}) == 1
    after, before = found.placement("d"), found.placement("a")
    assert (after.start - before.start) % DAY >= before.minutes
    assert not overlap(found.placement("a"), found.placement("b"))


def test_work_that_stays_is_given_the_time_it_takes():
    """Slowed by night users: today's place, and longer than on an idle server."""
    slowed = job("rebuild", ("20:00", "08:00"), start="20:30", duration=None, work="2 h")
    (placed,) = advisor.schedule(served(slowed, profile={"00:00": "100 %"})).placements
    assert not placed.moved
    assert placed.minutes > 120
    assert placed.minutes * placed.speed == pytest.approx(120, abs=1)
