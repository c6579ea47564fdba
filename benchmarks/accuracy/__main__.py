"""python -m benchmarks.accuracy [NAME ...]: solve the families, write the table."""

import argparse
import sys
from time import perf_counter

from benchmarks.accuracy.families import FAMILIES
from benchmarks.accuracy.run import evaluate, likeness
from benchmarks.accuracy.table import read, write


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    known = {family.name: family for family in FAMILIES}
    parser.add_argument("families", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    parser.add_argument("--ranges", action="store_true", help="kinds and ranges only, no errors")
    parser.add_argument("--fresh", action="store_true", help="compute kept references again")
    options = parser.parse_args()
    unknown = [name for name in options.families if name not in known]
    if unknown:
        parser.error(f"no family {unknown[0]}; there is {', '.join(known)}")
    if options.ranges:
        write({name: found | likeness(known[name]) for name, found in read().items()})
        return
    for name, family in known.items():
        if options.families and name not in options.families:
            continue
        begun = perf_counter()
        found = evaluate(family, fresh=options.fresh)
        # Read late: another run may have written another family meanwhile.
        recorded = read() | {name: found}
        ordered = {n: recorded[n] for n in known if n in recorded}
        # A family that this run does not know may be newer than it; a run of all forgets it.
        write(ordered | recorded if options.families else ordered)
        print(f"\r{name}: {perf_counter() - begun:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
