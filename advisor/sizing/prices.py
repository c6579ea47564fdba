"""What parts cost: as a file or the catalogue says, or by a convention where neither does.

The convention is Grosch's law, that speed grows as the square of cost [1]_: a part costs the
square root of its speed relative to the present one. It ranks candidates where there are no
prices; it is no price.

References
----------
.. [1] H. R. J. Grosch, "High speed arithmetic: the digital computer as a research tool," Journal
   of the Optical Society of America 43(4), 1953, pp. 306-310.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from os import PathLike
from typing import Any

from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import catalogue_of
from advisor.predicting.hardware import hardware_of
from qmodel.devices.ssd import SolidStateDrive
from qmodel.documents.document import read_document
from qmodel.documents.wording import did_you_mean, show_value

#: Kinds of parts that have a price, and the key that names each.
KINDS = {
    "processor": ("server", "processor"),
    "drive": ("disk", "drive"),
    "network": ("lan", "network"),
}
#: What one present part of each kind costs by convention. [units]
PRESENT = {"processor": 10.0, "drive": 1.0, "network": 1.0}
#: The name of a part that the configuration has without naming it.
UNNAMED = "present"


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of parts by kind and name; no prices at all mean the convention."""

    #: Kind and name to the price of one part; of a network, of one segment.
    by_name: Mapping[tuple[str, str], float]

    @property
    def note(self) -> str:
        """What the costs are."""
        if self.by_name:
            return "cost as given for each part; one without a price that does not vary counts 0"
        return (
            "no part has a cost, so cost is by convention: a present processor 10, a present "
            "drive or LAN segment 1, another part the square root of its relative speed times "
            "that; give --cost FILE for prices"
        )

    def why_none(self, kind: str, configuration: Configuration) -> str | None:
        """The part of a kind that has no price; None if its cost is known."""
        name = _name(configuration, kind)
        known = not self.by_name or (kind, name) in self.by_name
        return None if known else f'{kind} "{name}"'

    def cost(self, kind: str, configuration: Configuration, present: Configuration) -> float:
        """Cost of the processors, the drives or the network segments."""
        count = _counts(configuration)[kind]
        if self.by_name:
            return count * self.by_name[kind, _name(configuration, kind)]
        new, old = _speed(kind, configuration), _speed(kind, present)
        return float(count * PRESENT[kind] * (new / old) ** 0.5)


def prices_of(configuration: Configuration, file: str | PathLike[str] | None = None) -> Prices:
    """The prices in a file, and of those parts of the catalogue that have one.

    The file is TOML with the tables ``processor``, ``drive`` and ``network``, in which each key is
    a part and its value the price of one; "present" is what the configuration does not name.

    Raises
    ------
    qmodel.FileError
        One line with file, line and key.
    """
    known = {
        (part.kind, part.name): float(part.cost)
        for part in catalogue_of(configuration).parts
        if part.kind in KINDS and part.cost is not None
    }
    return Prices(known | (_from_file(file) if file is not None else {}))


def _from_file(file: str | PathLike[str]) -> dict[tuple[str, str], float]:
    document = read_document(file)
    found = {}
    for kind, table in document.data.items():
        if kind not in KINDS:
            raise document.error((kind,), f"unknown table; {did_you_mean(kind, KINDS)}")
        if not isinstance(table, dict):
            raise document.error((kind,), f"expected a table of prices, got {show_value(table)}")
        for name, price in table.items():
            _check(document, (kind, name), price)
            found[kind, name] = float(price)
    if not found:
        raise document.error((), "holds no price; expected for example [drive] and present = 120")
    return found


def _check(document: Any, key: tuple[str, str], price: object) -> None:
    number = isinstance(price, int | float) and not isinstance(price, bool)
    if not number or not isfinite(float(price)) or float(price) < 0.0:  # type: ignore[arg-type]
        raise document.error(key, f"expected a price >= 0, got {show_value(price)}")


def _name(configuration: Configuration, kind: str) -> str:
    table, key = KINDS[kind]
    return getattr(getattr(configuration.settings, table), key) or UNNAMED


def _counts(configuration: Configuration) -> dict[str, int]:
    settings = configuration.settings
    return {
        "processor": settings.server.cpus,
        "drive": settings.disk.drives,
        "network": settings.lan.segments,
    }


def _speed(kind: str, configuration: Configuration) -> float:
    """Of one processor with its cores, of one drive in blocks, or of one segment."""
    hardware = hardware_of(configuration)
    if kind == "processor":
        return hardware.processors * hardware.speed / configuration.settings.server.cpus
    if kind == "network":
        return hardware.lan.rate
    drive, block = hardware.disk.drive, hardware.disk.block
    if isinstance(drive, SolidStateDrive):
        servers = drive.servers(block)
        return servers / drive.service_time(block, 0.5, servers)
    return 1.0 / drive.random_time(block)
