"""python -m benchmarks.percentile_study: how far percentiles and late shares are off.

The 500 networks of the family ``percentiles-random``, by class: median and mean error, the error
that 95 % of the cases are within, the worst, and the half width of the simulation's 95 % interval;
of late shares as a factor of either side. Then the worst cases, and processor time a network.
"""

from collections.abc import Sequence
from itertools import islice
from statistics import median
from time import process_time

import qmodel as qm
from benchmarks.accuracy.families.percentiles_random import ASKED, FAMILY
from benchmarks.accuracy.references import References

Case = tuple[float, float, str]


def main() -> None:
    """Print errors, the worst last."""
    references = References(FAMILY)
    errors: dict[str, list[Case]] = {name: [] for name in ("R", *ASKED, "late")}
    sharing: list[float] = []
    seconds = []
    for i, network in enumerate(islice(FAMILY.networks(FAMILY.seed), FAMILY.count)):
        truth = references.of(network)
        times = [float(f"{t:.12g}") for t in truth.values["time"]]
        solution = qm.solve(network)
        begun = process_time()
        table = qm.percentiles(solution, ASKED.values(), visits=False)
        seconds.append(process_time() - begun)
        late = qm.late_shares(solution, times)
        shares = all(station.discipline == "ps" for station in network.stations)
        for c, name in enumerate(network.class_names):
            mine = {"R": solution.response_times[c], "late": late[name][times[c]]}
            mine |= dict(zip(ASKED, table.response_times[c], strict=True))
            for what, value in mine.items():
                right, half = truth.values[what][c], truth.noise[what][c]
                if right > 0.0:
                    errors[what].append((value / right - 1.0, half / right, f"{i}/{name}"))
            if shares:
                sharing.append(mine["p99"] / truth.values["p99"][c] - 1.0)
    for what, cases in errors.items():
        said(what, cases)
    bias = sum(sharing) / len(sharing)
    print(f"p99 where all stations share, {len(sharing)} cases: mean {bias:+.2%}")
    print(f"{median(seconds):.3f} s a network, worst {max(seconds):.2f} s")
    for what in (*ASKED, "late"):
        for error, half, case in sorted(errors[what], key=lambda e: -abs(e[0]))[:6]:
            print(f"  {what} of {case}: {error:+.1%} (simulated ± {half:.1%})")


def said(what: str, cases: Sequence[Case]) -> None:
    """Print one measure."""
    off = sorted(abs(e) if what != "late" else max(1 + e, 1 / (1 + e)) - 1 for e, _, _ in cases)
    mean = sum(e for e, _, _ in cases) / len(cases)
    print(
        f"{what:5} {len(off)} cases: median {median(off):.2%}, mean {mean:+.2%}, "
        f"95 % within {off[int(0.95 * len(off))]:.2%}, worst {off[-1]:.2%}; "
        f"simulated ± {median(h for _, h, _ in cases):.2%}"
    )


if __name__ == "__main__":
    main()
