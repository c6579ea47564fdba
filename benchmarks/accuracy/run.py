"""One family solved by its methods, and what is recorded of it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import islice
from statistics import median

from benchmarks.accuracy.family import Family, errors
from benchmarks.accuracy.references import References
from qmodel import QmodelError
from qmodel.solvers.recorded_accuracy import figures, kinds

#: Networks of a family from which on the kinds that they have in common are recorded.
ENOUGH = 4


def evaluate(family: Family, *, fresh: bool = False) -> dict:
    """The record of a family for ``table.json``.

    Parameters
    ----------
    family : Family
        What to run.
    fresh : bool
        Whether references that were kept are computed again.
    """
    references = References(family, fresh=fresh)
    found = {name: [] for name in family.methods}
    refused = dict.fromkeys(family.methods, 0)
    noise = {}
    for i, network in enumerate(islice(family.networks(family.seed), family.count)):
        if sys.stderr.isatty():
            print(f"\r{family.name} {i + 1}/{family.count} ", end="", file=sys.stderr, flush=True)
        truth = references.of(network)
        for measure, widths in truth.noise.items():
            rows = zip(widths, truth.scale.get(measure, truth.values[measure]), strict=True)
            noise.setdefault(measure, []).append(max((w / s for w, s in rows if s), default=0.0))
        for name, method in family.methods.items():
            try:
                found[name].append((i, errors(method(network), truth)))
            except QmodelError:
                refused[name] += 1
    references.save()
    return {
        "about": family.about,
        "truth": family.truth,
        "seed": family.seed,
        "networks": family.count,
        **likeness(family),
        "noise": {m: rounded(median(widths)) for m, widths in noise.items()},
        "methods": {
            name: {
                "answered": len(rows),
                "refused": refused[name],
                "errors": {m: summary(rows, m) for m in _measures(family, rows)},
                "sample": [
                    {"network": i, **{m: rounded(e) for m, e in row.items()}}
                    for i, row in rows
                    if i < family.sample
                ],
            }
            for name, rows in found.items()
        },
    }


def again(family: Family, method: str, networks: Collection[int]) -> dict[int, dict[str, float]]:
    """The errors of one method on some of the networks, by their numbers."""
    references = References(family)
    return {
        i: {m: rounded(e) for m, e in errors(family.methods[method](network), truth).items()}
        for i, network in enumerate(islice(family.networks(family.seed), max(networks) + 1))
        if i in networks and (truth := references.of(network))
    }


def sampled(family: Family, recorded: Mapping) -> dict[int, dict[str, float]]:
    """What is recorded of a method's worst network, and of the first one that the suite solves.

    Where references are kept because they take long, methods do as well: one network is enough.
    """
    rows: dict[int, dict[str, float]] = {}
    for i, (measure, found) in enumerate(recorded["errors"].items()):
        number = found["worst_at"]
        if number not in family.slow and (i == 0 or number in rows):
            rows.setdefault(number, {})[measure] = found["worst"]
    for row in recorded["sample"]:
        if row["network"] not in family.slow and len(rows) < (1 if family.keep else 2):
            rows[row["network"]] = {m: e for m, e in row.items() if m != "network"}
    return rows


def likeness(family: Family) -> dict:
    """By what a network is told to be like those of a family: kinds and ranges of figures."""
    values: dict[str, list[float]] = {}
    found: Counter[frozenset[str]] = Counter()
    for network in islice(family.networks(family.seed), family.count):
        found[kinds(network)] += 1
        for name, own in figures(network).items():
            values.setdefault(name, []).extend(own)
    alike = {each: sum(n for other, n in found.items() if each <= other) for each in found}
    many = [each for each, times in alike.items() if times >= ENOUGH]
    enough = [e for e in many if found[e] >= ENOUGH or not any(e < other for other in many)]
    return {
        "ranges": {n: [float(f"{each(v):.6g}") for each in (min, max)] for n, v in values.items()},
        "kinds": sorted(map(sorted, enough)),
    }


def summary(rows, measure: str) -> dict:
    """Median, 95th percentile and worst error, and the network of the latter."""
    values = sorted((row[measure], i) for i, row in rows if measure in row)
    return {
        "median": rounded(median(v for v, _ in values)),
        "p95": rounded(values[min(len(values) - 1, int(0.95 * len(values)))][0]),
        "worst": rounded(values[-1][0]),
        "worst_at": values[-1][1],
    }


def rounded(value: float) -> float:
    """Three digits; what is nothing but rounding is 0."""
    return float(f"{value:.3g}") if value > 1e-9 else 0.0


def _measures(family: Family, rows) -> list[str]:
    there = dict.fromkeys(m for _, row in rows for m in row)
    return [m for m in family.measures or there if m in there]
