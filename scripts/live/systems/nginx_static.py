"""nginx with files that it compresses: one process on one core, then two on two."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from pwd import getpwuid
from random import Random
from typing import Any

from scripts.live.programs import unprivileged
from scripts.live.protocols.http import get
from scripts.live.serving import free_port, serving
from scripts.live.system import LiveSystem, Place, Variant

#: Files, and bytes of the shortest and the longest of them.
FILES, SHORTEST, LONGEST = 100, 20_000, 60_000

PROGRAMS = {"nginx": "nginx-light"}
VERSION = ("nginx", "-v")

#: Words of the files.
_WORDS = ("queue", "server", "client", "think", "wait", "rate", "load", "core", "visit", "demand")


def nginx(place: Place, address: list[Any], inside: str, more: str = "") -> list[str]:
    """The command of a server; ``inside`` and ``more`` go into its server block and beside it."""
    user = unprivileged().get("user")
    name = f"user {getpwuid(user).pw_name};" if user is not None else ""
    (place.folder / "nginx.conf").write_text(f"""
daemon off; {name} pid {place.folder}/nginx.pid; error_log {place.folder}/error.log;
worker_processes {place.variant.settings.get("processes", 1)};
events {{ worker_connections 1024; }}
http {{
  access_log off; default_type text/plain; tcp_nodelay on;
  keepalive_timeout 3600s; keepalive_requests 1000000000;
  client_body_temp_path {place.folder}/body; proxy_temp_path {place.folder}/proxy;
  fastcgi_temp_path {place.folder}/fastcgi; uwsgi_temp_path {place.folder}/uwsgi;
  scgi_temp_path {place.folder}/scgi;
  {more}
  server {{ listen 127.0.0.1:{address[1]}; {inside} }}
}}
""")
    place.folder.chmod(0o755)
    return [place.programs["nginx"], "-p", str(place.folder), "-c", "nginx.conf"]


def write_files(folder: Path) -> None:
    """Texts that compress as texts do."""
    folder.mkdir()
    random = Random(29)  # noqa: S311 - of words
    for i in range(FILES):
        size = SHORTEST + i * (LONGEST - SHORTEST) // (FILES - 1)
        words = (f"{random.choice(_WORDS)} {random.randint(0, 9999)}" for _ in range(size // 6))
        (folder / f"{i}.txt").write_text(" ".join(words)[:size])


@contextmanager
def server(place: Place) -> Iterator[Any]:
    """A server of its own with the files."""
    write_files(place.folder / "files")
    address = free_port()
    inside = (
        f"root {place.folder}/files; gzip on; gzip_comp_level 6; gzip_types text/plain; "
        "open_file_cache max=1000;"
    )
    with serving(place, nginx(place, address, inside), address, as_root=True) as found:
        yield found


def request(random: Random) -> bytes:
    """A file, compressed."""
    return get(f"/{random.randrange(FILES)}.txt", "Accept-Encoding: gzip")


SYSTEM = LiveSystem(
    title="nginx, compressing files",
    programs=PROGRAMS,
    workload=f"a file of {SHORTEST} to {LONGEST} bytes, compressed anew each time",
    protocol="http",
    start=server,
    request=request,
    variants=(
        Variant("one core", "one process on one core"),
        Variant(
            "two cores", "two processes on two cores, of which the clients use a part", cores=2,
            settings={"processes": 2}, change={"servers:cpu": 2},
        ),
    ),
    version=VERSION,
)  # fmt: skip
