"""The list of methods of solution, and the choice among them."""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

from qmodel.errors import InvalidInput, NotApplicable
from qmodel.model.network import Network, expect_network
from qmodel.model.product_form import two_moments
from qmodel.model.solution import Solution
from qmodel.model.validation import assign, integer, warn_renamed
from qmodel.solvers.invariants import check
from qmodel.solvers.method import Method, Passes, not_analysed
from qmodel.solvers.recorded_accuracy import recorded

#: What computes what methods know of times at stations: a module, and a function of one.
_OPEN, _MARIE = "qmodel.solvers.decomposition.sojourn_times", "qmodel.solvers.marie.marie:of_marie"


_exact, _approximate = (partial(Method.loaded_late, exact=exact) for exact in (True, False))

#: In the order in which ``method="auto"`` asks them: the exact ones first, the quickest of them
#: before the others.
METHODS: tuple[Method, ...] = (
    _exact("mva", "product_form.mva"), _exact("convolution", "product_form.convolution"),
    _exact("multiclass-mva", "product_form.multiclass_mva", work=True),
    _exact("multiclass-convolution", "product_form.multiclass_convolution", work=True),
    _exact("recal", "product_form.recal", work=True), _exact("open", "product_form.open_network"),
    _exact("mixed", "product_form.mixed"),
    _approximate("mmap", "decomposition.mmap", response_times=f"{_OPEN}:of_mmap", slow=True),
    _approximate("qna", "decomposition.qna", response_times=f"{_OPEN}:of_qna"),
    _exact("two-station-blocking", "limits.two_station_blocking"),
    _exact("global-balance", "global_balance.global_balance", work=True, response_times=_MARIE),
    _approximate("nested-fes", "limits.nested", pools=True),
    _approximate("flow-equivalent", "limits.flow_equivalent"),
    _approximate("marie", "marie.marie", response_times=_MARIE, slow=True),
    _approximate("limited-layers", "layered.limited_classes", pools=True),
    _approximate("aggregated-fes", "limits.aggregated_classes"),
    _approximate("extended-amva", "amva.extended_amva", slow=True),
    _approximate("second-differences", "amva.second_differences"),
    _approximate("linearizer", "amva.linearizer", slow=True),
    _approximate("mixed-linearizer", "product_form.mixed", at="APPROXIMATE"),
    _approximate("aql", "amva.aql", slow=True),
    _approximate("bard-schweitzer", "amva.bard_schweitzer"),
)  # fmt: skip

#: Names of methods as they were, accepted for one release, and as they are.
RENAMED = {
    "blocking": "two-station-blocking", "flow_equivalent": "flow-equivalent",
    "global_balance": "global-balance", "isolation": "marie", "lumped": "aggregated-fes",
    "marked_flows": "mmap", "multiclass_convolution": "multiclass-convolution",
    "multiclass_mva": "multiclass-mva", "ordered": "extended-amva",
}  # fmt: skip

#: What becomes of a network that no method takes.
WAY_OUT = "simulate() takes most of what no method does"
#: What becomes of one that the method asked for does not take.
OTHERS = "method='auto' takes one that applies"

#: Methods that are no longer named one by one.
FEW = 3
#: Numbers to compute that are not worth a comparison of methods: some milliseconds.
SOON = 1e6
#: How long a method may take that was not asked for by its name. [s]
PATIENCE, BY_NAME = 20.0, "ask for it by name"


def methods_for(network: Network, *names: str) -> dict[str, str | None]:
    """Each method's name, with None if it applies or else the assumption that fails.

    ``names`` are the methods to ask; all, by default. InvalidInput if there is none of a name.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, methods_for
    >>> network = Network([QueueingStation("cpu", 2)], [ClosedClass("users", 3)], [0.2])
    >>> found = methods_for(network)
    >>> found["convolution"] is None, found["mva"]
    (True, "station 'cpu' has 2 servers")
    """
    expect_network(network)
    wanted = {current_name(name) for name in names}
    if unknown := wanted - {method.name for method in METHODS}:
        raise _unknown(min(unknown))
    asked = [method for method in METHODS if not names or method.name in wanted]
    return {method.name: method.why_not(network) for method in asked}


