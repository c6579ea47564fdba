"""How often the audit is wrong, and how often right: synthetic tables from exact MVA.

    python -m scripts.audit_study [--count 1000] [--seed 1]

Consistent tables: a random closed network is solved exactly at several populations, a random
subset of its measures gets the noise of replicate runs, is printed with three to five digits and
read back as a user's CSV file. Any contradiction is a false alarm.

Planted tables: the same, with one fault. "Five times the noise" is five standard deviations of
the residual that the law of the table looks at: of one run's demand against the mean of the others
(utilization law, forced flow), of N against X (R + Z) (Little's law), of all rates of a run
together (stated population). The table counts as found if the clearest contradiction names the
planted row, and no more than one other. Faults of five times the noise of the number alone,
which are smaller in the law, are counted separately.
"""

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass, replace
from math import exp, floor, log10, sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import qmodel as qm
from calibration.audits.audit import audit
from calibration.printed_tables.run import REPLICATE_DIFFERENCE
from calibration.recordings.user_table import parse_user_table

TIME, BUSY, VOLUME = (
    REPLICATE_DIFFERENCE[each] for each in ("response_time", "utilization", "volume_rate")
)


@dataclass(frozen=True)
class Column:
    """A column of a synthetic table: heading, numbers in its unit, noise, digits printed."""

    heading: str
    values: tuple[float, ...]
    noise: float = 0.0
    digits: int = 0

    def printed(self, row):
        value = self.values[row]
        if not self.digits:
            return f"{value:g}"
        if "%" in self.heading:
            value = min(value, 100.0)
        # As many decimals as give the smallest number of the column its digits.
        decimals = self.digits - 1 - floor(log10(min(self.values)))
        return f"{value:.{max(0, decimals)}f}"


@dataclass(frozen=True)
class Table:
    """A synthetic table, and the run whose number is wrong, if one is."""

    columns: tuple[Column, ...]
    think: float
    fault: str = ""
    row: int | None = None

    def column(self, start):
        return next((c for c in self.columns if c.heading.startswith(start)), None)

    @property
    def size(self):
        return len(self.columns[0].values)

    def text(self):
        lines = [",".join(column.heading for column in self.columns)]
        lines += [",".join(c.printed(row) for c in self.columns) for row in range(self.size)]
        return "\n".join(lines) + "\n"


def consistent(rng):
    """A table that obeys every law but for noise and print rounding."""
    stations = [qm.QueueingStation("cpu", servers=rng.choice([1, 1, 1, 2, 4]))]
    stations += [qm.QueueingStation(name) for name in ("disk", "lan")[: rng.randint(1, 2)]]
    total = 10.0 ** rng.uniform(-1, 2)
    demand = [total * rng.uniform(0.05, 1.0) for _ in stations]
    think = total * rng.choice([0.0, 1.0, 3.0, 10.0, 30.0])
    size = rng.randint(5, 10)
    populations = sorted(rng.sample(range(1, rng.choice([25, 60, 150])), size))
    users = qm.ClosedClass("users", population=1, think_time=think)
    network = qm.Network(stations=stations, classes=[users], demand=[demand])
    solved = [qm.solve(network.with_population(n)) for n in populations]
    rates = [s.throughputs[0] for s in solved]
    columns = [
        Column("population", tuple(map(float, populations))),
        Column("response_time [s]", tuple(s.response_times[0] for s in solved), TIME),
        Column("throughput [1/s]", tuple(rates), TIME),
    ]
    columns += [
        Column(
            f"utilization:{station.name} [%]",
            tuple(100.0 * s.station_utilizations[k] for s in solved),
            BUSY,
        )
        for k, station in enumerate(stations)
        if k == 0 or rng.random() < 0.3
    ]
    columns += [
        Column(f"{quantity}:{name} {unit}", tuple(x * scale / total * 30 for x in rates), VOLUME)
        for quantity, name, unit, scale in (
            ("volume", "lan", "[KB/s]", 10.0 ** rng.uniform(1, 4)),
            ("volume", "disk", "[KB/s]", 10.0 ** rng.uniform(1, 4)),
            ("operations", "disk", "[1/s]", 10.0 ** rng.uniform(1, 3)),
        )
        if rng.random() < 0.6
    ]
    kept = _subset(rng, columns)
    noisy = [
        replace(
            column,
            values=tuple(v * (1.0 + column.noise * rng.gauss(0.0, 1.0)) for v in column.values),
            digits=rng.randint(3, 5) if column.noise else 0,
        )
        for column in kept
    ]
    servers = stations[0].servers
    if servers > 1:
        noisy.append(Column("servers:cpu", (float(servers),) * size))
    noisy.append(Column("think_time [s]", (think,) * size))
    return Table(tuple(noisy), think)


