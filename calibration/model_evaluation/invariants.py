"""What no answer of a service model may break, whichever way it was found.

`qmodel.solve`, `curve` and `sweep` check their own answers. The quick ways of this folder do not
build a network, so what they say is held here to the same laws: Little's law for the whole
system, nobody quicker than service alone allows, no station busier than it can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from qmodel.errors import InternalError
from qmodel.provenance import note_method

#: Relative room for rounding, as `qmodel.solvers.invariants.EXACT`.
EXACT = 1e-9


def check_answer(
    method: str,
    population: int,
    think_time: float,
    least: float,
    most: float,
    throughput: float,
    response_time: float,
) -> None:
    """Raise `InternalError` if the answer of one class breaks a law.

    Parameters
    ----------
    method : str
        How it was found, for the message and the provenance.
    population : int
        Customers.
    think_time : float
        Time outside. [s]
    least : float
        Response time of a customer who is alone. [s]
    most : float
        Throughput of the slowest station when it is never idle. [1/s]
    throughput, response_time : float
        The answer. [1/s], [s]

    Raises
    ------
    OverflowError
        If floats cannot hold the answer: parameters of a search may go anywhere.
    qmodel.InternalError
        If it breaks a law.

    Examples
    --------
    >>> check_answer("mva", 2, 1.0, 0.5, 2.0, 1.2, 2.0 / 1.2 - 1.0)
    >>> check_answer("mva", 2, 1.0, 0.5, 2.0, 1.3, 0.2)
    Traceback (most recent call last):
        ...
    qmodel.errors.InternalError: mva: response time 0.2 is below the 0.5 of a customer alone; \
please report it
    """
    if not (isfinite(throughput) and isfinite(response_time)):
        raise OverflowError(f"throughput {throughput!r}, response time {response_time!r}")
    present = throughput * (response_time + think_time)
    if response_time < least * (1.0 - EXACT) - EXACT * think_time:
        problem = f"response time {response_time!r} is below the {least!r} of a customer alone"
    elif throughput > most * (1.0 + EXACT):
        problem = f"throughput {throughput!r} is beyond {most!r}, the most there can be"
    elif abs(present - population) > EXACT * population:
        problem = f"{population} customers, the answer has {present!r}"
    else:
        note_method(method)
        return
    raise InternalError(f"{method}: {problem}; please report it")


def limits(delay: float, demands: Sequence[float], servers: Sequence[float]) -> tuple[float, float]:
    """Response time of a customer who is alone, and the most throughput. [s], [1/s]

    Examples
    --------
    >>> limits(1.0, [0.5, 0.2], [2, 1])
    (1.7, 4.0)
    """
    alone, most = delay, float("inf")
    for demand, count in zip(demands, servers, strict=True):
        alone += demand
        if demand:
            most = min(most, count / demand)
    return alone, most
