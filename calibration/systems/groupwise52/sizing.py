"""Servers of two sizes: what their processors alone would say.

Theory and sources: `calibration/THEORY.md`, systems/groupwise52/sizing.
"""

from calibration.agreements.system import Model

#: Processors of the servers, as printed.
FEWEST, MOST = 1, 4


def models() -> tuple[Model, ...]:
    """Nothing is fitted."""
    return (
        Model(
            "processors",
            "users in proportion to processors, of which the smaller server has at least one and "
            "the larger at most four",
        ),
    )
