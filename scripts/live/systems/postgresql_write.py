"""PostgreSQL with transactions that write, wait for the disk and for each other's rows."""

from __future__ import annotations

from random import Random

from scripts.live.protocols.postgresql import query
from scripts.live.system import LiveSystem, Variant
from scripts.live.systems.postgresql_read import PROGRAMS, ROWS, database

#: Rows that a transaction sums: any number between these as likely as another.
FEWEST, MOST = 2_000, 6_000


def request(random: Random) -> bytes:
    """A transaction: it reads some rows, changes one, notes it, and counts it in one of twenty."""
    count = random.randint(FEWEST, MOST)
    first, item = random.randint(1, ROWS - count), random.randint(1, ROWS)
    return query(
        f"SELECT sum(value) FROM items WHERE id BETWEEN {first} AND {first + count};"
        f"UPDATE items SET value = value + 1 WHERE id = {item};"
        f"INSERT INTO history VALUES ({item}, 1, now());"
        f"UPDATE counters SET value = value + 1 WHERE id = {random.randint(1, 20)}"
    )


SYSTEM = LiveSystem(
    title="PostgreSQL, reading and writing",
    programs=PROGRAMS,
    workload=(
        f"a transaction that sums {FEWEST} to {MOST} rows, changes one, adds one, changes one of "
        "twenty counters, and is on the disk when it ends"
    ),
    protocol="postgresql",
    start=lambda place: database(
        place, "fsync=on", "synchronous_commit=on", "max_wal_size=8GB", "checkpoint_timeout=1h"
    ),
    request=request,
    variants=(
        Variant("one core", "one core"),
        Variant(
            "two cores", "two cores, of which the clients use a part", cores=2,
            change={"servers:cpu": 2},
        ),
    ),
    version=("postgres", "--version"),
)  # fmt: skip
