"""Marked Markovian and rational arrival processes: thinning and superposition; see THEORY.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from qmodel.matrix_analytic.concentrated_distribution import distribution
from qmodel.model.distributions import MarkovianArrivals
from qmodel.model.phases import Phases
from qmodel.numerics.arrays import Array

#: Eigenvalues of the generator of a smaller real part, over the rate of arrivals, are 0.
ZERO = 1e-9
#: Phases of arrivals as a network is given them.
Given = Phases | MarkovianArrivals


@dataclass(frozen=True, slots=True, eq=False)
class MarkedArrivalProcess:
    """A marked rational arrival process of order n with C classes."""

    #: D0, without arrivals, shape (n, n). Rows of D0 + D_1 + ... + D_C add up to 0. [1/s]
    d0: Array
    #: D_c, with an arrival of class c, shape (n, n). [1/s]
    d: tuple[Array, ...]
    #: Gram matrix of the functions whose coordinates the phases are, shape (n, n). None for a MMAP,
    #: whose phases are states: then it is diag(pi).
    inner_product: Array | None = None
    #: By class c and station k that the arrivals come from, for each phase, shape (n,): arrival
    #: rate times expected sojourn time at k less its mean. [1]
    sojourn_weights: Mapping[tuple[int, int], Array] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The order n."""
        return len(self.d0)

    @property
    def generator(self) -> Array:
        """D = D0 + D_1 + ... + D_C. [1/s]"""
        return np.asarray(self.d0 + sum(self.d))

    @property
    def stationary_phase(self) -> Array:
        """Pi with pi D = 0 and pi 1 = 1."""
        return stationary_vector(self.generator)

    @property
    def rates(self) -> list[float]:
        """lambda_c = pi D_c 1 of each class. [1/s]"""
        phase = self.stationary_phase
        return [float(phase @ arrival.sum(axis=1)) for arrival in self.d]

    @property
    def rate(self) -> float:
        """Lambda, of all classes together. [1/s]"""
        return sum(self.rates)

    @property
    def gram(self) -> Array:
        """Gram matrix M of the coordinate functions."""
        return np.diag(self.stationary_phase) if self.inner_product is None else self.inner_product

    @property
    def relaxation_rate(self) -> float:
        """Spectral gap of D: the slowest decay of correlations; infinite for Poisson. [1/s]"""
        decays = -np.linalg.eigvals(self.generator).real
        decays = decays[decays > ZERO * self.rate]
        return float(decays.min()) if len(decays) else float("inf")


def stationary_vector(generator: Array) -> Array:
    """Pi with pi Q = 0 and pi 1 = 1, for a dense generator Q."""
    system = generator.T.copy()
    system[0] = 1.0
    first = np.zeros(len(generator))
    first[0] = 1.0
    solution: Array = np.linalg.solve(system, first)
    return solution


def renewal_process(rate: float, scv: float, c: int, classes: int) -> MarkedArrivalProcess:
    """The phase-type renewal process D0 = T, D_c = t alpha, all arrivals of class ``c``."""
    gap = distribution(1.0 / rate, scv)
    arrival, none = np.outer(-gap.generator.sum(axis=1), gap.start), np.zeros_like(gap.generator)
    arrivals = tuple(arrival if i == c else none for i in range(classes))
    gram = None if gap.phases else np.eye(len(none)) / len(none)
    return MarkedArrivalProcess(gap.generator, arrivals, gram)


def given_process(law: Given, rate: float, c: int, classes: int) -> MarkedArrivalProcess:
    """Phases that are given, in time such that arrivals come at a rate [1/s], of class ``c``.

    Examples
    --------
    >>> law = MarkovianArrivals(d0=((-3.0, 1.0), (0.5, -0.7)), d1=((2.0, 0.0), (0.0, 0.2)))
    >>> [round(each, 9) for each in given_process(law, 0.5, 1, 2).rates]
    [0.0, 0.5]
    """
    d0 = np.array(law.generator if isinstance(law, Phases) else law.d0)
    d1 = np.outer(-d0.sum(axis=1), law.start) if isinstance(law, Phases) else np.array(law.d1)
    scale = rate / MarkedArrivalProcess(d0, (d1,)).rate
    arrivals = tuple(d1 * scale * (i == c) for i in range(classes))
    return MarkedArrivalProcess(d0 * scale, arrivals)


def thin(process: MarkedArrivalProcess, kept: Sequence[float]) -> MarkedArrivalProcess:
    """Independent thinning: an arrival of class c is kept with probability ``kept[c]``."""
    weights = {(c, k): kept[c] * w for (c, k), w in process.sojourn_weights.items() if kept[c]}
    return replace(remark(process, np.diag(kept).tolist()), sojourn_weights=weights)


def remark(process: MarkedArrivalProcess, parts: Sequence[Sequence[float]]) -> MarkedArrivalProcess:
    """Independent re-marking: an arrival of class c becomes one of b with probability parts[b][c].

    D_b' = sum over c of parts[b][c] D_c; the rest of the arrivals are dropped into D0'.
    """
    d = tuple(np.tensordot(row, np.array(process.d), axes=1) for row in parts)
    return MarkedArrivalProcess(process.generator - sum(d), d, process.inner_product)


def superpose_exact(
    left: MarkedArrivalProcess, right: MarkedArrivalProcess
) -> MarkedArrivalProcess:
    """Superposition of independent processes, by Kronecker sums of D0 and of each D_c."""
    identities = np.eye(left.size), np.eye(right.size)

    def kronecker_sum(a: Array, b: Array) -> Array:
        total: Array = np.kron(a, identities[1]) + np.kron(identities[0], b)
        return total

    states = left.inner_product is None and right.inner_product is None
    weights = {at: np.kron(w, np.ones(right.size)) for at, w in left.sojourn_weights.items()}
    for at, w in right.sojourn_weights.items():
        weights[at] = weights.get(at, 0.0) + np.kron(np.ones(left.size), w)
    return MarkedArrivalProcess(
        kronecker_sum(left.d0, right.d0),
        tuple(kronecker_sum(a, b) for a, b in zip(left.d, right.d, strict=True)),
        None if states else np.kron(left.gram, right.gram),
        weights,
    )
