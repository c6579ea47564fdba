"""Begin a rule, a device, a solver or a monitor reader: its file, its line in the list, its test.

    python -m scripts.new_room rule cap003_pool_size
    python -m scripts.new_room device tape
    python -m scripts.new_room solver amva/my_method
    python -m scripts.new_room reader vmstat

The test fails until it is written: it says what is to be shown.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

CARD = """manual = '''
{code} {slug}: Warns of ... where ..., in one plain sentence.

What it does
    ...
Why it matters
    ...
Threshold
    ... A convention, or its source.
Example
    ...
Limits
    ...
'''
claim = "what holds where nothing is wrong"
"""
RULE = '''"""The check of {code}, whose manual is the card beside it."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.findings.records import Finding
from advisor.rule_support.rule import Case, NothingToGoBy


def check(case: Case) -> Iterator[Finding]:
    """What is judged, in one line."""
    del case
    raise NothingToGoBy("{slug}: not written yet")
    yield
'''
RULE_TEST = '''"""{code}: {words}."""

from tests.advisor.cases import ask
from tests.advisor.configurations import quiet


def test_it_speaks_where_something_is_wrong():
    (finding,) = ask("{code}", quiet())
    assert finding.message
    raise AssertionError("where it speaks, where it is silent, where it may not judge")
'''
DEVICE = '''"""{words}: from the data sheet to a service demand. Source: ..."""

from __future__ import annotations


def service_time() -> float:
    """Time of one operation. [s]

    Examples
    --------
    >>> service_time()
    0.0
    """
    return 0.0
'''
SOLVER = '''"""{words}: equations and source (author, journal, year), or "Original."."""

from __future__ import annotations

from qmodel.errors import NotApplicable
from qmodel.model.network import Network
from qmodel.model.solution import Solution
from qmodel.solvers.method import Method


def why_not(network: Network) -> str | None:
    """The assumption that fails, or None."""
    del network
    return "not written yet"


def solve(network: Network) -> Solution:
    """Throughputs and residence times."""
    raise NotApplicable(f"not written yet: {{network}}")


METHOD = Method("{dashes}", False, solve, why_not)
'''
READER = r'''"""What {words} writes: its columns, their units. Source: its manual."""

from __future__ import annotations

from calibration.recordings.reader import Reader
from calibration.recordings.series import Recording
from calibration.recordings.source import Source
from qmodel.errors import FileError

KIND = "{words}"


def read(source: Source) -> Recording:
    """Its samples, by the names of `calibration.recordings.series`."""
    raise FileError(source.path, "is no file of {words}")


READER = Reader(KIND, r"\A{words}", read)
'''
TEST = '''"""{words}."""

from {module} import {public}


def test_against_what_is_known():
    assert {public}
    raise AssertionError("{todo}")
'''


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("name", help="of the file, in small letters; of a rule its code and slug")
    given = parser.parse_args()
    wanted = (
        r"[a-z]{3,4}\d{3}_[a-z0-9_]+" if given.kind == "rule" else r"([a-z_]+/)?[a-z][a-z0-9_]*"
    )
    if not re.fullmatch(wanted, given.name):
        sys.exit(
            f"{given.name!r} is no name of a {given.kind}; see python -m scripts.new_room --help"
        )
    for path, text in KINDS[given.kind](given.name).items():
        if path.exists() and not isinstance(text, tuple):
            sys.exit(f"{path.relative_to(ROOT)} exists already")
        if isinstance(text, tuple):  # a line of a list: what it is put before, and the line
            before, line = text
            listed = path.read_text(encoding="utf-8")
            at = listed.rindex(before)
            path.write_text(listed[:at] + line + listed[at:], encoding="utf-8")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
    print("next: fill them in; `make format` sorts the lists")


def rule(name):
    code, _, slug = name.partition("_")
    words = {"code": code.upper(), "slug": slug.replace("_", "-"), "words": slug.replace("_", " ")}
    room = ROOT / "advisor/rules"
    return {
        room / f"{name}.py": RULE.format(**words),
        room / f"{name}.toml": CARD.format(**words),
        ROOT / f"tests/advisor/rules/test_{code}.py": RULE_TEST.format(**words),
    }


def device(name):
    words = name.replace("_", " ")
    return {
        ROOT / f"qmodel/devices/{name}.py": DEVICE.format(words=words.capitalize()),
        ROOT / f"tests/qmodel/devices/test_{name}.py": TEST.format(
            words=words.capitalize(), module=f"qmodel.devices.{name}", public="service_time",
            todo="a published figure of such a device, with its page",
        ),
    }  # fmt: skip


def solver(name):
    room, _, file = name.rpartition("/")
    if not (ROOT / "qmodel/solvers" / room).is_dir() or not room:
        sys.exit(f"{name!r}: expected a room of qmodel/solvers and a name, such as amva/my_method")
    words, dashes = file.replace("_", " "), file.replace("_", "-")
    line = f'    _approximate("{dashes}", "{room}.{file}"),\n'
    return {
        ROOT / f"qmodel/solvers/{name}.py": SOLVER.format(words=words.capitalize(), dashes=dashes),
        ROOT / "qmodel/solvers/solve.py": (")  # fmt: skip\n\n#: Names of methods", line),
        ROOT / f"tests/qmodel/solvers/{room}/test_{file}.py": TEST.format(
            words=words.capitalize(), module=f"qmodel.solvers.{room}.{file}", public="METHOD",
            todo="a published example, another solver, bounds, degenerate cases",
        ),
    }  # fmt: skip


def reader(name):
    words = name.replace("_", " ")
    room = ROOT / "calibration/recordings"
    readers = room / "loading.py"
    return {
        room / f"readers/{name}.py": READER.format(words=words),
        readers: ('"timed_table",', f'"{name}", '),
        ROOT / f"tests/calibration/recordings/test_{name}.py": TEST.format(
            words=words.capitalize(), public="READER",
            module=f"calibration.recordings.readers.{name}",
            todo="a file that the real tool wrote, and its numbers by hand",
        ),
    }  # fmt: skip


KINDS = {"device": device, "reader": reader, "rule": rule, "solver": solver}

if __name__ == "__main__":
    main()
