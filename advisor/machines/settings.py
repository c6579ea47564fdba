"""Settings of several machines: ``service.shop.threads=32``, ``machine.db.cpus=8``."""

import copy
import re
from dataclasses import replace
from typing import Any

from advisor.configuration.changed_keys import value_of
from advisor.configuration.promises import Promise
from advisor.machines.model import Key
from advisor.machines.tables import Machine, Machines, Service, machines_of
from qmodel.documents.fields import StrictModel
from qmodel.documents.wording import did_you_mean, show_key, show_text
from qmodel.errors import FileError, InvalidInput

#: Tables with names, and what they are an array of.
TABLES: dict[str, type[StrictModel]] = {"machine": Machine, "service": Service}
#: Keys outside of them.
OTHERS = {("workload", "users"), ("workload", "think_time"), ("targets", "response_time"),
          ("targets", "utilization")}  # fmt: skip
#: Dots that are in no quotation marks.
_DOTS = re.compile(r'\.(?=(?:[^"]*"[^"]*")*[^"]*$)')
#: Most values of a range.
MOST = 1000


def with_settings(machines: Machines, texts: list[str], option: str = "--set") -> Machines:
    """The machines with each ``KEY=VALUE`` set, all at once.

    Raises
    ------
    qmodel.InvalidInput
        One line with the setting that is wrong, and what would be right.
    """
    found = machines
    for text in [part for each in texts for part in re.split(r",\s*(?=\w+\.)", each)]:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign or not value:
            problem = "expected KEY=VALUE, as in service.shop.threads=32"
            raise InvalidInput(f"{option}: {problem}; got {show_text(text)}")
        found = with_value(found, key_of(machines, name, option), value_of(value), option)
    return found


def with_value(machines: Machines, key: Key, value: Any, option: str = "--set") -> Machines:
    """The machines with one key set, or without it where the value is None."""
    data = copy.deepcopy(machines.document.data)
    table: Any = data.setdefault(key[0], {})
    if key[0] in TABLES:
        table = next(each for each in table if each["name"] == key[1])
    for step in key[2:-1] if key[0] in TABLES else key[1:-1]:
        table = table.setdefault(step, {})
    if value is None:
        table.pop(key[-1], None)
    else:
        table[key[-1]] = value
    try:
        return machines_of(replace(machines.document, data=data))
    except FileError as error:
        raise InvalidInput(f"{option} {show_key(key)}: {error.problem}") from None


def with_targets(
    machines: Machines, response: Promise | None, utilization: float | None
) -> Machines:
    """The machines with other targets, where some are given; times replace all of the file's."""
    if response is not None:
        for key, value in (("slo", None), ("class", None), ("response_time", response.written)):
            machines = with_value(machines, ("targets", key), value)
    if utilization is not None:
        machines = with_value(machines, ("targets", "utilization"), f"{100 * utilization!r} %")
    return machines


def key_of(machines: Machines, name: str, option: str) -> Key:
    """The key that a dotted name means; a name with dots stands in quotation marks.

    Connections of a service to one other may be called ``service.shop.connections``.
    """
    steps = tuple(step.strip('"') for step in _DOTS.split(name))
    if steps in OTHERS:
        return steps
    tables = {each: getattr(machines.file, f"{each}s") for each in TABLES}
    if len(steps) < 3 or steps[0] not in tables:
        expected = "machine.NAME.cpus, service.NAME.threads or workload.users"
        raise InvalidInput(f"{option} {name}: unknown key; expected such as {expected}")
    names = [each.name for each in tables[steps[0]]]
    if steps[1] not in names:
        hint = did_you_mean(steps[1], names)
        raise InvalidInput(f"{option} {name}: no {steps[0]} {show_text(steps[1])}; {hint}")
    keys = [key for key in TABLES[steps[0]].model_fields if key != "name"]
    if steps[2] not in keys:
        raise InvalidInput(f"{option} {name}: unknown key; {did_you_mean(steps[2], keys)}")
    if steps[0] == "service" and steps[2] in {"connections", "calls"}:
        called = list(tables["service"][names.index(steps[1])].calls)
        if len(steps) == 3 and len(called) == 1:
            return (*steps, called[0])
        if len(steps) != 4 or steps[3] not in called:
            expected = " or ".join(show_key((*steps[:3], each)) for each in called) or "calls"
            raise InvalidInput(f"{option} {name}: unknown key; expected {expected}")
        return steps
    if len(steps) > 3:
        raise InvalidInput(f"{option} {name}: unknown key; expected {show_key(steps[:3])}")
    return steps


def varied(machines: Machines, text: str, option: str = "--vary") -> tuple[Key, list[Any]]:
    """A key and its values: ``KEY=2,4,8``, ``KEY=2:64`` or ``KEY=2:64:2``."""
    name, sign, value = (part.strip() for part in text.partition("="))
    if not sign or not value:
        raise InvalidInput(f"{option}: expected KEY=2,4,8 or KEY=2:64; got {show_text(text)}")
    return key_of(machines, name, option), _values(value, f"{option} {name}")


def _values(text: str, what: str) -> list[Any]:
    if not (spelt := re.fullmatch(r"(\d{1,7}):(\d{1,7})(?::(\d{1,7}))?", text)):
        return [value_of(part.strip()) for part in text.split(",")]
    first, last, step = int(spelt[1]), int(spelt[2]), int(spelt[3] or 1)
    if not first <= last or step < 1 or (last - first) // step >= MOST:
        raise InvalidInput(f"{what}: expected a rising range of at most {MOST} values, as 2:64")
    return list(range(first, last + 1, step))
