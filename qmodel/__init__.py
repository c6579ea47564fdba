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
from qmodel.solution import Solution
from qmodel.solvers import methods_for, solve
from qmodel.solvers.method import Method
from qmodel.stations import DelayStation, LoadDependentStation, QueueingStation, Station

if TYPE_CHECKING:
    from qmodel.formats.model_file import dump_network, load_network

__all__ = [
    "Bounds",
    "ClosedClass",
    "Curve",
    "CustomerClass",
    "DelayStation",
    "FileError",
    "InternalError",
    "InvalidInput",
    "InvalidNetwork",
    "LoadDependentStation",
    "Method",
    "Network",
    "NotApplicable",
    "NotConverged",
    "OpenClass",
    "QmodelError",
    "QueueingStation",
    "Solution",
    "Station",
    "Unstable",
    "bounds",
    "curve",
    "dump_network",
    "load_network",
    "methods_for",
    "solve",
]


def __getattr__(name: str) -> object:
    """Names whose modules need pydantic, which takes longer to import than all else here."""
    if name in {"dump_network", "load_network"}:
        from qmodel.formats import model_file

        return getattr(model_file, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
