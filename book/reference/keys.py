"""The keys of a configuration, table by table."""

from __future__ import annotations

from itertools import groupby

from advisor.configuration.key_texts import key_texts
from reference.markdown import Code, table


def page() -> str:
    parts = [
        "# Keys of a configuration\n",
        "A configuration is a TOML file of these tables; only the users and what one interaction "
        "asks for are required. Numbers have units: `90 ms`, `64 GB`, `450 /s`, `80 %`. `qmodel "
        "init` writes one from a few answers, `qmodel explain KEY` prints a line of this page. "
        "Tables named `measured_on` say what a calibration was measured on, where that is not the "
        "server as it is written. `[monitored]` and `[load_test]` change no prediction: rules "
        "judge them.\n",
    ]
    for name, keys in groupby(key_texts(), key=lambda key: key.partition(".")[0] * ("." in key)):
        parts += [f"## {name}\n"] if name else []
        rows = ((Code(key), key_texts()[key]) for key in keys)
        parts.append(table(("key", "what it says"), rows))
    return "\n".join(parts)
