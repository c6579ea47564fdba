"""What waking costs: requests that find an idle processor take longer, by clock and by cache.

With x the load over that of saturation, about the chance of finding it busy, a request takes
D (1 + w (1 - x)): w more at an idle system, and nothing more at a full one. Clock frequencies that
rise with load, idle states that take time to leave, caches that went cold, and sleeping threads
that have to be woken all look like this.
"""

from calibration.structures.station_law import SAME_LOAD, at_stations, one_load
from calibration.structures.structure import Structure

WAKING = Structure(
    "waking",
    "a request takes more of an idle system than of a busy one: idle states, clock, cold caches",
    at_stations(
        "waking of {}", "waking of {}", "waking", (0.0, 2.0), lambda *_: ((0.05, 0.4), 0.2)
    ),
    one_load(SAME_LOAD + "another population"),
)
