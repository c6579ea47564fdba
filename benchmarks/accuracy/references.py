"""References that take long are computed once and kept beside the table."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, is_dataclass
from hashlib import sha256
from pathlib import Path

from benchmarks.accuracy.family import Family, Truth
from qmodel import Network

FOLDER = Path(__file__).parent / "references"


class References:
    """The references of one family; those that are kept are read and written."""

    def __init__(self, family: Family, *, fresh: bool = False) -> None:
        self.family = family
        self.path = FOLDER / f"{family.name}.json"
        self.kept = {}
        self.used = {}
        if family.keep and not fresh and self.path.exists():
            self.kept = json.loads(self.path.read_text(encoding="utf-8"))

    def of(self, network: Network) -> Truth:
        """The truth about a network."""
        if not self.family.keep:
            return self.family.reference(network)
        key = fingerprint(network)
        if key not in self.kept:
            found = asdict(self.family.reference(network))
            self.kept[key] = {
                part: {m: [_short(v) for v in row] for m, row in values.items()}
                for part, values in found.items()
                if values
            }
        self.used[key] = self.kept[key]
        return Truth(**self.used[key])

    def save(self) -> None:
        """Write those that were asked for."""
        if self.used:
            FOLDER.mkdir(exist_ok=True)
            rows = [f'"{key}": {json.dumps(entry)}' for key, entry in self.used.items()]
            self.path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def fingerprint(network: Network) -> str:
    """A name for a network that stays when records get new fields with a default."""
    return sha256(repr(_spelt(network)).encode()).hexdigest()[:16]


def _spelt(value):
    if is_dataclass(value):
        said = [type(value).__name__]
        for f in fields(value):
            content = getattr(value, f.name)
            if f.default != content and content not in (None, ()):
                said.append((f.name, _spelt(content)))
        return tuple(said)
    if isinstance(value, tuple):
        return tuple(_spelt(v) for v in value)
    return f"{value:.10g}" if isinstance(value, float) else value  # sums round as Python does


def _short(value: float) -> float:
    return float(f"{value:.12g}")
