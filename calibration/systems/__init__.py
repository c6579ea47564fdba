"""The measured systems: for each one what is fitted, what is held out, and what it predicts."""

from __future__ import annotations

import difflib
from functools import cache

from calibration.system import System
from calibration.systems import notes31
from qmodel.errors import InvalidInput

_MAKERS = {"notes31": notes31.system}

#: Names that a configuration may give as ``workload.system``.
SYSTEM_NAMES = tuple(_MAKERS)


class UnknownSystem(InvalidInput):
    """No measured system has this name."""


@cache
def load_system(name: str) -> System:
    """The calibrated system of this name, fitted on first use.

    Raises
    ------
    UnknownSystem
        With the nearest name.

    Examples
    --------
    >>> load_system("notes31").title
    'Lotus Notes 3.1 on a Compaq ProLiant 2000, 1995'
    """
    if name not in _MAKERS:
        near = difflib.get_close_matches(name, SYSTEM_NAMES, 1, 0.0)
        raise UnknownSystem(f"no measured system {name!r}; did you mean {near[0]!r}?")
    return _MAKERS[name]()
