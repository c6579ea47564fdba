"""Percentiles of response times and of times at stations, from a solution.

`percentiles` and `late_shares` are the doors, `response_time` is what they ask. `route` says how a
class passes the network, `station_passage`, `processor_sharing` and `ctmc_station` how it passes a
station, `arrival_states` what it finds there (arrival theorem), and `assumptions` what they assume.
`tagged_class` follows a tagged customer through the whole network instead, where that takes some
hundredths of a second or is asked for. `limited_region` adds the wait for a place where a limit
keeps customers outside. Laplace-Stieltjes transforms become percentiles in
`qmodel.numerics.laplace`.

Exact, to about 8 digits, where the stations have exponential service, first come first served, and
are passed in turn: single servers, several at the first and the last, one or several classes
(overtake-free paths [1]). So is one closed class alone with exponential service, whatever the
stations (several servers, sharing, delays) and its routing, where the states of a tagged customer
are few enough: about 40 customers at two stations, 12 at three, and 20 where ``exact`` asks. Then,
where there are more, the rarest are left out until the rest is affordable: the errors of
``percentiles`` below are with ``exact``, but on ``percentiles-random``, those of ``alike`` without.

A station without a discipline shares its servers, see `qmodel.model.stations.QueueingStation`;
service there is taken as exponential.

Where closed classes have other service times at stations first come, first served, the state on
arrival, phases of service included, is that of the station's own chain, by Marie's method. The
times at different stations are taken as independent given the state on arrival, and of the cycles
about a central server some in turn find the same state (``alike`` below: the error of that where a
tagged customer was affordable). No family measures such cycles with service of another SCV.

Accuracy of ``percentiles`` on ``percentiles-central-fresh``: p95 median 0.28 %, worst 0.63 %.

All families: handbook, accuracy. In ``open-sharing`` stations share their servers. Where classes
part and meet again (``-parting``) their flows are taken as independent. By ``qna``, for networks
that have too many phases for ``mmap``, errors are larger: it knows flows by two moments only.

References
----------
.. [1] H. Daduna, "Passage times for overtake-free paths in Gordon-Newell networks," Advances in
   Applied Probability 14(3), 1982, pp. 672-686.
"""

from collections.abc import Iterable, Sequence

from qmodel.errors import InvalidInput, NotApplicable
from qmodel.model.network import Network
from qmodel.model.solution import Row, Solution, index_of
from qmodel.response_times.assumptions import keeps_outside, orders, refusal
from qmodel.response_times.layered_users import Stretch, stretched, stretches
from qmodel.response_times.limited_region import LimitedResponse, limited_responses
from qmodel.response_times.percentile_table import Percentiles
from qmodel.response_times.response_time import ResponseTime
from qmodel.response_times.route import station_times
from qmodel.single_station.arguments import entries, positive
from qmodel.single_station.arguments import shares as checked_shares
from qmodel.solvers.layered.solution import LayeredSolution

__all__ = ["Percentiles", "late_shares", "percentiles"]

#: Asked for without saying which.
USUAL = (0.5, 0.9, 0.95, 0.99)


def percentiles(
    solution: Solution | LayeredSolution, shares: float | Iterable[float] = USUAL, *,
    classes: Iterable[str] | None = None, visits: bool = True, exact: bool = False,
) -> Percentiles:  # fmt: skip
    """Percentiles of the response times and of single visits, class by class.

    Parameters
    ----------
    solution : Solution or LayeredSolution
        A solved network, or layered model: of that the users, without visits.
    shares : float or sequence of float
        Each 0 <= p < 1; 0.95 asks for the time within which 95 % of the customers are done. [1]
    classes : sequence of str, optional
        Those that are asked about; the others get zeros, and so do closed classes of population
        0, whose response time is 0 in a solution as well.
    visits : bool
        Whether times of single visits are wanted, else zeros: a third of the work.
    exact : bool
        Whether a tagged customer may take a second to be followed, of a class that is alone; else
        it is followed where that takes some hundredths.

    Raises
    ------
    InvalidInput
        If this is no solution, or a share is out of range.
    NotApplicable
        If the distributions at a station are not known; the text names it.

    Examples
    --------
    >>> from qmodel import Network, OpenClass, QueueingStation, solve
    >>> disk = QueueingStation("disk", discipline="fcfs")
    >>> network = Network([disk], [OpenClass("reads", 0.5)], [1.0])
    >>> percentiles(solve(network), [0.95])["reads"]  # exponential with mean 2 s
    {0.95: 5.991464...}
    """
    asked = checked_shares(shares)
    if isinstance(solution, LayeredSolution):
        factors, seen = _layered(solution, classes)
        return stretched(solution.seen.solution.network, asked, factors, seen)
    _expect_solution(solution)
    network = solution.network
    names = network.class_names
    times = response_times(solution, classes, exact=exact)
    nothing = (0.0,) * len(asked)
    responses, sojourns, texts = [], [], []
    for c, (row, times_at) in enumerate(zip(network.demand, solution.residence_times, strict=True)):
        one = times.get(c)
        responses.append(one.percentiles(asked) if one else nothing)
        sojourns.append(
            tuple(
                one.visit(k, asked, d) if one and visits and (d or times_at[k]) else nothing
                for k, d in enumerate(row)
            )
        )
        empty = getattr(network.classes[c], "population", 1) == 0
        texts.append(one.assumption if one else "no customers" if empty else "left out")
    found = tuple(c in times and times[c].exact for c in range(len(names)))
    return Percentiles(network, asked, tuple(responses), tuple(sojourns), tuple(texts), found)


