"""Mutate modules and list what survives: python -m benchmarks.mutation [MODULE ...] [--jobs N].

Results of a module replace those of an earlier run in results.json; REPORT.md is written anew.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.mutation.report import read_reasons, why, write_report
from benchmarks.mutation.session import Target, again, mutated

FOLDER = Path(__file__).parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", help="only targets whose module has this text")
    parser.add_argument("--jobs", type=int, default=2, help="modules at a time")
    parser.add_argument(
        "--again", action="store_true", help="only what survived, after tests were added"
    )
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
    failed = 0
    if not arguments.report:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            if arguments.again:
                before, reasons = _read(path), read_reasons()
                tasks = {}
                for target in chosen:
                    explained = partial(_explained, reasons, target.module)
                    found = before.get(target.module, {"survivors": []})
                    if not all(map(explained, found["survivors"])):
                        tasks[pool.submit(again, target, found, explained)] = target
            else:
                tasks = {pool.submit(mutated, t, read["seed"]): t for t in chosen}
            for task in as_completed(tasks):
                target = tasks[task]
                try:
                    found = task.result()
                except RuntimeError as error:  # its tests fail without any mutant
                    failed += 1
                    print(error, flush=True)
                    continue
                results = {**_read(path), target.module: found}  # others may run beside this one
                path.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
                print(
                    f"{target.module}: {found['tried']} of {found['mutants']} tried, "
                    f"{len(found['survivors'])} survive",
                    flush=True,
                )
    unexplained = write_report(_read(path), targets, read["seed"])
    print(f"{unexplained} survivors without a reason")
    return 1 if unexplained or failed else 0


def _explained(reasons: Sequence[dict[str, str]], module: str, survivor: dict[str, str]) -> bool:
    return why(reasons, module, survivor) is not None


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


if __name__ == "__main__":
    sys.exit(main())
