"""How often do calibrations hold what they promise? Synthetic measurements of random networks.

Each network has one to three stations, random demands, think time and servers, and one structure
beside product form or none. It is "measured" at five to eight loads with known noise and printed
to four digits; the calibration then sees the table alone. Counted are the parameters inside their
95 % intervals, by the structure that is true, and the numbers of one more run at twice the largest
load inside their 90 % intervals, by the whole ensemble, which is not told what is true. Tables of
two classes by rate, with a little other work, a fixed overhead of a request, both or neither, come
beside: counted are the demands inside their 90 % intervals.

Run: python scripts/coverage_study.py [--networks 500] [--seed 1] [--ensemble 100]
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import replace

import numpy as np

from calibration.estimation.data import ONE_RUN, CalibrationData, Conditions, Datum
from calibration.estimation.fit import NotCalibratable
from calibration.fitting.calibrate import calibrate, calibrate_data
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank
from calibration.predicting.prediction import predict_all
from calibration.predicting.worlds import interval, worlds_of
from calibration.printed_tables.run import Measurement
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES
from calibration.structures.besides import BESIDES

NAMES = ("cpu", "disk", "net")
#: The structures of tables that count users, but for those that drawn networks have none of.
STRUCTURES_OF_USERS = [
    s.name
    for s in STRUCTURES
    if s is not BESIDES
    if s.name not in {"second thread", "quota", "parallel service", "merging", "pool"}
]


def of_worlds(calibration, number):
    """The 90 % interval of what all worlds of a calibration hold, and its median."""
    worlds = worlds_of(calibration)
    among = [(world.model, world.weight, world.axis) for world in worlds]
    return interval(among, [number(world.service) for world in worlds])


def random_network(rng, structure):
    """Conditions, the true model, and the structure's true parameter."""
    k = int(rng.integers(2 if structure == "parallel service" else 1, 4))
    stations = NAMES[:k]
    several = structure in {"product form", "hidden delay", "scale factor", "waking", "idling",
                            "coherency"}  # fmt: skip
    servers = tuple(int(rng.choice([1, 1, 2])) if several else 1 for _ in range(k))
    demand = tuple(float(d) for d in 10 ** rng.uniform(-2.0, 0.0, k))
    busiest = max(range(k), key=lambda i: demand[i] / servers[i])
    think = float(sum(demand) * 10 ** rng.uniform(-0.3, 1.3))
    knee = (sum(demand) + think) / (demand[busiest] / servers[busiest])
    loads = sorted({max(1, round(knee * f)) for f in np.linspace(0.15, 1.6, rng.integers(5, 9))})
    runs = tuple(Conditions(f"{n}", (n,), None, (think,), servers) for n in loads for _ in range(2))
    reference = knee
    model = replace(blank(("users",), stations, (), reference), demand=(demand,))

    def at_busiest(value, otherwise):
        return tuple(value if i == busiest else otherwise for i in range(k))

    size = sum(demand)
    name = stations[busiest]
    extra = {
        "product form": lambda: (model, "product form", None),
        "hidden delay": lambda: (
            replace(model, hidden_delay=(size * rng.uniform(0.5, 3.0),)), "hidden delay",
            "hidden delay"),
        "hidden queue": lambda: (
            replace(model, hidden_queue=(demand[busiest] * rng.uniform(0.4, 0.9),)),
            "hidden queue", "demand of hidden queue"),
        "variable service": lambda: (
            replace(model, scv=at_busiest(rng.uniform(2.0, 8.0), 1.0)),
            f"variable service at {name}", f"SCV of {name}"),
        "scale factor": lambda: (
            replace(model, scale=at_busiest(rng.uniform(1.1, 1.6), 1.0)),
            f"scale factor of {name}", f"scale factor of {name}"),
        "waking": lambda: (
            replace(model, waking=at_busiest(rng.uniform(0.1, 0.5), 0.0)),
            f"waking of {name}", f"waking of {name}"),
        "idling": lambda: (
            replace(model, idling=at_busiest(rng.uniform(0.05, 0.3), 0.0)),
            f"idling of {name}", f"power of idling of {name}"),
        "coherency": lambda: (
            replace(model, coherency=at_busiest(rng.uniform(0.1, 0.5), 0.0)),
            f"coherency of {name}", f"coherency of {name}"),
        "parallel service": lambda: (
            replace(model, parallel=(0.0, rng.uniform(0.2, 0.9), 0.0)[:k]),
            "parallel service at disk", "parallel service at disk"),
        "background load": lambda: (
            replace(model, background=at_busiest(rng.uniform(0.05, 0.3), 0.0)),
            f"background load at {name}", f"background load of {name}"),
    }  # fmt: skip
    true, model_name, parameter = extra[structure]()
    return runs, true, model_name, parameter


