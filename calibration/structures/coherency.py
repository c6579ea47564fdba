"""Coherency: what each request takes grows with the others that are there.

Gunther's universal scalability law [1]_ has contention, which is a queue of its own here (a hidden
queue), and coherency: work that grows with the number of others. With x the load over that of
saturation a request takes D (1 + c x), also beyond saturation, where throughput then falls.

References
----------
.. [1] N. J. Gunther, "A general theory of computational scalability based on rational functions,"
   arXiv:0808.1431, 2008.
"""

from calibration.structures.station_law import SAME_LOAD, at_stations, one_load
from calibration.structures.structure import Structure

COHERENCY = Structure(
    "coherency",
    "a request takes more of a station the more others are there, as with locks and shared caches",
    at_stations(
        "coherency of {}", "coherency of {}", "coherency", (0.0, 5.0), lambda *_: ((0.05, 0.3), 0.2)
    ),
    one_load(SAME_LOAD + "another population"),
)
