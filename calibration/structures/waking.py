"""What waking an idle processor costs: longer requests, by clock and by cache; see THEORY.md."""

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