def measured(rng, runs, model, noise=ONE_RUN, *, at_most_1=False):
    """The table: what each run shows, with the noise of a run, printed to four digits."""
    numbers = []
    for i, (_run, answer) in enumerate(zip(runs, answers(model, runs), strict=True)):
        shown = [("throughput", "", None), ("response_time", "", None)]
        shown += [("utilization", s, k) for k, s in enumerate(model.stations)]
        for quantity, of, position in shown:
            value = answer.of(quantity, position) * (1.0 + noise.of(quantity) * rng.normal())
            if quantity == "utilization" and at_most_1:
                value = min(value, 1.0)  # no monitor shows more, however noisy
            printed = float(f"{value:.4g}")
            half = 0.5 * 10.0 ** (np.floor(np.log10(printed)) - 3)
            deviation = (half**2 / 3.0 + (noise.of(quantity) * printed) ** 2) ** 0.5
            numbers.append(Datum(i, quantity, of, "", Measurement(printed, float(deviation))))
    return CalibrationData("study", model.classes, model.stations, (), runs, tuple(numbers), noise)


def truth_of(model, parameter):
    value = getattr(model, parameter.sets)
    for place in parameter.place:
        value = value[place]
    return value


def cover(seed, structure):
    """Parameters inside their 95 % intervals: (name, inside) each; None if not calibratable."""
    rng = np.random.default_rng(seed)
    runs, true, model_name, _ = random_network(rng, structure)
    data = measured(rng, runs, true)
    candidates = [s for s in STRUCTURES if s.name == structure]
    try:
        found = calibrate_data(data, candidates)
        model = found.model(model_name)
    except (NotCalibratable, StopIteration):
        return None
    return [
        (p.name, low <= truth_of(true, p) <= high)
        for i, p in enumerate(model.parameters)
        for low, high in [model.interval(i)]
    ]


def hold_out(seed, structure):
    """Numbers of one more run at twice the load, inside the ensemble's 90 % interval or not."""
    rng = np.random.default_rng(seed)
    runs, true, model_name, _ = random_network(rng, structure)
    data = measured(rng, runs, true)
    found = calibrate_data(data)
    users = 2 * max(sum(run.population) for run in runs)
    run = replace(runs[-1], population=(users,))
    one = measured(rng, (run,), true, at_most_1=True)
    (said,) = predict_all(found, [users], one_run=True)
    names = [d.quantity + (f":{d.of}" if d.of else "") for d in one.numbers]
    inside = [
        said[name].low <= d.measurement.value <= said[name].high
        for name, d in zip(names, one.numbers, strict=True)
    ]
    width = [0.5 * (said[n].high - said[n].low) / said[n].mid for n in names]
    return inside, width, any(m.name == model_name for m in found.admissible)


def by_rate(rng, hidden):
    """Two classes at eight to thirteen rates and mixes: conditions, and the true model."""
    cores, k = int(rng.choice([1, 2, 4, 8])), int(rng.choice([1, 1, 2]))
    first = float(10 ** rng.uniform(-3.0, -1.5))
    rows = [[first], [first * float(rng.uniform(1.5, 6.0))]]
    for row in rows if k == 2 else ():
        row.append(row[0] / cores * float(10 ** rng.uniform(-1.0, 0.0)))
    more = {}
    if "other work" in hidden:
        more["background"] = tuple(float(rng.uniform(0.003, 0.05)) / (1 + i) for i in range(k))
    if "overhead" in hidden:
        more["hidden_delay"] = tuple(float(rng.uniform(0.02, 0.6)) * sum(row) for row in rows)
    if "idling" in hidden:
        more["idling"] = (float(rng.uniform(0.05, 0.3)), *(0.0,) * (k - 1))
    model = replace(blank(("a", "b"), NAMES[:k]), demand=tuple(tuple(row) for row in rows), **more)
    runs = []
    for i in range(int(rng.integers(8, 14))):
        busy, mix = float(rng.uniform(0.05, 0.6)) * cores, float(rng.uniform(0.1, 0.9))
        rates = busy * mix / rows[0][0], busy * (1.0 - mix) / rows[1][0]
        runs.append(Conditions(str(i), None, rates, (0.0, 0.0), (cores, 1)[:k]))
    return tuple(runs), model


