"""What parts cost: as a file or the catalogue says, or by a convention where neither does.

The convention is Grosch's law, that speed grows as the square of cost [1]_: a part costs the
square root of its speed relative to the present one. It ranks candidates where there are no
prices; it is no price.

References
----------
.. [1] H. R. J. Grosch, "High speed arithmetic: the digital computer as a research tool," Journal
   of the Optical Society of America 43(4), 1953, pp. 306-310.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from os import PathLike

from advisor.configuration.changes import Change
from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import catalogue_of
from advisor.predicting.hardware import hardware_of
from qmodel.devices.catalogue.price import Price
from qmodel.documents.document import read_document
from qmodel.documents.wording import did_you_mean, show_value
from qmodel.errors import InvalidInput

#: Kinds of parts that have a price, and the key that names each.
KINDS = {
    "processor": ("server", "processor"), "drive": ("disk", "drive"), "network": ("lan", "network"),
}  # fmt: skip
#: What one present part of each kind costs by convention. [units]
PRESENT = {"processor": 10.0, "drive": 1.0, "network": 1.0}
#: The name of a part that the configuration has without naming it.
UNNAMED = "present"


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of parts by kind and name; no prices at all mean the convention."""

    #: Kind and name to the price of one part; of a network, of one segment.
    by_name: Mapping[tuple[str, str], float]
    #: What they are in; empty for the convention.
    currency: str = ""
    #: The first and the last day of them.
    days: tuple[str, str] = ("", "")

    @property
    def note(self) -> str:
        """What the costs are."""
        if self.by_name:
            first, last = self.days
            when = first if first == last else f"{first} to {last}"
            return (
                f"cost in {self.currency} at prices of {when}; a part without a price that does "
                "not vary counts 0"
            )
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
        count = _counts(configuration)[kind] * configuration.settings.server.replicas
        if self.by_name:
            return count * self.by_name[kind, _name(configuration, kind)]
        new, old = _speed(kind, configuration), _speed(kind, present)
        return float(count * PRESENT[kind] * (new / old) ** 0.5)


def prices_of(configuration: Configuration, file: str | PathLike[str] | None = None) -> Prices:
    """The prices in a file, and of those parts of the catalogue that have one.

    The file is TOML with the tables ``processor``, ``drive`` and ``network``, in which each key is
    a part and its value the price of one, as in ``"250 EUR 2026-11"``; "present" is what the
    configuration does not name.

    Raises
    ------
    qmodel.FileError
        One line with file, line and key.
    qmodel.InvalidInput
        If they are in several currencies.
    """
    known = {
        (part.kind, part.name): Price.read(part.cost)
        for part in catalogue_of(configuration).parts
        if part.kind in KINDS and part.cost is not None
    }
    known |= _from_file(file) if file is not None else {}
    currencies = sorted({price.currency for price in known.values()})
    if len(currencies) > 1:
        raise InvalidInput(f"prices in {' and '.join(currencies)}; give all in one currency")
    days = sorted(price.day for price in known.values()) or [""]
    amounts = {key: price.amount for key, price in known.items()}
    return Prices(amounts, "".join(currencies), (days[0], days[-1]))


def prices_of_steps(configuration: Configuration, changes: Sequence[Change]) -> list[str]:
    """What each of some changes, made one after the other, costs; empty where no price says.

    A part that takes another's place costs all of itself, more of a part what is added.
    """
    known = prices_of(configuration)
    found = []
    for change in changes:
        after, total = change.apply(configuration), 0.0
        for kind in KINDS:
            names = [_name(each, kind) for each in (configuration, after)]
            servers = [each.settings.server.replicas for each in (configuration, after)]
            were, are = (
                _counts(each)[kind] * n
                for each, n in zip((configuration, after), servers, strict=True)
            )
            if (names[0], were) != (names[1], are):
                price = known.by_name.get((kind, names[1]), nan)
                total += price * (are - (were if names[0] == names[1] else 0))
        found.append(f"{total:,.0f} {known.currency}" if total > 0.0 else "")
        configuration = after
    return found


def _from_file(file: str | PathLike[str]) -> dict[tuple[str, str], Price]:
    document = read_document(file)
    found = {}
    for kind, table in document.data.items():
        if kind not in KINDS:
            raise document.error((kind,), f"unknown table; {did_you_mean(kind, KINDS)}")
        if not isinstance(table, dict):
            raise document.error((kind,), f"expected a table of prices, got {show_value(table)}")
        for name, price in table.items():
            try:
                found[kind, name] = Price.read(price)
            except ValueError as error:
                raise document.error((kind, name), str(error)) from None
    if not found:
        expected = '[drive] and present = "120 EUR 2026-11"'
        raise document.error((), f"holds no price; expected for example {expected}")
    return found


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
    return hardware.disk.drive.capacity(hardware.disk.block, 0.5)
