"""Rotating and solid-state drives against published numbers, and at their limits."""

from dataclasses import replace

import pytest

from qmodel import ClosedClass, InvalidInput, Network, solve
from qmodel.devices.catalogue import Drive, load_catalogue
from qmodel.devices.disk import Disk
from qmodel.devices.ssd import SolidStateDrive
from tests.tables import asked, rows


def drive_of(name):
    part = load_catalogue().find(Drive, name)
    figures = (part.read_latency, part.write_latency, part.transfer_rate, part.parallelism)
    return SolidStateDrive(*figures, part.write_iops)


def rate(drive, customers, written=0.0, size=4096):
    """Operations a second with so many customers at the drive alone."""
    station = drive.station("ssd", size, written)
    time = drive.service_time(size, written, station.servers)
    return solve(Network([station], [ClosedClass("all", customers)], [[time]])).throughputs[0]


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
    drive = replace(drive_of(name), read_latency=1 / latency)
    assert rate(drive, 8) == pytest.approx(measured, rel=0.11)


@pytest.mark.parametrize(("name", "alone"), [("SATA SSD", 6600), ("NVMe SSD", 8900)])
def test_solid_state_one_at_a_time_as_its_source_measured(name, alone):
    """AnandTech 8104 (2014) has about so many reads of 4 KiB a second: their transfer is in it."""
    drive = drive_of(name)
    found = (1.0 / drive.lone_time(4096), rate(drive, 1))
    assert found == pytest.approx((alone, alone), rel=0.011)
    # What is beyond 4 KiB comes on top.
    beyond = drive.lone_time(68 * 1024) - drive.lone_time(4096)
    assert beyond == pytest.approx(64 * 1024 / drive.transfer_rate)


def test_solid_state_at_saturation():
    """75,000 and 450,000 reads a second rated; the station reaches its capacity exactly."""
    for name, rated in (("SATA SSD", 75_000), ("NVMe SSD", 450_000)):
        drive = drive_of(name)
        assert drive.capacity(4096) == pytest.approx(rated, rel=0.03)
        assert rate(drive, 5000) == pytest.approx(drive.capacity(4096), rel=1e-6)
        assert 1 / rate(drive, 1) == pytest.approx(drive.lone_time(4096), rel=0.1)


@pytest.mark.parametrize("written", [0.0, 0.1, 0.3, 0.5, 0.9, 1.0])
def test_sustained_writes_saturate_and_an_idle_drive_answers_from_its_buffer(written):
    """A P4500 of 1 TB: 279,500 reads, 30,500 writes a second, 85 us and 20 us."""
    drive = drive_of("Intel SSD DC P4500 1 TB")
    full = 1.0 / ((1.0 - written) / drive.capacity(4096) + written / 30_500)
    assert drive.capacity(4096, written) == pytest.approx(full)
    assert rate(drive, 5000, written) == pytest.approx(full, rel=1e-6)
    alone = 85e-6 * (1.0 - written) + 20e-6 * written
    assert 1.0 / rate(drive, 1, written) == pytest.approx(max(alone, 1.0 / full), rel=0.25)
    # A write costs by its bytes: the S3700 is rated at 20,000 of 8 KiB, 36,000 of 4 KiB.
    assert drive_of("SATA SSD").capacity(8192, 1.0) == pytest.approx(20_000, rel=0.11)
    unknown = replace(drive, write_iops=None)
    assert unknown.servers(4096, written) == 24
    assert unknown.capacity(4096, written) == pytest.approx(min(24 / alone, 3.2e9 / 4096))


def test_reads_and_writes_together_as_published():
    """AnandTech 11930 (2017): 500,000 a second with 70 % reads, which the model was not told."""
    optane = drive_of("Intel Optane DC P4800X 375 GB")
    assert optane.capacity(4096, 0.3) == pytest.approx(500_000, rel=0.10)


def test_large_operations_fill_the_interface_one_at_a_time():
    drive = SolidStateDrive(100e-6, 50e-6, 500e6, 16)
    assert drive.servers(100e6) == 1
    assert drive.capacity(100e6) == pytest.approx(5.0)
    assert drive.service_time(100e6, 0.0, 1) == pytest.approx(drive.lone_time(100e6), rel=1e-3)


def test_all_reads_and_all_writes():
    drive = SolidStateDrive(100e-6, 50e-6, 500e6, 16)
    assert drive.lone_time(0, 0.0) == 100e-6
    assert drive.lone_time(0, 1.0) == 50e-6


@pytest.mark.parametrize(("call", "text"), rows(__file__, "what_no_drive_can_be"))
def test_what_no_drive_can_be(call, text):
    with pytest.raises(InvalidInput, match=text):
        asked(call, globals())
