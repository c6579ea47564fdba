"""Make examples/order_server_load_test.csv: an illustration, not a measurement.

A closed network with a known answer is solved exactly at several numbers of users, and half a
percent of noise is put on what a load generator and sar would read off. Nobody ran this test; the
file says so.
"""

import sys
from pathlib import Path

import numpy as np

import qmodel as qm

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "examples" / "order_server_load_test.csv"
USERS = (50, 100, 200, 300, 400, 450, 500)
THINK_TIME = 6.0  # s
CORES = 8
CPU = 0.076  # s an interaction
#: What nobody queues for: the network between, locks that are never contended, the browser.
DELAY = 0.045  # s
DISK_VOLUME, LAN_VOLUME = 0.42, 0.21  # MB an interaction
NOISE = 0.005
SEED = 20
HEAD = f"""\
# SYNTHETIC, an illustration: nobody measured this. Made by scripts/make_load_test.py from the exact
# solution of a closed network ({CORES} cores, {CPU * 1e3:g} ms of processor and {DELAY * 1e3:g} ms
# of delay an interaction, {DISK_VOLUME:g} MB of disk and {LAN_VOLUME:g} MB of network, think time
# {THINK_TIME:g} s) with {NOISE:.1%} of noise. An application server with PostgreSQL on NVMe: one
# row a run of 20 minutes.
"""
COLUMNS = (
    "population,think_time [s],throughput [1/s],response_time [ms],utilization:cpu [%],"
    "servers:cpu,volume:nvme0n1 [MB/s],volume:eth0 [MB/s]"
)


def rows():
    """One row a run."""
    random = np.random.default_rng(SEED)
    for users in USERS:
        network = qm.Network(
            [qm.QueueingStation("cpu", servers=CORES), qm.DelayStation("elsewhere")],
            [qm.ClosedClass("users", users, think_time=THINK_TIME)],
            [[CPU, DELAY]],
        )
        found = qm.solve(network)
        throughput, time = found.throughputs[0], found.response_times[0]
        numbers = (
            throughput,
            time * 1e3,
            throughput * CPU / CORES * 100,
            throughput * DISK_VOLUME,
            throughput * LAN_VOLUME,
        )
        x, r, u, disk, lan = (n * random.normal(1.0, NOISE) for n in numbers)
        u = min(u, 100.0)
        yield f"{users},{THINK_TIME:g},{x:.2f},{r:.1f},{u:.1f},{CORES},{disk:.2f},{lan:.2f}"


def text():
    """The whole file."""
    return HEAD + "\n".join((COLUMNS, *rows())) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
    sys.stdout.write(f"wrote {TARGET.relative_to(ROOT)}\n")
