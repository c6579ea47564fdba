"""Give `qmodel advise` mutated configurations, and see that it always answers or refuses in order.

A mutant is an example with bytes flipped, keys dropped, doubled or swapped, or values of another
type, huge, tiny, of no or a wrong unit, of strange letters or deep nesting. Each runs in a fork of
one process, so that time and memory are its own; the first hundred can be run as commands too.

Exit codes 0 to 3 are in order, with an answer (0, 1) or with one line that says what is wrong
(2, 3). A traceback, an internal error, more than 2 s of processor time or 300 MB are not.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path

from tests.fuzz.forked import MOST_SECONDS, Run, command, forked
from tests.fuzz.verdict import MEGABYTES

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
#: Limit of one run. [s]
MOST_TIME = 2.0
#: A run that may be cut says how far it is after so many mutants.
EVERY = 500
#: A small server, mutated most often: what it does not survive, nothing does.
SMALL = """\
schema = 1
title = "a small server"
[server]
cpus = 2
cpu_speed = 1.5
memory = "256 MB"
[disk]
raid = "raid5"
drives = 5
stripe = "32 KB"
arrays = 1
[disk.cache]
read_hits = 0.25
write_back = true
[lan]
rate = "100 Mb/s"
segments = 1
[workload]
users = 30
think_time = "60 s"
peak = ["08:00", "18:00"]
[[workload.class]]
name = "orders"
share = 0.75
cpu = "400 ms"
disk_kb = 900
lan_kb = 300
write_share = "30 %"
[[workload.class]]
name = "reports"
share = 0.25
cpu = "2 s"
disk_kb = 4000
[[batch]]
name = "index"
cpu = "30 s"
disk_kb = 20000
window = ["22:00", "23:00"]
after = []
[targets]
response_time = "3 s"
utilization = "80 %"
[[suppress]]
rule = "RAID001"
reason = "ordered"
until = 2026-12-31
"""
NUMBERS = (
    "0", "-1", "1e308", "1e-308", "-1e308", "9" * 19, "9" * 400, "1000000000", "0.1", "1e9",
    "nan", "-nan", "inf", "-inf", "0x7fffffffffffffff", "1_0", "007", "1.5.2", "3", "20001",
)  # fmt: skip
UNITS = (
    "s", "ms", "us", "h", "min", "MB", "KB", "KiB", "GB", "TB", "Mb/s", "MB/s", "kb/s", "%", "/s",
    "furlong", "Kelvin", "dB", "s s", "1/s", "s/s", "B", "bit", "EB", "ns", "year", "",
)  # fmt: skip
TEXTS = (
    "", " ", "\u0000", "\u200b", "\U0001f4a5" * 20, "e\u0301" * 30, "\u202eabc", "x" * 5000,
    "../../../etc/passwd", "raid0", "raid6", "raid10", "notes31", "Pentium/66", "edit", "NaN",
    "%s%n{0}", "<b>", "'; drop", "-", "/dev/zero", ".", "calibrated", "none.json", "\r\n", "\t",
)  # fmt: skip
VALUES = (
    None, True, False, 0, -1, 1, 2, 3.5, 1e308, -1e308, 10**30, 10**9, 1e-300, "", "1", "x" * 3000,
    [], [[]], [1], ["a"], {}, {"a": {}}, [{}], "5 s", "5 MB", "5 Mb/s", "80 %", ["22:00", "06:00"],
    ["25:00", "x"], "\u2603", [[[[[[[[[]]]]]]]]], {"name": "x"},
)  # fmt: skip


def fault(run):
    """What is not in order; empty if all is."""
    if run.code not in {0, 1, 2, 3}:
        return f"exit code {run.code}"
    for word in ("Traceback", "internal error"):
        if word in run.err or word in run.out:
            return word
    if run.code in {2, 3} and run.err.count("\n") != 1:
        return f"{run.err.count(chr(10))} lines of error"
    if run.code in {0, 1} and not run.out.strip():
        return "no answer"
    if run.seconds > MOST_TIME:
        return f"{run.seconds:.1f} s"
    return f"{run.megabytes:.0f} MB" if run.megabytes > MEGABYTES else ""


def mutant(number, seed=1995):
    """Name and bytes of a mutant, the same for the same number."""
    draw = random.Random(f"{seed} {number}")  # noqa: S311, no secret
    bases = [SMALL] * 12 + [path.read_text(encoding="utf-8") for path in servers()]
    text = draw.choice(bases)
    if draw.random() < 0.3:
        data = json.loads(json.dumps(tomllib.loads(text), default=str))
        for _ in range(draw.choice((1, 1, 2, 3))):
            _of_data(draw, data)
        content = json.dumps(data, indent=1, ensure_ascii=draw.random() < 0.5)
        if draw.random() < 0.3:
            content = _of_text(draw, content)
        return "server.json", content.encode("utf-8", "surrogatepass")
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        text = _of_text(draw, text)
    content = text.encode("utf-8", "surrogatepass")
    if draw.random() < 0.15:
        content = _of_bytes(draw, content)
    return "server.toml", content


def servers():
    """The examples that are configurations of servers."""
    return sorted(
        path for path in EXAMPLES.glob("*.toml") if "[server]" in path.read_text(encoding="utf-8")
    )


def _of_bytes(draw, content):
    found = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 8))):
        at = draw.randrange(len(found) or 1)
        way = draw.randrange(4)
        if way == 0 and found:
            found[at] ^= 1 << draw.randrange(8)
        elif way == 1:
            found[at:at] = draw.randbytes(draw.choice((1, 2, 40)))
        elif way == 2:
            del found[at : at + draw.choice((1, 5, 100))]
        else:
            found[at:at] = found[at : at + draw.choice((3, 60, 600))]
    return bytes(found)


def _of_text(draw, text):
    lines = text.splitlines(keepends=True) or [""]
    at = draw.randrange(len(lines))
    way = draw.randrange(16)  # half of them do no more than to scale a number
    if way == 0:
        del lines[at]
    elif way == 1:
        lines.insert(draw.randrange(len(lines)), lines[at])
    elif way == 2:
        other = draw.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif way == 3:
        return _replaced(draw, text, r"-?\d+(?:\.\d+)?", draw.choice(NUMBERS))
    elif way == 4:
        return _replaced(draw, text, r"(?<=\d) (?:[a-zA-Z/%]+)", f" {draw.choice(UNITS)}")
    elif way == 5:
        return _replaced(draw, text, r'"[^"\n]*"', json.dumps(draw.choice(TEXTS)))
    elif way == 6:
        value = json.dumps(draw.choice(VALUES), ensure_ascii=False)
        return _replaced(draw, text, r"(?<== )[^\n]+", value)
    elif way == 7:
        depth = draw.choice((5, 99, 101, 3000))
        start, middle, end = draw.choice((("[", "", "]"), ("{a=", "1", "}")))
        value = start * depth + middle + end * depth
        return _replaced(draw, text, r"(?<== )[^\n]+", value)
    elif way == 8:
        return _replaced(draw, text, r"\b[a-z_]+(?= =)", draw.choice(("raid", "a.b", "x y", "é")))
    elif way >= 10:
        factor = draw.choice((0.01, 0.1, 0.5, 2, 3, 10, 1000, 1e6))
        return _scaled(draw, text, factor)
    else:
        return _replaced(draw, text, r"(?m)^\[+[^\n]*\]$", draw.choice(("[a]", "[[lan]]", "[", "")))
    return "".join(lines)


def _scaled(draw, text, factor):
    found = list(re.finditer(r"(?<![\d:.-])\d+(?:\.\d+)?(?![\d:.-])", text))
    if not found:
        return text
    each = draw.choice(found)
    value = float(each[0]) * factor
    new = f"{value:.0f}" if "." not in each[0] and value >= 1 else f"{value:.6g}"
    return text[: each.start()] + new + text[each.end() :]


def _replaced(draw, text, pattern, new):
    found = list(re.finditer(pattern, text))
    if not found:
        return text + new
    start, end = draw.choice(found).span()
    return text[:start] + new + text[end:]


def _of_data(draw, data):
    """One key somewhere dropped, renamed, doubled, or given another value."""
    places = []

    def walk(at):
        for key, value in at.items() if isinstance(at, dict) else enumerate(at):
            places.append((at, key))
            if isinstance(value, dict | list):
                walk(value)

    walk(data)
    if not places:
        return
    at, key = draw.choice(places)
    way = draw.randrange(4)
    if way == 0:
        del at[key]
    elif way == 1 and isinstance(at, dict):
        at[draw.choice(TEXTS)] = at.pop(key)
    elif way == 2 and isinstance(at, list):
        at.extend([at[key]] * draw.choice((1, 30)))
    elif isinstance(at[key], int | float) and not isinstance(at[key], bool):
        factor = draw.choice((0, -1, 0.5, 2, 10, 1e3, 1e6, 1e12, 1e300))
        at[key] = type(at[key])(min(at[key] * factor, 1e300))
    else:
        at[key] = draw.choice(VALUES)


def in_fork(path):
    """`qmodel advise` in a child of this process."""
    return forked(lambda: command(["advise", str(path)]), path.parent)


def commanded(path):
    """`qmodel advise` as a command of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=MOST_SECONDS,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    err, _, memory = done.stderr.decode("utf-8", "replace").rpartition("memory ")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(
        done.returncode, done.stdout.decode("utf-8", "replace"), err, spent, float(memory) / 1024
    )


