"""The workloads solved by LINE, one JSON line each; runs where line-solver is installed.

Kernels are called directly, which is the fastest road LINE offers. ``python peer_line.py
--write-model FILE`` writes the model of W7 in LINE's own format instead.
"""

import os
import sys
import warnings

import numpy as np
import workloads as w
from stopwatch import measure, report, wanted

warnings.simplefilter("ignore")

KERNEL = "LINE"
#: W5 and W6 are solved for so many of their networks: LINE has no kernel for many at once.
W5_SAMPLE = 50


def main():
    from line_solver.api.pfqn.linearizer import pfqn_linearizer
    from line_solver.api.pfqn.mva import pfqn_bs, pfqn_mva, pfqn_mva_single_class
    from line_solver.api.pfqn.mvald import pfqn_mvams
    from line_solver.api.pfqn.ncld import pfqn_ncld

    for population in w.W1_POPULATIONS:
        case, demand = w.w1_case(population), np.array(w.W1_DEMAND)
        think = w.THINK_TIME + w.W1_DELAY
        if wanted(case):

            def solve(n=population):
                return [float(pfqn_mva_single_class(n, demand, think)["X"])]  # noqa: B023

            report(case, KERNEL, *measure(solve))

    if wanted(w.W2_CASE):
        demand, n = np.array(w.W2_DEMAND)[:, None], w.W2_POPULATION
        think, servers = np.array([w.THINK_TIME]), np.array(w.W2_SERVERS)
        speed = np.minimum(np.arange(1, n + 1), servers[:, None]).astype(float)

        def constants():
            # Its stable method gives normalisation constants: two calls for a throughput.
            logs = [
                pfqn_ncld(demand, np.array([m]), think, speed[:, :m], {"method": "exact"}).lG
                for m in (n - 1, n)
            ]
            return [float(np.exp(logs[0] - logs[1]))]

        def default():
            found = pfqn_mvams(np.zeros(1), demand, np.array([n]), think, np.ones(4), servers)
            return [float(np.ravel(found[0])[0])]

        report(w.W2_CASE, f"{KERNEL} (pfqn_ncld)", *measure(constants))
        report(w.W2_CASE, f"{KERNEL} (pfqn_mvams)", *measure(default, least=0.0), exact=False)

    for populations in w.W3_POPULATIONS:
        case = w.w3_case(populations)
        if wanted(case):
            demand = np.array(w.w3_demand(len(populations))).T
            think = np.full(len(populations), w.THINK_TIME)

            def solve(demand=demand, populations=populations, think=think):
                found = pfqn_mva(demand, np.array(populations), think)
                return [float(x) for x in np.ravel(found[0])]

            report(case, KERNEL, *measure(solve))

    many = np.array(w.w4_demand()).T
    crowd = np.full(w.W4_CLASSES, w.W4_POPULATION)
    think = np.full(w.W4_CLASSES, w.THINK_TIME)
    if wanted(w.W4_BS_CASE):

        def solve():
            found = pfqn_bs(many, crowd, think, w.W4_STEP, 1_000_000)
            return [float(x) for x in np.ravel(found[0])]

        report(w.W4_BS_CASE, KERNEL, *measure(solve, few=1), exact=False)
    if wanted(w.W4_LINEARIZER_CASE) and not os.environ.get("LATER_ROUND"):

        def solve():
            kinds = ["PS"] * w.W4_STATIONS
            found = pfqn_linearizer(many, crowd, think, kinds, w.W4_STEP, 1_000_000)
            return [float(x) for x in np.ravel(found[5])]

        report(w.W4_LINEARIZER_CASE, KERNEL, *measure(solve, few=0), exact=False)

    if wanted(w.W5_CASE):
        rows = [np.array(row) for row in w.w5_demand()[:W5_SAMPLE]]

        def solve():
            return [
                float(pfqn_mva_single_class(w.W5_POPULATION, row, w.THINK_TIME)["X"])
                for row in rows
            ]

        seconds, answer = measure(solve)
        report(w.W5_CASE, KERNEL, [s / W5_SAMPLE for s in seconds], answer)

    if wanted(w.W6_CASE):
        networks = [np.array(each).T for each in w.w6_demand()[:W5_SAMPLE]]
        three = np.full(w.W6_CLASSES, w.W6_POPULATION)
        think = np.full(w.W6_CLASSES, w.THINK_TIME)

        def solve():
            return [
                float(np.ravel(pfqn_bs(each, three, think, w.W4_STEP, 1_000_000)[0])[0])
                for each in networks
            ]

        seconds, answer = measure(solve)
        report(w.W6_CASE, KERNEL, [s / W5_SAMPLE for s in seconds], answer, exact=False)


def write_model(path):
    from line_solver import ClosedClass, Delay, Exp, Network, Queue, SchedStrategy
    from line_solver.io import save_model

    model = Network("small")
    stations = [Delay(model, "terminals")]
    stations += [Queue(model, name, SchedStrategy.PS) for name in w.W7_DEMAND]
    users = ClosedClass(model, "users", w.W7_POPULATION, stations[0])
    times = [w.W7_THINK_TIME, *w.W7_DEMAND.values()]
    for station, time in zip(stations, times, strict=True):
        station.setService(users, Exp.fit_mean(time))
    routing = model.init_routing_matrix()
    for here, there in zip(stations, [*stations[1:], stations[0]], strict=True):
        routing.set(users, users, here, there, 1.0)
    model.link(routing)
    save_model(model, path)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write-model"]:
        write_model(sys.argv[2])
    else:
        main()
