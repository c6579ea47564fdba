"""Mutate modules and list what survives: python -m benchmarks.mutation [MODULE ...] [--jobs N].

What is found of a module replaces what `modules.toml` recorded of it.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed

from benchmarks.mutation.record import read, table, write
from benchmarks.mutation.session import again, mutated


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", help="only modules whose path has this text")
    parser.add_argument("--jobs", type=int, default=2, help="modules at a time")
    parser.add_argument(
        "--again", action="store_true", help="only what survived, after tests were added"
    )
    parser.add_argument("--report", action="store_true", help="only print the table")
    arguments = parser.parse_args()
    seed, modules = read()
    chosen = {
        name: entry
        for name, entry in modules.items()
        if not arguments.modules or any(text in name for text in arguments.modules)
    }
    failed = 0
    if not arguments.report:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            if arguments.again:
                tasks = {pool.submit(again, n, e): n for n, e in chosen.items() if e.get("left")}
            else:
                tasks = {pool.submit(mutated, n, e, seed): n for n, e in chosen.items()}
            for task in as_completed(tasks):
                name = tasks[task]
                try:
                    found = task.result()
                except RuntimeError as error:  # its tests fail without any mutant
                    failed += 1
                    print(error, flush=True)
                    continue
                seed, now = read()  # others may run beside this one
                write(seed, {**now, name: found})
                print(
                    f"{name}: {found['tried']} of {found['mutants']} tried, "
                    f"{found['tried'] - found['killed']} survive",
                    flush=True,
                )
    _, modules = read()
    print(table({name: modules[name] for name in chosen}))
    unexplained = sum(len(modules[name].get("left", ())) for name in chosen)
    print(f"{unexplained} survivors without a reason")
    return 1 if unexplained or failed else 0


if __name__ == "__main__":
    sys.exit(main())
