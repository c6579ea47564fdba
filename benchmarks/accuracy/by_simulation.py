"""References by `qmodel.simulate`, with half widths of their 95 % intervals.

References that were recorded before the engine was in qmodel are of three simulators that stood
here; decision 23 says how near they are to it.
"""

from __future__ import annotations

from benchmarks.accuracy.families.percentiles_tagged import SHARES
from benchmarks.accuracy.family import Truth
from qmodel import Network, simulate


def simulated(network: Network, seed: int, interactions: int, *measures: str) -> Truth:
    """Response times R, throughputs X and percentiles of the classes.

    Parameters
    ----------
    interactions : int
        Of all classes together, about.
    measures : str
        Those wanted, "R", "X", "p50" ...
    """
    visits = max(sum(network.visits_at(c, k) for k in range(len(network.stations)))
                 for c in range(len(network.classes)))  # fmt: skip
    found = simulate(
        network,
        precision=1e-9,
        events=round(interactions * (1.0 + visits)),
        seconds=None,
        seed=seed,
        percentiles=SHARES.values(),
    )
    rows = {"R": found.response_times, "X": found.throughputs}
    rows |= {name: [row[i] for row in found.percentiles] for i, name in enumerate(SHARES)}
    return Truth(
        {name: [each.value for each in rows[name]] for name in measures},
        noise={name: [each.half_width for each in rows[name]] for name in measures},
    )
