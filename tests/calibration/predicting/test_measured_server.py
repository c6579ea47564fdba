"""A measured server under loads and on hardware that were not measured, by hand."""

from dataclasses import replace
from math import inf  # noqa: F401, named in the table

import pytest

import qmodel as qm
from calibration.estimation import tail_shape as tails  # noqa: F401, named in the table
from calibration.estimation.data import Conditions
from calibration.fitting.calibrate import calibrate  # noqa: F401, named in the table
from calibration.hardware.hardware import DiskArray, Hardware, Lan
from calibration.hardware.task import Task
from calibration.model_evaluation import network as nw
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank
from calibration.predicting.changed_hardware import (
    changed_stations,
    saturated_later,  # noqa: F401, named in the table
)
from calibration.predicting.measured_server import MeasuredLoad, load_of_each, measured_server
from calibration.predicting.saturation import saturation_point
from calibration.predicting.what_if import asked_runs, changed_model  # noqa: F401, named in the table
from calibration.recordings.user_table import parse_user_table  # noqa: F401, named in the table
from calibration.structures import STRUCTURES  # noqa: F401, named in the table
from qmodel.devices.disk import Disk
from qmodel.devices.raid import LEVELS
from qmodel.devices.ssd import SolidStateDrive
from qmodel.laws.erlang import erlang_c  # noqa: F401, named in the table
from tests.tables import asked, rows, text_of  # noqa: F401, named in the table

SATA, TURNING = SolidStateDrive(150e-6, 60e-6, 5e8, 11, 36e3), Disk(0.008, 0.008, 2e8)
HARDWARE = Hardware(4, 1.0, DiskArray(LEVELS["raid0"], 1, SATA, 4096.0), Lan(1e9, 1))
ALONE = replace(blank(("users",), ("cpu",)), demand=((0.01,),))
POOL = {"demand": ((0.0,),), "hidden_delay": (0.1,), "pool": (8.0,)}


def load(demands, reference, users, copies=1, *, counted=True, **pool):
    """Of one of some copies with 8 servers, by users, think time and rate of each class."""
    service = blank(tuple("abc"[: len(demands)]), ("cpu",), reference=reference, **pool)
    service = replace(service, think_time=tuple(each[1] for each in users))
    service = replace(service, demand=tuple((d,) for d in demands))
    loads = [MeasuredLoad("", *each, row=i) for i, each in enumerate(users)]
    return load_of_each(service, (8,), loads, copies, counted=counted)


def at(servers, users=None, rate=None, **changes):
    """X and R as answered, X and R of the network, most X, places of the pool in use, U shown."""
    service = replace(ALONE, **changes)
    run = Conditions("", users and (users,), rate and (rate,), (1.0,), (servers,))
    stations = nw.stations_of(service, run.servers, service.demand, service.load(run))
    network = nw.network_of(stations, nw.classes_of(service, run), service.hidden_delay, None)
    (found,), solved = answers(service, [run]), qm.solve(network)
    times = *found.response_time, *solved.throughputs, *solved.response_times
    most = saturation_point(service, run).throughput
    return *found.throughput, *times, most, found.pool_use, found.utilization[0]


def changed(station, drive=SATA, processors=4):
    """A measured station on other hardware."""
    new = replace(HARDWARE, disk=replace(HARDWARE.disk, drive=drive), processors=processors)
    return changed_stations([station], HARDWARE, new, 0.0)[0][0]


def side_by_side(drive):
    found = changed(nw.MeasuredStation("nvme0n1", 1, (1.0,), parallel=1.0), drive)
    return max(nw.side_by_side(found.parallel, found.servers))


def server_with(service, load, servers=(1,), beside=(), **new):
    there = {"measured": HARDWARE, "hardware": replace(HARDWARE, **new), "beside": beside}
    return measured_server(service, servers, [load], 1.0, hidden=False, **there)


def network_with(*args, **new):
    return server_with(*args, **new).network


def shown(service, servers, rate):
    """The utilization that a monitor shows of a measured server as it is advised on."""
    hardware = {"processors": 4}
    found = server_with(service, MeasuredLoad("users", 0, 0.0, rate, row=0), (servers,), **hardware)
    return found.shown(qm.solve(found.network))[0]


def saturating(service, servers):
    """Demand at saturation over that here, as what is left of a station counts."""
    load = MeasuredLoad("users", 0, 0.0, 10.0, row=0)
    return server_with(service, load, (servers,), processors=4).saturating[0][0]


def on_eight(service):
    """Demand and servers of one user on eight processors, of whom four were measured."""
    found = network_with(service, MeasuredLoad("users", 1, 1.0, row=0), (4,), processors=8)
    return found.demand[0][0], found.stations[0].servers


def operations(share):
    """A second, of a task that a drive which was not measured is full of."""
    task = Task("copy", "copy", "a block", 0.0, 4096.0, 0.0, 0.0, write_share=share)
    found = network_with(ALONE, MeasuredLoad("copy", 1, 0.0, task=task), beside=("disk",))
    return found.stations[1].servers / found.demand[0][1]


@pytest.mark.parametrize(("found", "expected"), rows(__file__, "by_hand"))
def test_by_hand(found, expected):
    assert asked(found, globals()) == pytest.approx(asked(expected, globals()), rel=1e-6)


def test_who_is_at_a_tier_is_inside():
    web = replace(blank(("users",), ("web", "lan")), demand=((0.01, 0.001),))
    found = network_with(web, MeasuredLoad("users", 9, 1.0, row=0), (4, 1), most_active=5)
    assert found.limits[0].stations == ("web",)
