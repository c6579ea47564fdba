"""What kind of file was given, where a command takes another kind.

It is asked only after a command has refused a file, and looks at what the file holds, not at its
name: a table that is called a configuration is a table.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from typer.models import CommandInfo

from qmodel.documents.document import BY_NAME
from qmodel.errors import FileError, NotWritten

#: As much of a file as is looked at; beyond it JSON is known by its first key. [bytes]
SEEN = 2**20


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: what it is called, and what takes it or makes it into what is taken."""

    name: str
    remedy: str


_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
KINDS = {key: Kind(**each) for key, each in _DATA["kind"].items()}
CONFIGURATION, TABLE, RECORDING, SERVICES = (
    KINDS[key] for key in ("configuration", "table", "recording", "services")
)


def _kinds(table: str) -> dict[str, tuple[Kind, ...]]:
    return {name: tuple(KINDS[key] for key in keys) for name, keys in _DATA[table].items()}


#: What each command takes as its argument, what options take, and what is taken by name.
TAKES, OPTIONS, NAMES = _kinds("takes"), _kinds("options"), _DATA["names"]
#: The first line of a table with a column ``config``.
_COLUMN = re.compile(r"(.*[,;\t])?[ \t]*config[ \t]*[,;\t\r\n]")
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
    if found is TABLE and SERVICES in wanted:
        return None  # the command names the column that it lacks
    if found in (KINDS["empty"], KINDS["folder"]) and found.name.split()[-1] in error.problem:
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


def has_format(error: Exception, arguments: Sequence[str], commands: Iterable[CommandInfo]) -> bool:
    """Whether the format that a file's name does not tell may be given as an option."""
    if not isinstance(error, FileError) or not error.problem.endswith(BY_NAME):
        return False
    callback = next((each.callback for each in commands if each.name == arguments[0]), None)
    after = {o for o, word in pairwise(arguments) if word == error.path}
    other = after & OPTIONS.keys() - {"--network"}
    return "file_format" in getattr(callback, "__annotations__", {}) and bool(after - other)


def kind_of(path: str) -> Kind | None:
    """The kind of a file by what it holds, None where nothing is known."""
    try:
        if not Path(path).is_file():
            return KINDS["folder"] if Path(path).is_dir() else None
        with Path(path).open("rb") as file:
            content = file.read(SEEN)
    except (OSError, ValueError):
        return None
    if content.startswith(b"PK\x03\x04"):
        return KINDS["sheet"] if b"xl/" in content or b"spreadsheet" in content else KINDS["zip"]
    for start, key in _DATA["begins"].items():
        if content.startswith(bytes.fromhex(start)):
            kind = KINDS[key]
            return RECORDING if kind is KINDS["gzip"] and _is_recording(path) else kind
    text = content.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if not text:
        return KINDS["empty"]
    if text.startswith("<"):
        return _of_markup(text.lower())
    if text.startswith("{"):
        return _of_keys(_json_keys(text)) or (RECORDING if _is_recording(path) else None)
    tables = set(re.findall(r'(?m)^[ \t]*\[{1,2}[ \t]*"?([\w-]+)', text))
    table = (SERVICES if _COLUMN.match(text) else TABLE) if _is_table(text) else None
    known = _of_keys(tables) or table
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
        return KINDS["page"]
    if re.search(r"<lqn-model\b", text):
        return KINDS["lqn"]
    return KINDS["jmt"] if re.search(r"<(model|sim|archive)\b", text) else None


def _of_keys(keys: set[str]) -> Kind | None:
    for each in _DATA["keys"]:
        if keys.issuperset(each["marks"]):
            return KINDS[each["kind"]]
    parts = keys - {"schema"}
    return KINDS["parts"] if parts and parts <= _PART_TABLES else None


def _json_keys(text: str) -> set[str]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # damaged, or longer than what is seen
        first = re.match(r'\{\s*"([^"\\]+)"\s*:', text)
        return {first[1]} if first else set()
    return set(data)


def _is_table(text: str) -> bool:
    """Whether two lines have as many separators, one at least, and are no keys."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for separator in ",;\t":
        counts = [line.count(separator) for line in lines[:2]]
        if len(counts) == 2 and counts[0] == counts[1] > 0:
            return not any(_KEY.match(line) for line in lines[:2])
    return False
