"""Memory a server needs, by a rule of so many bytes for each thing that takes some.

A rule is data: terms, each a number of bytes for one of a driver such as threads or users. The
catalogue holds those of the measured systems with their errata.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from qmodel.devices.ranges import not_negative
from qmodel.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class MemoryRule:
    """Memory as a sum of terms.

    Examples
    --------
    >>> rule = MemoryRule("mail", (("server", 8e6), ("thread", 2e6), ("connection", 50e3)))
    >>> rule.need({"thread": 42, "connection": 250}) / 1e6
    104.5
    """

    #: Of the rule.
    name: str
    #: Bytes for each of the driver; "server" is there once. [bytes]
    terms: tuple[tuple[str, float], ...]
    #: Where it comes from.
    source: str = ""
    #: What is known to be wrong with it.
    errata: tuple[str, ...] = ()

    @property
    def drivers(self) -> tuple[str, ...]:
        """What must be counted to use the rule."""
        return tuple(driver for driver, _ in self.terms if driver != "server")

    def need(self, counts: Mapping[str, float]) -> float:
        """Memory for so many of each driver. [bytes]

        Raises `InvalidInput` if a driver is missing or unknown, or its number negative.
        """
        unknown = [name for name in counts if name not in self.drivers and name != "server"]
        missing = [name for name in self.drivers if name not in counts]
        if unknown or missing:
            wrong = f"unknown {unknown[0]!r}" if unknown else f"no number of {missing[0]!r}"
            raise InvalidInput(f"{self.name}: {wrong}; it counts {', '.join(self.drivers)}")
        numbers = {"server": 1.0, **counts}
        return sum(
            each * not_negative(numbers[driver], f"number of {driver}")
            for driver, each in self.terms
        )
