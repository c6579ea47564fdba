"""Which device a rule is about, and whether a configuration says anything of it."""

from __future__ import annotations

from advisor.configuration.configuration import Configuration
from advisor.predicting.calibrated import changeable
from advisor.rule_support.rule import NothingToGoBy, Rule

#: Tables of configurations by the beginnings of the codes of rules.
_TABLES = {
    "CPU": "server",
    "DSK": "disk",
    "RAID": "disk",
    "STR": "disk",
    "CTL": "disk",
    "LAN": "lan",
    "INP004": "disk",
}


def check_device(configuration: Configuration, rule: Rule) -> None:
    """Raise unless the configuration describes the device that a rule is about.

    Raises
    ------
    NothingToGoBy
        If it does not, or if a calibration measured the device and nobody said what it was.
    """
    table = next((t for code, t in _TABLES.items() if rule.code.startswith(code)), None)
    if table is None:
        return
    if table != "server" and not configuration.settings.describes(table):
        raise NothingToGoBy(f"the configuration has no table [{table}]")
    if rule.code.startswith("STR") and "stripe" not in configuration.settings.disk.model_fields_set:
        raise NothingToGoBy("disk.stripe is not given")
    if not changeable(configuration, table):
        raise NothingToGoBy(
            f"what was measured of the {table} is not known; add [{table}.measured_on]",
            evidence=True,
        )
