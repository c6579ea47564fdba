"""Single stations with closed forms: means, distributions of numbers and of times."""

from qmodel.single_station.ggm import GGm
from qmodel.single_station.gm1 import GM1
from qmodel.single_station.machine_repair import MachineRepair
from qmodel.single_station.md1 import MD1
from qmodel.single_station.mg1 import MG1
from qmodel.single_station.mmm import MM1, MMm
from qmodel.single_station.mmmk import MMmK
from qmodel.single_station.priority import PriorityClass, priority_queue

__all__ = [
    "GM1",
    "MD1",
    "MG1",
    "MM1",
    "GGm",
    "MMm",
    "MMmK",
    "MachineRepair",
    "PriorityClass",
    "priority_queue",
]
