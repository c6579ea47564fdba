"""A price: an amount, its currency and its day, since none says anything without the others."""

import re
from dataclasses import dataclass
from datetime import date

from qmodel.documents.wording import show_value

_FORM = re.compile(r"(\d+(?:\.\d+)?) ([A-Z]{3}) (\d{4}-\d\d(?:-\d\d)?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Price:
    """What one part cost on a day or in a month.

    Examples
    --------
    >>> Price.read("250 EUR 2026-11")
    Price(amount=250.0, currency='EUR', day='2026-11')
    """

    amount: float
    #: By ISO 4217.
    currency: str
    #: By ISO 8601, to the month at least.
    day: str

    @classmethod
    def read(cls, text: object) -> "Price":
        """The price that a file gives; ValueError if it is none."""
        found = _FORM.fullmatch(text) if isinstance(text, str) else None
        try:
            if found is not None:
                date.fromisoformat((found[3] + "-01")[:10])
                return cls(float(found[1]), found[2], found[3])
        except ValueError:
            pass
        raise ValueError(
            "expected an amount, a currency and a date, as in "
            f'"250 EUR 2026-11", got {show_value(text)}'
        )
