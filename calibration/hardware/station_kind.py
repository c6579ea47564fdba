"""Which device of a configuration a measured station is, told from its name."""

from __future__ import annotations

import re

#: Names of stations by device; disks and interfaces also by what Linux calls them.
_KINDS = (
    ("cpu", re.compile(r"cpu|processor|cores?")),
    ("disk", re.compile(r"(disk|drive|array|sd|vd|xvd|hd|nvme|md|dm)[a-z0-9 _.-]*")),
    ("lan", re.compile(r"(lan|net|network|ethernet|eth|en|wl|bond)[a-z0-9 _.-]*")),
)


def station_kind(name: str) -> str:
    """The device, "cpu", "disk" or "lan"; empty for a station that is none of a configuration.

    Examples
    --------
    >>> station_kind("processor"), station_kind("nvme0n1"), station_kind("redis")
    ('cpu', 'disk', '')
    """
    return next((kind for kind, names in _KINDS if names.fullmatch(name.lower())), "")
