"""MariaDB whose table is larger than its buffer pool; then the pool is half as large."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pwd import getpwuid
from random import Random

from scripts.live.protocols.mariadb import query
from scripts.live.serving import own, run, serving
from scripts.live.system import LiveSystem, Place, Variant

#: Rows of the table, some 250 bytes each; rows that an interaction reads.
ROWS, READ = 600_000, 12

TABLES = f"""
CREATE DATABASE bench; USE bench;
CREATE TABLE bench.items (id INT PRIMARY KEY, filler CHAR(220)) ENGINE=InnoDB CHARSET=latin1;
INSERT INTO bench.items SELECT seq, REPEAT(CHAR(97 + seq % 26), 220) FROM seq_1_to_{ROWS};
"""


@contextmanager
def server(place: Place) -> Iterator[str]:
    """A server of its own, its files past the cache of the operating system."""
    user, data, socket = own(place.folder), place.folder / "data", place.folder / "socket"
    run([
        place.programs["mariadb-install-db"], "--no-defaults", f"--datadir={data}",
        "--auth-root-authentication-method=normal", "--skip-test-db",
        *([f"--user={getpwuid(user).pw_name}"] if user is not None else []),
    ])  # fmt: skip
    command = [
        place.programs["mariadbd"], "--no-defaults", f"--datadir={data}", f"--socket={socket}",
        "--skip-networking", "--skip-log-bin", "--max-connections=250",
        f"--innodb-buffer-pool-size={place.variant.settings['pool']}M",
        "--innodb-flush-method=O_DIRECT", "--innodb-flush-log-at-trx-commit=0",
        "--innodb-buffer-pool-load-at-startup=OFF", "--innodb-buffer-pool-dump-at-shutdown=OFF",
        "--thread-cache-size=250",
    ]  # fmt: skip
    with serving(place, command, str(socket)) as address:
        subprocess.run(
            [place.programs["mariadb"], "--no-defaults", f"--socket={socket}", "-u", "root"],
            input=TABLES, text=True, check=True, timeout=180,
        )  # fmt: skip
        yield address


def request(random: Random) -> bytes:
    """Some rows anywhere in the table."""
    rows = ",".join(str(random.randint(1, ROWS)) for _ in range(READ))
    return query(f"SELECT SUM(LENGTH(filler)) FROM bench.items WHERE id IN ({rows})")


SYSTEM = LiveSystem(
    title="MariaDB with more data than buffers",
    programs={
        "mariadbd": "mariadb-server", "mariadb-install-db": "mariadb-server",
        "mariadb": "mariadb-client",
    },
    workload=f"{READ} rows by key, anywhere in a table of {ROWS} rows of 250 bytes",
    protocol="mariadb",
    start=server,
    request=request,
    variants=(
        Variant("96 MB of buffers", "a buffer pool of 96 MB", settings={"pool": 96}),
        Variant("48 MB of buffers", "half the buffer pool", settings={"pool": 48}),
    ),
    version=("mariadbd", "--version"),
)  # fmt: skip