def _subset(rng, columns):
    """Population and either throughput, or response time, or both, with whatever else there is."""
    population, response, throughput, *rates = columns
    timed = rng.choice([(response,), (throughput,), (response, throughput)])
    if len(timed) == 1 and not rates:
        timed = (response, throughput)
    return [population, *timed, *rates]


def throughput_noise(table, row):
    """Relative noise of the throughput that a law would divide by."""
    response = table.column("response_time")
    if table.column("throughput") or response is None:
        return TIME
    time = response.values[row]
    return TIME * time / (time + table.think)


def planted(rng, table, times=5.0, *, by_law=True):
    """The table with one wrong number; None if it has no number that a law could miss."""
    faults = [c.heading for c in table.columns if ":" in c.heading and c.noise]
    both = table.column("response_time") and table.column("throughput")
    if both:
        faults += [both.heading]
    elif table.column("response_time") and len(faults) > 1:
        faults += ["population"]
    fault, row = rng.choice(faults), rng.randrange(table.size)
    column = table.column(fault)
    spread = 1.0 + 1.0 / (table.size - 1)
    x = throughput_noise(table, row)
    if not by_law:
        noise = column.noise
    elif fault == "population":
        noise = sqrt(spread * (x**2 + 1.0 / sum(1.0 / c.noise**2 for c in _rates(table))))
    elif ":" in fault:
        noise = sqrt(spread * (column.noise**2 + x**2))
    else:
        time = table.column("response_time").values[row]
        noise = sqrt(TIME**2 + (TIME * time / (time + table.think)) ** 2)
    sign = rng.choice([-1, 1])
    wrong = column.values[row] * exp(sign * times * noise)
    if "%" in fault and wrong > 100.0:
        wrong = column.values[row] * exp(-times * noise)
    if fault == "population":
        old = column.values[row]
        wrong = float(max(1, round(wrong + 0.5 * sign)))
        if wrong == old:
            wrong = old + 1.0
    values = tuple(wrong if i == row else v for i, v in enumerate(column.values))
    columns = tuple(replace(c, values=values) if c is column else c for c in table.columns)
    return replace(table, columns=columns, fault=fault.split(" ")[0], row=row)


def _rates(table):
    return [c for c in table.columns if ":" in c.heading and c.noise]


def examine(table):
    """What the audit says: contradictions, and whether the clearest names the planted row."""
    text = table.text()
    read = parse_user_table(text, "synthetic.csv")
    found = audit(read)
    if not found.contradictions:
        return found, False
    clearest = max(found.contradictions, key=lambda each: each.size)
    named = table.row is not None and read.rows[table.row] in clearest.rows
    return found, named and len(clearest.rows) <= 2


def false_alarms(count, seed=1):
    """Consistent tables that raise anything, with what they raise."""
    rng = random.Random(seed)  # noqa: S311, no secret
    raised = []
    tests = []
    for _ in range(count):
        table = consistent(rng)
        found, _ = examine(table)
        tests.append(found.tests)
        if found.contradictions:
            raised.append((table, found))
    return raised, tests


def detections(count, seed=2, *, by_law=True):
    """By fault: tables planted, tables in which anything was found, and the right row named."""
    rng = random.Random(seed)  # noqa: S311, no secret
    made, found, named = Counter(), Counter(), Counter()
    for _ in range(count):
        table = planted(rng, consistent(rng), by_law=by_law)
        audited, right = examine(table)
        made[table.fault] += 1
        found[table.fault] += bool(audited.contradictions)
        named[table.fault] += right
    return made, found, named


def show(title, made, found, named):
    print(title)
    for fault in [*sorted(made), None]:
        total, raised, right = (
            sum(c.values()) if fault is None else c[fault] for c in (made, found, named)
        )
        print(
            f"  {fault or 'all':24s} {total:5d} tables, {raised / total:7.1%} found, "
            f"{right / total:7.1%} with the right row named"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    raised, tests = false_alarms(given.count, given.seed)
    print(
        f"{given.count} consistent tables, {sum(tests) / len(tests):.0f} tests each on average "
        f"({min(tests)} to {max(tests)}): {len(raised)} raise anything "
        f"({len(raised) / given.count:.2%})"
    )
    for law, number in Counter(
        each.law for _, found in raised for each in found.contradictions
    ).most_common():
        print(f"  {law}: {number}")
    show("five times the noise of the law:", *detections(given.count, given.seed + 1))
    show(
        "five times the noise of the number alone:",
        *detections(given.count, given.seed + 2, by_law=False),
    )


if __name__ == "__main__":
    main()
