"""Contradictions and doubts about drives and networks that no single key can show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from advisor.configuration.consistency import Problem
from qmodel.devices.lan import ETHERNET_RATES, SWITCHED_FROM
from qmodel.devices.raid import LEVELS

if TYPE_CHECKING:
    from advisor.configuration.schema import DiskArray, Lan

#: A network this many times as fast as all drives together is taken for a slip of the unit: a
#: convention; 25 Gb/s beside one rotating drive of today is 21 times. [1]
SLIP = 25.0


def disk_contradictions(disk: DiskArray) -> Iterator[Problem]:
    """What no array of drives can be."""
    level = LEVELS[disk.raid]
    each, left = divmod(disk.drives, disk.arrays)
    reason = level.why_not(each)
    if left:
        yield (
            ("disk", "arrays"),
            f"{disk.drives} drives do not make {disk.arrays} equal arrays",
        )
    elif reason:
        several = f" (drives of each of {disk.arrays} arrays)" if disk.arrays > 1 else ""
        yield ("disk", "drives"), reason + several
    elif disk.state != "normal" and not level.tolerates_failure:
        yield (
            ("disk", "state"),
            f"{disk.raid} loses its data with one drive; it cannot be {disk.state}",
        )
    solid = (disk.read_latency, disk.write_latency, disk.parallelism)
    if any(value is not None for value in solid):
        for key, value in zip(("read_latency", "write_latency", "parallelism"), solid, strict=True):
            if value is None:
                yield ("disk", key), "required for a solid-state drive"
        for key in ("seek_time", "rotation_time"):
            if key in disk.model_fields_set:
                yield ("disk", key), "a drive with read_latency has none; give one or the other"
    if disk.capacity is not None:
        for key, size in (("stripe", disk.stripe), ("block", disk.block)):
            if size is not None and size > disk.capacity:
                yield (
                    ("disk", key),
                    f"{size / 1e9:g} GB is larger than the drive of {disk.capacity / 1e9:g} GB",
                )
    if disk.spread and disk.arrays == 1:
        yield ("disk", "spread"), "needs arrays of 2 or more: one array spreads its load evenly"
    if not disk.cache.write_back:
        for key in ("rewritten", "full_stripes"):
            if getattr(disk.cache, key):
                yield ("disk", "cache", key), "needs write_back = true"


def lan_doubts(lan: Lan, disk: DiskArray | None) -> Iterator[Problem]:
    """Rates and media that are legal but probably not meant."""
    rate = lan.rate
    if rate not in ETHERNET_RATES:
        text = f"{rate / 1e6:g} Mb/s is no Ethernet rate"
        if rate / 8 in ETHERNET_RATES:
            text = f'{rate / 8e6:g} MB/s = {text}; did you mean "{rate / 8e6:g} Mb/s"?'
        yield ("lan", "rate"), text
    elif rate >= SWITCHED_FROM and (lan.medium == "shared" or lan.duplex == "half"):
        key = "medium" if lan.medium == "shared" else "duplex"
        value = getattr(lan, key)
        yield (
            ("lan", key),
            f'{rate / 1e9:g} Gb/s was never {value} in practice; did you mean "{rate / 1e9:g} '
            'Mb/s"?',
        )
    elif rate >= SWITCHED_FROM and lan.usable_share is not None and lan.usable_share <= 0.9:
        yield (
            ("lan", "usable_share"),
            f"{100 * lan.usable_share:.0f} % is a figure of shared Ethernet, and "
            f'{rate / 1e9:g} Gb/s is switched; did you mean "{rate / 1e9:g} Mb/s"?',
        )

    if disk is None:
        return
    drives = disk.drives * disk.transfer_rate
    if rate >= SWITCHED_FROM and rate / 8.0 > SLIP * drives:
        yield (
            ("lan", "rate"),
            f"{rate / 1e9:g} Gb/s is {rate / 8.0 / drives:.0f} times what {disk.drives} drive(s) "
            f'of {disk.transfer_rate / 1e6:g} MB/s read; did you mean "{rate / 1e9:g} Mb/s", or '
            "are the drives newer than the figures?",
        )


def disk_doubts(disk: DiskArray) -> Iterator[Problem]:
    """Drives that are legal but probably not meant."""
    if disk.seek_time > 0.1:
        yield ("disk", "seek_time"), f"{disk.seek_time:g} s is no disk; ms was meant?"
    if disk.rotation_time > 0.1:
        yield (
            ("disk", "rotation_time"),
            f"{disk.rotation_time:g} s a turn is no disk; ms was meant?",
        )
    track = disk.transfer_rate * disk.rotation_time
    if disk.stripe > 4e6 and disk.stripe > 4 * track and disk.parallelism is None:
        yield (
            ("disk", "stripe"),
            f"{disk.stripe / 1024**2:g} MB is many tracks; KB was meant?",
        )
