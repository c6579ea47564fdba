"""The prediction at several numbers of users: how a server answers as they grow in number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf

from advisor.configuration.configuration import Configuration
from advisor.predicting.hardware import hardware_of
from advisor.predicting.highest_load import at_load
from advisor.predicting.outlook import Outlook
from advisor.predicting.prediction import outlook, predict, predict_with
from advisor.predicting.saturation import Knee, knee, saturation
from advisor.predicting.solving import solve_network, solve_together
from advisor.predicting.workload import network_of, peak_sets, ways_of
from calibration.model_evaluation.effort import LATTICE, left_to
from calibration.predicting.saturation import Saturation
from qmodel import ClosedClass, Curve, Network, Solution, curve
from qmodel.errors import InvalidInput

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class LoadCurve:
    """What a server does at several numbers of users, or rates."""

    #: One for each load, the lowest first, at the worst hour of the peak.
    outlooks: tuple[Outlook, ...]
    #: Where throughput over response time is largest; None where nothing limits it.
    knee: Knee | None
    #: Where the server saturates; None where nothing limits it.
    saturation: Saturation | None


def predict_users(
    configuration: Configuration, counts: Sequence[int], progress: Progress | None = None,
    searching: Progress | None = None, *, shares: tuple[float, ...] = (),
) -> LoadCurve:  # fmt: skip
    """Predict a configuration at several numbers of users.

    Parameters
    ----------
    configuration : Configuration
        The server and its batch tasks; its own number of users is not looked at.
    counts : sequence of int
        Numbers of users, in any order. [customers]
    progress : callable, optional
        Called with how many are done, of how many.
    searching : callable, optional
        The same while the knee is looked for, in each variant of the calibration.
    shares : tuple of float
        Percentiles of the response times, beside those promised. [1]

    Raises
    ------
    qmodel.InvalidInput
        If there is no number of users, one is below 1, or arrivals do not depend on users.
    """
    asked = sorted({_count(each) for each in counts})
    if not asked:
        raise InvalidInput("no number of users is given, expected one or more")
    own = configuration.settings.workload
    if own.arrival_rate is not None and asked != [own.users]:
        raise InvalidInput(
            "workload.arrival_rate says how many requests arrive, however many users there are; "
            "ask for rates with --rate, or give think_time instead"
        )
    solution_of = _Curves(asked) if _one_curve(configuration, asked) else None
    loaded = [configuration.with_users(users) for users in asked]
    return _curve(configuration, loaded, solution_of, progress, searching, shares)


def predict_rates(
    configuration: Configuration, rates: Sequence[float], progress: Progress | None = None,
    searching: Progress | None = None, *, shares: tuple[float, ...] = (),
) -> LoadCurve:  # fmt: skip
    """Predict a configuration at several rates of requests, instead of its users.

    Requests arrive as a Poisson process, whatever the response time; see `predict_users`. [1/s]
    """
    asked = sorted(set(rates))
    if not asked or not all(0.0 < rate < inf for rate in asked):
        raise InvalidInput("rates must be requests per second above 0")
    loaded = [configuration.with_rate(rate) for rate in asked]
    return _curve(loaded[0], loaded, None, progress, searching, shares)


def _curve(
    own: Configuration, loaded: Sequence[Configuration],
    solution_of: Callable[[Network], Solution] | None, progress: Progress | None,
    searching: Progress | None, shares: tuple[float, ...],
) -> LoadCurve:  # fmt: skip
    found = []
    for done, each in enumerate(loaded):
        if progress:
            progress(done, len(loaded))
        if solution_of is None:
            found.append(predict(each, shares=shares))
        else:
            found.append(predict_with(each, solution_of, shares=shares))
    if progress:
        progress(len(loaded), len(loaded))
    outlooks = tuple(each.outlook for each in found)
    return LoadCurve(outlooks, knee(own, searching), saturation(own))


def rates_around(configuration: Configuration) -> tuple[float, ...]:
    """Rates to predict where none are asked for: some around that of the configuration. [1/s]"""
    rate = configuration.settings.workload.arrival_rate or 0.0
    return tuple([rate * part for part in (0.25, 0.5, 1.0, 1.5, 2.0)])


def populations(configuration: Configuration) -> tuple[int, ...]:
    """Numbers of users to predict: some around the configured one."""
    users = configuration.settings.workload.users
    if configuration.settings.workload.arrival_rate is not None:
        return (users,)  # what arrives from outside does not depend on them
    return tuple(sorted({1, max(1, users // 4), max(1, users // 2), users, 2 * users}))


def alone_and_at_peak(
    configuration: Configuration, counts: Sequence[int]
) -> tuple[tuple[Outlook, Outlook], ...]:
    """Outlooks at each number of users: users alone, and at the worst peak hour."""
    return tuple(
        (outlook(changed, batch=False), outlook(changed))
        for changed in (configuration.with_users(n) for n in counts)
    )


def middles(configuration: Configuration, loads: Sequence[int]) -> tuple[Outlook, ...]:
    """Outlooks at some loads as `at_load` has them, by each calibration's own middle alone.

    All are solved in one pass, so that a picture may have many. They end where there is no steady
    state.
    """
    changed = [at_load(configuration, load) for load in loads]
    known: dict[Network, Solution] = {}
    solution_of: Callable[[Network], Solution] = solve_network
    if _one_curve(configuration, loads) and not any(peak_sets(configuration)):
        solution_of = _Curves(sorted(loads))
    else:
        networks = [
            network_of(each, way, running).network
            for each in changed
            for way in ways_of(each)
            if way.axis == 0
            for running in peak_sets(each)
        ]
        known = solve_together(networks, all_or_none=True)
    found: list[Outlook] = []
    for each in changed:
        prediction = predict_with(
            each, solution_of, middle=True, together=lambda _: known, shares=None
        )
        if prediction.unstable:
            break
        found.append(prediction.outlook)
    return tuple(found)


def _count(users: int) -> int:
    if isinstance(users, bool) or users != int(users) or users < 1:
        raise InvalidInput(f"number of users is {users}, expected a whole number >= 1")
    return int(users)


def _one_curve(configuration: Configuration, asked: Sequence[int]) -> bool:
    """Whether the networks at all these users differ in one population and nothing else."""
    settings = configuration.settings
    return (
        len(asked) > 1
        and len(settings.workload.classes) == 1
        and settings.workload.arrival_rate is None
        and hardware_of(configuration).lan.usable_share == 1.0
        and (not settings.server.hyper_threads or not settings.batch)
    )


class _Curves:
    """Solutions of networks whose first class has one of some populations, all in one pass."""

    def __init__(self, counts: Sequence[int]) -> None:
        self.counts = counts
        self.known: dict[Network, Curve] = {}

    def __call__(self, network: Network) -> Solution:
        # One customer is product form however services vary, those of the curve are not.
        if network.scv or network.product_form_violation() is not None or left_to(network):
            return solve_network(network)  # as a prediction at these users alone would be
        first, *others = network.classes
        assert isinstance(first, ClosedClass)
        vectors = 1
        for each in others:
            vectors *= each.population + 1 if isinstance(each, ClosedClass) else 1
        most = LATTICE // vectors - 1
        if first.population > most:
            return solve_network(network)
        key = replace(network, classes=(replace(first, population=0), *others))
        if key not in self.known:
            within = [
                n
                for n in self.counts
                if n <= most
                and not left_to(replace(network, classes=(replace(first, population=n), *others)))
            ]
            self.known[key] = curve(network, within, vary=first.name)
        found = self.known[key]
        return found[found.populations.index(first.population)]
