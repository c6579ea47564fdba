"""Plant every fault and see it caught: python -m tests.faults [--jobs N] [--only TEXT].

Exit status 1 if a fault survives, or if the suite fails without one.
"""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.faults.runner import faults, try_out, without_any


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at a time")
    parser.add_argument("--only", default="", help="faults whose file or effect has this text")
    arguments = parser.parse_args()
    chosen = [f for f in faults() if arguments.only in f.file + f.breaks]
    clean = without_any(chosen)
    if clean.caught:
        print(f"the suite fails without any fault: {clean.by}")
        return 1
    print(f"without a fault the suite passes in {clean.seconds:.0f} s", flush=True)
    survivors = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for verdict in pool.map(try_out, chosen):
            survivors += not verdict.caught
            print(
                f"{'caught' if verdict.caught else 'SURVIVES':<9}{verdict.seconds:5.0f} s  "
                f"{verdict.fault.file}: {verdict.fault.breaks}\n"
                f"                 {verdict.problem or verdict.by}",
                flush=True,
            )
    print(f"{len(chosen) - survivors} of {len(chosen)} caught")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
