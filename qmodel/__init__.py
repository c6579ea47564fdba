"""Queueing-network models of computer systems, solved by mean value analysis."""

from qmodel.bounds import Bounds, bounds
from qmodel.curve import Curve, curve
from qmodel.customer_classes import ClosedClass, CustomerClass, OpenClass
from qmodel.errors import (
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

__all__ = [
    "Bounds",
    "ClosedClass",
    "Curve",
    "CustomerClass",
    "DelayStation",
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
    "methods_for",
    "solve",
]
