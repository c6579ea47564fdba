"""Domino 4.6a on Windows NT: port encryption, the buffer pool, and rebuilding views.

The measurements stand in sidebars that are not part of the stored article; its text has one range
for the cost of encryption, one factor for rebuilding views, and limits.

Taken over
    The surcharge of port encryption, the middle of its range.
Held out
    The time of two view rebuilds against one.
Not identifiable
    What a user asks of the server: only an upper bound follows from the text.
"""

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
            load_table(_MEMORY).value("memory_per_user"),
            "bytes",
            load_table(_MEMORY).cite("memory_per_user"),
        ),
    )
