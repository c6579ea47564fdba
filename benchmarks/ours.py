"""The workloads solved by qmodel's public API, one JSON line each."""

import workloads as w
from stopwatch import measure, report, wanted

import qmodel as qm

TOOL = "qmodel"


def network(demand, populations, servers=None, delay=None):
    servers = servers or [1] * len(demand[0])
    stations = [qm.QueueingStation(f"s{k}", m) for k, m in enumerate(servers)]
    if delay is not None:
        stations.append(qm.DelayStation("lan"))
        demand = [[*row, delay] for row in demand]
    classes = [qm.ClosedClass(f"c{c}", n, w.THINK_TIME) for c, n in enumerate(populations)]
    return qm.Network(stations, classes, demand)


def solve(found):
    return list(qm.solve(found).throughputs)


def main():
    for population in w.W1_POPULATIONS:
        if wanted(w.w1_case(population)):
            found = network([w.W1_DEMAND], [population], delay=w.W1_DELAY)
            report(w.w1_case(population), TOOL, *measure(lambda found=found: solve(found)))
    if wanted(w.W2_CASE):
        found = network([w.W2_DEMAND], [w.W2_POPULATION], w.W2_SERVERS)
        report(w.W2_CASE, TOOL, *measure(lambda: solve(found)))
    for populations in w.W3_POPULATIONS:
        if wanted(w.w3_case(populations)):
            found = network(w.w3_demand(len(populations)), populations)
            report(w.w3_case(populations), TOOL, *measure(lambda found=found: solve(found)))
    for case, method in ((w.W4_BS_CASE, "bard-schweitzer"), (w.W4_LINEARIZER_CASE, "linearizer")):
        if wanted(case):
            found = network(w.w4_demand(), [w.W4_POPULATION] * w.W4_CLASSES)
            report(case, TOOL, *measure(lambda f=found, m=method: list(qm.solve(f, m).throughputs)))
    if wanted(w.W5_CASE):
        demand = w.w5_demand()
        base = network(demand[:1], [w.W5_POPULATION])
        rows = {f"demand.s{k}": [row[k] for row in demand] for k in range(w.W5_STATIONS)}
        seconds, found = measure(lambda: qm.sweep(base, rows=rows))
        answer = found.throughput[:50, 0].tolist()
        report(w.W5_CASE, TOOL, [s / w.W5_NETWORKS for s in seconds], answer)
    if wanted(w.W6_CASE):
        demand = w.w6_demand()
        base = network(demand[0], [w.W6_POPULATION] * w.W6_CLASSES)
        rows = {
            f"demand.c{c}.s{k}": [each[c][k] for each in demand]
            for c in range(w.W6_CLASSES)
            for k in range(w.W6_STATIONS)
        }
        seconds, found = measure(lambda: qm.sweep(base, rows=rows, method="bard-schweitzer"))
        answer = found.throughput[:50, 0].tolist()
        report(w.W6_CASE, TOOL, [s / w.W6_NETWORKS for s in seconds], answer)


if __name__ == "__main__":
    main()
