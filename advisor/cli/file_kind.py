"""What kind of file was given, where a command takes another kind.

It is asked only after a command has refused a file, and looks at what the file holds, not at its
name: a table that is called a configuration is a table.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qmodel.errors import FileError, NotWritten

#: As much of a file as is looked at; beyond it JSON is known by its first key. [bytes]
SEEN = 2**20


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: what it is called, and what takes it or makes it into what is taken."""

    name: str
    remedy: str


CONFIGURATION = Kind(
    "a server's configuration",
    "qmodel advise, report, predict, whatif, size and schedule take it",
)
NETWORK = Kind("a queueing network", "qmodel solve, simulate, sweep and convert take it")
TABLE = Kind("a table of measured runs", "qmodel audit and qmodel calibrate take it")
CALIBRATION = Kind(
    "a calibration", "qmodel predict takes it, and a configuration as workload.calibration"
)
RECORDING = Kind("a recording", "qmodel import, audit, calibrate and predict take it")
ADVICE = Kind("what qmodel advise --json prints", "qmodel advise and report take it as --baseline")
PARTS = Kind("a file of parts", "qmodel catalogue takes it as --file")
PRICES = Kind("a file of prices", "qmodel size takes it as --cost")
LQN = Kind(
    "a layered queueing network",
    "qmodel solve, simulate, agree and convert take it, if it is called .lqnx or .lqn",
)
JMT = Kind("a model of JMT", "qmodel convert makes a .toml of it, if it is called .jmva")
EMPTY = Kind("empty", "there is nothing in it")
FOLDER = Kind("a directory", "give a file in it")
_OTHER = Kind("the output of a command", "no command reads it")
_SARIF = Kind("a SARIF file", "editors and code hosts read it, no command does")
_PAGE = Kind("an HTML page", "a browser shows it, no command reads it")

#: What each command takes as its argument, most usual first.
TAKES = {
    "advise": (CONFIGURATION,),
    "report": (CONFIGURATION,),
    "whatif": (CONFIGURATION,),
    "size": (CONFIGURATION,),
    "schedule": (CONFIGURATION,),
    "explain": (CONFIGURATION,),
    "predict": (CONFIGURATION, CALIBRATION, TABLE, RECORDING),
    "import": (RECORDING, TABLE),
    "solve": (NETWORK, LQN),
    "simulate": (NETWORK, LQN),
    "agree": (LQN,),
    "sweep": (NETWORK,),
    "convert": (NETWORK, JMT, LQN),
    "audit": (TABLE, RECORDING),
    "calibrate": (TABLE, RECORDING),
}
#: What options take.
OPTIONS = {
    "--baseline": (ADVICE,),
    "--file": (PARTS,),
    "--cost": (PRICES,),
    "--load": (TABLE, RECORDING),
    "--network": (CONFIGURATION,),
}
#: What commands take by name and never from a file.
NAMES = {
    "tables": "the name of a measured table or its source",
    "agreement": "the name of a measured system",
    "explain": "a rule or a finding",
    "catalogue": "the name of a part",
}
_GZIP = Kind("compressed by gzip", "unpack it with gunzip")
#: How files begin that hold no text, and what makes text of them.
_BINARY = (
    (b"%PDF-", Kind("a PDF document", "write its numbers to a text file")),
    (b"\x1f\x8b", _GZIP),
    (b"BZh", Kind("compressed by bzip2", "unpack it with bunzip2")),
    (b"\xfd7zXZ", Kind("compressed by xz", "unpack it with unxz")),
    (b"\x28\xb5\x2f\xfd", Kind("compressed by zstd", "unpack it with unzstd")),
    (b"\x89PNG", Kind("a picture", "no command reads it")),
    (b"\xff\xd8\xff", Kind("a picture", "no command reads it")),
    (b"\x7fELF", Kind("a program", "no command reads it")),
    (b"\xd0\xcf\x11\xe0", Kind("an office document", "save its sheet as CSV")),
)
_ZIP = Kind("a ZIP archive", "unpack it")
_SHEET = Kind("a spreadsheet", "save its sheet as CSV")
#: How a line of TOML or YAML begins, as none of a table does.
_KEY = re.compile(r"""-|[\w."'-]+\s*(=|:\s|:$)""")
_PART_TABLES = {"processor", "drive", "controller", "network", "memory_rule", "machine"}


