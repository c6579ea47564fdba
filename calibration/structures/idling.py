"""What idling costs: the longer a processor was idle, the longer its next request takes.

With x the load over that of saturation, a request takes D x^-a: each doubling of the load saves the
same share, until at saturation nothing is left to save. Idle periods of a Poisson stream last 1 / x
of those at saturation; clock and sleep states of which each is entered after a multiple of the idle
time of the one before, and costs a multiple to leave, make a power of that, and so do caches of
many sizes that lose their contents one after the other. Original; five servers recorded here
followed it from a sixteenth of saturation on, with a between 0.08 and 0.26.
"""

from calibration.structures.station_law import SAME_LOAD, at_stations, one_load
from calibration.structures.structure import Structure

IDLING = Structure(
    "idling",
    "a request takes more the longer the processor was idle before it, as a power of the load",
    at_stations(
        "idling of {}", "power of idling of {}", "idling", (0.0, 1.0), lambda *_: ((0.05, 0.2), 0.2)
    ),
    one_load(SAME_LOAD + "another population"),
)
