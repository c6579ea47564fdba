"""What idling costs: the longer a processor idled, the longer its next request; see THEORY.md."""

from calibration.structures.station_law import SAME_LOAD, at_stations, one_load
from calibration.structures.structure import Structure

#: The power among servers that were recorded, and its standard deviation [1]; requests that take
#: longer than this feel less of it. [s]
POWER, LONG = (0.17, 0.10), 0.005
#: The largest power that is searched. [1]
MOST = POWER[0] + 3.0 * POWER[1]


def felt(demand: float) -> float:
    """How much of it a request of some demand [s] feels. [1]"""
    return min(1.0, LONG / demand)


IDLING = Structure(
    "idling",
    "a request takes longer after the processor was idle, as when it saves power; 0 is no effect",
    at_stations(
        "idling of {}", "power of idling of {}", "idling", (0.0, MOST),
        lambda *_: ((0.05, 0.2), 0.2),
    ),
    one_load(SAME_LOAD + "another population"),
)  # fmt: skip
