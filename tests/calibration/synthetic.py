"""Measured tables made from models that are known."""

from dataclasses import replace

import numpy as np

from calibration.estimation.data import ONE_RUN, Conditions
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank

THINK = 3.0
LOADS = (1, 4, 8, 16, 24, 40)


def model(**changes):
    """One class at a processor and a disk."""
    return replace(
        blank(("users",), ("cpu", "disk"), reference=40**0.5),
        **{"demand": ((0.2, 0.1),), "think_time": (THINK,), **changes},
    )


def runs(loads=LOADS, think=THINK, servers=(1, 1)):
    return [Conditions(str(n), (n,), None, (think,), servers) for n in loads]


def table(true, conditions, *, seed=0, noise=ONE_RUN, digits=5, response=True, repeat=1):
    """The text of the table that a monitor and a load generator would write."""
    rng = np.random.default_rng(seed)
    header = ["population", "think_time [s]", "throughput [1/s]"]
    header += ["response_time [s]"] if response else []
    header += [f"utilization:{s} [%]" for s in true.stations]
    header += [f"servers:{s}" for s in true.stations]
    lines = [",".join(header)]
    for run, answer in zip(conditions, answers(true, conditions), strict=True):
        for _ in range(repeat):

            def seen(value, quantity, factor=1.0):
                off = 1.0 + noise.of(quantity) * rng.normal() if seed else 1.0
                limit = 100.0 if quantity == "utilization" else np.inf
                return f"{min(value * off * factor, limit):.{digits}g}"

            cells = [str(run.population[0]), f"{run.think_time[0]:g}"]
            cells += [seen(answer.throughput[0], "throughput")]
            cells += [seen(answer.response_time[0], "response_time")] if response else []
            cells += [seen(u, "utilization", 100.0) for u in answer.utilization]
            cells += [str(m) for m in run.servers]
            lines.append(",".join(cells))
    return "\n".join(lines) + "\n"
