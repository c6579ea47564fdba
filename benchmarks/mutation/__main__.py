"""Mutate modules and list what survives: python -m benchmarks.mutation [MODULE ...] [--jobs N].

Results of a module replace those of an earlier run in results.json; REPORT.md is written anew.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.mutation.report import write_report
from benchmarks.mutation.session import Target, mutated

FOLDER = Path(__file__).parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", help="only targets whose module has this text")
    parser.add_argument("--jobs", type=int, default=2, help="modules at a time")
    parser.add_argument("--report", action="store_true", help="only write the report anew")
    arguments = parser.parse_args()
    with (FOLDER / "targets.toml").open("rb") as file:
        read = tomllib.load(file)
    targets = [
        Target(each["module"], tuple(each["tests"]), each["tried"]) for each in read["target"]
    ]
    chosen = [
        each
        for each in targets
        if not arguments.modules or any(text in each.module for text in arguments.modules)
    ]
    path = FOLDER / "results.json"
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if not arguments.report:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for target, found in zip(
                chosen, pool.map(lambda t: mutated(t, read["seed"]), chosen), strict=True
            ):
                results[target.module] = found
                print(
                    f"{target.module}: {found['tried']} of {found['mutants']} tried, "
                    f"{len(found['survivors'])} survive",
                    flush=True,
                )
                path.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    unexplained = write_report(results, targets, read["seed"])
    print(f"{unexplained} survivors without a reason")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
