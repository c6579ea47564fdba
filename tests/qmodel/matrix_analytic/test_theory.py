"""The statements of `qmodel/matrix_analytic/THEORY.md`, by its sections."""

import numpy as np
import pytest
from scipy.linalg import expm

from qmodel.matrix_analytic import first_passage_matrix as fp
from qmodel.matrix_analytic import infinite_server_departures as infinite
from qmodel.matrix_analytic import marked_arrival_process as mp
from qmodel.matrix_analytic.age_process import AgeProcess
from qmodel.matrix_analytic.departure_process import Departures, departure_process
from qmodel.matrix_analytic.galerkin_projection import MOST, orthonormal_basis, project
from qmodel.matrix_analytic.model_reduction import interpolation_points, reduce_process
from qmodel.matrix_analytic.server_phases import server_phases
from qmodel.matrix_analytic.service_simplification import Service
from qmodel.matrix_analytic.superposition import Arrivals, reduce_order
from qmodel.matrix_analytic.waiting_time import waiting_time_moments
from qmodel.numerics.phase_type import fit_phase_type

SLOWEST = 0.02
TWO = mp.superpose_exact(mp.renewal_process(0.5, 4.0, 0, 2), mp.renewal_process(0.3, 0.5, 1, 2))
SERVICES = {0: fit_phase_type(0.9, 0.5), 1: fit_phase_type(0.6, 2.0)}


def queue(arrivals=TWO, servers=1, services=SERVICES):
    times = {
        c: s._replace(generator=tuple(tuple(r / servers for r in row) for row in s.generator))
        for c, s in services.items()
    }
    age = AgeProcess(arrivals, server_phases(times, len(arrivals.d), servers))
    return age, fp.stationary_distribution(age)


# 1. Arrival processes


def test_the_matrices_of_a_process_and_of_what_is_made_of_it():
    for process in (TWO, mp.remark(TWO, [[0.3, 0.1], [0.2, 0.9]]), reduce_order(TWO, SLOWEST)):
        assert process.generator.sum(axis=1) == pytest.approx(np.zeros(process.size), abs=1e-10)
        assert process.stationary_phase @ process.generator == pytest.approx(0.0, abs=1e-10)
    assert TWO.rates == pytest.approx([0.5, 0.3])


# 2. Age process


def test_a_uniformized_process_is_the_process():
    """exp(D0 t) is the Poisson mixture of powers of I + D0 / nu."""
    age, _ = queue()
    nu, t = age.tick_rate, 1.7
    term, mixture = np.eye(TWO.size) * np.exp(-nu * t), np.zeros((TWO.size, TWO.size))
    for l in range(1, 80):
        mixture += term
        term = term @ (np.eye(TWO.size) + TWO.d0 / nu) * nu * t / l
    assert mixture == pytest.approx(expm(TWO.d0 * t), abs=1e-12)


@pytest.mark.parametrize("servers", [1, 2])
def test_first_passage_and_rate_matrix(servers):
    """Phi(0) is stochastic; the levels are x(0) R^l; what is cut off is small."""
    age, x = queue(servers=servers)
    phi, nu = fp.first_passage_matrix(age, 0.0), age.tick_rate
    assert phi.min() > -1e-12
    assert phi.sum(axis=1) == pytest.approx(np.ones(len(phi)))
    r = nu * np.linalg.inv(
        nu * np.eye(len(phi)) - age.service_generator - nu * phi @ age.arrival_tick
    )
    assert abs(np.linalg.eigvals(r)).max() < 1.0
    assert x.levels[5, :, 0] == pytest.approx(x.levels[0, :, 0] @ np.linalg.matrix_power(r, 5))
    assert x.flat.sum() == pytest.approx(1.0, abs=1e-9)


# 3. Waiting times


@pytest.mark.parametrize("servers", [1, 2])
def test_little(servers):
    """Those who wait are the arrivals in the ticks of the level: their mean is lambda E W."""
    age, x = queue(servers=servers)
    nu, ticks = age.tick_rate, len(x.levels)
    tick = np.eye(TWO.size) + TWO.generator / nu
    waiting, expected = np.zeros(TWO.size), []
    for _ in range(ticks):
        expected.append(waiting)
        waiting = sum(TWO.d).sum(axis=1) / nu + tick @ waiting
    by_phase = x.levels.reshape(ticks, TWO.size, -1).sum(axis=2)
    waits = waiting_time_moments(age, x)
    mean = sum(rate * wait.first for rate, wait in zip(TWO.rates, waits, strict=True))
    assert (by_phase * np.array(expected)).sum() == pytest.approx(mean, rel=1e-6)


# 4. Reduction


