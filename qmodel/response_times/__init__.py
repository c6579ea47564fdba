"""Percentiles of response times and of times at stations, from a solution.

``Solution.percentiles`` is the door. `path` says how a class passes the network, `stage`,
`sharing` and `isolated` how it passes a station, `tandem` how it follows those ahead, `states` what
it may find, `inversion` how a Laplace transform becomes a percentile, and `words` what all that
assumes. `followed` follows a customer through the whole network instead, and `bursts` tells how
much alike the times at the stations of an open network are.

Exact, to about 8 digits, where the stations have exponential service, first come first served, and
are passed in turn: single servers, several at the first and the last, one or several classes. So is
one closed class alone with exponential service, whatever the stations (several servers, sharing,
delays) and however it goes round, where few enough states are ever found: about 40 customers at two
stations, 12 at three. Where there are more, states are left out until the rest is affordable.

Where closed classes have other service times at stations first come, first served, what is found
there, and in which phase of service, is that of the station's own chain, as ``isolation`` solves
it; one class that passes single servers in turn is followed together with those ahead of it, so
that its times at the stations depend on each other as they do in the network. Elsewhere the times
at different stations are taken as independent given what is found on arrival, and of the rounds
about a central server some in turn find the same (``alike`` below: what that is off by where one
customer could be followed). No family measures rounds with service of another SCV.

Accuracy of ``percentiles`` on ``percentiles-tagged``: p95 median 0.0 %, worst 0.0 %.
Accuracy of ``percentiles`` on ``percentiles-tagged``: p99 median 0.0 %, worst 0.0 %.
Accuracy of ``percentiles`` on ``percentiles-central``: p95 median 0.41 %, worst 1.8 %.
Accuracy of ``percentiles`` on ``percentiles-central``: p99 median 0.28 %, worst 1.6 %.
Accuracy of ``percentiles`` on ``percentiles-central-fresh``: p95 median 0.28 %, worst 0.63 %.
Accuracy of ``percentiles`` on ``percentiles-central-fresh``: p99 median 0.29 %, worst 0.69 %.
Accuracy of ``alike`` on ``percentiles-tagged``: p99 median 0.0 %, worst 2.5 %.
Accuracy of ``alike`` on ``percentiles-central``: p95 median 1.6 %, worst 4.5 %.
Accuracy of ``alike`` on ``percentiles-central``: p99 median 0.79 %, worst 2.7 %.
Accuracy of ``alike`` on ``percentiles-central-fresh``: p95 median 2.3 %, worst 3.2 %.
Accuracy of ``alike`` on ``percentiles-central-fresh``: p99 median 1.1 %, worst 4.2 %.
Accuracy of ``percentiles`` on ``percentiles-simulated``: p95 median 0.63 %, worst 1.9 %.
Accuracy of ``percentiles`` on ``percentiles-simulated``: p99 median 0.57 %, worst 2.5 %.
Accuracy of ``percentiles`` on ``percentiles-simulated-fresh``: p95 median 0.63 %, worst 4.9 %.
Accuracy of ``percentiles`` on ``percentiles-simulated-fresh``: p99 median 0.96 %, worst 4.9 %.
Accuracy of ``marked_flows`` on ``open-ggm-held-out``: p95 median 0.33 %, worst 2 %.
Accuracy of ``marked_flows`` on ``open-ggm-held-out``: p99 median 0.47 %, worst 3.9 %.
Accuracy of ``marked_flows`` on ``open-ggm-unlike-again``: p95 median 0.52 %, worst 1.3 %.
Accuracy of ``marked_flows`` on ``open-ggm-unlike-again``: p99 median 0.62 %, worst 1.8 %.
Accuracy of ``marked_flows`` on ``open-ggm-again``: p99 median 0.4 %, worst 4.3 %.
Accuracy of ``marked_flows`` on ``open-ggm-parting``: p95 median 1.3 %, worst 10 %.
Accuracy of ``marked_flows`` on ``open-ggm-parting``: p99 median 1.6 %, worst 9.8 %.
Accuracy of ``marked_flows`` on ``open-ggm-wide``: p95 median 1.1 %, worst 3 %.
Accuracy of ``marked_flows`` on ``open-ggm-wide``: p99 median 1.1 %, worst 3.3 %.
Accuracy of ``qna`` on ``open-ggm-held-out``: p95 median 3.7 %, worst 22 %.

Accuracy of ``marked_flows`` on ``open-ggm-constant-held-out``: p95 median 0.89 %, worst 2.8 %.

Where classes part and meet again (``-parting``, ``-wide``, at up to seven stations) they are taken
as independent. By ``qna``, for networks that have too many phases for ``marked_flows``, errors are
larger: it knows flows by two moments only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from qmodel.errors import InvalidInput, InvalidNetwork, NotApplicable
from qmodel.model.validation import sequence
from qmodel.response_times.record import Percentiles
from qmodel.single_station.door import share as checked_share

if TYPE_CHECKING:
    from qmodel.model.solution import Solution
    from qmodel.numerics.service_time import Complex
    from qmodel.response_times.path import Path
    from qmodel.response_times.record import Row

__all__ = ["Percentiles", "percentiles"]

#: Asked for without saying which.
USUAL = (0.5, 0.9, 0.95, 0.99)


def percentiles(solution: Solution, shares: Iterable[float] = USUAL) -> Percentiles:
    """Percentiles of the response times and of single visits, class by class.

    Parameters
    ----------
    solution : Solution
        A solved network.
    shares : sequence of float
        Each 0 <= p < 1; 0.95 asks for the time within which 95 % of the customers are done. [1]

    Raises
    ------
    InvalidInput
        If a share is out of range.
    NotApplicable
        If a station is of a kind whose distributions are not known here; the text names it.

    Examples
    --------
    >>> from qmodel import Network, OpenClass, QueueingStation, solve
    >>> network = Network([QueueingStation("disk")], [OpenClass("reads", 0.5)], [1.0])
    >>> percentiles(solve(network), [0.95])["reads"]  # exponential with mean 2 s
    {0.95: 5.991464...}
    """
    from qmodel.response_times.assumptions import assumption, is_exact
    from qmodel.response_times.path import path
    from qmodel.response_times.service_order import orders, refusal
    from qmodel.response_times.sojourn_correlation import stretched
    from qmodel.response_times.tagged_class import followed

    asked = _checked(shares)
    network = solution.network
    reason = refusal(network)
    if reason is not None:
        raise NotApplicable(f"percentiles: {reason}")
    served = orders(network)
    responses, visits, texts, exact = [], [], [], []
    for c, row in enumerate(network.demand):
        way = path(solution, c, served)
        known = is_exact(solution, c, way, served)
        one = None if known else followed(solution, c, served)
        if one is not None:
            responses.append(one.percentiles(asked))
        else:
            times = _response(way, asked, max(solution.response_times[c], sum(row)))
            in_turn = way.rounds == 1.0 and len(way.last) > 1 and not known
            if solution.method == "marked_flows" and in_turn:
                times = stretched(solution, c, way, times)
            responses.append(times)
        visits.append(tuple(_visit(way, k, asked, demand) for k, demand in enumerate(row)))
        exact.append(known if one is None else one.exact)
        texts.append(assumption(solution, c, way, served, known if one is None else one))
    return Percentiles(network, asked, tuple(responses), tuple(visits), tuple(texts), tuple(exact))


def _response(way: Path, shares: Row, scale: float) -> Row:
    from qmodel.numerics.laplace import quantiles

    if not way.last:
        return (0.0,) * len(shares)
    response: Callable[[Complex], Complex] = way.response
    if way.rounds == 1.0 and len(way.last) == 1 and way.last[0][1] == 1.0:
        response = way.sojourn(way.last[0][0])  # the same in less time
    return tuple(way.shift + time for time in quantiles(response, shares, scale, way.terms))


def _visit(way: Path, k: int, shares: Row, demand: float) -> Row:
    from qmodel.numerics.laplace import quantiles

    if not demand:
        return (0.0,) * len(shares)
    waits = quantiles(way.sojourn(k), shares, demand, way.terms)
    return tuple(way.constant[k] + time for time in waits)


def _checked(shares: Iterable[float]) -> tuple[float, ...]:
    try:
        given = sequence(shares, "shares of percentiles")
    except InvalidNetwork as error:
        raise InvalidInput(str(error)) from None
    if not given:
        raise InvalidInput("no percentile asked for; expected shares such as 0.95")
    return tuple(checked_share(value) for value in given)
