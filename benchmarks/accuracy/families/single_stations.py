"""The formula for G/G/m against the Markov chain of phase-type arrivals and services."""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve

import qmodel as qm
from benchmarks.accuracy.family import Family, Truth
from qmodel.single_station import GGm


def networks(seed: int):
    """All combinations of SCVs, servers and utilizations."""
    del seed
    grid = product([0.5, 1.0, 2.0, 4.0], [0.5, 1.0, 2.0, 4.0], [1, 2, 4, 8], [0.5, 0.7, 0.9, 0.95])
    for arrival, service, servers, used in grid:
        if arrival == service == 1.0:
            continue  # exact by all
        yield qm.Network(
            [qm.QueueingStation("station", servers, "fcfs")],
            [qm.OpenClass("customers", used * servers, arrival_scv=arrival)],
            [[1.0]],
            scv=[[service]],
        )


def phases(mean: float, scv: float):
    """Start probabilities, rates, and rates on to the next phase, of at most two phases."""
    if scv == 1.0:
        return [1.0], [1.0 / mean], False
    if scv == 0.5:
        return [1.0, 0.0], [2.0 / mean, 2.0 / mean], True
    p = 0.5 * (1.0 + sqrt((scv - 1.0) / (scv + 1.0)))
    return [p, 1.0 - p], [2.0 * p / mean, 2.0 * (1.0 - p) / mean], False


def reference(network: qm.Network) -> Truth:
    """Mean wait from the stationary distribution of the chain."""
    customers, m = network.classes[0], network.stations[0].servers
    used = customers.arrival_rate / m
    start_a, rate_a, serial_a = phases(1.0 / customers.arrival_rate, customers.arrival_scv)
    start_s, rate_s, serial_s = phases(1.0, network.scv_at(0, 0))
    decay = 2.0 * (1.0 - used) / (customers.arrival_scv + network.scv_at(0, 0))
    last = m + int(30.0 / decay) + 30
    index = {}

    def number(state):
        return index.setdefault(state, len(index))

    first = (0, 0, 0)  # customers, phase of arrival, how many services are in the second phase
    number(first)
    rows, columns, rates = [], [], []
    todo = [first]
    seen = {first}

    def go(source, target, rate):
        if rate > 0.0:
            if target not in seen:
                seen.add(target)
                todo.append(target)
            i, j = number(source), number(target)
            rows.extend([j, i])
            columns.extend([i, i])
            rates.extend([rate, -rate])

    def begin(n, second):
        """Ways in which a service begins."""
        for phase, p in enumerate(start_s):
            if p:
                yield second + phase, p
        del n

    while todo:
        state = todo.pop()
        n, phase, second = state
        if serial_a and phase == 0:
            go(state, (n, 1, second), rate_a[0])
        elif n < last:
            for following, p in enumerate(start_a):
                if n < m:
                    for seconds, q in begin(n, second):
                        go(state, (n + 1, following, seconds), rate_a[phase] * p * q)
                else:
                    go(state, (n + 1, following, second), rate_a[phase] * p)
        busy = min(n, m)
        for kind, there in ((0, busy - second), (1, second)):
            if not there:
                continue
            rate = there * rate_s[kind]
            if serial_s and kind == 0:
                go(state, (n, phase, second + 1), rate)
            elif n > m:
                for seconds, q in begin(n, second - kind):
                    go(state, (n - 1, phase, seconds), rate * q)
            else:
                go(state, (n - 1, phase, second - kind), rate)
    size = len(index)
    balance = coo_matrix((rates, (rows, columns)), shape=(size, size)).tocsr()
    # The equation of the empty state follows from the others; there p = 1 stands in its place.
    rest = balance[1:, :]
    found = spsolve(rest[:, 1:].tocsc(), -rest[:, [0]].toarray().ravel())
    weights = np.concatenate([[1.0], found])
    waiting = np.array([max(0, n - m) for n, _, _ in index])
    queue = float(weights @ waiting / weights.sum())
    return Truth({"W": [queue / customers.arrival_rate]})


def by_whitt(network: qm.Network):
    """The wait of `GGm`."""
    customers, station = network.classes[0], network.stations[0]
    scv = network.scv_at(0, 0)
    one = GGm(customers.arrival_rate, 1.0, station.servers, customers.arrival_scv, scv)
    return {"W": [one.waiting_time]}


FAMILY = Family(
    name="single-stations",
    about="one station of 1, 2, 4 or 8 servers, utilization 0.5 to 0.95, SCV of arrivals and of "
    "service 0.5 to 4 (Erlang, exponential, hyperexponential), the mean wait W",
    seed=0,
    networks=networks,
    count=240,
    reference=reference,
    truth="Markov chain",
    methods={"whitt": by_whitt},
    sample=4,
    keep=True,
)
