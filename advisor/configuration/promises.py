"""Response times that are promised: a mean, and percentiles.

``"2 s"`` promises the mean; ``{ mean = "1 s", p95 = "2 s", p99 = "4 s" }`` several; a service
level ``"99 % under 250 ms"`` is p99 from the other side.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from qmodel.documents.fields import KeyProblem, QuantityText
from qmodel.documents.units import show_quantity
from qmodel.documents.wording import show_text
from qmodel.errors import InvalidInput

_TIME = QuantityText("time", positive=True)
_NAMES = "mean, p50, p90, p95, p99, p99.9 or another percentile"
_LEVEL = re.compile(r"(\d+\.?\d*|\.\d+) *% +(?:under|below|within|in) +(.+)")
SLO = 'expected text such as "99 % under 250 ms"'


@dataclass(frozen=True, slots=True)
class Promise:
    """Limits of a response time: of the mean, and of percentiles by their shares. [s], [1]"""

    mean: float | None = None
    tails: tuple[tuple[float, float], ...] = ()

    @classmethod
    def read(cls, value: Any) -> "Promise":
        """A time, or a table of a mean and percentiles."""
        if isinstance(value, Promise):
            return value
        if isinstance(value, str) and _LEVEL.fullmatch(value.strip()):
            return service_level(value)
        if not isinstance(value, dict):
            return cls(_TIME.read(value))
        if not value:
            raise InvalidInput('expected a time such as "2 s", or a table such as { p95 = "2 s" }')
        tails: list[tuple[float, float]] = []
        mean: float | None = None
        for key, text in value.items():
            try:
                if key in {"slo", "response_time"}:  # as for all classes
                    part = service_level(text) if key == "slo" else cls.read(text)
                    tails, mean = [*tails, *part.tails], part.mean if mean is None else mean
                    continue
                limit = _TIME.read(text)
            except InvalidInput as error:
                raise KeyProblem(str(error), key) from None
            if key == "mean":
                mean = limit
            else:
                tails.append((_share(key), limit))
        return cls(mean, _in_order(tails))

    @property
    def limits(self) -> tuple[tuple[float | None, float], ...]:
        """Share and limit of each, the mean first, without a share. [1], [s]"""
        return (*([] if self.mean is None else [(None, self.mean)]), *self.tails)

    @property
    def text(self) -> str:
        """As ``--response`` and a sentence have it."""
        return ", ".join(f"{time_name(p)} {show_quantity(t, 'time')}" for p, t in self.limits)

    @property
    def written(self) -> str | dict[str, str]:
        """As a file has it."""
        if self.mean is not None and not self.tails:
            return f"{self.mean!r} s"
        return {"mean" if p is None else tail_name(p): f"{t!r} s" for p, t in self.limits}

    def beside(self, level: "Promise") -> "Promise":
        """Both together; the limits of ``level`` win, also over lower percentiles."""
        own = level.tails
        tails = {each: min([end, *(e for s, e in own if s > each)]) for each, end in self.tails}
        tails |= dict(own)
        return Promise(self.mean if level.mean is None else level.mean, _in_order(tails.items()))


def _share(key: str) -> float:
    digits = re.fullmatch(r"p(\d\d)\.?(\d*)", key)
    share = float(f"{digits[1]}.{digits[2]}") / 100 if digits else 0.0
    if not digits or not share or (digits[2] and digits[1] != "99" and "." not in key):
        raise KeyProblem(f"unknown {show_text(key)}; expected {_NAMES} below p100", key)
    return share


def _in_order(tails: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """By share; a larger share cannot be promised sooner."""
    rising = sorted(tails)
    for (low, early), (high, late) in pairwise(rising):
        if early > late:
            names = tail_name(low), tail_name(high)
            raise KeyProblem(f"{early:g} s is above that of {names[1]}, {late:g} s", names[0])
    return tuple(rising)


def _each(value: Any) -> tuple[tuple[str, Promise], ...]:
    if not isinstance(value, dict):
        if isinstance(value, tuple):
            return value
        raise InvalidInput("expected a table of classes, as in [targets.class]")
    found = []
    for name, promised in value.items():
        try:
            found.append((name, Promise.read(promised)))
        except KeyProblem as error:
            raise KeyProblem(error.problem, name, *error.key_path) from None
        except InvalidInput as error:
            raise KeyProblem(str(error), name) from None
    return tuple(found)


def service_level(value: Any) -> Promise:
    """A service level in words."""
    if isinstance(value, Promise):
        return value
    found = _LEVEL.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        raise InvalidInput(SLO)
    share = float(found[1]) / 100
    if not 0.0 < share < 1.0:
        raise InvalidInput(f"must be above 0 % and below 100 %, got {found[1]} %; {SLO}")
    return Promise(None, ((share, _TIME.read(found[2])),))


def tail_name(share: float) -> str:
    """What the percentile of a share is called."""
    return f"p{100 * share:.6g}"


#: Percentiles of response times from this share on are above the mean.
ABOVE_MEAN = 0.9
#: What a mean response time is called.
MEAN = "response time"


def time_name(share: float | None) -> str:
    """What a percentile, or the mean where there is no share, is called."""
    return MEAN if share is None else tail_name(share)


_EXAMPLES = ["2 s", {"mean": "1 s", "p95": "2 s", "p99": "4 s"}]
#: A response time in a file.
Promised = Annotated[
    Promise, BeforeValidator(Promise.read, json_schema_input_type=str | dict[str, str]),
    Field(description="a time, or a table of a mean and percentiles", examples=_EXAMPLES),
]  # fmt: skip
#: Promises to single classes in a file.
PromisedEach = Annotated[
    tuple[tuple[str, Promise], ...],
    BeforeValidator(_each, json_schema_input_type=dict[str, str | dict[str, str]]),
    Field(description="a response time for each class", examples=[{"checkout": _EXAMPLES[1]}]),
]
#: A service level in a file.
ServiceLevel = Annotated[
    Promise, BeforeValidator(service_level, json_schema_input_type=str),
    Field(description="a share of requests and a time", examples=["99 % under 250 ms"]),
]  # fmt: skip
