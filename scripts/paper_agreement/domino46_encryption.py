"""What the models of domino46 say of published numbers: encryption."""

from collections.abc import Iterator
from dataclasses import replace

from calibration.agreements.comparison import Comparison
from calibration.agreements.published import published
from calibration.estimation.interval import Range
from calibration.hardware.server import server_network
from calibration.hardware.task import Load
from calibration.printed_tables.table import load_table
from calibration.systems.domino46.encryption import CLAIM, surcharge
from calibration.systems.domino46.workload import reference, user
from qmodel import solve

LOADS = ("users_low", "users_middle", "users_high")


def compare() -> Iterator[Comparison]:
    """The relative rise of utilization at each load; the baseline is that nothing changes."""
    settings = load_table("domino46/encryption_settings")
    share = surcharge()
    for row in LOADS:
        users = int(settings.value(row))
        low, mid, high = (rise(users, each) * 100.0 for each in (share.low, share.mid, share.high))
        yield Comparison(
            published=published(*CLAIM),
            subject="port encryption",
            metric="rise of utilization",
            case=f"N = {users}",
            status="fitted",
            model="surcharge",
            predicted=Range(low, mid, high),
            fitted_on=(":".join(CLAIM),),
            by_model=(("surcharge", mid),),
            baselines=(("nothing", 0.0),),
            note="one range is printed for all three loads",
        )


def rise(users: int, share: float) -> float:
    """Relative rise of utilization with encryption, with demands at their upper bound. [1]"""
    task = user()
    load = Load(task.name, task, users, think_time=task.think_time)
    plain, encrypted = (
        solve(server_network(replace(reference(), encryption=each), [load]).network)
        for each in (0.0, share)
    )
    return encrypted.station_utilizations[0] / plain.station_utilizations[0] - 1.0
