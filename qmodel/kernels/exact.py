"""One closed class of product form: which recursion, and from where none; see THEORY.md."""

from collections.abc import Iterable

from qmodel.kernels.convolution import convolution
from qmodel.kernels.mean_value_analysis import Row, mean_values
from qmodel.kernels.saturation import first_saturated, limits
from qmodel.model.closed_network import OneClass


def exact(model: OneClass, populations: Iterable[int], *, stations: bool = True) -> dict[int, Row]:
    """Throughput and residence times at some populations from 1 to that of ``model``.

    Where throughput is enough, ``stations`` is False.
    """
    wanted = sorted({*populations})
    start = first_saturated(model)
    below = [n for n in wanted if n < start]
    rows: dict[int, Row] = {}
    if below and any(model.rates):
        rows = convolution(model, below, stations=stations)
    elif below:
        rows = mean_values(below, model.delay, model.demands)
    if len(below) < len(wanted):
        rows |= limits(model, wanted[len(below) :])
    return rows
