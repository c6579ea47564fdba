"""The solution of a network over a range of populations, in one pass where there is one."""

from collections.abc import Iterable

from qmodel.analysis.curve.points import curve_points
from qmodel.analysis.curve.solved_curve import Curve
from qmodel.errors import InvalidInput
from qmodel.model.closed_network import at_population
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network, expect_network
from qmodel.model.validation import integer, sequence
from qmodel.solvers import METHODS
from qmodel.solvers.invariants import broken_law, check

__all__ = ["Curve", "curve"]


def curve(
    network: Network, population: Iterable[int], vary: str | None = None, method: str = "auto"
) -> Curve:
    """Solve a network at many populations of one class.

    Parameters
    ----------
    network : Network
        The other classes keep what they have; the population of the class that varies is not
        looked at.
    population : iterable of int
        Populations in any order, repeated or not; each at least 0. [customers]
    vary : str, optional
        Name of the closed class that varies; may be left out where there is one closed class.
    method : str
        As for `solve`. One method solves all populations; beyond product form `solve` may know a
        better one for the smaller of them.

    Returns
    -------
    Curve
        One solution per population, in the order asked for.

    Raises
    ------
    InvalidInput
        If this is no network, no population is given, no closed class is named that way, or there
        is no such method.
    InvalidNetwork
        If a population is not a whole number >= 0.
    NotApplicable, NotConverged, Unstable
        As `solve`, at any of the populations.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation
    >>> from qmodel.analysis.curve import curve
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", population=1, think_time=3.0)], [0.2, 0.1])
    >>> found = curve(network, population=[1, 10, 100])
    >>> [round(x, 3) for (x,) in found.throughputs]
    [0.303, 2.846, 5.0]
    """
    expect_network(network)
    name = _varying(network, vary)
    asked = tuple(
        integer(n, f"population of class {name!r}") for n in sequence(population, "population")
    )
    if not asked:
        raise InvalidInput("curve: no population is given, expected one or more")
    at_population(network, name, min(asked))  # raises where one is negative
    measures, method, reason = curve_points(network, name, asked, method)
    solved = Curve(
        network, name, asked, tuple([measures[n][0] for n in asked]),
        tuple([measures[n][1] for n in asked]), method, reason,
    )  # fmt: skip
    exact = any(m.name == method and m.exact for m in METHODS)
    sizes = list(network.populations)
    at = network.class_names.index(name)
    for i, n in enumerate(asked):
        sizes[at] = n
        if broken_law(network, sizes, solved.throughputs[i], solved.residence_times[i], exact):
            check(solved[i], exact)  # raises, with a reproducer
    # The recursions carry an error upwards: bounds, which cost more, are looked at where it is.
    check(solved[asked.index(max(asked))], exact)
    return solved


def _varying(network: Network, vary: str | None) -> str:
    closed = [c.name for c in network.classes if isinstance(c, ClosedClass)]
    if vary is None and len(closed) == 1:
        return closed[0]
    if vary not in closed:
        what = "a class must be named" if vary is None else f"no closed class {vary!r}"
        raise InvalidInput(f"curve: {what}; there is {', '.join(closed) or 'none'}")
    return vary
