"""Queueing-network models of computer systems: mean value analysis and other methods."""

from typing import TYPE_CHECKING

from qmodel.bounds import Bounds, bounds
from qmodel.errors import (
    FileError,
    InternalError,
    InvalidInput,
    InvalidNetwork,
    NotApplicable,
    QmodelError,
    Unstable,
)
from qmodel.model.customer_classes import ClosedClass, CustomerClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.population_limits import PopulationLimit
from qmodel.model.solution import NotConverged, Solution
from qmodel.model.stations import (
    DelayStation,
    ForkJoinStation,
    LoadDependentStation,
    QueueingStation,
    Station,
)
from qmodel.on_demand import on_demand

if TYPE_CHECKING:
    from qmodel import kernels, single_station
    from qmodel.analysis import symbolic
    from qmodel.analysis.bottlenecks import Bottlenecks, bottlenecks
    from qmodel.analysis.comparison import MethodComparison, compare
    from qmodel.analysis.curve import Curve, curve
    from qmodel.analysis.marginals import Marginal, log_normalizing_constant, marginal
    from qmodel.analysis.sensitivity import sensitivity
    from qmodel.analysis.sensitivity.elasticities import Sensitivity
    from qmodel.analysis.sweep import sweep
    from qmodel.analysis.sweep.figures import Sweep
    from qmodel.analysis.sweep.store import StoredSweep
    from qmodel.formats.jmt.model import JmvaModel
    from qmodel.formats.jmt.read import load_jmva
    from qmodel.formats.jmt.write import dump_jmva
    from qmodel.formats.layered_file import layered_text
    from qmodel.formats.load import load_model
    from qmodel.formats.model_file import dump_network, load_network
    from qmodel.model import routing
    from qmodel.model.layered_model import Layered
    from qmodel.model.layered_records import Entry, Processor, Service, Users
    from qmodel.model.layered_steps import Answer, Choice, Repeat, Together, Work
    from qmodel.pictures.network_diagram import draw
    from qmodel.pictures.picture import Picture
    from qmodel.response_times import late_shares, percentiles
    from qmodel.response_times.percentile_table import Percentiles
    from qmodel.simulation import simulate
    from qmodel.simulation.agreement import Agreement, agree, compared
    from qmodel.simulation.estimates import Estimate
    from qmodel.simulation.layout import why_not_simulated
    from qmodel.simulation.over_time import OverTime, simulate_over_time
    from qmodel.simulation.simulated import Simulated
    from qmodel.solvers import methods_for, solve
    from qmodel.solvers.layered.solution import LayeredSolution
    from qmodel.solvers.layered.solve import solve_layers
    from qmodel.solvers.method import Method

__all__ = [
    "Agreement", "Answer", "Bottlenecks", "Bounds", "Choice", "ClosedClass", "Curve",
    "CustomerClass", "DelayStation", "Entry", "Estimate", "FileError", "ForkJoinStation",
    "InternalError", "InvalidInput", "InvalidNetwork", "JmvaModel", "Layered", "LayeredSolution",
    "LoadDependentStation", "Marginal", "Method", "MethodComparison", "Network", "NotApplicable",
    "NotConverged", "OpenClass", "OverTime", "Percentiles", "Picture", "PopulationLimit",
    "Processor", "QmodelError", "QueueingStation", "Repeat", "Sensitivity", "Service", "Simulated",
    "Solution", "Station", "StoredSweep", "Sweep", "Together", "Unstable", "Users", "Work", "agree",
    "bottlenecks", "bounds", "compare", "compared", "curve", "draw", "dump_jmva", "dump_network",
    "kernels", "late_shares", "layered_text", "load_jmva", "load_model", "load_network",
    "log_normalizing_constant", "marginal", "methods_for", "percentiles", "routing", "sensitivity",
    "simulate", "simulate_over_time", "single_station", "solve", "solve_layers", "sweep",
    "symbolic", "why_not_simulated",
]  # fmt: skip


#: Names whose modules take longer to import than all else here, by module.
_ON_DEMAND = {
    "analysis.bottlenecks": "Bottlenecks bottlenecks",
    "analysis.comparison": "compare MethodComparison", "analysis.curve": "Curve curve",
    "analysis.marginals": "log_normalizing_constant marginal Marginal",
    "analysis.sensitivity": "sensitivity", "analysis.sensitivity.elasticities": "Sensitivity",
    "analysis.sweep": "sweep", "analysis.sweep.figures": "Sweep",
    "analysis.sweep.store": "StoredSweep", "formats.jmt.model": "JmvaModel",
    "formats.jmt.read": "load_jmva", "formats.jmt.write": "dump_jmva",
    "formats.layered_file": "layered_text", "formats.load": "load_model",
    "formats.model_file": "dump_network load_network",
    "solvers.layered.solution": "LayeredSolution", "solvers.layered.solve": "solve_layers",
    "model.layered_model": "Layered", "model.layered_records": "Entry Processor Service Users",
    "model.layered_steps": "Answer Choice Repeat Together Work", "pictures.network_diagram": "draw",
    "pictures.picture": "Picture", "response_times": "late_shares percentiles",
    "response_times.percentile_table": "Percentiles", "simulation": "simulate",
    "simulation.agreement": "agree Agreement compared", "simulation.estimates": "Estimate",
    "simulation.layout": "why_not_simulated", "simulation.over_time": "OverTime simulate_over_time",
    "simulation.simulated": "Simulated", "solvers": "methods_for solve", "solvers.method": "Method",
}  # fmt: skip
#: Rooms of their own: ``qm.routing.visit_ratios``.
_ROOMS = {"kernels": "kernels", "routing": "model.routing", "single_station": "single_station",
          "symbolic": "analysis.symbolic"}  # fmt: skip


__getattr__, __dir__ = on_demand("qmodel", _ON_DEMAND, _ROOMS)