def matched(process, points):
    """What the theorem says, of any point process."""
    rates = np.column_stack(process.events(process.one))
    means = process.stationary @ rates
    total, pi = float(means.sum()), process.stationary
    pairs = [process.resolvent(s, rates - process.one * means, means) for s in points]
    (f, g), (late, before) = (process.killed_resolvent(part * total) for part in (0.0, 1.0))
    return {
        "rates": means,
        "two events": np.array([[pi @ e for e in process.events(y)] for y, _ in pairs]),
        "slopes": np.array([z.T @ y for y, z in pairs]),
        "three events": np.array(
            [[[z.T @ e for e in process.events(y)] for _, z in pairs] for y, _ in pairs]
        ),
        "moments of gaps": np.array([pi @ f[:, 0], g[:, 0] @ f[:, 0]]),
        "joint moments of gaps": np.array([g[:, 0] @ e[:, 0] for e in process.events(f)]),
        "gap after an event": np.array([pi @ e[:, 0] for e in process.events(late)]),
        "next event": before[:, 0] @ rates,
    }


PROCESSES = {
    "departures of one server": lambda: Departures(*queue()),
    "departures of two servers": lambda: Departures(*queue(servers=2)),
    "departures, rational arrivals": lambda: Departures(
        *queue(departure_process(*queue(), SLOWEST, 0), services={0: SERVICES[1], 1: SERVICES[1]})
    ),
    "a superposition": lambda: Arrivals(mp.superpose_exact(TWO, mp.superpose_exact(TWO, TWO))),
}


@pytest.mark.parametrize("name", PROCESSES)
def test_what_is_matched(name):
    process = PROCESSES[name]()
    rates = process.stationary @ np.column_stack(process.events(process.one))
    points = interpolation_points(SLOWEST, float(rates.sum()), len(rates))
    reduced = reduce_process(process, SLOWEST)
    assert reduced.size <= MOST
    found = matched(Arrivals(reduced), points)
    for what, known in matched(process, points).items():
        # Tails of 1e-10 (age process) and 1e-8 (QBD) above the last level are left out.
        near = 2e-6 if name == "departures and bypass" else 1e-8
        assert found[what] == pytest.approx(known, rel=1e-6, abs=near * abs(known).max()), what


def test_gaps_of_departures_have_the_moments_of_the_reduced_process():
    """Mean 1 / lambda, and three moments by the Palm distribution of the reduced D0."""
    process = Departures(*queue())
    reduced = reduce_process(process, SLOWEST)
    f, g = (v[:, 0] for v in process.killed_resolvent(0.0))
    total = reduced.rate
    palm = reduced.stationary_phase @ sum(reduced.d) / total
    inverse = np.linalg.inv(-reduced.d0)
    moments = [palm @ np.linalg.matrix_power(inverse, k) @ np.ones(reduced.size) for k in (1, 2, 3)]
    pi = process.stationary
    assert moments == pytest.approx([1.0 / total, pi @ f / total, g @ f / total], rel=1e-8)


def test_which_moments_are_matched_does_not_depend_on_the_inner_product():
    process = Arrivals(mp.superpose_exact(TWO, mp.superpose_exact(TWO, TWO)))
    points = interpolation_points(SLOWEST, process.process.rate, 2)
    known = matched(process, points)
    random = np.random.default_rng(3).random((process.process.size,) * 2)
    other = mp.MarkedArrivalProcess(
        process.process.d0, process.process.d, np.eye(len(random)) + 0.1 * random @ random.T
    )
    for what, value in matched(Arrivals(reduce_order(other, SLOWEST)), points).items():
        assert value == pytest.approx(known[what], rel=1e-5, abs=1e-6 * abs(known[what]).max())


def test_with_true_states_a_projection_is_dissipative():
    """(f, Q f) <= 0 and (f, (Q - L) f) <= 0: no eigenvalue in the right half-plane."""
    process = Departures(*queue())
    random = np.random.default_rng(1).random((len(process.stationary), 6))
    m = process.inner_product
    basis = orthonormal_basis(random, process.stationary, m)
    q, *events = project(basis, m, [process.generator(basis), *process.events(basis)])
    for matrix in (q, q - sum(events)):
        assert np.linalg.eigvalsh(matrix + matrix.T).max() < 1e-9


# 5. Bypass, infinite servers


def test_second_order_quantities_are_exact_from_degree_2_on():
    """A MAP/M/infinity station, state by state up to 40 customers."""
    arrivals, mu, most = mp.renewal_process(1.0, 4.0, 0, 1), 0.7, 40
    up, n = np.eye(most + 1, k=1), np.arange(most + 1.0)
    up[-1, -1] = 1.0
    chain = mp.MarkedArrivalProcess(
        np.kron(np.eye(most + 1), arrivals.d0)
        + np.kron(up, arrivals.d[0])
        - mu * np.kron(np.diag(n), np.eye(2)),
        (mu * np.kron(np.diag(n) @ np.eye(most + 1, k=-1), np.eye(2)),),
    )
    stay = infinite._stays([(0, Service(1.0, 1.0 / mu, 1.0))])
    known = matched(Arrivals(chain), [0.1, 1.0])
    for degree, exact in ((1, False), (2, True), (3, True)):
        found = matched(Arrivals(infinite._closed(arrivals, stay, degree)), [0.1, 1.0])
        assert found["rates"] == pytest.approx(known["rates"])
        assert (found["two events"] == pytest.approx(known["two events"], rel=1e-6)) == exact
        assert (found["three events"] == pytest.approx(known["three events"], rel=1e-6)) == (
            degree > 2
        )
