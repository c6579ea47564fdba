"""The catalogue of parts, for people and for programs."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from advisor.report.plain import fields
from advisor.report.screen import LINES, show_list, table
from qmodel.devices.catalogue import KINDS, Part

#: How base units are shown: unit and its size.
UNITS = {
    "clock": ("MHz", 1e6),
    "bus": ("MHz", 1e6),
    "seek_time": ("ms", 1e-3),
    "read_latency": ("us", 1e-6),
    "write_latency": ("us", 1e-6),
    "rotation": ("rpm", 1 / 60),
    "transfer_rate": ("MB/s", 1e6),
    "channel_rate": ("MB/s", 1e6),
    "rate": ("Mb/s", 1e6),
    "capacity": ("GB", 1e9),
    "memory": ("MB", 1024.0**2),
    "cache": ("MB", 1024.0**2),
    "read_share": ("%", 0.01),
    "usable_share": ("%", 0.01),
}


def list_catalogue(console: Console, parts: Sequence[Part], *, every: bool = False) -> None:
    """Print the names kind by kind; ``every`` adds figures and sources."""
    kinds = [
        (kind.kind.replace("_", " "), [p for p in parts if isinstance(p, kind)]) for kind in KINDS
    ]
    count = f"{len(parts)} parts; one with its sources: qmodel catalogue NAME"
    console.print(Text(count, style="bold"))
    console.print()
    if not every:
        named = [(name, some) for name, some in kinds if some]

        def names(count: int) -> RenderableType:
            shown = table("kind", "names that a configuration may use")
            for name, some in named[:count]:
                shown.add_row(name, "; ".join(part.name for part in some))
            return shown

        show_list(console, names, len(named), room=LINES - 4)
        console.print(Text("figures and sources: --all", style="dim"))
        return
    for name, some in kinds:
        if some:
            shown = table(name, "", "source")
            for part in some:
                figures = (f"{key} {_figure(key, value)}" for key, value in part.values.items())
                shown.add_row(part.name, ", ".join(figures), part.source)
            console.print(shown)
            console.print()


def show_part(console: Console, part: Part) -> None:
    """Print one part, each value with where it comes from."""
    console.print(Text(f"{part.name} ({part.kind.replace('_', ' ')})", style="bold"))
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for key, value in part.values.items():
        table.add_row(f"  {key}", _figure(key, value), part.source_of(key))
    console.print(table)


def catalogue_data(parts: Sequence[Part]) -> dict[str, Any]:
    """Parts for programs, values in base units."""
    return {
        "parts": [
            {
                **fields(part, "kind", "name"),
                "values": {key: _plain(value) for key, value in part.values.items()},
                "sources": {key: part.source_of(key) for key in part.values},
            }
            for part in parts
        ]
    }


def _figure(key: str, value: Any) -> str:
    """A value with its unit.

    Examples
    --------
    >>> _figure("seek_time", 0.0082), _figure("cores", 8)
    ('8.2 ms', '8')
    """
    if key in UNITS and isinstance(value, float):
        unit, size = UNITS[key]
        return f"{value / size:.6g} {unit}"
    if key == "term":
        return ", ".join(f"{each.bytes / 1e6:g} MB per {each.driver}" for each in value)
    if isinstance(value, tuple):
        return "; ".join(str(each) for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value.model_dump() if hasattr(value, "model_dump") else value