def instead(error: Exception, arguments: Sequence[str]) -> str | None:
    """What to say of a refused file that is of another kind; None where it is of the right one.

    ``arguments`` are those of the command line, behind the command's own name.
    """
    if isinstance(error, NotWritten):
        return None
    if not isinstance(error, FileError):
        return _no_name(arguments)
    wanted = _wanted(error.path, arguments)
    found = kind_of(error.path) if wanted else None
    if found is None or found in wanted:
        return None
    if found in (EMPTY, FOLDER) and found.name.split()[-1] in error.problem:
        return None  # the command knows what it lacks
    names = " or ".join(each.name for each in wanted)
    return f"{error.path}: {found.name}, not {names}; {found.remedy}"


def _no_name(arguments: Sequence[str]) -> str | None:
    """What to say of a file where a name is asked for."""
    if len(arguments) < 2 or arguments[0] not in NAMES:
        return None
    found = kind_of(arguments[1])
    if found is None:
        return None
    return f"{arguments[1]}: {found.name}, not {NAMES[arguments[0]]}; {found.remedy}"


def _wanted(path: str, arguments: Sequence[str]) -> Sequence[Kind]:
    """What is taken where this file stands on the command line; nothing if it does not."""
    for option, word in zip(("", *arguments), arguments, strict=False):
        name, _, value = word.partition("=")
        if value == path and name in OPTIONS:
            return OPTIONS[name]
        if word == path:
            return OPTIONS.get(option, TAKES.get(arguments[0], ()))
    return ()


def kind_of(path: str) -> Kind | None:
    """The kind of a file by what it holds, None where nothing is known."""
    try:
        if not Path(path).is_file():
            return FOLDER if Path(path).is_dir() else None
        with Path(path).open("rb") as file:
            content = file.read(SEEN)
    except (OSError, ValueError):
        return None
    if content.startswith(b"PK\x03\x04"):
        return _SHEET if b"xl/" in content or b"spreadsheet" in content else _ZIP
    for start, kind in _BINARY:
        if content.startswith(start):
            return RECORDING if kind is _GZIP and _is_recording(path) else kind
    text = content.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if not text:
        return EMPTY
    if text.startswith("<"):
        return _of_markup(text.lower())
    if text.startswith("{"):
        return _of_keys(_json_keys(text)) or (RECORDING if _is_recording(path) else None)
    known = _of_keys(_toml_tables(text)) or (TABLE if _is_table(text) else None)
    return known or (RECORDING if _is_recording(path) else None)


def _is_recording(path: str) -> bool:
    from calibration.recordings.loading import reader_of
    from calibration.recordings.source import opened

    try:
        return reader_of(opened(path)) is not None
    except FileError:
        return False


def _of_markup(text: str) -> Kind | None:
    if re.match(r"(<!--.*?-->|\s)*<(!doctype )?html", text, re.DOTALL):
        return _PAGE
    if re.search(r"<lqn-model\b", text):
        return LQN
    return JMT if re.search(r"<(model|sim|archive)\b", text) else None


def _of_keys(keys: set[str]) -> Kind | None:
    for kind, marks in (
        (RECORDING, {"sysstat"}),
        (ADVICE, {"findings", "bottleneck"}),
        (_SARIF, {"runs", "$schema"}),
        (CALIBRATION, {"models", "reference", "source"}),
        (NETWORK, {"station"}),
        (NETWORK, {"service", "entry"}),
        (CONFIGURATION, {"machine", "service"}),
        (CONFIGURATION, {"server"}),
        (CONFIGURATION, {"workload"}),
        (_OTHER, {"provenance"}),
    ):
        if marks <= keys:
            return kind
    return PARTS if keys and keys <= _PART_TABLES | {"schema"} and keys != {"schema"} else None


def _json_keys(text: str) -> set[str]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # damaged, or longer than what is seen
        first = re.match(r'\{\s*"([^"\\]+)"\s*:', text)
        return {first[1]} if first else set()
    return set(data)


def _toml_tables(text: str) -> set[str]:
    return set(re.findall(r'(?m)^[ \t]*\[{1,2}[ \t]*"?([\w-]+)', text))


def _is_table(text: str) -> bool:
    """Whether two lines have as many separators, one at least, and are no keys."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for separator in ",;\t":
        counts = [line.count(separator) for line in lines[:2]]
        if len(counts) == 2 and counts[0] == counts[1] > 0:
            return not any(_KEY.match(line) for line in lines[:2])
    return False
