"""What waking costs: requests that find an idle processor take longer, by clock and by cache.

Theory and sources: `calibration/structures/THEORY.md`, waking.
"""

from calibration.structures.station_law import SAME_LOAD, at_stations, one_load
from calibration.structures.structure import Structure

WAKING = Structure(
    "waking",
    "a request takes longer on an idle system than on a busy one: idle states, clock, cold caches",
    at_stations(
        "waking of {}", "waking of {}", "waking", (0.0, 2.0), lambda *_: ((0.05, 0.4), 0.2)
    ),
    one_load(SAME_LOAD + "another population"),
)
