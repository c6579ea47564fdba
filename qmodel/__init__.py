"""Queueing-network models of computer systems, solved by mean value analysis."""

from typing import TYPE_CHECKING

from qmodel.bounds import Bounds, bounds
from qmodel.curve import Curve, curve
from qmodel.customer_classes import ClosedClass, CustomerClass, OpenClass
from qmodel.errors import (
    FileError,
    InternalError,
    InvalidInput,
    InvalidNetwork,
    NotApplicable,
    NotConverged,
    QmodelError,
    Unstable,
)
from qmodel.network import Network
from qmodel.population_limits import PopulationLimit
from qmodel.sensitivity import sensitivity
from qmodel.solution import Solution
from qmodel.solvers import methods_for, solve
from qmodel.solvers.method import Method
from qmodel.stations import (
    DelayStation,
    ForkJoinStation,
    LoadDependentStation,
    QueueingStation,
    Station,
)
from qmodel.sweep import sweep

if TYPE_CHECKING:
    from qmodel import routing, single_station, symbolic
    from qmodel.formats.jmt_model import JmvaModel
    from qmodel.formats.jmt_read import load_jmva
    from qmodel.formats.jmt_write import dump_jmva
    from qmodel.formats.model_file import dump_network, load_network
    from qmodel.percentiles.record import Percentiles
    from qmodel.pictures.network_diagram import draw
    from qmodel.pictures.picture import Picture
    from qmodel.sensitivity.record import Sensitivity
    from qmodel.sweep.figures import Sweep
    from qmodel.sweep.store import StoredSweep
    from qmodel.switch_points import Bottlenecks, bottlenecks

__all__ = [
    "Bottlenecks",
    "Bounds",
    "ClosedClass",
    "Curve",
    "CustomerClass",
    "DelayStation",
    "FileError",
    "ForkJoinStation",
    "InternalError",
    "InvalidInput",
    "InvalidNetwork",
    "JmvaModel",
    "LoadDependentStation",
    "Method",
    "Network",
    "NotApplicable",
    "NotConverged",
    "OpenClass",
    "Percentiles",
    "Picture",
    "PopulationLimit",
    "QmodelError",
    "QueueingStation",
    "Sensitivity",
    "Solution",
    "Station",
    "StoredSweep",
    "Sweep",
    "Unstable",
    "bottlenecks",
    "bounds",
    "curve",
    "draw",
    "dump_jmva",
    "dump_network",
    "load_jmva",
    "load_network",
    "methods_for",
    "routing",
    "sensitivity",
    "single_station",
    "solve",
    "sweep",
    "symbolic",
]


#: Names whose modules take longer to import than all else here, and where they are.
_ON_DEMAND = {
    "JmvaModel": "formats.jmt_model",
    "Sensitivity": "sensitivity.record",
    "StoredSweep": "sweep.store",
    "Sweep": "sweep.figures",
    "Bottlenecks": "switch_points",
    "bottlenecks": "switch_points",
    "dump_jmva": "formats.jmt_write",
    "dump_network": "formats.model_file",
    "Percentiles": "percentiles.record",
    "Picture": "pictures.picture",
    "draw": "pictures.network_diagram",
    "load_jmva": "formats.jmt_read",
    "load_network": "formats.model_file",
}
#: Rooms of their own, named as such: ``qmodel.routing.visit_ratios``.
_ROOMS = {"routing", "single_station", "symbolic"}


def __getattr__(name: str) -> object:
    """Names that are imported when they are asked for."""
    if name in _ROOMS:
        from importlib import import_module

        return import_module(f"qmodel.{name}")
    if name in _ON_DEMAND:
        from importlib import import_module

        return getattr(import_module(f"qmodel.{_ON_DEMAND[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
