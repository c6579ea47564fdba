"""For all tests: linear algebra in one thread, bytecode that is kept, and little to collect.

Chains of a few hundred states gain nothing by more threads, and the workers of pytest-xdist would
take one another's processors. Set before anything imports numpy; commands run by tests inherit it.

Where the environment wants no bytecode beside the sources, it is kept with the cache of pytest:
else each worker, and each command in a process of its own, compiles everything again.

Workers hash by one seed, another one in each run, so that one knows what another has remembered.

Modules and thousands of tests are never garbage: they are made without looking for any, and left
out of every later search, which would otherwise take a tenth of the time. No schema here has a
format that jsonschema would build the grammar of all addresses for, as it does where it can.
"""

import gc
import os
import sys
from functools import cache
from pathlib import Path

import pytest
import typer.main

gc.disable()
sys.modules["rfc3987_syntax"] = None
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("PYTHONHASHSEED", str(os.getpid()))

ROOT = Path(__file__).parents[1]
if sys.dont_write_bytecode and sys.pycache_prefix is None and (ROOT / ".git").exists():
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(ROOT / ".pytest_cache" / "bytecode")
    os.environ["PYTHONDONTWRITEBYTECODE"] = ""
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix


def pytest_collection_finish():
    """What there is now stays to the end; the command with its options is put together once."""
    typer.main.get_command = cache(typer.main.get_command)
    gc.freeze()
    gc.enable()


@pytest.fixture
def written(tmp_path):
    """Write a file in the test's own folder, and say where it is."""

    def written(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written
