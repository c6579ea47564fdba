"""Servers of two sizes: what their processors alone would say; see THEORY.md."""

from calibration.agreements.system import Model

#: Processors of the servers, as printed.
FEWEST, MOST = 1, 4


def models() -> tuple[Model, ...]:
    """Nothing is fitted."""
    return (
        Model(
            "processors",
            "users are proportional to processors: at least one in the smaller server, at most "
            "four in the larger",
        ),
    )
