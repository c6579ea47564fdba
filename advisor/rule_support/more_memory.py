"""An option that several rules share: more memory, in a size that can be bought."""

from __future__ import annotations

from math import inf

from advisor.configuration.changes import Change
from advisor.findings.records import Option
from advisor.findings.words import MIB, memory_size
from qmodel.errors import InvalidInput


def next_size(need: float) -> float:
    """The smallest size of memory that can be bought and is enough. [bytes]

    Modules double from one size to the next; of one size, or of two that follow each other, two
    make 2, 3, 4, 6, 8, 12, 16 ... MB.

    Parameters
    ----------
    need : float
        [bytes]

    Examples
    --------
    >>> [next_size(need * MIB) / MIB for need in (1, 64, 65, 111.6, 800)]
    [1.0, 64.0, 96.0, 128.0, 1024.0]

    Raises
    ------
    qmodel.InvalidInput
        If the need is not a positive, finite number.
    """
    if not 0.0 < need < inf:
        raise InvalidInput(f"memory needed is {need}, expected a positive finite number [bytes]")
    size = MIB
    while size < need:
        size = size * 1.5 if 1.5 * size >= need and size > MIB else size * 2.0
    return size


def more_memory(
    need: float,
    source: str,
    *,
    valid: str,
    benefit: str = "",
    side_effects: tuple[str, ...] = (),
) -> Option:
    """The next size of memory that is enough, with the need in its title.

    Parameters
    ----------
    need : float
        [bytes]
    source : str
        What speaks for it.
    valid, benefit, side_effects
        As of `Option`.
    """
    size = next_size(need)
    # Where the need is such a size itself it is not said twice.
    why = "" if memory_size(size) == memory_size(need) else f"; {memory_size(need)} are needed"
    return Option(
        Change(
            f"install {memory_size(size)}{why}",
            ((("server", "memory"), f"{size / MIB:.0f} MB"),),
        ),
        sources=(source,),
        effort="part",
        side_effects=side_effects,
        valid=valid,
        benefit=benefit,
    )
