"""Run every example and compare what it prints with the .out file beside it.

With --write the .out files are written anew; look at the difference before you commit it.
A .py example is run; a .toml or .json example goes to `qmodel solve` if it has stations, to
`qmodel advise` otherwise; an .lqn or .lqnx goes to `qmodel solve`, a .csv to `qmodel audit`,
or to `qmodel fleet` if it is one.
"""

import difflib
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"


def command(example):
    if example.suffix == ".py":
        return [sys.executable, str(example)]
    verbs = {".csv": "audit", ".lqn": "solve", ".lqnx": "solve"}
    if example.suffix in verbs:
        verb = "fleet" if example.stem == "fleet" else verbs[example.suffix]
        return [sys.executable, "-m", "advisor.cli", verb, str(example.relative_to(ROOT))]
    text = example.read_text(encoding="utf-8")
    data = json.loads(text) if example.suffix == ".json" else tomllib.loads(text)
    verb = "solve" if "station" in data else "advise"
    return [sys.executable, "-m", "advisor.cli", verb, str(example.relative_to(ROOT))]


def output(example):
    plain = {**os.environ, "NO_COLOR": "1", "COLUMNS": "110", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        command(example), cwd=ROOT, env=plain, capture_output=True, text=True, encoding="utf-8"
    )
    lines = [f"exit code {done.returncode}"] if done.returncode else []
    lines += [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    return "".join(f"{line}\n" for line in lines)


def main(arguments):
    failed = 0
    kinds = {".py", ".toml", ".json", ".csv", ".lqn", ".lqnx"}
    examples = sorted(p for p in EXAMPLES.iterdir() if p.suffix in kinds)
    for example in examples:
        printed = output(example)
        beside = example.with_suffix(".out")
        if "--write" in arguments:
            beside.write_text(printed, encoding="utf-8")
        wanted = beside.read_text(encoding="utf-8") if beside.exists() else ""
        same = printed == wanted
        failed += not same
        print(f"{'ok  ' if same else 'FAIL'} {example.name}")
        if not same:
            sys.stdout.writelines(
                difflib.unified_diff(
                    wanted.splitlines(keepends=True),
                    printed.splitlines(keepends=True),
                    beside.name,
                    "now",
                )
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
