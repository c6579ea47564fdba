"""What was not measured and yet makes users wait: how busy it is, and where it is full."""

from advisor.configuration.configuration import Configuration
from advisor.findings.words import counted, percent_range
from advisor.predicting.calibrated import calibration_of
from advisor.predicting.prediction import outlook
from advisor.predicting.saturation import saturation
from calibration.estimation.data import NOT_MEASURED
from calibration.hardware.hardware import device_kind
from qmodel.errors import Unstable

#: Devices that a recording has, by the kind of their stations.
_DEVICES = {"cpu": "the processors", "disk": "the disks", "lan": "the network"}


def unmeasured(configuration: Configuration) -> str:
    """In one sentence how busy it is, what fills first, and what would name it; empty if none is.

    Of a server that is not calibrated there is nothing to say.
    """
    calibration = calibration_of(configuration)
    if calibration is None:
        return ""
    try:
        hidden = outlook(configuration).resource(NOT_MEASURED)
    except Unstable:
        return ""
    if hidden.utilization.mid <= 0.0:
        return ""
    there = {device_kind(name) for name in calibration.data.stations}
    record = ", ".join([name for kind, name in _DEVICES.items() if kind not in there])
    wanted = f"{record} and waits for locks and pools" if record else "waits for locks and pools"
    point, where = saturation(configuration), ""
    if point is not None:
        at = f"{point.throughput.mid:.3g} /s"
        if point.users is not None:
            at = counted(round(point.users.mid), "user")
        first = "" if point.station == NOT_MEASURED else f"{point.station} is "
        where = f", {first}full at {at}"
    return (
        f"not measured: a lock, a pool or an unrecorded device, "
        f"{percent_range(hidden.utilization)} busy{where}; record {wanted} to name it"
    )
