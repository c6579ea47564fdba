"""Single stations with closed forms: means, distributions of numbers and of times."""

from qmodel.single_station.machine_repair import MachineRepair
from qmodel.single_station.md1 import MD1
from qmodel.single_station.mg1 import MG1
from qmodel.single_station.mm1 import MM1
from qmodel.single_station.mmm import MMm
from qmodel.single_station.mmmk import MMmK

__all__ = ["MD1", "MG1", "MM1", "MMm", "MMmK", "MachineRepair"]
