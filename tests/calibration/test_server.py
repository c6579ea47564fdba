"""From hardware and tasks to stations and demands."""

from dataclasses import replace

import pytest

from calibration.server import DiskArray, Hardware, Lan, server_network
from calibration.task import Load, Task
from qmodel import InvalidInput, solve
from qmodel.devices.disk import Disk
from qmodel.devices.raid import LEVELS

DRIVE = Disk(0.010, 0.012, 4e6)
HARDWARE = Hardware(1, 1.0, DiskArray(LEVELS["raid0"], 4, DRIVE, 8000.0), Lan(10e6, 1, 0.7))
TASK = Task("edit", "editing", "a run", cpu=60.0, disk_volume=8e6, lan_volume=7e6, client=900.0)


def demands(hardware, task=TASK, write_share=0.5):
    server = server_network(hardware, [Load("edit", task, 10)], write_share)
    return {
        name: [server.network.demand[0][k] for k in stations] for name, stations in server.resources
    }


def test_demands_by_hand():
    found = demands(HARDWARE)
    # 1000 operations of 10 + 6 + 2 ms, a quarter at each drive; 7 MB at 875 KB/s.
    assert found == {
        "cpu": [60.0],
        "disk": [pytest.approx(4.5)] * 4,
        "lan": [pytest.approx(8.0)],
        "client": [900.0],
    }


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
    assert demands(two)["lan"] == [pytest.approx(4.0)] * 2


def test_an_unseen_queue_is_a_station_only_where_a_task_needs_it():
    assert "unseen" not in demands(HARDWARE)
    assert demands(HARDWARE, replace(TASK, unseen=60.0))["unseen"] == [60.0]


def test_one_user_alone_takes_the_sum_of_its_demands():
    server = server_network(HARDWARE, [Load("edit", TASK, 1)])
    assert solve(server.network).response_times[0] == pytest.approx(60 + 18 + 8 + 900)


def test_impossible_hardware_is_refused():
    two = replace(HARDWARE, disk=replace(HARDWARE.disk, level=LEVELS["raid5"], drives=2))
    with pytest.raises(InvalidInput, match="raid5 needs at least 3 drives, got 2"):
        demands(two)


def test_every_demand_has_its_derivation():
    server = server_network(HARDWARE, [Load("edit", TASK, 10), Load("other", TASK, 1)])
    assert len(server.derivation) == 2 * len(server.resources)
    for each in server.derivation:
        stations = dict(server.resources)[each.resource]
        row = server.network.demand[server.network.class_names.index(each.load)]
        assert each.value == pytest.approx(sum(row[k] for k in stations))
