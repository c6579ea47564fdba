"""What a live system is: how it starts, what its clients ask, and which change is recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from scripts.live.group import Group

#: Names that `python -m scripts.live` takes; each is a module of `scripts.live.systems`.
SYSTEMS = (
    "postgresql_read",
    "postgresql_write",
    "mariadb",
    "redis",
    "nginx_static",
    "nginx_workers",
    "postgresql_pool",
    "java_service",
    "cpu_quota",
    "background_job",
)


@dataclass(frozen=True, slots=True)
class Variant:
    """A system as it is recorded: at first, or after its change.

    Parameters
    ----------
    name : str
        As the column ``configuration`` of the table has it.
    says : str
        In words.
    cores : int
        That the server may use.
    quota : float, optional
        Cores that its control group may use at most.
    settings : mapping
        What else its `start` is told.
    change : mapping
        The change as ``qmodel predict --change`` has it, against the first variant.
    """

    name: str
    says: str
    cores: int = 1
    quota: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    change: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server runs: a folder of its own, its control group, and programs by name."""

    folder: Path
    group: Group
    programs: Mapping[str, str]
    variant: Variant


@dataclass(frozen=True, slots=True)
class LiveSystem:
    """A server, its clients, and its change."""

    title: str
    #: Program to Debian package.
    programs: Mapping[str, str]
    #: What an interaction is, in a sentence.
    workload: str
    #: ``http``, ``redis``, ``postgresql`` or ``mariadb``: a module of `scripts.live.protocols`.
    protocol: str
    #: Starts the server and gives the address that clients connect to.
    start: Callable[[Place], AbstractContextManager[Any]]
    #: What a client sends next, from a seeded generator.
    request: Callable[[Random], bytes]
    #: The first is calibrated, the others are predicted.
    variants: tuple[Variant, ...]
    #: Command that prints the version.
    version: tuple[str, ...]
    #: Limits that an administrator reads off the configuration, as a change has them.
    known: Mapping[str, float] = field(default_factory=dict)


def load_live_system(name: str) -> LiveSystem:
    """The system of this name."""
    found: LiveSystem = import_module(f"scripts.live.systems.{name}").SYSTEM
    return found


def cores_of(count: int) -> tuple[int, ...]:
    """The first cores of the machine: the server's."""
    return tuple(range(count))
