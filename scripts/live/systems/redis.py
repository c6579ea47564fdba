"""Redis that sorts lists: one thread, all in memory; then with half a core."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from scripts.live.protocols.redis import Reply, command
from scripts.live.serving import free_port, serving
from scripts.live.system import LiveSystem, Place, Variant

#: Lists, and numbers in the shortest and the longest of them.
LISTS, SHORTEST, LONGEST = 200, 1_000, 3_000

FILL = f"""
for i = 1, {LISTS} do
  local x = i
  for j = 1, {SHORTEST} + (i - 1) * {LONGEST - SHORTEST} / {LISTS - 1} do
    x = (x * 1103515245 + 12345) % 2147483648
    redis.call('RPUSH', 'list:' .. i, x)
  end
end
"""


@contextmanager
def server(place: Place) -> Iterator[Any]:
    """A server of its own with the lists, which writes nothing to a disk."""
    address = free_port()
    words = ["--bind", "127.0.0.1", "--port", str(address[1]), "--save", "", "--appendonly", "no"]
    with serving(place, [place.programs["redis-server"], *words], address):
        with socket.create_connection(tuple(address), 30.0) as filling:
            filling.sendall(command("EVAL", FILL, "0"))
            reply = Reply()
            while not reply.feed(filling.recv(4_096)):
                pass
        yield address


def request(random: Random) -> bytes:
    """The ten largest numbers of a list."""
    return command(
        "SORT", f"list:{random.randint(1, LISTS)}", "DESC", "LIMIT", "0", "10",
    )  # fmt: skip


SYSTEM = LiveSystem(
    title="Redis, sorting",
    programs={"redis-server": "redis-server"},
    workload=f"the ten largest of {SHORTEST} to {LONGEST} numbers",
    protocol="redis",
    start=server,
    request=request,
    variants=(
        Variant("one core", "one core"),
        Variant("half a core", "a quota of half a core", quota=0.5, change={"quota:cpu": 0.5}),
    ),
    version=("redis-server", "--version"),
)
