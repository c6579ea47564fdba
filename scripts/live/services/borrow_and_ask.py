"""A WSGI application: /STEPS/MILLISECONDS computes, borrows a connection of a pool, and asks.

The pool's size and the database's socket are in the environment, as CONNECTIONS and DATABASE. Who
finds no connection waits until one is given back; the first who waited is the first served.
"""

import os
import threading
from queue import Queue

from scripts.live.protocols.postgresql import Reply, connect, query

_pool: Queue = Queue()
_filled = threading.Event()
_filling = threading.Lock()


def application(environment, start_response):
    """Compute, ask the database on a borrowed connection, and say so."""
    _, steps, pause = environment["PATH_INFO"].split("/")
    total = 0
    for i in range(int(steps)):
        total += i & 7
    if not _filled.is_set():
        _fill()
    connection = _pool.get()
    try:
        connection.sendall(query(f"SELECT pg_sleep({float(pause) / 1e3}), {total}"))
        reply = Reply()
        while not reply.feed(connection.recv(65_536)):
            pass
    finally:
        _pool.put(connection)
    body = str(total).encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]


def _fill():
    with _filling:
        if not _filled.is_set():
            for _ in range(int(os.environ["CONNECTIONS"])):
                _pool.put(connect(os.environ["DATABASE"]))
            _filled.set()
