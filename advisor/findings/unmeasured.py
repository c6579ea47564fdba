"""What was not measured and yet makes users wait: how busy it is, what more processors cost."""

from advisor.configuration.configuration import Configuration
from advisor.findings.words import counted, percent, percent_range
from advisor.predicting.calibrated import calibration_of, measured_hardware
from advisor.predicting.hardware import hardware_of
from advisor.predicting.prediction import outlook
from advisor.predicting.saturation import saturation
from calibration.estimation.data import NOT_MEASURED
from calibration.estimation.interval import NINETY
from calibration.fitting.fitted_model import Calibration
from calibration.hardware.hardware import device_kind, is_pool
from calibration.predicting.other_servers import MULTIPROCESSING
from qmodel.errors import Unstable

#: Devices that a recording has, by the kind of their stations.
_DEVICES = {"cpu": "the processors", "disk": "the disks", "lan": "the network"}


def unmeasured(configuration: Configuration) -> str:
    """What no run showed and numbers depend on; empty if there is nothing.

    Of a server that is not calibrated there is nothing to say.
    """
    calibration = calibration_of(configuration)
    said = (no_times(calibration), _hidden(configuration, calibration))
    return "; ".join(filter(None, (*said, unmeasured_parts(configuration))))


def no_times(calibration: Calibration | None) -> str:
    """That no response time was measured, where no number of users implies one."""
    if calibration is None or calibration.data.populations:
        return ""
    if any(number.quantity == "response_time" for number in calibration.data.numbers):
        return ""
    return "no response time was measured: those shown are of the measured devices alone"


def unmeasured_parts(configuration: Configuration) -> str:
    """What no run had of the server that is predicted: so many processors, so large a pool."""
    calibration = calibration_of(configuration)
    if calibration is None or configuration.settings.workload.calibration is None:
        return ""
    said = (_other_processors(configuration), _other_places(configuration, calibration))
    return "; ".join(filter(None, said))


def _other_processors(configuration: Configuration) -> str:
    there, measured = hardware_of(configuration), measured_hardware(configuration)
    were = {each.name: each.processors for each in measured.tiers}
    tiers = [each for each in there.tiers if not is_pool(each.name)]
    same = all(were.get(each.name) == each.processors for each in tiers)
    if there.processors == measured.processors and same:
        return ""
    mean, error = MULTIPROCESSING
    low, mid, high = (2.0 ** (mean + part * NINETY * error) - 1.0 for part in (-1.0, 0.0, 1.0))
    return (
        "not measured: other numbers of processors; with each doubling a request is assumed to "
        f"take {percent(mid)} longer ({100 * low:.0f} to {percent(high)}), as on other servers"
    )


def _other_places(configuration: Configuration, calibration: Calibration) -> str:
    pool = calibration.service(calibration.admissible[0]).pool[0]
    most, behind = configuration.settings.server.most_active or 0, "what lies behind is assumed"
    if pool < most:
        return f"not measured: more than {pool:.0f} requests inside; {behind} to bear them"
    were = {each.name: each.processors for each in measured_hardware(configuration).tiers}
    larger = (t for t in hardware_of(configuration).tiers if is_pool(t.name))
    if any(each.processors > were.get(each.name, 0) for each in larger):
        return f"not measured: a larger pool; {behind} to bear it"
    return ""


def _hidden(configuration: Configuration, calibration: Calibration | None) -> str:
    """In one sentence how busy a hidden queue is, what fills first, and what would name it."""
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
