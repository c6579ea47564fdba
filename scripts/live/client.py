"""Closed clients who think and ask, in one process: a loop over sockets and a heap of alarms.

It is told on its standard input what to do, prints ``begin`` when the counted part begins and a
line of JSON when it is over. An interaction costs it some 30 us, so that one core serves thousands
a second and no client waits for another.
"""

from __future__ import annotations

import gc
import heapq
import json
import resource
import select
import socket
import sys
import time
from importlib import import_module
from random import Random
from typing import Any

#: Response times that are told, as shares of all. [1]
SHARES = (0.5, 0.9, 0.95, 0.99)


def drive(told: dict[str, Any]) -> dict[str, float]:
    """Let clients work for some seconds, and say what they saw of the counted part.

    Parameters
    ----------
    told : dict
        ``system`` (a name), ``address``, ``users``, mean ``think`` time [s], ``warm_up`` and
        ``seconds``, ``seed``.
    """
    from scripts.live.system import load_live_system

    system = load_live_system(told["system"])
    protocol = import_module(f"scripts.live.protocols.{system.protocol}")
    random = Random(told["seed"])  # noqa: S311 - of requests and pauses
    think = told["think"]
    # No two clients connect at once, and the first of all pauses is of any length.
    sockets = [protocol.connect(told["address"]) for _ in range(told["users"])]
    replies = [protocol.Reply() for _ in sockets]
    by_file = {each.fileno(): i for i, each in enumerate(sockets)}
    poll = select.epoll()
    for each in sockets:
        each.setblocking(False)
        poll.register(each.fileno(), select.EPOLLIN)
    start = time.monotonic()
    begin, end = start + told["warm_up"], start + told["warm_up"] + told["seconds"]
    alarms = [(start + random.uniform(0.0, think) + 1e-4 * i, i) for i in range(len(sockets))]
    heapq.heapify(alarms)
    since = [start] * len(sockets)  # when a client began to think, or asked
    times: list[float] = []
    pauses, asks, errors, counting = 0.0, 0, 0, False
    gc.disable()
    while True:
        now = time.monotonic()
        if not counting and now >= begin:
            counting, begin = True, now
            used = _used()
            print("begin", flush=True)
        if now >= end:
            break
        while alarms and alarms[0][0] <= now:
            i = heapq.heappop(alarms)[1]
            asked = time.monotonic()
            if counting:
                pauses, asks = pauses + asked - since[i], asks + 1
            since[i] = asked
            sockets[i].send(system.request(random))
        wait = min(alarms[0][0] if alarms else end, end, end if counting else begin) - now
        for file, _ in poll.poll(max(0.0, wait)):
            i = by_file[file]
            try:
                data = sockets[i].recv(262_144)
            except BlockingIOError:
                continue
            if not data:
                raise SystemExit(f"the server closed the connection of client {i + 1}")
            if not replies[i].feed(data):
                continue
            ended = time.monotonic()
            if counting:
                times.append(ended - since[i])
                errors += replies[i].failed
            since[i] = ended
            heapq.heappush(alarms, (ended + random.uniform(0.5 * think, 1.5 * think), i))
    gc.enable()
    poll.close()
    for each in sockets:
        each.close()
    if not times:
        raise SystemExit("no interaction ended in the counted part of the run")
    times.sort()
    passed = now - begin
    return {
        "users": told["users"],
        "seconds": passed,
        "interactions": len(times),
        "throughput": len(times) / passed,
        "response_time": sum(times) / len(times),
        **{f"p{round(100 * p)}": times[min(len(times) - 1, int(p * len(times)))] for p in SHARES},
        "think_time": pauses / max(1, asks),
        "errors": errors,
        "client": (_used() - used) / passed,
    }


def _used() -> float:
    found = resource.getrusage(resource.RUSAGE_SELF)
    return found.ru_utime + found.ru_stime


def connected(address: str | list[Any]) -> socket.socket:
    """A connection to a path or to a port of this machine; an interaction is never held back."""
    if isinstance(address, str):
        made = socket.socket(socket.AF_UNIX)
        made.settimeout(10.0)
        made.connect(address)
        return made
    made = socket.create_connection(("127.0.0.1", int(address[1])), 10.0)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


if __name__ == "__main__":
    print(json.dumps(drive(json.load(sys.stdin))), flush=True)
