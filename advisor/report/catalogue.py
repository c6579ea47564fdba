"""The catalogue of parts, for people and for programs."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from advisor.report.plain import fields
from advisor.report.screen import LINES, show_list, table
from qmodel.devices.catalogue import KINDS, Part

#: Names of each kind that stand on the first screen.
NEWEST = 6
#: Values that are no figures of a part's own.
NOT_TOLD = {
    "year", "provider", "relative_to", "bus", "medium", "duplex", "parallelism", "endurance",
    "burst_iops", "burst_time",
}  # fmt: skip
#: Most figures that are a column each on 80 columns.
COLUMNS = 6
#: How base units are shown: unit and its size.
UNITS = {
    "clock": ("GHz", 1e9), "bus": ("MHz", 1e6), "seek_time": ("ms", 1e-3),
    "read_latency": ("us", 1e-6), "write_latency": ("us", 1e-6), "rotation": ("rpm", 1 / 60),
    "transfer_rate": ("MB/s", 1e6), "channel_rate": ("MB/s", 1e6), "rate": ("Gb/s", 1e9),
    "capacity": ("GB", 1e9), "memory": ("MB", 1024.0**2), "cache": ("MB", 1024.0**2),
    "read_share": ("%", 0.01), "usable_share": ("%", 0.01), "iops": ("k/s", 1e3),
    "write_iops": ("k/s", 1e3), "burst_iops": ("k/s", 1e3), "burst_time": ("min", 60.0),
    "endurance": ("drive writes a day", 1.0),
}  # fmt: skip
#: Headings shorter than the words of a key.
HEADINGS = {
    "transfer_rate": ("rate",), "iops": ("reads",), "write_iops": ("writes",),
    "specrate": ("SPEC", "rate"), "speed": ("speed", "of a core"),
}  # fmt: skip


def list_catalogue(
    console: Console, parts: Sequence[Part], *, searched: bool = False, every: bool = False
) -> None:
    """Print parts, the newest first: those searched for one a line, otherwise a kind a line."""
    newest = sorted(parts, key=lambda part: -(part.year or 0))
    console.print(Text(f"{len(parts)} parts, the newest first", style="bold"))
    console.print()
    room = None if every else LINES - 4
    if searched or every:
        keys = _keys(newest)
        if len({part.kind for part in parts}) > 1 or len(keys) > COLUMNS:
            keys = []
        named = [(*HEADINGS.get(key, key.split("_")), *UNITS.get(key, ("",))[:1]) for key in keys]
        heads = ["\n".join(words).strip() for words in named] or ["figures"]

        def rows(count: int) -> RenderableType:
            shown = table("", "since", *heads, *(["source"] if every else []))
            for part in newest[:count]:
                cells = [_number(key, part.values.get(key)) for key in keys] or [
                    ", ".join(
                        f"{key.replace('_', ' ')} {_figure(key, part.values[key])}"
                        for key in _keys([part])
                    )
                ]
                source = [part.source] if every else []
                shown.add_row(part.name, str(part.year or ""), *cells, *source)
            return shown

        show_list(console, rows, len(newest), room=room)
    else:
        kinds = [(kind, [p for p in newest if isinstance(p, kind)]) for kind in KINDS]
        shown = table("kind", "", "since", "the newest of them")
        for kind, some in kinds:
            years = sorted({part.year for part in some if part.year})
            names = "; ".join(part.name for part in some[:NEWEST])
            first = f"{years[0]}-{years[-1]}" if years else ""
            shown.add_row(kind.kind.replace("_", " "), str(len(some)), first, names)
        console.print(shown)
    say = "one with its sources: qmodel catalogue NAME; a search: qmodel catalogue epyc; all: --all"
    console.print(Text(say, style="dim"))


def show_part(console: Console, part: Part) -> None:
    """Print one part, each value with where it comes from."""
    console.print(Text(f"{part.name} ({part.kind.replace('_', ' ')})", style="bold"))
    console.print(Text(part.source, style="dim"))
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_column()
    for key, value in part.values.items():
        table.add_row(f"  {key}", _figure(key, value), part.sources.get(key, ""))
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


def _keys(parts: Sequence[Part]) -> list[str]:
    """Figures that tell parts of a kind from each other."""
    keys = dict.fromkeys(key for part in parts for key in part.values)
    return [key for key in keys if key not in NOT_TOLD]


def _number(key: str, value: Any) -> str:
    """A value without its unit; nothing for none."""
    return (
        "" if value is None else _figure(key, value).removesuffix(UNITS.get(key, ("",))[0]).strip()
    )


def _figure(key: str, value: Any) -> str:
    """A value with its unit."""
    if key in UNITS and isinstance(value, float):
        unit, size = UNITS[key]
        return f"{value / size:.4g} {unit}" if value / size < 1e4 else f"{value / size:,.0f} {unit}"
    if key == "term":
        return ", ".join(f"{each.bytes / 1e6:g} MB per {each.driver}" for each in value)
    if isinstance(value, tuple):
        return "; ".join(str(each) for each in value)
    if isinstance(value, float):
        return f"{value:,.4g}" if value < 1e4 else f"{value:,.0f}"
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value.model_dump() if hasattr(value, "model_dump") else value