#: The command, and its own largest memory as the last line of its errors.
_MEASURED = """\
import atexit, resource, sys
atexit.register(lambda: print(
    "memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr))
sys.argv = ["qmodel", "advise", sys.argv[1]]
from advisor.cli import main
main()
"""


def warm(folder):
    """Import all that an answer needs, so that children have it; they fit the systems anew."""
    import advisor
    from advisor.cli import main  # noqa: F401
    from advisor.predicting.load_curve import alone_and_at_peak, populations
    from advisor.report.terminal import show_review  # noqa: F401
    from calibration.systems import SYSTEM_NAMES

    path = folder / "warm.toml"
    path.write_text(SMALL, encoding="utf-8")
    configuration = advisor.load_config(path)
    advisor.review(configuration)
    alone_and_at_peak(configuration, populations(configuration))
    systems = (f"calibration.systems.{name}" for name in SYSTEM_NAMES)
    for module in ("advisor.cli.app", "scipy.optimize", *systems):
        import_module(module)


def runs(numbers, folder, way=in_fork):
    """Number, name, content and run of each mutant."""
    shutil.copytree(EXAMPLES / "calibrated", folder / "calibrated", dirs_exist_ok=True)
    for number in numbers:
        name, content = mutant(number)
        path = folder / name
        path.write_bytes(content)
        yield number, name, content, way(path)


