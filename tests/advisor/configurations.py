"""Small configurations to vary: one gives its demands, the other names the system of 1995."""

import copy
import json
from pathlib import Path

from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import configure
from advisor.loading import load_config
from qmodel.documents.document import parse_document

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
AS_TESTED = EXAMPLES / "proliant2000_as_tested.toml"
OVERLOADED = EXAMPLES / "overloaded.toml"
RECOMMENDED = EXAMPLES / "proliant2000_recommended.toml"

#: Nothing is busy, nothing is missing: no rule has anything to say.
QUIET = {
    "schema": 1, "server": {"cpus": 1, "cpu_speed": 1.0, "memory": "64 MB"},
    "disk": {"raid": "raid5", "drives": 4, "stripe": "16 KB"}, "lan": {"rate": "10 Mb/s"},
    "workload": {
        "users": 5,
        "think_time": "10 s",
        "class": [{"name": "edit", "cpu": "0.1 s", "disk_kb": 16, "lan_kb": 16}],
    },
}  # fmt: skip
#: The same for tasks of the measured system.
MEASURED = {
    "schema": 1, "server": {"processor": "Pentium/66", "memory": "64 MB"},
    "disk": {"raid": "raid5", "drives": 4, "stripe": "16 KB"}, "lan": {"rate": "10 Mb/s"},
    "workload": {"system": "notes31", "users": 5, "class": [{"name": "edit"}]},
}  # fmt: skip


def varied(base: dict, **tables) -> dict:
    """The base with keys of its tables replaced; None removes a key, a list replaces a table.

    ``user`` changes the one class of users.
    """
    data = copy.deepcopy(base)
    tables = copy.deepcopy(tables)
    data["workload"]["class"][0].update(tables.pop("user", {}))
    for name, changed in tables.items():
        table = {**data.get(name, {}), **changed} if isinstance(changed, dict) else changed
        if isinstance(table, dict):
            table = {key: value for key, value in table.items() if value is not None}
        data[name] = table
    return data


def quiet(**tables) -> Configuration:
    return configured(varied(QUIET, **tables))


def measured(**tables) -> Configuration:
    return configured(varied(MEASURED, **tables))


def configured(data: dict) -> Configuration:
    """As if read from a file, so that findings know their lines."""
    document = parse_document(json.dumps(data, indent=2), "json", "server.json")
    return configure(document.data, document)


def example(path: Path, **tables) -> Configuration:
    """An example with some tables changed."""
    return configured(varied(load_config(path).data, **tables))


def batch(name: str = "night work", window=("10:00", "12:00"), **keys) -> dict:
    """A batch task; it runs at the peak unless told otherwise."""
    return {"name": name, **({"window": list(window)} if window else {}), **keys}
