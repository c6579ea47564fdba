"""Python threads before a pool of connections to PostgreSQL: 16, then 8, 4, and 2 connections."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from scripts.live.protocols.http import get
from scripts.live.serving import free_port, serving
from scripts.live.system import LiveSystem, Place, Variant
from scripts.live.systems.postgresql_read import PROGRAMS, database

#: Milliseconds that a query keeps its connection without the processor: any time between these.
SHORTEST, LONGEST = 8, 24
#: Steps of a thread's computation: any number between these.
FEWEST, MOST = 5_000, 15_000
#: Threads that take requests: more than there are clients, so that only the pool holds them back.
THREADS = 128


@contextmanager
def server(place: Place) -> Iterator[Any]:
    """PostgreSQL, and one process of threads that share connections to it."""
    address, root = free_port(), str(Path(__file__).parents[3])
    with database(place) as socket:
        application = [
            place.programs["gunicorn"], "--workers", "1", "--threads", str(THREADS),
            "--bind", f"127.0.0.1:{address[1]}", "--backlog", "2048", "--timeout", "600",
            "--keep-alive", "3600", "--env", f"CONNECTIONS={place.variant.settings['connections']}",
            "--env", f"DATABASE={socket}", "--pythonpath", root, "--log-level", "warning",
            "--worker-tmp-dir", str(place.folder),
            "scripts.live.services.borrow_and_ask:application",
        ]  # fmt: skip
        with serving(place, application, address) as found:
            yield found


def request(random: Random) -> bytes:
    """Some steps, and some time in the database."""
    return get(f"/{random.randint(FEWEST, MOST)}/{random.uniform(SHORTEST, LONGEST):.3f}")


def _variant(connections: int) -> Variant:
    change = {} if connections == 16 else {"pool": float(connections)}
    name = f"{connections} connections"
    return Variant(name, name, settings={"connections": connections}, change=change)


SYSTEM = LiveSystem(
    title="Python threads and a pool of PostgreSQL connections",
    programs={**PROGRAMS, "gunicorn": "gunicorn"},
    workload=(
        "a thread computes for about half a millisecond, borrows a connection, and keeps it while "
        f"PostgreSQL sleeps for {SHORTEST} to {LONGEST} ms"
    ),
    protocol="http",
    start=server,
    request=request,
    variants=tuple(_variant(each) for each in (16, 8, 4, 2)),
    known={"pool": 16},
    version=("postgres", "--version"),
)
