"""Fuzz for some seconds: python -m tests.fuzz [SECONDS] [--only TEXT] [--seed N].

Each target gets its share of the time. Hypothesis draws what is spoilt and makes a failure small.
Exit status 1 if a run does what none may.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz.changes import spoilt, spoilt_text
from tests.fuzz.forked import Run, command, forked
from tests.fuzz.targets import ARGUMENTS, TARGETS, Target, _example
from tests.fuzz.verdict import wrong

BATCH = 10  # examples between two looks at the clock


class Found(AssertionError):
    """A run that did what none may."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=60.0)
    parser.add_argument("--only", default="", help="targets whose name has this text")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    preload()
    names = [t.name for t in TARGETS] + [f"argument of {' '.join(a)}" for a, _, _ in ARGUMENTS]
    chosen = [i for i, name in enumerate(names) if arguments.only in name]
    failures = 0
    for place in chosen:
        tally: list[Run] = []
        with tempfile.TemporaryDirectory(prefix="qmodel-fuzz-") as folder:
            run = (
                file_run(TARGETS[place], Path(folder), tally)
                if place < len(TARGETS)
                else argument_run(*ARGUMENTS[place - len(TARGETS)], Path(folder), tally)
            )
            problem = campaign(run, arguments.seconds / len(chosen), arguments.seed)
        failures += problem is not None
        codes = {
            code: sum(r.code == code for r in tally) for code in sorted({r.code for r in tally})
        }
        slowest = max((r.seconds for r in tally), default=0.0)
        largest = max((r.megabytes for r in tally), default=0.0)
        print(
            f"{names[place]:<52} {len(tally):>6} runs  exit codes {codes}  "
            f"{slowest:.2f} s  {largest:.0f} MB",
            flush=True,
        )
        if problem:
            print(f"  FOUND {problem}\n", flush=True)
    print(f"{failures} of {len(chosen)} targets did what none may")
    return 1 if failures else 0


def campaign(run, seconds: float, first: int) -> str | None:
    """Batches of examples until the time is over or something is found."""
    end, number = time.monotonic() + seconds, first * 1_000_000
    strategy, check = run
    while time.monotonic() < end:
        batch = settings(
            max_examples=BATCH, deadline=None, database=None,
            phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False, print_blob=False,
        )  # fmt: skip
        try:
            batch(seed(number)(given(strategy)(_anew(check))))()
        except Found as found:
            return str(found)
        number += 1
    return None


def _anew(check):
    """A function of its own for each batch: Hypothesis marks what it has decorated."""

    def run(value):
        check(value)

    return run


def file_run(target: Target, folder: Path, tally: list[Run]):
    """What spoils the file of a target, and the command run on it."""
    for name, text in target.beside:
        (folder / name).write_text(text(), encoding="utf-8")
    contents = st.sampled_from(target.good()).flatmap(lambda text: spoilt(text, target.kind))

    def check(content: bytes) -> None:
        (folder / target.file).write_bytes(content)
        done = forked(lambda: command(list(target.arguments)), folder)
        tally.append(done)
        for path in folder.glob("s.csv*"):
            if path.name != target.file:
                path.unlink()
        if problem := wrong(done, target.seconds):
            raise Found(f"{problem}\n  qmodel {' '.join(target.arguments)}\n  file: {content!r}")

    return contents, check


def argument_run(words, good: str, example: str, folder: Path, tally: list[Run]):
    """What spoils an argument, and the command run with it."""
    (folder / "c.toml").write_text(_example(example)(), encoding="utf-8")

    def check(data) -> None:
        text = spoilt_text(data.draw, good).replace("\0", "").encode("utf-8", "replace").decode()
        given_words = [text if word == "{}" else word for word in words]
        done = forked(lambda: command(given_words), folder)
        tally.append(done)
        if problem := wrong(done):
            raise Found(f"{problem}\n  qmodel {given_words!r}")

    return st.data(), check


def preload() -> None:
    """Import what the command imports, once for all forks."""
    import importlib

    for name in (
        "advisor.cli.app", "advisor.loading", "advisor.engine", "advisor.predicting.load_curve",
        "advisor.report.terminal", "advisor.report.json_report", "advisor.report.html_report",
        "advisor.scheduling.schedule", "advisor.sizing.search", "advisor.forecasting.forecast",
        "calibration.fitting.calibrate", "calibration.predicting.prediction",
        "calibration.audits.audit", "qmodel.formats.model_file", "qmodel.formats.convert",
        "qmodel.documents.key_lines", "qmodel.analysis.sweep", "numpy", "scipy.optimize", "jinja2",
    ):  # fmt: skip
        importlib.import_module(name)


if __name__ == "__main__":
    sys.exit(main())
