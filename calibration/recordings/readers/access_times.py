"""Where the durations of an access log stand, and in which unit: decided for the whole file.

A name (``rt=``, ``duration_ms``) and a unit (``26ms``) are believed. Else the first number with a
point behind a request is seconds (nginx), a lone whole number microseconds (Apache), if it may be.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qmodel.errors import FileError

#: Units as logs spell them. [s]
SIZES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
SIZES |= {"seconds": 1.0, "millis": 1e-3, "micros": 1e-6, "nanos": 1e-9}
#: What logs call a duration, with the unit in it or without.
NAME = (
    r"(?i:rt|(?:request|response)_?time|duration|latency|elapsed(?:_?time)?|took|time_?taken)"
    rf"(?:_?(?P<of>(?i:{'|'.join(SIZES)})))?"
)
#: A mean that is none of seconds, a median and a share of tenths of it none of microseconds. [s]
LONG, SHORT, FEW = 10.0, 1e-4, 0.01
_FIELD = r'(?:[^\s",]++|, ?|"(?:[^"\\]|\\.)*+")++'
_TOOK = r'(?P<took>\d+(?:\.\d+)?(?:[nuµm]?s)?)(?![^\s"\],;])'
_NUMBER = re.compile(rf'(?:["\[]?(?P<name>{NAME})[=:]"?)?{_TOOK}')
_REMEDY = r"name it and its unit, as sed -E 's/ ([0-9]+)$/ took=\1ms/' does (or us, s), or drop it"


@dataclass(frozen=True, slots=True)
class Times:
    """Name and unit of durations; if it is a guess, their longest mean [s], one, and a remedy."""

    name: str = ""
    unit: str = "s"
    longest: float = 0.0
    shown: str = ""
    remedy: str = _REMEDY

    def check(self, path: str, took: Any, span: float) -> None:
        """FileError if a guessed unit cannot be right for these times. [s]"""
        if self.unit == "us":
            wrong = np.median(took) < SHORT or (took < SHORT / 10).mean() > FEW
            wrong |= len(took[:500]) > max(20, 4 * len(np.unique(took[:500])))  # as a port would
        else:
            wrong = took.mean(dtype=float) > min(self.longest, span) or not (took % 1.0).any()
        if wrong and self.longest:
            problem = f"the unit of {self.shown} is not given, and it cannot be {self.unit}"
            raise FileError(path, f"{problem}; {self.remedy}")


def unit_of(name: str, took: str) -> str:
    """The unit that a name or the text of a duration has, empty if none that is known."""
    named = re.fullmatch(NAME, name)
    unit = ((named and named["of"]) or re.sub(r"^(\d+h)?(\d+m(?=\d))?[\d.]*", "", took)).lower()
    return unit if unit in SIZES else ""


def times_in(ends: Sequence[str], path: str) -> tuple[str, Times]:
    """What finds the duration in what stands behind a request, as in these lines, and its unit.

    FileError if several whole numbers stand there, and nothing says which one is it.
    """
    found: dict[str, list[re.Match[str]]] = {}
    for end in ends:
        for place, field in enumerate(re.findall(_FIELD, end)):
            if number := _NUMBER.match(field):
                name = number["name"]
                where = rf'*?\s+["\[]?{name}[=:]"?' if name else rf"{{{place}}}\s+"
                found.setdefault(where, []).append(number)
    if not found:
        return "(?P<took>)", Times()
    whole = {where: not any("." in each["took"] for each in some) for where, some in found.items()}
    sure = {where: unit_of(some[0]["name"] or "", some[0]["took"]) for where, some in found.items()}
    where = min(found, key=lambda e: (not found[e][0]["name"], not sure[e], whole[e]))
    number, unit = found[where][0], sure[where] or ("us" if whole[where] else "s")
    if not (number["name"] or sure[where]) and whole[where] and len(found) > 1:
        shown = " and ".join(each[0][0] for each in found.values())
        problem = f"{shown} follow a request, and nothing says which one is its duration"
        raise FileError(path, f"{problem}; {_REMEDY}")
    name, longest = number["name"] or "the number behind a line", 0.0 if sure[where] else LONG
    times = Times(name, unit, longest, number[0].lstrip('"['))
    return rf"(?:(?:\s+{_FIELD}){where}{_TOOK})?", times