def solve(
    network: Network, method: str = "auto", *, passes: int | None = None,
    tolerance: float | None = None,
) -> Solution:  # fmt: skip
    """Solve a network in steady state.

    Parameters
    ----------
    network : Network
        What to solve.
    method : str
        "auto": an exact method if one applies and can afford the network, else an approximate
        one. "exact": an exact one or none. Otherwise the name of a method, see `methods_for`.
    passes, tolerance : optional
        Of "linearizer" and "aql": how often all populations are solved, and the change of a queue,
        as a share of all customers, that ends it.

    Returns
    -------
    Solution
        Its ``method`` is the one that was used, its ``reason`` why.

    Raises
    ------
    NotApplicable
        If no method asked for applies; the text names the assumption that fails.
    InvalidInput
        If this is no network, there is no such method, or ``passes`` or ``tolerance`` is out of
        range or of no use to it.
    NotConverged
        If an iteration stops early; the error carries the last iterate.
    Unstable
        If an open class arrives faster than a station can serve.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, solve
    >>> network = Network([QueueingStation("cpu"), QueueingStation("disk")],
    ...                   [ClosedClass("users", population=2)], [0.2, 0.1])
    >>> solution = solve(network)
    >>> solution.method, round(solution.throughputs[0], 9)
    ('mva', 4.285714286)
    """
    expect_network(network)
    method = current_name(method)
    if method == "auto":
        candidates = METHODS
    elif method == "exact":
        candidates = tuple(m for m in METHODS if m.exact)
    else:
        candidates = tuple(m for m in (*METHODS, *_variants(method)) if m.name == method)
        if not candidates:
            raise _unknown(method, "auto", "exact")
    options = _options(method, passes, tolerance)
    refusals: list[str] = []
    for candidate in candidates:
        reason = candidate.why_not(network)
        if reason is None and method == "exact":
            reason = two_moments(network, candidate.name)
        if reason is None and candidate.seconds is not None and method in {"auto", "exact"}:
            seconds = candidate.seconds(network)
            reason = f"about {seconds:.0f} s, {BY_NAME}" if seconds > PATIENCE else None
        if reason is None:
            chosen = _least_work(network, candidate, candidates)
            try:
                solution = chosen.solve(network, **options)
            except NotApplicable as error:  # seldom: it could not be known before
                reason = str(error).removeprefix(f"{candidate.name}: ")
            else:
                check(solution, chosen.exact)
                assign(solution, reason=_why(method, solution, chosen, candidate, refusals))
                return solution
        refusals.append(f"{candidate.name}: {reason}")
    if beyond := not_analysed(network):
        of_limits = "nested-fes: ", "limited-layers: "
        pools = [text for text in refusals if network.limits and text.startswith(of_limits)]
        raise NotApplicable("; ".join([f"no method solves it: {beyond}", *pools, WAY_OUT]))
    if slow := [text for text in refusals if text.endswith(BY_NAME)]:
        refusals = [*slow, "nothing quicker takes it"]
    elif len(refusals) > 1:
        refusals = ["no method solves it: " + "; ".join(_together(refusals))]
    raise NotApplicable("; ".join([*refusals, WAY_OUT if method == "auto" else OTHERS]))


def _together(refusals: Sequence[str]) -> list[str]:
    """Each reason once, with its methods; not that a network lacks what they are for."""
    methods_of: dict[str, list[str]] = {}
    for name, _, reason in (each.partition(": ") for each in refusals):
        if not reason.startswith("no "):
            methods_of.setdefault(reason, []).append(name)
    return [
        f"{reason} ({', '.join(names) if len(names) < FEW else f'{len(names)} methods'})"
        for reason, names in methods_of.items()
    ]


def _unknown(method: str, *others: str) -> InvalidInput:
    gone = "; its networks are solved by 'mmap' and 'qna'" if method == "dispersion" else ""
    names = ", ".join([*others, *(m.name for m in METHODS)])
    return InvalidInput(f"no method {method!r}{gone}; there is {names}")


def _options(method: str, passes: int | None, tolerance: float | None) -> dict[str, Any]:
    """What was asked for of the passes of Linearizer, checked."""
    if passes is tolerance is None:
        return {}
    if method.partition("/")[0] not in {"linearizer", "aql"}:
        raise InvalidInput(f"passes and tolerance are of linearizer and aql, not of {method!r}")
    if passes is not None:
        integer(passes, "number of passes", 1, 10_000, InvalidInput)
    if tolerance is not None and not 0.0 < tolerance < 1.0:
        raise InvalidInput(f"tolerance is {tolerance!r}, expected above 0 and below 1")
    return {"passes": Passes(passes, tolerance)}


def current_name(method: str, depth: int = 4) -> str:
    """The name of a method; of one that was renamed the new one, with a warning."""
    if not isinstance(method, str) or method not in RENAMED:
        return method
    warn_renamed(f"method {method!r}", repr(RENAMED[method]), depth)
    return RENAMED[method]


def _variants(method: str) -> tuple[Method, ...]:
    """Methods with a law of their own for stations of several servers, if such a one is named."""
    if "/" not in str(method):
        return ()
    variants: tuple[Method, ...] = import_module("qmodel.solvers.amva.variants").VARIANTS
    return variants


def _least_work(network: Network, first: Method, candidates: tuple[Method, ...]) -> Method:
    """The exact method with the least work, of those that apply; ``first`` is one of them."""
    if first.work is None or len(candidates) == 1:
        return first
    least, chosen = first.work(network), first
    if least <= SOON:
        return first
    for other in candidates[candidates.index(first) + 1 :]:
        if other.work is not None and other.why_not(network) is None:
            work = other.work(network)
            if work < least:
                least, chosen = work, other
    return chosen


def _why(asked: str, solution: Solution, chosen: Method, first: Method, refusals: list[str]) -> str:
    """Why a method was chosen, for its solution; ``first`` is the first that applied."""
    network = solution.network
    moments = two_moments(network, chosen.name)
    exact = f"{'exact only' if moments else 'exact'} {solution.reason}".rstrip()
    if asked not in {"auto", "exact"}:
        told = exact if chosen.exact and solution.reason else solution.reason
        return "; ".join(part for part in ("asked for", told, moments) if part)
    broken = network.product_form_violation()
    parts: list[str | None] = [] if broken is None else [f"no product form: {broken}"]
    if broken is not None or network.scv is not None:
        from qmodel.model.product_form import shared_servers

        parts += [shared_servers(network), moments]
    if not chosen.exact:
        if broken is None:
            parts = ["no exact method: " + "; ".join(refusals), *parts]
        exactly = solution.reason.startswith("exact")
        quote = None if exactly else recorded(network, chosen.name)
        if quote is not None and quote.is_rough:
            parts = [f"rough, {quote}: simulate() checks it", *parts]
        elif quote is not None:
            parts.append(str(quote))
        parts.append(solution.reason)
    elif chosen is not first:
        parts = [f"exact, with less work than {first.name}"]
    else:
        parts = [exact, *parts]
    return "; ".join(part for part in parts if part)