def demands_by_rate(seed, hidden):
    """Whether each demand is in its 90 % interval, and how far off it is. [1]"""
    rng = np.random.default_rng(seed)
    runs, model = by_rate(rng, hidden)
    busy, times = float(rng.uniform(0.005, 0.03)), float(rng.uniform(0.01, 0.06))
    head = ["throughput:a [1/s]", "throughput:b [1/s]", "response_time:a [s]"]
    head += ["response_time:b [s]", *(f"utilization:{s} [%]" for s in model.stations)]
    lines = [",".join([*head, *(f"servers:{s}" for s in model.stations)])]
    for run, answer in zip(runs, answers(model, runs), strict=True):
        numbers = [*run.arrival_rate]
        numbers += [r * (1.0 + times * rng.normal()) for r in answer.response_time]
        numbers += [100.0 * u * (1.0 + busy * rng.normal()) for u in answer.utilization]
        lines.append(",".join([*(f"{value:.5g}" for value in numbers), *map(str, run.servers)]))
    found = calibrate(parse_user_table("\n".join(lines) + "\n", "study"), anyway=True)

    def there(service):
        return service.demand_at(AT * service.reference)

    for c, row in enumerate(there(model)):
        for k, truth in enumerate(row):
            said = of_worlds(found, lambda service, c=c, k=k: there(service)[c][k])
            yield said.low <= truth <= said.high, abs(said.mid / truth - 1.0)


#: Part of saturation at which demands of tables by rate are compared. [1]
AT = 0.35

#: What is hidden in tables by rate.
HIDDEN = (
    "", "other work", "overhead", "idling", "other work and overhead",
    "other work, overhead and idling",
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rates", type=int, default=25, help="tables by rate of each kind")
    parser.add_argument("--networks", type=int, default=500)
    parser.add_argument("--ensemble", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    names = STRUCTURES_OF_USERS
    by_structure, failed = defaultdict(list), 0
    for i in range(asked.networks):
        structure = names[i % len(names)]
        found = cover(asked.seed * 100_000 + i, structure)
        if found is None:
            failed += 1
            continue
        by_structure[structure] += [inside for _, inside in found]
        if sys.stderr.isatty():
            print(f"\r{i + 1} of {asked.networks}", end="", file=sys.stderr)
    every = [x for found in by_structure.values() for x in found]
    for name in names if every else ():
        found = by_structure[name]
        print(f"{name:24} {sum(found):5} of {len(found):5} inside, {np.mean(found):.1%}")
    if every:
        print(
            f"all: {np.mean(every):.1%} of {len(every)} parameters of {asked.networks - failed} "
            f"networks inside their 95 % intervals; {failed} could not be calibrated"
        )
    for hidden in HIDDEN:
        found = [
            each
            for i in range(asked.rates)
            for each in demands_by_rate(asked.seed * 100_000 + 80_000 + i, hidden)
        ]
        if found:
            off, kept = [each for _, each in found], np.mean([each for each, _ in found])
            print(
                f"by rate, hidden {hidden or 'nothing'}: {kept:.1%} "
                f"of {len(found)} demands inside their 90 % intervals, {np.median(off):.1%} off in "
                f"the median, {np.mean(np.array(off) < 0.1):.1%} within 10 %"
            )
    inside, width, kept = [], [], []
    for i in range(asked.ensemble):
        numbers, widths, true = hold_out(asked.seed * 100_000 + 50_000 + i, names[i % len(names)])
        inside += numbers
        width += widths
        kept.append(true)
    if inside:
        print(
            f"one more run at twice the load: {np.mean(inside):.1%} of {len(inside)} numbers "
            f"inside their 90 % intervals, median half-width {np.median(width):.1%}; the true "
            f"structure is admissible in {np.mean(kept):.1%} of {len(kept)} networks"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
