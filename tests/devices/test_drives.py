"""Rotating and solid-state drives against published numbers, and at their limits."""

import pytest

from qmodel import ClosedClass, InvalidInput, Network, QueueingStation, solve
from qmodel.devices.catalogue import Drive, load_catalogue
from qmodel.devices.disk import Disk, rewrite_time, zoned_rate
from qmodel.devices.seek import HP_97560, HP_C2200A, SeekCurve
from qmodel.devices.ssd import SolidStateDrive, parallel_rate, parallelism


def test_the_published_seek_curve():
    """Ruemmler and Wilkes 1994: 3.24 + 0.400 sqrt(d) ms below 383 cylinders, 8.00 + 0.008 d."""
    assert HP_97560.time(1) * 1e3 == pytest.approx(3.64)
    assert HP_97560.time(100) * 1e3 == pytest.approx(7.24)
    assert HP_97560.time(1961) * 1e3 == pytest.approx(23.688)
    # The two branches were fitted to one curve and meet where they change over.
    for drive in (HP_97560, HP_C2200A):
        steps = drive.time(drive.boundary) - drive.time(drive.boundary - 1)
        assert abs(steps) < 1e-4


def test_the_mean_seek_is_that_of_every_pair_of_cylinders():
    curve = SeekCurve(40, 1e-3, 2e-4, 12, 2e-3, 1e-5)
    pairs = [curve.time(abs(a - b)) for a in range(40) for b in range(40)]
    assert curve.mean() == pytest.approx(sum(pairs) / len(pairs))
    # For a linear curve a third of the stroke is the mean distance.
    line = SeekCurve(3000, 0.0, 0.0, 1, 0.0, 1e-6)
    assert line.mean() == pytest.approx(1e-3, rel=1e-3)


def test_files_on_fewer_cylinders_need_shorter_seeks():
    """The 2000 study: the same files on drives of twice the size seek over fewer cylinders."""
    times = [HP_97560.mean(used / 10) for used in range(1, 11)]
    assert times == sorted(times)
    assert HP_97560.mean(1e-9) == 0.0


def test_an_operation_by_hand():
    disk = Disk(seek_time=0.0082, rotation_time=60 / 7200, transfer_rate=150e6)
    assert disk.random_time(0) * 1e3 == pytest.approx(8.2 + 4.1667, abs=1e-3)
    assert disk.random_time(15e6) == pytest.approx(disk.random_time(0) + 0.1)
    assert disk.sequential_time(0) == 0.0


def test_a_rewrite_waits_a_turn_or_as_many_as_the_block_has_tracks():
    disk = Disk(0.010, 0.012, 4e6)  # 48 KB a track
    assert rewrite_time(disk, 1) == pytest.approx(0.010 + 0.006 + 0.012, rel=1e-3)
    assert rewrite_time(disk, 96e3) == pytest.approx(0.010 + 0.006 + 0.024 + 0.024)


def test_zones():
    assert zoned_rate([(1.0, 5e6)]) == pytest.approx(5e6)
    assert 1e6 < zoned_rate([(0.5, 1e6), (0.5, 2e6)]) < 1.5e6


@pytest.mark.parametrize(
    ("name", "latency", "measured"), [("SATA SSD", 6600, 58400), ("NVMe SSD", 8900, 77000)]
)
def test_solid_state_at_queue_depth_8(name, latency, measured):
    """AnandTech 8104 (2014): 6,600 and 8,900 reads of 4 KiB a second alone, 58,400 and 77,000
    with 8 outstanding; both a little more than 8 times as many."""
    part = load_catalogue().find(Drive, name)
    drive = SolidStateDrive(1 / latency, 1e-4, part.transfer_rate, part.parallelism)
    # The latency measured has the transfer in it.
    network = Network(
        [QueueingStation("ssd", drive.parallelism)], [ClosedClass("reads", 8)], [[1 / latency]]
    )
    assert solve(network).throughputs[0] == pytest.approx(measured, rel=0.11)


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


def test_operations_that_meet_at_a_unit():
    """The balanced closed network, by the exact solver."""
    for units, depth in ((1, 5), (4, 1), (8, 8), (10, 32)):
        network = Network(
            [QueueingStation(f"unit {i}") for i in range(units)],
            [ClosedClass("reads", depth)],
            [[1.0 / units] * units],
        )
        assert parallel_rate(units, depth) == pytest.approx(solve(network).throughputs[0])


def test_parallelism_is_at_most_the_queue_depth():
    assert parallelism(450_000, 112e-6, queue_depth=1000) == 50
    assert parallelism(450_000, 112e-6) == 32
    assert parallelism(1.0, 1e-6) == 1


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Disk(-0.1, 0.01, 1e6), "seek time is -0.1 s, expected >= 0"),
        (lambda: Disk(0.01, 0.0, 1e6), "rotation time is 0 s, expected > 0"),
        (lambda: Disk(0.01, 0.01, float("nan")), "transfer rate is nan bytes/s"),
        (lambda: Disk(0.01, 0.01, 1e6).random_time(-1), "size is -1 bytes"),
        (lambda: HP_97560.time(1962), "seek distance is 1962 cylinders, expected 0 to 1961"),
        (lambda: HP_97560.mean(0.0), "used share of the cylinders is 0"),
        (lambda: HP_97560.mean(1.1), "used share of the cylinders is 1.1"),
        (lambda: SeekCurve(1, 0, 0, 1, 0, 0), "number of cylinders is 1, expected >= 2"),
        (lambda: zoned_rate([(0.5, 1e6)]), "shares of the zones add up to 0.5"),
        (lambda: zoned_rate([(1.0, 0.0)]), "transfer rate is 0 bytes/s"),
        (lambda: SolidStateDrive(0.0, 1e-4, 1e6, 4), "read latency is 0 s, expected > 0"),
        (lambda: SolidStateDrive(1e-4, 1e-4, 1e6, 0), "parallelism is 0, expected >= 1"),
        (lambda: SolidStateDrive(1e-4, 1e-4, 1e6, 4).lone_time(1, 2.0), "share of writes is 2"),
    ],
)
def test_what_no_drive_can_be(call, text):
    with pytest.raises(InvalidInput, match=text):
        call()
