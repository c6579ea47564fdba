"""PostgreSQL that sums rows of a table in its buffers: two cores, then one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from scripts.live.database import DATABASE, running
from scripts.live.programs import unprivileged
from scripts.live.protocols.postgresql import query
from scripts.live.serving import own, run
from scripts.live.system import LiveSystem, Place, Variant

PROGRAMS = {
    "initdb": "postgresql", "postgres": "postgresql", "psql": "postgresql", "timeout": "coreutils",
}  # fmt: skip
SETTINGS = ("shared_buffers=256MB", "max_connections=250")
#: Rows of the table, and of a sum: any number between these as likely as another.
ROWS, FEWEST, MOST = 300_000, 10_000, 20_000

TABLES = f"""
CREATE TABLE items (id int PRIMARY KEY, value int, filler char(84)) WITH (fillfactor = 80);
INSERT INTO items SELECT n, n % 1000, 'x' FROM generate_series(1, {ROWS}) n;
CREATE TABLE counters (id int PRIMARY KEY, value int) WITH (fillfactor = 10);
INSERT INTO counters SELECT n, 0 FROM generate_series(1, 20) n;
CREATE TABLE history (item int, change int, at timestamp);
VACUUM ANALYZE;
SELECT count(filler) FROM items;
"""


@contextmanager
def database(place: Place, *settings: str) -> Iterator[str]:
    """A server with the tables; clients connect to its socket."""
    user = own(place.folder)
    with running(
        place.programs, place.folder, unprivileged(), 7200, (*SETTINGS, *settings),
        lambda command: place.group.command(command, user),
    ) as made:  # fmt: skip
        script = [part for each in TABLES.strip().split(";\n") for part in ("-c", each)]
        run([place.programs["psql"], *made.connection, "-q", "-d", DATABASE, *script])
        yield str(made.folder / ".s.PGSQL.5432")


def request(random: Random) -> bytes:
    """A sum over neighbouring rows."""
    count = random.randint(FEWEST, MOST)
    first = random.randint(1, ROWS - count)
    return query(
        f"SELECT count(filler), sum(value) FROM items WHERE id BETWEEN {first} AND {first + count}"
    )


SYSTEM = LiveSystem(
    title="PostgreSQL, reading from its buffers",
    programs=PROGRAMS,
    workload=f"a sum over {FEWEST} to {MOST} neighbouring rows of {ROWS}, all of them in buffers",
    protocol="postgresql",
    start=database,
    request=request,
    variants=(
        Variant("two cores", "two cores, of which the clients use a part", cores=2),
        Variant("one core", "one core instead of two", change={"servers:cpu": 1}),
    ),
    version=("postgres", "--version"),
)