def tally(total, faults, codes, slowest, largest):
    """What a long run has found so far."""
    return (
        f"{total} runs, {len(faults)} failed",
        "exit codes: " + ", ".join(f"{code}: {n}" for code, n in sorted(codes.items())),
        f"slowest: {slowest[0]:.2f} s of processor time (mutant {slowest[1]})",
        f"largest: {largest[0]:.0f} MB (mutant {largest[1]})",
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m scripts.mutate_configs", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--count", type=int, default=10_000, help="how many mutants")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--step", type=int, default=1, help="every how many-th of them")
    parser.add_argument("--commands", type=int, default=0, help="run so many as commands as well")
    parser.add_argument("--keep", type=Path, help="folder for mutants that fail")
    chosen = parser.parse_args(arguments)
    codes, faults = Counter(), []
    slowest, largest, total = (0.0, 0), (0.0, 0), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warm(folder)
        numbers = range(chosen.first, chosen.first + chosen.count, chosen.step)
        jobs = [(numbers, in_fork), (numbers[: chosen.commands], commanded)]
        for numbers, way in jobs:
            for number, file, content, run in runs(numbers, folder, way):
                total += 1
                codes[run.code] += 1
                slowest = max(slowest, (run.seconds, number))
                largest = max(largest, (run.megabytes, number))
                if found := fault(run):
                    faults.append(number)
                    last = run.err.strip().splitlines()[-1:] or [""]
                    print(f"FAIL {number} {way.__name__}: {found}; {last[0][:300]}", flush=True)
                    if chosen.keep:
                        chosen.keep.mkdir(parents=True, exist_ok=True)
                        (chosen.keep / f"{number}-{file}").write_bytes(content)
                if total % EVERY == 0:
                    print(*tally(total, faults, codes, slowest, largest), sep="; ", flush=True)
    print(*tally(total, faults, codes, slowest, largest), sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
