"""Drives that serve many requests at once: what their utilization is, beside what monitors show."""

from advisor.configuration.configuration import Configuration
from advisor.predicting.calibrated import calibration_of


def side_by_side(configuration: Configuration) -> str:
    """In one sentence why a monitor shows more of calibrated drives; empty if there are none."""
    calibration = calibration_of(configuration)
    if calibration is None:
        return ""
    parallel = calibration.service(calibration.best).parallel
    found = [name for name, p in zip(calibration.data.stations, parallel, strict=True) if p]
    if not found:
        return ""
    return (
        f"{', '.join(found)}: utilization is the part of its parallel capacity in use; a monitor "
        "shows the time with at least one request, which is more"
    )
