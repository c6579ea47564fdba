"""Settings as people write them on a command line: ``disk.raid=raid10``.

Keys are those of the configuration file. A class may be called by its name,
``workload.class.mail.cpu``, or by its place, ``workload.class[0].cpu``.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from advisor.configuration.changes import Change, Key, Settings
from advisor.configuration.configuration import Configuration
from advisor.configuration.schema import ServerConfig
from qmodel.documents.wording import closest, did_you_mean, show_key, show_text
from qmodel.errors import FileError, InvalidInput, hidden_character

#: What a part brings with it: a new one drops the figures that the file gave for the old one.
PART_FIGURES = {
    ("server", "processor"): ("cpu_speed", "cores"),
    ("disk", "drive"): (
        "seek_time", "rotation_time", "transfer_rate", "read_latency", "write_latency",
        "parallelism", "write_iops", "capacity",
    ),
    ("lan", "network"): ("rate", "medium", "duplex", "usable_share"),
}  # fmt: skip
#: Names of keys in other people's tools.
_ELSEWHERE = {
    "cpu.model": "server.processor", "cpu.count": "server.cpus", "cpu.speed": "server.cpu_speed",
    "raid": "disk.raid", "users": "workload.users",
}  # fmt: skip
#: What is in quotation marks, a bracket or brace, and a comma before a key.
_PIECES = re.compile(
    r"""(?<!\w)(?:"(?:[^"\\]|\\.)*"|'[^']*')|[\[\]{}]|,\s*(?=[A-Za-z_][\w.\[\]"-]*\s*=)"""
)


def parse_settings(texts: Sequence[str], option: str = "--set") -> tuple[str, ...]:
    """Each ``KEY=VALUE`` of some texts, of which one may hold several with commas between.

    InvalidInput if a text is not of that form.
    """
    for text in texts:
        _check_shows(text, option)
    found = tuple(part.strip() for text in texts for part in _parts(text))
    for part in found:
        key, sign, value = part.partition("=")
        if not (key.strip() and sign and value.strip()):
            raise InvalidInput(
                f"{option}: expected KEY=VALUE, as in disk.raid=raid10; got {show_text(part)}"
            )
    return found


def _parts(text: str) -> Iterator[str]:
    """What stands between commas before a key; one within brackets or braces is of a value."""
    depth = start = 0
    for piece in _PIECES.finditer(text):
        depth += (piece[0] in "[{") - (piece[0] in "]}")
        if piece[0].startswith(",") and depth <= 0:
            yield text[start : piece.start()]
            start = piece.end()
    yield text[start:]


def named_settings(text: str) -> tuple[str, tuple[str, ...]]:
    """The name and the settings of ``name: KEY=VALUE, KEY=VALUE``; the name may be left out."""
    _check_shows(text, "--alternative")
    before, _, _ = text.partition("=")
    title, rest = text.split(":", 1) if ":" in before else ("", text)
    return title.strip(), parse_settings([rest], "--alternative")


def _check_shows(text: str, option: str) -> None:
    """Raise unless a text can stand in a report as it was typed."""
    if found := hidden_character(text):
        raise InvalidInput(f"{option}: holds the character U+{ord(found):04X}, which does not show")


def change_of(
    configuration: Configuration, settings: Sequence[str], title: str = "", option: str = "--set"
) -> Change:
    """The change that some settings make, each ``KEY=VALUE`` as a configuration would write it.

    Without a title it is called by the settings; ``option`` is where they come from, for messages.
    InvalidInput names a key that is not there, and the closest ones that are.
    """
    found: list[tuple[Key, Any]] = []
    for text in parse_settings(settings, option):
        name, _, value = (part.strip() for part in text.partition("="))
        found.append((key_of(configuration, name, option), value_of(value)))
    every = with_new_parts(configuration, tuple(found))
    return Change(title or ", ".join(settings), every, option)


def with_new_parts(configuration: Configuration, settings: Settings) -> Settings:
    """Settings, and None for figures of a part they replace, and for a start in another window."""
    given = {key for key, _ in settings}
    dropped: list[tuple[Key, Any]] = []
    measured = configuration.settings.workload.system is not None
    for key, _ in settings:
        place = (str(key[0]), str(key[-1]))
        if place == ("batch", "window"):
            start = (*key[:-1], "start")
            if start not in given and "start" in configuration.data["batch"][key[1]]:
                dropped.append((start, None))
        if len(key) != 2 or (measured and key[0] == "server"):
            continue  # a measured system knows the speed of its processors alone
        table = configuration.data.get(place[0], {})
        dropped.extend(
            ((place[0], each), None)
            for each in PART_FIGURES.get(place, ())
            if each in table and (place[0], each) not in given
        )
    return (*settings, *dropped)


def changed(configuration: Configuration, change: Change) -> Configuration:
    """The configuration with a change made that somebody typed; InvalidInput if it cannot be."""
    option = change.option
    try:
        return change.apply(configuration)
    except FileError as error:
        typed = {show_key(key): value for key, value in change.settings if value is not None}
        near = next((key for key in typed if error.key.startswith(key)), None)
        if near is None:
            place = f"{error.key}: " if error.key else ""
            raise InvalidInput(f"{option} {change.title}: {place}{error.problem}") from None
        raise InvalidInput(f"{option} {error.key}: {error.problem}") from None


def key_of(configuration: Configuration, name: str, option: str = "--set") -> Key:
    """The key path that a dotted key means, checked against what a configuration may hold."""
    path: list[str | int] = []
    known = all_keys()
    at: Any = configuration.data
    spelt = ""
    for step in _steps(_quoted(configuration, name), option):
        if spelt in _arrays() and at in (None, []):
            named = " with a name" * (f"{spelt}.name" in known)
            problem = f"the configuration has no [[{spelt}]]; add one{named}"
            raise InvalidInput(f"{option} {name}: {problem}")
        if isinstance(at, list):
            names = [str(each.get("name", "")) for each in at]
            if isinstance(step, int) and step < len(at):
                index = step
            elif isinstance(step, str) and step in names:
                index = names.index(step)
            else:
                hint = did_you_mean(str(step), names)
                raise InvalidInput(f"{option} {name}: no {show_text(str(step))} there; {hint}")
            path.append(index)
            at = at[index]
            continue
        path.append(step)
        spelt = f"{spelt}.{step}" if spelt else str(step)
        at = at.get(step) if isinstance(at, dict) else None
    if spelt not in known:
        meant = _ELSEWHERE.get(name) or key_ending(name, known)
        hint = f'did you mean "{meant}"?' if meant else did_you_mean(spelt, known)
        raise InvalidInput(f"{option} {name}: unknown key; {hint}")
    return tuple(path)


def _quoted(configuration: Configuration, name: str) -> str:
    """A key whose names of more than letters are in quotation marks, as TOML has them."""
    tables = [configuration.data, *configuration.data.values()]
    inside = [each for table in tables if isinstance(table, dict) for each in table.values()]
    parts = [each for array in inside if isinstance(array, list) for each in array]
    for one in {str(each.get("name", "")) for each in parts if isinstance(each, dict)}:
        if not re.fullmatch(r"[\w-]+", one):
            name = name.replace(f".{one}.", f'."{one}".')
    return name


def key_ending(name: str, known: Sequence[str]) -> str | None:
    """The key that ends as this name does, or nearly: cpus is server.cpus."""
    ends = {key.rpartition(".")[2]: key for key in reversed(known)}
    return ends.get(name) or ends.get(closest(name, list(ends)) or "")


@cache
def all_keys() -> tuple[str, ...]:
    """Every key that a configuration may hold, dotted, without the places in arrays."""
    return tuple(key.replace("[]", "") for key in _marked_keys())


@cache
def _arrays() -> frozenset[str]:
    """The keys that hold an array of tables."""
    return frozenset(key.partition("[]")[0] for key in _marked_keys() if "[]" in key)


@cache
def _marked_keys() -> tuple[str, ...]:
    """Every key, with ``[]`` behind what is an array of tables."""
    schema = ServerConfig.model_json_schema()
    return tuple(_keys(schema, schema, ""))


def _keys(schema: dict[str, Any], whole: dict[str, Any], above: str) -> list[str]:
    found: list[str] = []
    for key, part in schema.get("properties", {}).items():
        name = f"{above}.{key}" if above else key
        inside = _tables(part, whole)
        if inside is None:
            found.append(name)
        else:
            array = any("items" in each for each in (part, *part.get("anyOf", ())))
            found.extend(_keys(inside, whole, f"{name}[]" if array else name))
    return found


def _tables(part: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any] | None:
    """The table that a key holds, or an array of; None if it holds a value."""
    for each in (part, *part.get("anyOf", ()), *part.get("allOf", ())):
        place = each.get("items", each)
        if isinstance(place, dict) and "$ref" in place:
            found = whole["$defs"][place["$ref"].rsplit("/", 1)[-1]]
            if "properties" in found:
                return dict(found)
    return None


def _steps(name: str, option: str) -> list[str | int]:
    steps: list[str | int] = []
    rest = name
    while rest:
        if found := re.match(r"\[(\d{1,6})\]\.?", rest):
            steps.append(int(found[1]))
        elif found := re.match(r'(?:([\w-]+)|"([^"]*)")(?:\.|(?=\[)|$)', rest):
            steps.append(found[1] if found[1] is not None else found[2])
        else:
            raise InvalidInput(f"{option} {name}: expected a key such as disk.raid")
        rest = rest[found.end() :]
    return steps


def value_of(text: str) -> Any:
    """As TOML reads it, or else the text itself: units need no quotation marks."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
