"""Single stations with closed forms: means, distributions of numbers and of times.

M/D/1, G/M/1 and a station of a closed class are networks of one station: `qmodel.solve` and
`qmodel.percentiles` say as much of them.
"""

from qmodel.single_station.batches import MXG1
from qmodel.single_station.discriminatory import discriminatory_sharing
from qmodel.single_station.erlang_a import ErlangA
from qmodel.single_station.finite_source import FiniteSource
from qmodel.single_station.ggm import GGm
from qmodel.single_station.mg1 import MG1
from qmodel.single_station.mmm import MM1, MMm
from qmodel.single_station.mmmk import MMmK
from qmodel.single_station.priority import PriorityClass, priority_queue
from qmodel.single_station.unequal_branches import ForkJoin, fork_join
from qmodel.single_station.vacations import MG1Vacations

__all__ = [
    "MG1", "MM1", "MXG1", "ErlangA", "FiniteSource", "ForkJoin", "GGm", "MG1Vacations", "MMm",
    "MMmK", "PriorityClass", "discriminatory_sharing", "fork_join", "priority_queue",
]  # fmt: skip
