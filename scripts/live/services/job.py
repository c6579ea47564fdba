"""A job that computes for 0.1 s of processor time each 0.4 s by the clock, until it is ended."""

import time
import zlib

WORK, EVERY = 0.1, 0.4
data = bytes(range(256)) * 64
following = time.monotonic()
while True:
    until = time.process_time() + WORK
    while time.process_time() < until:
        zlib.compress(data, 6)
    following = max(time.monotonic(), following + EVERY)
    time.sleep(max(0.0, following - time.monotonic()))
