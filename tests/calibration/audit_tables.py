"""Load tests made by exact mean value analysis, as the CSV text of a user."""

import qmodel as qm

HEADINGS = {
    "configuration": "configuration", "class": "class", "population": "population",
    "think": "think_time [s]", "throughput": "throughput [1/s]", "response": "response_time [s]",
    "cpu": "utilization:cpu [%]", "servers": "servers:cpu", "lan": "volume:lan [KB/s]",
    "disk": "volume:disk [KB/s]", "operations": "operations:disk [1/s]",
    "capacity": "capacity:lan [Mb/s]", "share": "share:local [%]",
}  # fmt: skip
EVERYTHING = "population think throughput response cpu lan operations"


def runs(populations=(2, 4, 8, 12, 16, 20), demand=(1.0, 0.4), think=9.0, servers=1):
    """One dict a run, without any noise."""
    network = qm.Network(
        stations=[qm.QueueingStation("cpu", servers=servers), qm.QueueingStation("disk")],
        classes=[qm.ClosedClass("users", population=1, think_time=think)],
        demand=[demand],
    )
    found = []
    for population in populations:
        solution = qm.solve(network.with_population(population))
        rate = solution.throughputs[0]
        found.append({
            "population": population, "think": think, "throughput": rate,
            "response": solution.response_times[0],
            "cpu": 100 * solution.station_utilizations[0], "servers": servers,
            "lan": 500 * rate, "disk": 120 * rate, "operations": 30 * rate,
        })  # fmt: skip
    return found


def text(rows, columns=EVERYTHING):
    """CSV text of some columns, numbers with six digits."""
    keys = columns.split()
    lines = [",".join(HEADINGS[key] for key in keys)]
    lines += [",".join(_cell(row.get(key, "")) for key in keys) for row in rows]
    return "\n".join(lines) + "\n"


def _cell(value):
    return value if isinstance(value, str) else f"{value:.6g}"
