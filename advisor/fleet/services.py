"""The services of a fleet: configurations of a folder, or the rows of a table that change some."""

import csv
import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from qmodel.documents.syntax import decode, read_bytes
from qmodel.errors import FileError
from qmodel.version import __version__

#: Headings of a table that are no keys of a configuration.
CONFIG, NAME = "config", "name"


@dataclass(frozen=True, slots=True)
class Service:
    """One row: a configuration, and the settings that make it this service's."""

    name: str
    path: str
    #: As on the command line, ``workload.users=400``.
    settings: tuple[str, ...] = ()
    #: Where it stands, for what is wrong with it.
    place: str = ""

    def digest(self) -> str:
        """The request in 64 characters: file, what it may refer to, settings, and version."""
        return sha256(f"{__version__} {self.settings} {_content(self.path)}".encode()).hexdigest()


@lru_cache(maxsize=4096)
def _content(name: str) -> str:
    """A digest of a file and of what beside it is named in it."""
    path, found = Path(name), sha256()
    try:
        text = path.read_text(encoding="utf-8")
        found.update(text.encode())
        for other in sorted(path.parent.rglob("*.json")) + sorted(path.parent.glob("*.toml")):
            if other.name in text:
                found.update(other.read_bytes())
    except (OSError, UnicodeDecodeError) as error:  # said when it is read
        found.update(str(error).encode())
    return found.hexdigest()


def services_of(path: Path) -> tuple[list[Service], list[str]]:
    """The services of a folder or of a table, and the files of a folder that are something else.

    A table has a column ``config`` with paths beside it, and keys of a configuration as other
    headings, which change it; ``name`` is what the service is called. FileError names file and
    line.
    """
    if path.is_dir():
        files = sorted(p for p in path.iterdir() if p.suffix in {".toml", ".json"})
        others = {each for each in files if not _is_server(each)}
        servers = [Service(each.stem, str(each)) for each in files if each not in others]
        if not servers:
            raise FileError(
                str(path), "the directory holds no configuration; expected files with [workload]"
            )
        return servers, sorted(each.name for each in others)
    found = list(_rows(path))
    if not found:
        raise FileError(str(path), "holds no row; expected one a service below the headings")
    return found, []


def _is_server(path: Path) -> bool:
    """Whether a file says of itself that it is a configuration; what cannot be read may be one."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        found = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (OSError, ValueError, RecursionError):
        return True
    return isinstance(found, dict) and "workload" in found


def _rows(path: Path) -> Iterator[Service]:
    rows = csv.reader(decode(read_bytes(str(path), what="a fleet"), str(path)).splitlines())
    heads = [head.strip() for head in next(rows, [])]
    if CONFIG not in heads:
        raise FileError(
            str(path), "expected the column config, and keys such as workload.users", line=1
        )
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(heads):
            problem = f"{len(row)} cells, expected {len(heads)} as in the first line"
            raise FileError(str(path), problem, line=rows.line_num)
        cells = {head: cell.strip() for head, cell in zip(heads, row, strict=True)}
        config, name = cells.pop(CONFIG), cells.pop(NAME, "")
        if not config:
            raise FileError(str(path), "empty, expected a path", key=CONFIG, line=rows.line_num)
        settings = tuple(f"{key}={value}" for key, value in cells.items() if value)
        place = f"{path}:{rows.line_num}"
        yield Service(name or Path(config).stem, str(path.parent / config), settings, place)
