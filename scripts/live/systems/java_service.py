"""A Java service that makes garbage and sorts it: one core, then two."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from scripts.live.protocols.http import get
from scripts.live.serving import free_port, run, serving
from scripts.live.system import LiveSystem, Place, Variant

SOURCE = Path(__file__).parents[1] / "services" / "Sorting.java"
#: Numbers that are sorted: any number between these. Threads of the service.
FEWEST, MOST, THREADS = 2_000, 6_000, 32


@contextmanager
def server(place: Place) -> Iterator[Any]:
    """The service, compiled here; its connections stay open while clients think."""
    run([place.programs["javac"], "-d", str(place.folder), str(SOURCE)])
    address = free_port()
    command = [
        place.programs["java"], "-Xms256m", "-Xmx256m", "-cp", str(place.folder),
        "-Dsun.net.httpserver.maxIdleConnections=500", "-Dsun.net.httpserver.idleInterval=3600",
        "-Dsun.net.httpserver.nodelay=true", "Sorting", str(address[1]), str(THREADS),
    ]  # fmt: skip
    with serving(place, command, address) as found:
        yield found


def request(random: Random) -> bytes:
    """So many numbers to be sorted."""
    return get(f"/{random.randint(FEWEST, MOST)}")


SYSTEM = LiveSystem(
    title="a Java service, sorting",
    programs={"java": "default-jre-headless", "javac": "default-jdk-headless"},
    workload=f"{FEWEST} to {MOST} objects are made and sorted",
    protocol="http",
    start=server,
    request=request,
    variants=(
        Variant("one core", "one core"),
        Variant(
            "two cores", "two cores, of which the clients use a part", cores=2,
            change={"servers:cpu": 2},
        ),
    ),
    version=("java", "--version"),
)  # fmt: skip
