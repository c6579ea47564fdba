"""Where each rule speaks that says nothing in the reviews many tests look at."""

import copy
import json
import tomllib
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from advisor.configuration.configuration import Configuration
from advisor.loading import load_config
from tests.advisor.configurations import EXAMPLES, batch, example, measured, quiet
from tests.tables import asked, rows

NETBENCH = EXAMPLES / "groupwise52_netbench.toml"
DOMINO_46 = EXAMPLES / "domino46_mail_discussion.toml"
DRIVES = EXAMPLES / "domino5_raid.toml"
MAIL_85 = EXAMPLES / "domino85_cluster_mail.toml"


def ten_drives(users: int = 2600, **disk) -> Configuration:
    """The mail server of the paper of 2000 with ten drives."""
    return example(DRIVES, disk={"drives": 10, **disk}, workload={"users": users})


def searching(users: int = 1, **disk) -> Configuration:
    """Searching without an index, as in Tables 4-1, 4-5 and 4-8 of the TechNote."""
    return measured(
        disk={"raid": "raid0", **disk}, workload={"users": users}, user={"name": "search"}
    )


def mail_85(users: int = 30, classes=None, **tables) -> Configuration:
    """The mail server of 2009 with few users; its classes by task if given."""
    workload = {"users": users}
    if classes is not None:
        workload["class"] = [
            {"name": f"users of {task}", "task": task, "share": share}
            for task, share in classes.items()
        ]
    return example(MAIL_85, workload=workload, **tables)


def settings(configure, **given) -> Configuration:
    """A configuration with some settings of the server."""
    return configure(software={"settings": given})


def edited_by_hand() -> Configuration:
    """A calibration of which one measured number was changed afterwards."""
    folder = Path(mkdtemp(prefix="qmodel-"))
    data = json.loads((EXAMPLES / "calibrated" / "load_test.json").read_text(encoding="utf-8"))
    data["numbers"][0]["value"] *= 3.0
    (folder / "edited.json").write_text(json.dumps(data), encoding="utf-8")
    path = folder / "server.json"
    workload = {"calibration": "edited.json", "users": 20, "class": [{"name": "users"}]}
    path.write_text(json.dumps({"workload": workload}), encoding="utf-8")
    return load_config(path)


#: By code, a configuration that the rule has something to say of.
SPEAKING = {name: asked(text, globals()) for name, text in rows(__file__, "speaking")}


TABLE = tomllib.loads(
    Path(__file__).parent.joinpath("rules", "judgements.toml").read_text(encoding="utf-8")
)
TABLES = (
    "server", "disk", "lan", "workload", "user", "software", "targets", "monitored", "load_test",
)  # fmt: skip


def configuration_of(row) -> Configuration:
    """The configuration of a row: a base with some of its tables varied."""
    tables = {name: copy.deepcopy(row[name]) for name in TABLES if name in row}
    for name, _, key in (dotted.partition(".") for dotted in row.get("without", ())):
        tables.setdefault(name, {})[key] = None
    if "batch" in row:
        tables["batch"] = [batch(**task) for task in row["batch"]]
    base = {"quiet": quiet, "measured": measured}.get(row.get("base", "quiet"))
    return base(**tables) if base else example(EXAMPLES / f"{row['base']}.toml", **tables)


# Of all others the first row of the table in which they say something.
for _code, _rows in TABLE.items():
    for _row in _rows:
        if _row["expect"] in {"note", "warning", "error"} and "busy" not in _row:
            SPEAKING.setdefault(_code, partial(configuration_of, _row))
