"""Rotating and solid-state drives against published numbers, and at their limits."""

import pytest

from qmodel import ClosedClass, InvalidInput, Network, QueueingStation, solve
from qmodel.devices.catalogue import Drive, load_catalogue
from qmodel.devices.disk import Disk
from qmodel.devices.ssd import SolidStateDrive


def test_an_operation_by_hand():
    disk = Disk(seek_time=0.0082, rotation_time=60 / 7200, transfer_rate=150e6)
    assert disk.random_time(0) * 1e3 == pytest.approx(8.2 + 4.1667, abs=1e-3)
    assert disk.random_time(15e6) == pytest.approx(disk.random_time(0) + 0.1)
    assert disk.sequential_time(0) == 0.0


@pytest.mark.parametrize(
    ("name", "latency", "measured"), [("SATA SSD", 6600, 58400), ("NVMe SSD", 8900, 77000)]
)
def test_solid_state_at_queue_depth_8(name, latency, measured):
    """AnandTech 8104 (2014): 6,600 and 8,900 reads of 4 KiB a second alone, 58,400 and 77,000
    with 8 outstanding; both a little more than 8 times as many."""
    part = load_catalogue().find(Drive, name)
    drive = SolidStateDrive(1 / latency, 1e-4, part.transfer_rate, part.parallelism)
    network = Network(
        [QueueingStation("ssd", drive.parallelism)], [ClosedClass("reads", 8)], [[1 / latency]]
    )
    assert solve(network).throughputs[0] == pytest.approx(measured, rel=0.11)


@pytest.mark.parametrize(("name", "alone"), [("SATA SSD", 6600), ("NVMe SSD", 8900)])
def test_solid_state_one_at_a_time_as_its_source_measured(name, alone):
    """AnandTech 8104 (2014) has about so many reads of 4 KiB a second: their transfer is in it."""
    part = load_catalogue().find(Drive, name)
    drive = SolidStateDrive(
        part.read_latency, part.write_latency, part.transfer_rate, part.parallelism
    )
    assert 1.0 / drive.lone_time(4096) == pytest.approx(alone, rel=0.011)
    time = drive.service_time(4096, 0.0, drive.servers(4096))
    network = Network([drive.station("ssd", 4096)], [ClosedClass("reads", 1)], [[time]])
    assert solve(network).throughputs[0] == pytest.approx(alone, rel=0.011)
    # What is beyond 4 KiB comes on top.
    assert drive.lone_time(68 * 1024) - drive.lone_time(4096) == pytest.approx(
        64 * 1024 / part.transfer_rate
    )


def test_solid_state_at_saturation():
    """75,000 and 450,000 reads a second rated; the station reaches its capacity exactly."""
    for name, rated in (("SATA SSD", 75_000), ("NVMe SSD", 450_000)):
        part = load_catalogue().find(Drive, name)
        drive = SolidStateDrive(
            part.read_latency, part.write_latency, part.transfer_rate, part.parallelism
        )
        assert drive.capacity(4096) == pytest.approx(rated, rel=0.03)
        time = drive.service_time(4096, 0.0, drive.servers(4096))
        network = Network([drive.station("ssd", 4096)], [ClosedClass("reads", 5000)], [[time]])
        assert solve(network).throughputs[0] == pytest.approx(drive.capacity(4096), rel=1e-6)
        assert time == pytest.approx(drive.lone_time(4096), rel=0.1)


def test_large_operations_fill_the_interface_one_at_a_time():
    drive = SolidStateDrive(100e-6, 50e-6, 500e6, 16)
    assert drive.servers(100e6) == 1
    assert drive.capacity(100e6) == pytest.approx(5.0)
    assert drive.service_time(100e6, 0.0, 1) == pytest.approx(drive.lone_time(100e6), rel=1e-3)


def test_all_reads_and_all_writes():
    drive = SolidStateDrive(100e-6, 50e-6, 500e6, 16)
    assert drive.lone_time(0, 0.0) == 100e-6
    assert drive.lone_time(0, 1.0) == 50e-6


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Disk(-0.1, 0.01, 1e6), "seek time is -0.1 s, expected >= 0"),
        (lambda: Disk(0.01, 0.0, 1e6), "rotation time is 0 s, expected > 0"),
        (lambda: Disk(0.01, 0.01, float("nan")), "transfer rate is nan, expected"),
        (lambda: Disk(0.01, 0.01, 1e6).random_time(-1), "size is -1 bytes"),
        (lambda: SolidStateDrive(0.0, 1e-4, 1e6, 4), "read latency is 0 s, expected > 0"),
        (lambda: SolidStateDrive(1e-4, 1e-4, 1e6, 0), "parallelism is 0, expected >= 1"),
        (lambda: SolidStateDrive(1e-4, 1e-4, 1e6, 4).lone_time(1, 2.0), "share of writes is 2"),
    ],
)
def test_what_no_drive_can_be(call, text):
    with pytest.raises(InvalidInput, match=text):
        call()
