"""The system of 2000: users by drives, several arrays, knees; figures of earlier experiments."""

from dataclasses import replace
from statistics import fmean

import pytest

from calibration.agreements.agreement import agreement
from calibration.hardware.server import server_network
from calibration.hardware.task import Load
from calibration.systems import load_system
from calibration.systems.domino5_raid import arrays, drives, mail, users
from calibration.systems.domino5_raid.arrays import Split
from qmodel import solve
from scripts.paper_agreement.shared import left_out

TABLE = {2: 1600, 4: 2300, 5: 2500, 7: 3000, 9: 3350}


@pytest.fixture(scope="module")
def found():
    return agreement(load_system("domino5_raid")).comparisons


def test_targets_of_the_drives_and_the_rivals_they_beat(found):
    """The targets: 1 % in sample, 3 % left out. Earlier: 1.1, rivals 4.9, 5.4 and 7.2 %."""
    rows = [c for c in found if c.published.table.endswith("table_1")]
    fitted, unseen = ([c for c in rows if c.status == status] for status in ("fitted", "left out"))
    assert len(fitted) == len(unseen) == len(TABLE)
    assert fmean(abs(c.error) for c in fitted) < 0.01
    assert fmean(abs(c.error) for c in unseen) == pytest.approx(0.011, abs=0.0005)
    errors = {
        name: fmean(abs(c.error_of(dict(c.by_model)[name])) for c in unseen)
        for name, _ in unseen[0].by_model
    }
    assert errors["universal scalability"] == pytest.approx(0.049, abs=0.001)
    assert errors["slowest of all drives"] == pytest.approx(0.054, abs=0.002)
    assert errors["straight line"] == pytest.approx(0.072, abs=0.002)
    assert min(errors, key=errors.get) == "square root of the drives"
    assert all(c.inside for c in unseen)


def test_ten_drives_stand_in_the_text_and_are_predicted(found):
    (ten,) = (c for c in found if c.published.row == "capacity_10_drives")
    assert ten.status == "held out"
    assert ten.published.half_unit == 50.0
    assert abs(ten.error) < 0.03
    assert ten.inside
    assert ten.extrapolated


def test_the_law_without_an_array_does_not_know_it():
    for i, fit in enumerate(left_out(drives.ROOT, drives.points())):
        others = [u / k**0.5 for j, (k, u) in enumerate(TABLE.items()) if j != i]
        assert fit.fit.values[0] == pytest.approx(fmean(others), rel=2e-3)


def test_one_array_and_several_below_the_knee(found):
    rows = [c for c in found if c.metric == "response time over that of one array"]
    unseen = [c for c in rows if c.status == "left out"]
    assert len(unseen) == 4
    assert fmean(abs(c.error) for c in unseen) < 0.05
    assert all(c.inside for c in unseen)


def test_at_four_thousand_users_two_arrays_fail_and_five_do_not(found):
    here = {
        c.published.column: c
        for c in found
        if c.published.table.endswith("table_2") and c.status == "held out"
    }
    two, five = here["two_arrays"], here["five_arrays"]
    assert two.published.value == pytest.approx(1.02)
    assert not two.inside
    assert "E-R00-02" in two.known_failure
    # Earlier models had 0.39 to 0.53 of one array's time.
    values = [value for _, value in two.by_model]
    assert min(values) < 0.39
    assert max(values) > 0.53
    assert five.inside
    assert not five.known_failure


def test_response_of_several_arrays_by_hand():
    assert arrays.busy(Split(3000, 2), 6000.0) == pytest.approx(0.5 / 2**0.5)
    work, wait = arrays.WORK.formula, arrays.WAIT.formula
    assert work([6000.0], Split(3000, 2)) == pytest.approx(0.5 / (1.0 - 0.5 / 2**0.5))
    slower = arrays.slowest(5**0.5) / arrays.slowest(10**0.5)
    assert wait([6000.0], Split(3000, 2)) == pytest.approx(work([6000.0], Split(3000, 2)) * slower)
    for law in (work, wait):
        assert law([6000.0], Split(3000, 1)) == pytest.approx(1.0)


def test_the_knees(found):
    rows = {c.published.row: c for c in found}
    knee = rows["knee_2x5"]
    assert "E-R00-03" in knee.note
    assert knee.inside
    arrays_alone = [value for name, value in knee.by_model if name != "something common to all"]
    assert len(arrays_alone) == 2
    assert min(arrays_alone) > 1.3 * knee.published.high
    for row in ("knee_others", "users_10_drives"):
        assert rows[row].published.is_limit
        assert rows[row].inside


def test_the_script_of_a_user():
    # 5 read, 2 updated, 2 deleted, a scroll, a database, a view; (3 sent + 3 looked up) / 6.
    assert users.actions() == 13.0
    assert users.think_time() == pytest.approx(900.0 / 13.0)


@pytest.mark.parametrize("count", [2, 5, 9, 10])
@pytest.mark.parametrize("member", mail.members(), ids=lambda m: m.name)
def test_the_task_of_a_configuration_carries_the_users_of_the_law(member, count):
    """The response passes the criterion within 2 % of the users of the law."""
    task = member.tasks()["mail"]
    level = mail.REFERENCE.disk.level if count > 2 else mail.LEVELS["raid1"]
    array = replace(mail.REFERENCE.disk, drives=count, level=level)
    hardware = replace(mail.REFERENCE, disk=array)

    def response(population):
        load = Load("mail", task, round(population), task.think_time)
        return solve(server_network(hardware, [load]).network).response_times[0]

    capacity = drives.capacity().capacity(count)
    assert response(0.98 * capacity) < users.criterion() < response(1.02 * capacity)
    assert response(0.8 * capacity) < 1.5


@pytest.mark.parametrize("member", mail.members(), ids=lambda m: m.name)
def test_alone_an_action_takes_its_work_at_one_drive_or_is_held_up_besides(member):
    """The law was measured where arrays are full: whatever their drives, it says nothing of one."""
    (waiting,) = member.otherwise
    centre = member.tasks()["mail"]

    def alone(task, count):
        hardware = replace(mail.REFERENCE, disk=replace(mail.REFERENCE.disk, drives=count))
        return solve(server_network(hardware, [Load("mail", task, 1)]).network).response_times[0]

    for count in (3, 5, 10):
        drives_time = alone(centre, count) - centre.cpu
        assert drives_time == pytest.approx(alone(centre, 3) - centre.cpu)
        held_up = alone(waiting, count) - centre.cpu
        assert held_up == pytest.approx(drives_time * mail.MIDDLE**0.5)


@pytest.mark.parametrize("member", [0, 2])
def test_several_arrays_carry_more_than_one_unless_one_limit_is_common_to_all(member):
    system = load_system("domino5_raid")
    task = system.members[member].tasks()["mail"]

    def busiest(count):
        array = replace(
            system.reference.disk,
            arrays=count,
            level=mail.LEVELS["raid1" if count == 5 else "raid1e"],
        )
        network = server_network(
            replace(system.reference, disk=array), [Load("mail", task, 2000, task.think_time)]
        ).network
        return max(network.demand[0][1:11])

    for count in (2, 5):
        gain = 1.0 if task.one_limit else count**0.5
        assert busiest(1) / busiest(count) == pytest.approx(gain)
