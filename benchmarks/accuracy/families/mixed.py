"""Mixed networks: open classes take their share of single- and multi-server stations."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.accuracy.families import multi_servers
from benchmarks.accuracy.family import Family, by_name, exact_reference
from qmodel import Network, OpenClass


def networks(seed: int) -> Iterator[Network]:
    """Those of `multi_servers` with an open class that takes 10 to 60 % of the busiest station."""
    rng = random.Random(seed)
    while True:
        closed = multi_servers.drawn(rng, most=30)
        row = [rng.choice([0.0, 1.0]) * rng.uniform(0.1, 1.0) for _ in closed.stations]
        row[0] = row[0] or 1.0
        busiest = max(d / s.max_rate for d, s in zip(row, closed.stations, strict=True))
        rate = rng.uniform(0.1, 0.6) / busiest
        yield Network(
            closed.stations, [*closed.classes, OpenClass("open", rate)], [*closed.demand, row]
        )


FAMILY = Family(
    name="mixed",
    about="as multi-servers, up to 30 customers, and an open class that takes 10 to 60 % of the "
    "station it loads most",
    seed=6,
    networks=networks,
    count=200,
    reference=exact_reference,
    methods=by_name("mixed-linearizer"),
    measures=("R", "X", "Q"),
)
