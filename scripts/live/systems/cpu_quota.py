"""Python workers under a quota of processor time, as a container has one: 0.6 cores, then 0.3."""

from __future__ import annotations

from random import Random

from scripts.live.protocols.http import get
from scripts.live.system import LiveSystem, Variant
from scripts.live.systems.nginx_static import VERSION
from scripts.live.systems.nginx_workers import FEWEST, MOST, server
from scripts.live.systems.nginx_workers import SYSTEM as WORKERS


def request(random: Random) -> bytes:
    """Some steps, and no waiting."""
    return get(f"/{random.randint(FEWEST, MOST)}/0")


SYSTEM = LiveSystem(
    title="Python workers under a quota of processor time",
    programs=WORKERS.programs,
    workload="a worker computes for one to two milliseconds",
    protocol="http",
    start=server,
    request=request,
    variants=(
        Variant("0.6 cores", "a quota of 0.6 cores", quota=0.6, settings={"workers": 8}),
        Variant(
            "0.3 cores", "half the quota", quota=0.3, settings={"workers": 8},
            change={"quota:cpu": 0.3},
        ),
    ),
    known={"quota:cpu": 0.6},
    version=VERSION,
)  # fmt: skip
