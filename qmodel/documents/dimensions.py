"""What is measured, in which units, and what a kilobyte is.

A kilobyte is what the trade means by it: 1024 bytes where memory is counted ("memory": chips,
caches, blocks, files as operating systems list them), 1000 bytes for drives as they are sold
("storage") and for all rates. KiB, MiB, GiB and TiB are powers of 1024 everywhere; Kb, Mb and Gb
are 10**3, 10**6 and 10**9 bits. See decisions/0004.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dimension:
    """What is measured, and how people write it."""

    #: As messages call it.
    name: str
    #: The unit inside, in pint's notation.
    base: str
    #: How the base unit is written; text in it is converted without pint.
    spellings: tuple[str, ...]
    #: Units to suggest where one is misspelt.
    units: tuple[str, ...]
    #: Right ways to write it.
    examples: tuple[str, ...]
    #: Units for printing and their size in the base unit, ascending.
    shown: tuple[tuple[str, float], ...]
    #: Bytes in a KB.
    kilobyte: int = 1000


def _steps(step: float, *units: str) -> tuple[tuple[str, float], ...]:
    return tuple((unit, step**i) for i, unit in enumerate(units))


_BYTES = ("bytes", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "kB")
_BITS = ("Mb/s", "Kb/s", "Gb/s", "bit/s", "Mbps", "Kbps", "Gbps", "bps")

DIMENSIONS: dict[str, Dimension] = {
    dimension.name: dimension
    for dimension in (
        Dimension(
            name="time",
            base="s",
            spellings=("s", "sec", "second", "seconds"),
            units=("s", "ms", "us", "ns", "min", "h", "d", "week", "month"),
            examples=("917 s",),
            shown=(("s", 1.0),),
        ),
        Dimension(
            name="rate",
            base="1/s",
            spellings=("/s", "/second"),
            units=("/s", "/min", "/h", "/d", "/second", "/minute", "/hour", "/day"),
            examples=("0.5 /s", "30 /min"),
            shown=(("/s", 1.0),),
        ),
        Dimension(
            name="memory",
            base="B",
            spellings=("B", "byte", "bytes"),
            units=_BYTES,
            examples=("64 MB", "64 MiB"),
            shown=_steps(1024.0, *_BYTES[:5]),
            kilobyte=1024,
        ),
        Dimension(
            name="storage",
            base="B",
            spellings=("B", "byte", "bytes"),
            units=_BYTES,
            examples=("2.1 GB",),
            shown=_steps(1000.0, *_BYTES[:5]),
        ),
        Dimension(
            name="data rate",
            base="B/s",
            spellings=("B/s", "byte/s", "bytes/s"),
            units=_BITS + tuple(f"{unit}/s" for unit in _BYTES),
            examples=("10 MB/s", "10 Mb/s"),
            shown=_steps(1000.0, "bytes/s", "KB/s", "MB/s", "GB/s"),
        ),
        Dimension(
            name="bit rate",
            base="bit/s",
            spellings=("bit/s", "b/s", "bps"),
            units=_BITS,
            examples=("10 Mb/s",),
            shown=_steps(1000.0, "bit/s", "Kb/s", "Mb/s", "Gb/s"),
        ),
        Dimension(
            name="frequency",
            base="Hz",
            spellings=("Hz",),
            units=("MHz", "GHz", "kHz", "Hz"),
            examples=("100 MHz",),
            shown=_steps(1000.0, "Hz", "kHz", "MHz", "GHz"),
        ),
        Dimension(
            name="rotation",
            base="turn/s",
            spellings=(),
            units=("RPM", "rpm"),
            examples=("7200 RPM",),
            shown=(("RPM", 1 / 60),),
        ),
        Dimension(
            name="fraction",
            base="1",
            spellings=("",),
            units=("%",),
            examples=("36 %", "0.36"),
            shown=(("%", 0.01),),
        ),
    )
}

# Every unit there is, in pint's notation; the kilobyte comes from the dimension.
DEFINITIONS = """
s = [time] = _ = sec = second = seconds
ms = s / 1000 = _ = millisecond = milliseconds
us = s / 1000000 = _ = µs = μs
ns = s / 1000000000
min = 60 s = _ = minute = minutes
h = 3600 s = _ = hour = hours
d = 86400 s = _ = day = days
week = 604800 s = _ = weeks
month = 2629800 s = _ = months
bit = [data] = _ = b = bits
Kb = 1000 bit = _ = kb = Kbit = kbit
Mb = 1000000 bit = _ = Mbit
Gb = 1000000000 bit = _ = Gbit
bps = bit / s
Kbps = 1000 bit / s = _ = kbps
Mbps = 1000000 bit / s
Gbps = 1000000000 bit / s
B = 8 bit = _ = byte = bytes
KB = {kilobyte} B = _ = kB
MB = {kilobyte} KB
GB = {kilobyte} MB
TB = {kilobyte} GB
KiB = 1024 B
MiB = 1024 KiB
GiB = 1024 MiB
TiB = 1024 GiB
turn = [turn]
RPM = turn / min = _ = rpm
cycle = [cycle]
Hz = cycle / s
kHz = 1000 Hz
MHz = 1000000 Hz
GHz = 1000000000 Hz
"""
NAMES = tuple(re.findall(r"(?:^|= )([A-Za-zµμ]+)(?= =|$)", DEFINITIONS, re.MULTILINE))
