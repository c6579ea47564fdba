"""Ask other people's solvers: python -m benchmarks.second_opinion [--write].

Prints the correct digits of each on the certified networks, and simulations of what has no exact
answer beside the approximations; with ``--write`` the answers are recorded in
tests/second_opinions/. Exit status 1 if qmodel has fewer digits than a peer, or if a simulation is
farther away than its interval and the recorded worst error of the method together.
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

import qmodel as qm
from benchmarks.other_tools import line_python, with_ciw
from benchmarks.second_opinion.cases import cases, line_of
from benchmarks.second_opinion.digits import our_digits, peer_digits
from benchmarks.second_opinion.simulated import networks, promised, simulated

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RECORDED = ROOT / "tests" / "second_opinions"
#: Digits from which on two answers are equally good.
FULL = 13.0


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
    ciw = simulations()
    if arguments.write:
        for peer in peers:
            _write(RECORDED / f"{peer['tool'].split()[0].lower()}.json", peer)
        if ciw:
            _write(RECORDED / "simulated" / "ciw.json", ciw)
    print(f"{'network':<28} {'qmodel':>8} " + " ".join(f"{p['tool'][:18]:>18}" for p in peers))
    behind = False
    for found in certified:
        own = our_digits(found)
        theirs = [peer_digits(found, p["answers"].get(found.name, {})) for p in peers]
        shown = " ".join(f"{'refused' if d is None else format(d, '.1f'):>18}" for d in theirs)
        print(f"{found.name:<28} {own:>8.1f} {shown}")
        behind |= own < min(FULL, max((d or 0.0 for d in theirs), default=0.0))
    near = ciw is None or compared(ciw)
    return 0 if near and not behind else 1


def _write(path: Path, peer: dict) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(peer, indent=1) + "\n", encoding="utf-8")


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
    """Answers of LINE; None where it cannot be installed."""
    python = line_python()
    if python is None:
        return None
    code = "from importlib.metadata import version; print(version('line-solver'))"
    version = _output([python, "-c", code]).strip()
    return {
        "tool": f"LINE {version}",
        "made": "pfqn_mva of the package line-solver, by make second-opinion",
        "answers": _answers(_output([python, str(HERE / "line.py"), str(file)])),
    }


def simulations() -> dict | None:
    """Simulations by Ciw; None where it cannot be installed."""
    if not with_ciw():
        return None
    from importlib.metadata import version

    return {
        "tool": f"Ciw {version('ciw')}",
        "made": "means over 20 batches with half widths of their 95 % intervals, "
        "by make second-opinion",
        "answers": {name: simulated(network) for name, network in networks().items()},
    }


def compared(peer: dict) -> bool:
    """Print qmodel beside simulations; whether each is as near as its method promises."""
    near = True
    print(f"\n{'response time [s]':<50} {'qmodel':>9} {'Ciw':>9} {'+-':>7} {'differs':>8}")
    for name, network in networks().items():
        solution, answer = qm.solve(network), peer["answers"][name]
        for c, mine in enumerate(solution.response_times):
            theirs, width = answer["response_time"][c], answer["response_time_half_width"][c]
            print(f"{name:<50} {mine:>9.4f} {theirs:>9.4f} {width:>7.4f} {mine / theirs - 1:>8.1%}")
            near &= abs(mine - theirs) <= width + promised(solution) * theirs
    return near


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
