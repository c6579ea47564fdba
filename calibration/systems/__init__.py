"""The measured systems: for each one what is fitted, what is held out, and what it predicts."""

import difflib
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from qmodel.errors import InvalidInput

if TYPE_CHECKING:  # a configuration asks for the names alone
    from calibration.agreements.system import System

#: Names that a configuration may give as ``workload.system``; each is a module here.
SYSTEM_NAMES = ("notes31", "groupwise52", "domino46", "domino5_raid", "domino85", "postgresql_live")


class UnknownSystem(InvalidInput):
    """No measured system has this name."""


@cache
def load_system(name: str) -> "System":
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
    if name not in SYSTEM_NAMES:
        near = difflib.get_close_matches(name, SYSTEM_NAMES, 1, 0.0)
        raise UnknownSystem(f"no measured system {name!r}; did you mean {near[0]!r}?")
    found: System = import_module(f"calibration.systems.{name}").system()
    return found
