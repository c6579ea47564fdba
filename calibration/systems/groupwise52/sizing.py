"""Servers of two sizes: what their processors alone would say.

The paper prints one to four processors for both servers together, no load and no utilization. All
that a model can say of two servers with the same processors is that they differ by one to four
times; the agreement of its middle with the paper is no evidence.
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
