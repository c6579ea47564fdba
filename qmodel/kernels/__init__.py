"""Kernels: one class of customers as plain floats, for what asks many thousand times.

A fit, a search or a plot that would build a `qmodel.Network` for each of its questions asks here
instead. `OneClassNetwork` holds the numbers; `totals` gives throughput and response time, and
`at_populations` and `at_arrival_rate` those of every station. The answers are those of
`qmodel.solve`, by the same recursions, and are held to the same invariants; where service varies
they are those of Marie's method for one station.

`mean_value_analysis`, `convolution`, `saturation` and `exact` are what `qmodel.solve` and
`qmodel.curve` run as well; `columns` has the same for arrays of networks, for sweeps and searches.
"""

from qmodel.kernels.coxian_queue import LEAST_SCV
from qmodel.kernels.one_class import (
    Measures,
    OneClassNetwork,
    at_arrival_rate,
    at_populations,
    totals,
)

__all__ = [
    "LEAST_SCV", "Measures", "OneClassNetwork", "at_arrival_rate", "at_populations", "totals",
]  # fmt: skip
