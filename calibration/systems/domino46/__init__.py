"""Domino 4.6a on Windows NT: port encryption, buffer pool, and rebuilding views; see THEORY.md."""

from functools import partial

from calibration.agreements.recorded import recorded
from calibration.agreements.system import Figure, System, limits
from calibration.printed_tables.table import load_table
from calibration.systems.domino46 import encryption
from calibration.systems.domino46.workload import members, processors, reference

_CLAIMS = "domino46/encryption_claims"
_MEMORY = "domino46/buffer_pool_claims"


def system() -> System:
    """Read the system; nothing is fitted."""
    article = load_table(_CLAIMS)
    return System(
        name="domino46",
        title="Lotus Domino 4.6a on Windows NT, 1997",
        source=article.source.cite(),
        models=encryption.models(),
        compare=partial(recorded, "domino46"),
        **limits("domino46"),
        reference=reference(),
        members=members(),
        processors=processors(),
        memory_per_user=Figure(
            load_table(_MEMORY).value("memory_per_user"), "bytes",
            load_table(_MEMORY).cite("memory_per_user"),
        ),
    )  # fmt: skip
