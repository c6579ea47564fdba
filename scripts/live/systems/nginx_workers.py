"""nginx before Python workers that compute a little and wait for another service: 16, 4, 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from scripts.live.protocols.http import get
from scripts.live.serving import free_port, serving
from scripts.live.system import LiveSystem, Place, Variant
from scripts.live.systems.nginx_static import PROGRAMS, VERSION, nginx

#: Milliseconds that a worker waits for the other service: any time between these.
SHORTEST, LONGEST = 12, 28
#: Steps of its computation: any number between these.
FEWEST, MOST = 15_000, 45_000


@contextmanager
def server(place: Place) -> Iterator[Any]:
    """nginx and gunicorn, which takes one request after the other in each of its workers."""
    socket, address = str(place.folder / "workers.socket"), free_port()
    workers = [
        place.programs["gunicorn"], "--workers", str(place.variant.settings["workers"]),
        "--bind", f"unix:{socket}", "--backlog", "2048", "--timeout", "600", "--umask", "0",
        "--pythonpath", str(Path(__file__).parents[1] / "services"), "--log-level", "warning",
        "--worker-tmp-dir", str(place.folder), "compute_and_wait:application",
    ]  # fmt: skip
    inside = "location / { proxy_pass http://workers; proxy_read_timeout 600s; }"
    more = f"upstream workers {{ server unix:{socket}; }}"
    with (
        serving(place, workers, socket),
        serving(place, nginx(place, address, inside, more), address, as_root=True) as found,
    ):
        yield found


def request(random: Random) -> bytes:
    """Some steps, and some time of waiting."""
    steps, pause = random.randint(FEWEST, MOST), random.uniform(SHORTEST, LONGEST)
    return get(f"/{steps}/{pause:.3f}")


SYSTEM = LiveSystem(
    title="nginx and Python workers",
    programs={**PROGRAMS, "gunicorn": "gunicorn"},
    workload=(
        "a worker computes for one to two milliseconds and waits for "
        f"{SHORTEST} to {LONGEST} ms for another service"
    ),
    protocol="http",
    start=server,
    request=request,
    variants=(
        Variant("16 workers", "16 workers", settings={"workers": 16}),
        Variant("4 workers", "4 workers", settings={"workers": 4}, change={"pool": 4}),
        Variant("2 workers", "2 workers", settings={"workers": 2}, change={"pool": 2}),
    ),
    known={"pool": 16},
    version=VERSION,
)
