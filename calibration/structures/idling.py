"""What idling costs: the longer a processor was idle, the longer its next request takes.

With x the load over that of saturation, a request takes D x^-a: each doubling of the load saves the
same share, until at saturation nothing is left to save. With several classes it costs each request
as much, D (x^-a - 1) of the shortest demand D, as it is not the request that was idle. Idle periods
of a Poisson stream last 1 / x of those at saturation; clock and sleep states of which each is
entered after a multiple of the idle time of the one before, and costs a multiple to leave, make a
power of that, and so do caches of many sizes that lose their contents one after the other.
Original; five servers recorded here followed it from a sixteenth of saturation on, with a between
0.08 and 0.26.
"""

from calibration.structures.station_law import SAME_LOAD, at_stations, one_load
from calibration.structures.structure import Structure

#: The power among servers that were recorded, and its standard deviation [1]; requests that take
#: longer than this feel less of it. [s]
POWER, LONG = (0.17, 0.08), 0.005


def felt(demand: float) -> float:
    """How much of it a request of some demand [s] feels. [1]"""
    return min(1.0, LONG / demand)


IDLING = Structure(
    "idling",
    "a request takes more the longer the processor was idle before it, as a power of the load",
    at_stations(
        "idling of {}", "power of idling of {}", "idling", (0.0, 1.0), lambda *_: ((0.05, 0.2), 0.2)
    ),
    one_load(SAME_LOAD + "another population"),
)
