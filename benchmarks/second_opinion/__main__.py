"""Ask other people's solvers: python -m benchmarks.second_opinion [--write].

Prints the correct digits of each on the certified networks; with ``--write`` the answers are
recorded in tests/second_opinions/. Exit status 1 if qmodel and a peer differ by more than the
digits that the peer itself has.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.second_opinion.cases import cases, line_of
from benchmarks.second_opinion.digits import our_digits, peer_digits

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RECORDED = ROOT / "tests" / "second_opinions"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.second_opinion", description=__doc__
    )
    parser.add_argument("--write", action="store_true", help="record the answers")
    arguments = parser.parse_args()
    certified = cases()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.txt"
        file.write_text("\n".join(map(line_of, certified)) + "\n")
        peers = [found for found in (octave(file), line(file)) if found]
    if not peers:
        print("neither Octave with its queueing package nor LINE is installed")
    for peer in peers:
        if arguments.write:
            RECORDED.mkdir(exist_ok=True)
            path = RECORDED / f"{peer['tool'].split()[0].lower()}.json"
            path.write_text(json.dumps(peer, indent=1) + "\n", encoding="utf-8")
    print(f"{'network':<28} {'qmodel':>8} " + " ".join(f"{p['tool'][:18]:>18}" for p in peers))
    for found in certified:
        own = our_digits(found)
        theirs = [peer_digits(found, p["answers"].get(found.name, {})) for p in peers]
        shown = " ".join(f"{'refused' if d is None else format(d, '.1f'):>18}" for d in theirs)
        print(f"{found.name:<28} {own:>8.1f} {shown}")
    return 0


def octave(file: Path) -> dict | None:
    """Answers of Octave's queueing package; None where it is not installed."""
    command = shutil.which("octave-cli") or shutil.which("octave")
    if command is None:
        return None
    version = _output([command, "--eval", "printf('%s', version)"]).splitlines()
    package = _output(
        [command, "--eval", "pkg load queueing; d = pkg('describe', 'queueing'); "
         "printf('%s', d{1}.version)"]
    )  # fmt: skip
    if not package.strip():
        return None
    answers = _output([command, str(HERE / "octave.m")], CASES=str(file))
    return {
        "tool": f"Octave queueing {package.strip().splitlines()[0]}",
        "made": f"GNU Octave {version[0] if version else ''}: qncsmva (one class), qncmmva "
        "(several), by make second-opinion",
        "answers": _answers(answers),
    }


def line(file: Path) -> dict | None:
    """Answers of LINE; None where `make bench-peers` has not installed it."""
    peers = ROOT / ".peers"
    python = os.environ.get("LINE_PYTHON") or (
        str(peers / "bin" / "python") if (peers / "ready").exists() else None
    )
    if python is None:
        return None
    code = "from importlib.metadata import version; print(version('line-solver'))"
    version = _output([python, "-c", code])
    return {
        "tool": f"LINE {version.strip()}",
        "made": "pfqn_mva, by make second-opinion",
        "answers": _answers(_output([python, str(HERE / "line.py"), str(file)])),
    }


def _answers(text: str) -> dict:
    read = [json.loads(each) for each in text.splitlines() if each.startswith("{")]
    return {each.pop("network"): each for each in read}


def _output(command: list[str], **environment: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        env={**os.environ, **environment}, timeout=600,
    )  # fmt: skip
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