def late_shares(
    solution: Solution | LayeredSolution, times: float | Iterable[float], *,
    classes: Iterable[str] | None = None, exact: bool = False,
) -> dict[str, dict[float, float]]:  # fmt: skip
    """Shares of the customers whose response time is beyond a time, class by class. [1]

    Parameters
    ----------
    solution : Solution or LayeredSolution
        A solved network, or layered model.
    times : float or sequence of float
        Each > 0. [s]
    classes : sequence of str, optional
        Those that are asked about; all if not given. In a class of population 0 none is late.
    exact : bool
        As of `percentiles`, which refuses the same.

    Raises
    ------
    InvalidInput
        If this is no solution, a time is none, or a class is not there.
    NotApplicable
        If the distributions at a station are not known.

    Examples
    --------
    >>> from qmodel import Network, OpenClass, QueueingStation, solve
    >>> disk = QueueingStation("disk", discipline="fcfs")
    >>> network = Network([disk], [OpenClass("reads", 0.5)], [1.0])
    >>> late_shares(solve(network), 2.0)  # exponential with mean 2 s
    {'reads': {2.0: 0.367879...}}
    """
    given = (times,) if isinstance(times, int | float) else entries(times, "times")
    asked = [positive(time, "time", "s") for time in given]
    classes = None if classes is None else tuple(classes)
    if isinstance(solution, LayeredSolution):
        factors, seen = _layered(solution, classes)
        network, shares = solution.seen.solution.network, dict[int, Row]()
        for c, each in seen.items():
            shares[c] = each.late_shares([*map(factors[c].seen, asked)])
    else:
        _expect_solution(solution)
        network = solution.network
        found = response_times(solution, classes, exact=exact)
        shares = {c: each.late_shares(asked) for c, each in found.items()}
    none = (0.0,) * len(asked)
    return {
        network.class_names[c]: dict(zip(asked, shares.get(c, none), strict=True))
        for c in _wanted(network, classes)
    }


def _wanted(network: Network, classes: Iterable[str] | None) -> list[int]:
    """Positions of the classes that are asked about."""
    names = network.class_names
    return [index_of(names, name, "class") for name in (names if classes is None else classes)]


def _expect_solution(value: object) -> None:
    if not isinstance(value, Solution):
        raise InvalidInput(f"{value!r} is not a solution, expected what qmodel.solve returns")


def _layered(
    solution: LayeredSolution, classes: Iterable[str] | None
) -> tuple[tuple[Stretch, ...], dict[int, ResponseTime | LimitedResponse]]:
    """Response times of users in the network that they see, and what becomes of them."""
    times = response_times(solution.seen.solution, classes, fixed=solution.seen.fixed)
    return stretches(solution), times


def response_times(
    solution: Solution, classes: Iterable[str] | None, *, exact: bool = False,
    fixed: Sequence[bool] | None = None,
) -> dict[int, ResponseTime | LimitedResponse]:  # fmt: skip
    """The response time of each of some classes with customers, of all by default, by positions.

    Raises `NotApplicable` if the distributions at a station are not known.
    """
    network = solution.network
    wanted = [
        c for c in _wanted(network, classes) if getattr(network.classes[c], "population", 1) > 0
    ]
    if reason := refusal(network):
        raise NotApplicable(f"percentiles: {reason}")
    if keeps_outside(network):
        return {**limited_responses(solution, wanted, exact=exact)}
    served, known = orders(network), station_times(solution)
    always = fixed or [False] * len(network.classes)
    return {
        c: ResponseTime.of(solution, c, served, known, exact=exact, fixed=always[c]) for c in wanted
    }
