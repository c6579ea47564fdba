"""What parts cost: by a file, by the catalogue, or else by a convention; see THEORY.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from os import PathLike

from advisor.configuration.changes import Change
from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import catalogue_of
from advisor.configuration.tiers import Tier
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
                f"cost in {self.currency} at prices of {when}; parts that stay and have "
                "no price count 0"
            )
        return (
            "no prices are given, so cost is a convention: a present processor or tier 10, a "
            "present drive or LAN segment 1, other parts that times the square root of their "
            "relative speed; give --cost FILE for prices"
        )

    def why_none(self, kind: str, configuration: Configuration) -> str | None:
        """The part of a kind that has no price; None if its cost is known."""
        part = _part(configuration, kind)
        return None if not self.by_name or part in self.by_name else f'{part[0]} "{part[1]}"'

    def cost(self, kind: str, configuration: Configuration, present: Configuration) -> float:
        """Cost of the processors, the drives, the network segments, or the cores of a tier."""
        one = _count(configuration, kind)
        count = one * configuration.settings.server.replicas
        if not count:
            return 0.0
        if self.by_name:
            return count * self.by_name[_part(configuration, kind)]
        new, old = _speed(kind, configuration), _speed(kind, present)
        each = PRESENT.get(kind, PRESENT["processor"] / one)  # the cores of a tier are one
        return float(count * each * (new / old) ** 0.5)


def prices_of(configuration: Configuration, file: str | PathLike[str] | None = None) -> Prices:
    """The prices in a file, and of those parts of the catalogue that have one.

    The file is TOML with the tables ``processor``, ``drive``, ``network`` and ``tier``, in which
    each key is a part and its value the price of one, of a tier that of a core, as in
    ``"250 EUR 2026-11"``; "present" is what the configuration does not name.

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


def priced(cost: float, currency: str) -> str:
    """A price in whole units of its currency, below 100 to three digits: an hour may cost cents."""
    return f"{cost:,.0f} {currency}" if cost >= 100.0 else f"{cost:.3g} {currency}"


def prices_of_steps(configuration: Configuration, changes: Sequence[Change]) -> list[str]:
    """What each of some changes, made one after the other, costs; empty where no price says.

    A part that takes another's place costs all of itself, more of a part what is added.
    """
    known = prices_of(configuration)
    found = []
    for change in changes:
        after, total = change.apply(configuration), 0.0
        for kind in (*KINDS, *(f"tier {tier.name}" for tier in configuration.settings.tiers)):
            old, new = (_part(each, kind) for each in (configuration, after))
            were, are = (
                _count(each, kind) * each.settings.server.replicas
                for each in (configuration, after)
            )
            if (old, were) != (new, are):
                total += known.by_name.get(new, nan) * (are - (were if old == new else 0))
        found.append(priced(total, known.currency) if total > 0.0 else "")
        configuration = after
    return found


def _from_file(file: str | PathLike[str]) -> dict[tuple[str, str], Price]:
    document = read_document(file)
    found = {}
    for kind, table in document.data.items():
        if kind not in {*KINDS, "tier"}:
            raise document.error((kind,), f"unknown table; {did_you_mean(kind, [*KINDS, 'tier'])}")
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


def _part(configuration: Configuration, kind: str) -> tuple[str, str]:
    """Kind and name of what has a price."""
    if kind not in KINDS:
        return "tier", kind.removeprefix("tier ")
    table, key = KINDS[kind]
    return kind, getattr(getattr(configuration.settings, table), key) or UNNAMED


def _count(configuration: Configuration, kind: str) -> float:
    """How many parts: of processors under a quota the time, of a table that is not there none."""
    settings, server = configuration.settings, configuration.settings.server
    if kind not in KINDS:
        return _tier(configuration, kind).cores
    if kind == "processor" and server.cpu_quota is not None:
        return min(float(server.cpus), server.cpu_quota / server.cores)
    if kind != "processor" and not settings.describes(KINDS[kind][0]):
        return 0.0
    counts = {"processor": server.cpus, "drive": settings.disk.drives}
    return counts.get(kind, settings.lan.segments)


def _tier(configuration: Configuration, kind: str) -> Tier:
    return next(t for t in configuration.settings.tiers if f"tier {t.name}" == kind)


def _speed(kind: str, configuration: Configuration) -> float:
    """Of one processor with its cores, a tier, one drive in blocks, or one segment."""
    if kind not in KINDS:
        tier = _tier(configuration, kind)
        return tier.cores * tier.cpu_speed
    hardware = hardware_of(configuration)
    if kind == "processor":
        return hardware.processors * hardware.speed / _count(configuration, kind)
    if kind == "network":
        return hardware.lan.rate
    return hardware.disk.drive.capacity(hardware.disk.block, 0.5)
