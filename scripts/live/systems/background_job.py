"""nginx that compresses files beside a job that works by the clock; then without the job."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.live.system import LiveSystem, Place, Variant
from scripts.live.systems import nginx_static

JOB = Path(__file__).parents[1] / "services" / "job.py"


@contextmanager
def server(place: Place) -> Iterator[Any]:
    """The server, and the job in the same group and on the same core."""
    with nginx_static.server(place) as address:
        if not place.variant.settings["job"]:
            yield address
            return
        job = subprocess.Popen(place.group.command([sys.executable, str(JOB)]))
        try:
            yield address
        finally:
            job.kill()
            job.wait()


SYSTEM = LiveSystem(
    title="nginx beside a job",
    programs=nginx_static.PROGRAMS,
    workload=nginx_static.SYSTEM.workload,
    protocol="http",
    start=server,
    request=nginx_static.request,
    variants=(
        Variant(
            "beside the job", "a job on the same core computes for 0.1 s each 0.4 s",
            settings={"job": True},
        ),
        Variant(
            "without the job", "the job runs at another time", settings={"job": False},
            change={"background:cpu": 0.0},
        ),
    ),
    version=nginx_static.VERSION,
)  # fmt: skip
