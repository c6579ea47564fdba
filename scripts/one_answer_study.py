"""Do all commands say the same of one measured server, and is it true?

Synthetic servers have 1 to 16 cores, one to three resources, a hidden delay, a hidden queue or
neither, and are "measured" at five to eight loads with 0.5 to 3 % of noise. Each goes through
``calibrate``, ``init --from``, ``predict``, ``whatif``, ``size``, ``advise``, ``predict --growth``
and ``schedule``. Compared are

- the answers of the commands with one another, on the same question: response time, throughput and
  utilization now, at another load and on other hardware, where the server saturates, how many users
  fit, and the ends of each interval;
- the exact answer at 1.5 times the largest measured load, and after doubling the cores, with the
  90 % interval of the prediction.

Run: python scripts/one_answer_study.py [--servers 200] [--seed 1] [--processes 2]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from advisor.configuration.of_calibration import configuration_text
from advisor.engine import review
from advisor.findings.verdict import verdict_of
from advisor.forecasting.forecast import growth
from advisor.forecasting.user_growth import stated_growth
from advisor.loading import load_config
from advisor.planning.alternatives import whatif
from advisor.predicting.load_curve import predict_users
from advisor.scheduling.schedule import schedule
from advisor.sizing.search import size
from calibration.estimation.data import Conditions
from calibration.estimation.fit import NotCalibratable
from calibration.estimation.interval import Range
from calibration.fitting.calibrate import calibrate
from calibration.fitting.saved import load_calibration, save_calibration
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank
from calibration.predicting.prediction import predict
from calibration.recordings.user_table import parse_user_table

NAMES = ("cpu", "disk", "net")
#: Quantities that are held against the truth.
TOLD = ("response_time", "throughput", "utilization:cpu")


@dataclass(frozen=True)
class Outcome:
    """What became of one server."""

    seed: int
    kind: str
    noise: float
    problem: str
    apart: float
    inside: dict[str, bool]
    width: dict[str, float]
    models: int


def server(rng):
    """Conditions, the true model, what is hidden, and the noise relative to the usual."""
    k = int(rng.integers(1, 4))
    cores = int(rng.choice([1, 2, 4, 8, 16]))
    servers = (cores, *[1] * (k - 1))
    demand = [float(10 ** rng.uniform(-2.3, -0.3))]
    demand += [demand[0] / cores * float(10 ** rng.uniform(-1.0, 0.1)) for _ in range(k - 1)]
    busiest = max(d / m for d, m in zip(demand, servers, strict=True))
    kind = str(rng.choice(["nothing", "delay", "queue"]))
    size = sum(demand)
    hidden = {
        "nothing": {},
        "delay": {"hidden_delay": (size * float(rng.uniform(0.3, 2.0)),)},
        "queue": {"hidden_queue": (busiest * float(rng.uniform(0.3, 0.9)),)},
    }[kind]
    think = size * float(10 ** rng.uniform(0.0, 1.5))
    knee = (size + think + sum(sum(v) for v in hidden.values())) / busiest
    highest = float(rng.uniform(0.7, 1.3))
    loads = sorted(
        {max(1, round(knee * f)) for f in np.linspace(0.1, highest, int(rng.integers(5, 9)))}
    )
    true = replace(blank(("users",), NAMES[:k]), demand=(tuple(demand),), **hidden)
    runs = [Conditions(str(n), (n,), None, (think,), servers) for n in loads]
    return runs, true, kind, float(rng.uniform(0.5, 3.0)) / 100.0


def table(rng, runs, true, noise):
    """The text of the table, every number with the noise, to four digits."""
    stations = true.stations
    head = ["users", "think_time [s]", "throughput [1/s]", "response_time [s]"]
    head += [f"utilization:{s} [%]" for s in stations] + [f"servers:{s}" for s in stations]
    lines = [",".join(head)]
    for run, answer in zip(runs, answers(true, runs), strict=True):
        seen = [answer.throughput[0], answer.response_time[0]]
        seen = [v * (1.0 + noise * rng.normal()) for v in seen]
        busy = [min(100.0, 100.0 * u * (1.0 + noise * rng.normal())) for u in answer.utilization]
        cells = [str(run.population[0]), repr(run.think_time[0])]
        cells += [f"{v:.4g}" for v in (*seen, *busy)]
        lines.append(",".join([*cells, *map(str, run.servers)]))
    return "\n".join(lines) + "\n"


def study(seed: int) -> Outcome:
    """One server, through all commands."""
    rng = np.random.default_rng(seed)
    runs, true, kind, noise = server(rng)
    try:
        fitted = calibrate(parse_user_table(table(rng, runs, true, noise), "study.csv"))
    except NotCalibratable as error:
        return Outcome(seed, kind, noise, f"calibrate: {error}", 0.0, {}, {}, 0)
    with TemporaryDirectory() as folder:
        try:
            return commands(seed, Path(folder), fitted, runs[-1], true, kind, noise)
        except Exception as error:  # noqa: BLE001 - a command that fails is an outcome
            return Outcome(seed, kind, noise, f"{type(error).__name__}: {error}", 0.0, {}, {}, 0)


def commands(seed, folder, fitted, last, true, kind, noise):
    """What each command says of the same two questions."""
    save_calibration(fitted, folder / "server.json")
    text = configuration_text(fitted, "server.json")
    (folder / "server.toml").write_text(text, encoding="utf-8")
    fitted = load_calibration(folder / "server.json")
    users, cores = sum(last.population), last.servers[0]
    more, twice = round(1.5 * users), 2 * cores
    configuration = load_config(folder / "server.toml")

    by_file = predict(fitted, more)
    said = {"predict a calibration": {q: by_file[q] for q in TOLD}}
    said["predict a configuration"] = _of(predict_users(configuration, [more]).outlooks[0])
    several = predict_users(configuration, [users, more, more + 1])
    said["predict at several loads"] = _of(several.outlooks[1])
    changed = whatif(configuration, {"more": [f"workload.users={more}"]})
    said["whatif"] = _of(changed.alternatives[0].outlook)
    reviewed = review(configuration.with_users(more))
    said["advise"] = _of(reviewed.outlook)
    tasks = '\n[[batch]]\nname = "job"\ncpu = "1 s"\nwindow = ["01:00", "03:00"]\n'
    (folder / "day.toml").write_text(text + tasks, encoding="utf-8")
    day = schedule(load_config(folder / "day.toml").with_users(more))
    said["schedule"] = {
        "response_time": max((s.alone for s in day.slots if s.alone), key=lambda each: each.mid)
    }
    apart = max(_apart(said), _apart(_saturations(by_file, several)))
    apart = max(apart, _fitting(configuration.with_users(more), reviewed.verdict))

    by_file = predict(fitted, users, {"servers:cpu": float(twice)})
    double = {"predict --change": {q: by_file[q] for q in TOLD}}
    changed = whatif(configuration, {"twice": [f"server.cores={twice}"]})
    double["whatif"] = _of(changed.alternatives[0].outlook)
    sized = size(
        configuration, vary=[f"server.cores={twice}"], response_time=1e6, utilization=0.9999
    )
    if sized.best:
        double["size"] = _of(sized.best.outlook)
    bigger = text.replace(f"[server]\ncores = {cores}", f"[server]\ncores = {twice}")
    (folder / "bigger.toml").write_text(bigger, encoding="utf-8")
    double["advise on the bigger"] = _of(review(load_config(folder / "bigger.toml")).outlook)
    apart = max(apart, _apart(double))

    inside, width = {}, {}
    for name, question, found in (
        ("load", replace(last, population=(more,)), said["predict a calibration"]),
        ("cores", replace(last, servers=(twice, *last.servers[1:])), double["predict --change"]),
    ):
        truth = answers(true, [question])[0]
        for quantity, value in (
            ("response_time", truth.response_time[0]),
            ("throughput", truth.throughput[0]),
            ("utilization:cpu", truth.utilization[0]),
        ):
            range_ = found[quantity]
            near = 1e-4 * value  # what is saturated has no width
            inside[f"{name} {quantity}"] = range_.low - near <= value <= range_.high + near
            width[f"{name} {quantity}"] = (range_.high - range_.low) / 2.0 / range_.mid
    return Outcome(seed, kind, noise, "", apart, inside, width, len(fitted.admissible))


def _of(outlook):
    (users,) = (c for c in outlook.classes if not c.batch)
    return {
        "response_time": users.response_time,
        "throughput": users.throughput,
        "utilization:cpu": outlook.resource("cpu").utilization,
    }


def _saturations(by_file, curve):
    """Where the server saturates, by its calibration and by its configuration."""
    points = {"a calibration": by_file.saturation, "a configuration": curve.saturation}
    return {
        name: {"users": point.users, "most": point.throughput}
        for name, point in points.items()
        if point is not None
    }


def _fitting(configuration, verdict):
    """How far advice, growth and `size` are apart on how many users fit."""
    if verdict.most is None or verdict.most.low < 1.0 or verdict.most.high > 1e5:
        return 0.0
    grown = growth(configuration, stated_growth("1%/month"), upgrades=[])
    load = configuration.settings.workload.users
    if grown.first.load is None:
        return 0.0
    fit = {"advise": {"fit": verdict.most}, "growth": {"fit": _times(grown.first.load, load)}}
    apart = _apart(fit)
    cores = configuration.settings.server.cores
    for users, state in ((int(verdict.most.low), "FITS"), (int(verdict.most.high) + 1, "")):
        sized = size(configuration, users=users, vary=[f"server.cores={cores}"])
        if (sized.best.state if sized.best else "") != state:
            apart = 1.0
    users = max(1, round(0.5 * (verdict.most.low + verdict.most.high)))
    there = configuration.with_users(users)
    said = verdict_of(there, predict_users(there, [users]).outlooks[0])
    sized = size(configuration, users=users, vary=[f"server.cores={cores}"])
    if (sized.best.state if sized.best else "") != (said.state if said.fits else ""):
        apart = 1.0
    return apart


def _times(found, load):
    return Range(found.low * load, found.mid * load, found.high * load)


def _apart(said):
    """The largest relative difference between commands, of any end of an interval."""
    worst = 0.0
    for quantity in {name for each in said.values() for name in each}:
        ranges = [each[quantity] for each in said.values() if quantity in each]
        for end in ("low", "mid", "high"):
            values = [getattr(range_, end) for range_ in ranges]
            worst = max(worst, max(values) / min(values) - 1.0)
    return worst


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--servers", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    seeds = range(1000 * asked.seed, 1000 * asked.seed + asked.servers)
    found = []
    with ProcessPoolExecutor(asked.processes) as pool:
        for each in pool.map(study, seeds):
            found.append(each)
            said = each.problem or f"commands apart by {each.apart:.2e}, {each.models} models"
            print(f"{len(found)} of {len(seeds)}: seed {each.seed}, {said}", file=sys.stderr)
    failed = [each for each in found if each.problem]
    whole = [each for each in found if not each.problem]
    for each in failed:
        print(f"seed {each.seed} ({each.kind}, noise {each.noise:.1%}): {each.problem}")
    print(f"{len(whole)} of {len(found)} servers went through all commands")
    worst = max(whole, key=lambda each: each.apart)
    print(f"commands apart by at most {worst.apart:.2e} (seed {worst.seed})")
    print(f"admissible models: {dict(sorted(Counter(e.models for e in whole).items()))}")
    for name in whole[0].inside:
        kept = sum(each.inside[name] for each in whole) / len(whole)
        print(
            f"{name:22} inside the 90 % interval {kept:6.1%}, "
            f"half width {median(e.width[name] for e in whole):.2%} in the median"
        )
        for kind in ("nothing", "delay", "queue"):
            some = [each for each in whole if each.kind == kind]
            share = sum(each.inside[name] for each in some) / len(some)
            print(f"{'':22}   {kind:8} {share:6.1%} of {len(some)}")
    return 1 if failed or worst.apart > 1e-3 else 0


if __name__ == "__main__":
    sys.exit(main())
