"""Coherency: what each request takes grows with the others that are there; see THEORY.md."""

from calibration.structures.station_law import SAME_LOAD, at_stations, one_load
from calibration.structures.structure import Structure

COHERENCY = Structure(
    "coherency",
    "a request takes longer the more others are at the station, as with locks and shared caches",
    at_stations(
        "coherency of {}", "coherency of {}", "coherency", (0.0, 5.0), lambda *_: ((0.05, 0.3), 0.2)
    ),
    one_load(SAME_LOAD + "another population"),
)
