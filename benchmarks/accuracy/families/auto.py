"""What ``method="auto"`` answers: exact where it can, else the default approximation.

The networks beyond the exact methods are those of `beyond_exact`, with their references.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from benchmarks.accuracy.families import beyond_exact, multi_servers, single_servers
from benchmarks.accuracy.family import Family, Truth, by_name, exact_reference
from benchmarks.accuracy.references import References
from qmodel import Network


def networks(seed: int) -> Iterator[Network]:
    """Every fifth is too large for the exact methods; of the others half have several servers."""
    rng = random.Random(seed)
    plain = single_servers.networks(seed)
    large = beyond_exact.networks(beyond_exact.FAMILY.seed)
    while True:
        yield next(large)
        for _ in range(2):
            yield next(plain)
            yield multi_servers.drawn(rng, most=40)


def reference(network: Network) -> Truth:
    """Exact; for a large network that of the one in which classes that are alike are one."""
    return large().of(network) if len(network.classes) > 3 else exact_reference(network)


@cache
def large() -> References:
    """What is kept of the large ones."""
    return References(beyond_exact.FAMILY)


FAMILY = Family(
    name="auto",
    about="200 as beyond-exact, 400 as single-servers, 400 as multi-servers",
    seed=5,
    networks=networks,
    count=1000,
    reference=reference,
    methods=by_name("auto"),
    truth="exact",
    sample=3,
    measures=("R", "X", "Q"),
)
