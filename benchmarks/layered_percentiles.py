"""python -m benchmarks.layered_percentiles [COUNT [SEED]]: means and percentiles of layered models.

The models are those of `benchmarks.layered_models`, of seeds that nothing was chosen by but 401, by
which it was seen which network to take. Simulated to 2 % of the means, or for 30 s.
"""

import json
import sys
from pathlib import Path
from statistics import median

from benchmarks.layered_models import models
from qmodel import QmodelError, percentiles, simulate, solve_layers

#: What was simulated, by seed and number: mean and percentiles of each group of users.
KEPT = Path(__file__).with_name("layered_percentiles.json")
SEED, COUNT = 402, 60
SHARES = (0.5, 0.9, 0.95, 0.99)
MEAN = 0.0


def simulated(model, seed: int) -> list[list[float]]:
    """Mean and percentiles by user group and share."""
    found = simulate(model, precision=0.02, seconds=30, seed=seed, percentiles=SHARES)
    return [[mean.value, *(each.value for each in row)]
            for mean, row in zip(found.response_times, found.percentiles, strict=True)]  # fmt: skip


def errors(count: int = COUNT, seed: int = SEED, kept=None) -> dict[int, dict[float, list[float]]]:
    """Relative errors of means and percentiles of each model, by share and user group."""
    kept = json.loads(KEPT.read_text()) if kept is None else kept
    found = {}
    for i, model in zip(range(count), models(seed), strict=False):
        right = kept.get(f"{seed}/{i}")
        if right is None:
            right = kept[f"{seed}/{i}"] = simulated(model, i)
            KEPT.write_text(json.dumps(kept, indent=0))
        try:
            solved = solve_layers(model)
            said = percentiles(solved, SHARES)
        except QmodelError as error:
            print(f"{seed}/{i} not solved: {error}")
            continue
        rows = [{MEAN: solved.users[each.name].response_time, **said[each.name]}
                for each in model.users]  # fmt: skip
        found[i] = {p: [row[p] / some[j] - 1.0 for row, some in zip(rows, right, strict=True)]
                    for j, p in enumerate((MEAN, *SHARES))}  # fmt: skip
    return found


def main() -> None:
    """Print how far percentiles are off."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    found = errors(count, seed)
    for p in (MEAN, *SHARES):
        off = sorted(abs(e) for each in found.values() for e in each[p])
        most = off[int(0.95 * len(off))]
        name = f"p{100 * p:g}" if p else "mean"
        print(f"{name}: median {median(off):.1%}, 95 % below {most:.1%}, "
              f"worst {off[-1]:.1%} of {len(off)}")  # fmt: skip


if __name__ == "__main__":
    main()
