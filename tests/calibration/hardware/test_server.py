"""From hardware and tasks to stations and demands."""

from dataclasses import replace
from math import e

import pytest

import qmodel as qm
from calibration.hardware.in_order import in_order
from calibration.hardware.server import DiskArray, Hardware, Lan, server_network
from calibration.hardware.task import Load, Task
from qmodel import solve
from qmodel.devices.disk import Disk
from qmodel.devices.raid import LEVELS

DRIVE = Disk(0.010, 0.012, 4e6)
HARDWARE = Hardware(1, 1.0, DiskArray(LEVELS["raid0"], 4, DRIVE, 8000.0), Lan(10e6, 1, 0.7))
TASK = Task("edit", "editing", "a run", cpu=60.0, disk_volume=8e6, lan_volume=7e6, client=900.0)
#: Shares of a segment's rate that 10 and 5 stations leave where very many leave 70 %: with A the
#: chance of a slot for one alone, frames of 0.7 (e - 1) / 0.3 slots, 1 / A - 1 slots lost each.
FRAME = 0.7 * (e - 1) / 0.3
LEFT_BY_TEN = FRAME / (FRAME + 0.9**-9 - 1)
LEFT_BY_FIVE = FRAME / (FRAME + 0.8**-4 - 1)


def demands(hardware, task=TASK, write_share=0.5):
    server = server_network(hardware, [Load("edit", task, 10)], write_share)
    return {
        name: [server.network.demand[0][k] for k in stations] for name, stations in server.resources
    }


def test_demands_by_hand():
    found = demands(HARDWARE)
    # 1000 operations of 10 + 6 + 2 ms, a quarter at each drive; 7 MB at 70.8 % of 1250 KB/s,
    # what ten users leave.
    assert found == {
        "cpu": [60.0], "disk": [pytest.approx(4.5)] * 4, "lan": [pytest.approx(5.6 / LEFT_BY_TEN)],
        "client": [900.0],
    }  # fmt: skip


def test_raid5_costs_four_operations_a_write_and_one_a_read():
    raid5 = replace(HARDWARE, disk=replace(HARDWARE.disk, level=LEVELS["raid5"]))
    assert demands(raid5, write_share=0.0) == demands(HARDWARE, write_share=0.0)
    assert sum(demands(raid5, write_share=1.0)["disk"]) == pytest.approx(4 * 18.0)


def test_a_known_write_share_is_not_overridden():
    known = replace(TASK, write_share=0.25)
    raid5 = replace(HARDWARE, disk=replace(HARDWARE.disk, level=LEVELS["raid5"]))
    assert demands(raid5, known, 0.0) == demands(raid5, known, 1.0)


def test_processor_speed_divides_the_demand_and_processors_serve_together():
    fast = replace(HARDWARE, speed=1.2, processors=2)
    assert demands(fast)["cpu"] == [pytest.approx(50.0)]
    server = server_network(fast, [Load("edit", TASK, 10)])
    assert server.network.stations[0].servers == 2


def test_segments_share_the_volume():
    two = replace(HARDWARE, lan=replace(HARDWARE.lan, segments=2))
    assert demands(two)["lan"] == [pytest.approx(2.8 / LEFT_BY_FIVE)] * 2


def test_an_unseen_queue_is_a_station_only_where_a_task_needs_it():
    assert "not measured" not in demands(HARDWARE)
    assert demands(HARDWARE, replace(TASK, unseen=60.0))["not measured"] == [60.0]


def test_one_user_alone_takes_the_sum_of_its_demands():
    server = server_network(HARDWARE, [Load("edit", TASK, 1)])
    assert solve(server.network).response_times[0] == pytest.approx(60 + 18 + 5.6 + 900)


def test_every_demand_has_its_derivation():
    server = server_network(HARDWARE, [Load("edit", TASK, 10), Load("other", TASK, 1)])
    assert len(server.derivation) == 2 * len(server.resources)
    for each in server.derivation:
        stations = dict(server.resources)[each.resource]
        row = server.network.demand[server.network.class_names.index(each.load)]
        assert each.value == pytest.approx(sum(row[k] for k in stations))


def test_the_disk_volume_grows_with_a_power_of_the_block():
    grows = replace(TASK, block=8000.0, block_exponent=0.5)
    four = replace(HARDWARE, disk=replace(HARDWARE.disk, block=32000.0))
    assert demands(HARDWARE, grows)["disk"] == demands(HARDWARE)["disk"]
    # 16 MB in 500 operations of 10 + 6 + 8 ms, a quarter at each drive.
    assert demands(four, grows)["disk"] == [pytest.approx(500 * 0.024 / 4)] * 4


def test_a_measured_operation_size_goes_before_the_block():
    sized = replace(TASK, operation_size=4000.0)
    assert demands(HARDWARE, sized)["disk"] == [pytest.approx(2000 * 0.017 / 4)] * 4


@pytest.mark.parametrize(("overhead", "each"), [(0.0, 0.002), (1.0, 0.003), (2.0, 0.004)])
def test_another_controllers_overhead_scales_a_sequential_operations(overhead, each):
    task = replace(TASK, pattern="sequential", operation_time=0.001)
    other = replace(HARDWARE, disk=replace(HARDWARE.disk, overhead=overhead))
    assert demands(other, task)["disk"] == [pytest.approx(1000 * each / 4)] * 4


def test_without_known_operations_no_round_leaves_out_the_processor():
    stations = [qm.QueueingStation("cpu", 4), qm.QueueingStation("disk")]
    classes = [qm.ClosedClass("browse", 40, 5.0), qm.ClosedClass("checkout", 10, 5.0)]
    network = qm.Network(stations, classes, [[0.020, 0.004], [0.080, 0.012]])
    assert in_order(qm.solve(network)).network.visit_ratio == ((1.0, 1.0), (3.0, 3.0))
