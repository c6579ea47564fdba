"""Correct digits of every solver on the certified networks: python -m scripts.certify.

For each network and method the digits to which the throughput and the queue lengths agree with
the 50-digit answers, the worst class and station counting. A float has not quite 16.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter

import qmodel as qm
from qmodel.solvers import METHODS
from tests.certified.reader import load, names

#: Digits that a double-precision number can have.
MOST = 15.95
#: Customers beyond which what goes from population to population is left out: minutes, for
#: networks of one class that others solve at once.
STEPS = 200_000


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.certify", description=__doc__)
    parser.add_argument("--method", action="append", help="only this method; may be repeated")
    arguments = parser.parse_args()
    methods = [m for m in METHODS if arguments.method is None or m.name in arguments.method]
    print(f"{'network':<28} {'level':<6} {'method':<22} {'X':>5} {'Q':>5} {'ms':>9}")
    worst: dict[str, list[float]] = {}
    refused: Counter[str] = Counter()
    for name in names():
        found = load(name)
        for method in methods:
            if method.why_not(found.network) is not None:
                continue
            customers = sum(getattr(c, "population", 0) for c in found.network.classes)
            if method.work is not None and customers > STEPS:
                print(f"{name:<28} {found.level:<6} {method.name:<22} left out, {customers} steps")
                continue
            begun = time.perf_counter()
            try:
                solution = method.solve(found.network)
            except qm.QmodelError as error:
                print(f"{name:<28} {found.level:<6} {method.name:<22} {error}")
                refused[method.name] += 1
                continue
            elapsed = 1000 * (time.perf_counter() - begun)
            digits = [_digits(error) for error in found.errors(solution)]
            worst.setdefault(method.name, []).append(min(digits))
            print(
                f"{name:<28} {found.level:<6} {method.name:<22} "
                f"{digits[0]:>5.1f} {digits[1]:>5.1f} {elapsed:>9.2f}"
            )
    print(f"\n{'method':<22} {'networks':>8} {'refused':>8} {'fewest digits':>14}")
    for method in methods:
        if method.name in worst:
            found_digits = worst[method.name]
            print(
                f"{method.name:<22} {len(found_digits):>8} {refused[method.name]:>8} "
                f"{min(found_digits):>14.1f}"
            )
    return 0


def _digits(error: float) -> float:
    """Correct significant digits of a relative error, between 0 and those of a float."""
    if error == 0:
        return MOST
    if not math.isfinite(error):
        return 0.0
    return max(0.0, min(MOST, -math.log10(error)))


if __name__ == "__main__":
    sys.exit(main())
