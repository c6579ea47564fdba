"""Port encryption as more processor time for every interaction, the same share at every load.

The article prints one range, 5 to 10 %, for 500, 800 and 1,000 users and no utilization. The
surcharge is its middle; what the network adds is that a surcharge on the processor demand comes
out as the same relative rise of utilization at all three loads, as long as the processors are
below 60 %: users who think most of the time hardly come less often when the server is slower.
"""

from dataclasses import replace

from calibration.agreements.published import published
from calibration.agreements.system import Model, Parameter
from calibration.estimation.interval import Range
from calibration.hardware.server import server_network
from calibration.hardware.task import Load
from calibration.systems.domino46.workload import reference, user
from qmodel import solve

CLAIM = ("domino46/encryption_claims", "cpu_rise_relative", "value")

LOADS = ("users_low", "users_middle", "users_high")


def surcharge() -> Range:
    """Processor time for encryption as a share of the other. [1]"""
    rise = published(*CLAIM)
    return Range(rise.low / 100.0, rise.value / 100.0, rise.high / 100.0)


def models() -> tuple[Model, ...]:
    """The surcharge: one parameter, to the two ends of the printed range."""
    found = surcharge()
    return (
        Model(
            "port encryption",
            "every interaction takes a share more of processor; the middle of the printed range",
            (Parameter("surcharge", found.mid, "1", (found.high - found.low) / 2.0),),
            (":".join(CLAIM),),
            degrees_of_freedom=1,
        ),
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
