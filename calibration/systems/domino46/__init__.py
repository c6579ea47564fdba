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

from calibration.agreements.comparison import Comparison
from calibration.agreements.system import Figure, System, limits
from calibration.printed_tables.table import load_table
from calibration.systems.domino46 import encryption, view_rebuild
from calibration.systems.domino46.workload import members, processors, reference

_CLAIMS = "domino46/encryption_claims"
_MEMORY = "domino46/buffer_pool_claims"


def system() -> System:
    """Read the system; nothing is fitted."""
    article = load_table(_CLAIMS)
    share = encryption.surcharge()
    return System(
        name="domino46",
        title="Lotus Domino 4.6a on Windows NT, 1997",
        source=article.source.cite(),
        models=encryption.models(),
        compare=_compare,
        **limits("domino46"),
        checks=(
            f"a surcharge of {100 * share.high:.0f} % on the processor demand raises utilization "
            f"by {100 * encryption.rise(1000, share.high):.1f} % with 1,000 users: loads below "
            "60 % hardly tell",
            f"one of {100 * share.mid:.1f} % lengthens the time at the processors by "
            f"{100 * encryption.response_rise(500, share.mid):.0f} % with 500 users and by at most "
            f"{100 * encryption.response_rise(1000, share.mid):.0f} % with 1,000: the article "
            "found an incremental impact on response time",
            _pool_check(),
        ),
        reference=reference(),
        members=members(),
        processors=processors(),
        memory_per_user=Figure(
            load_table(_MEMORY).value("memory_per_user"),
            "bytes",
            load_table(_MEMORY).cite("memory_per_user"),
        ),
    )


def _pool_check() -> str:
    """What the two pools leave for users at the article's memory for each."""
    settings = load_table("domino46/buffer_pool_settings")
    memory, quarter, half = (
        settings.value("small", column) for column in ("memory", "quarter", "half")
    )
    each = load_table(_MEMORY).value("memory_per_user")
    few, more = ((memory - pool) / each for pool in (half, quarter))
    return (
        f"with 1 MB for each user a pool of half of {memory / each:.0f} MB leaves memory for "
        f"{few:.0f} users, one of a quarter for {more:.0f}: a larger pool takes memory that all "
        "tested loads from 100 users on needed, and the article found no gain from it"
    )


def _compare() -> tuple[Comparison, ...]:
    return (*encryption.compare(), *view_rebuild.compare())
