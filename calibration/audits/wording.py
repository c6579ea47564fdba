"""Phrases that several laws use."""

from math import exp

from calibration.audits.group import Group
from calibration.audits.measurements import little_column, throughput_column
from calibration.audits.observation import Number, Series
from calibration.audits.reconciliation import Shift


def change(shift: float) -> str:
    """A shift of a logarithm as a relative change, as a factor where it is large."""
    if abs(shift) < 0.5:
        return f"{(exp(shift) - 1.0) * 100.0:+.2g} %"
    return f"{exp(shift):.3g} times" if shift > 0.0 else f"1/{exp(-shift):.3g}"


def others(group: Group, shift: Shift) -> str:
    """The runs that a shifted one is compared with."""
    count = len(group.runs) - len({run for run, _, _ in shift.direction.entries})
    return "the other run" if count == 1 else f"the other {count} runs"


def per_interaction(shift: Shift, series: Series, number: Number) -> str:
    """What one interaction takes of a series, in words; empty if no throughput is known."""
    group, run = shift.group, shift.run
    columns = (throughput_column(group), little_column(group))
    known = [shift.expected[run, column] for column in columns if (run, column) in shift.expected]
    if not known:
        return ""
    amount = number.value / known[0]
    if series.quantity == "utilization":
        servers = group.runs[run].servers_at(series.station)
        return f"{amount * servers:.4g} s of {series.station}"
    if series.quantity == "operations":
        return f"{amount:.4g} {series.station} operations"
    return f"{amount / 1000.0:.4g} KB through the {series.station}"


def either(shift: Shift) -> str:
    """A reminder where rows cannot be told apart, or nothing."""
    if len(shift.runs) == 1 or not shift.also:
        return ""
    return f" (which of the {len(shift.runs)} rows is wrong cannot be told)"
