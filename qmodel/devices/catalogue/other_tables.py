"""Processors from tables of others: cloud instances, SPEC results, package files; see THEORY.md."""

import csv
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from qmodel.devices.catalogue.price import Price
from qmodel.documents.document import read_document
from qmodel.documents.syntax import decode, read_bytes
from qmodel.errors import FileError

#: Headings by what they mean, without case, signs and what stands in brackets.
HEADINGS = {
    "name": ("name", "instance", "instance type", "api name", "processor", "cpu"),
    "vcpus": ("vcpu", "vcpus", "cpus", "processors"), "cores": ("cores", "physical cores"),
    "chips": ("chips",), "threads": ("threads per core", "enabled threads per core"),
    "specrate": ("base result", "specrate", "specrate 2017 int base"),
    "speed": ("speed", "relative speed"), "price": ("price", "cost", "on demand", "on demand cost"),
    "benchmark": ("benchmark",), "system": ("system",),
    "published": ("published", "hw avail", "date"),
}  # fmt: skip
#: No figure of a part is as large.
MOST = 1e9
Row = dict[str, str]
#: Path, line and text of a price to the price with its unit.
Cost = Callable[[Path, int, object], str]


def parts_of(files: Iterable[Path], price_unit: str = "") -> dict[str, list[dict[str, Any]]]:
    r"""Parts as a catalogue file has them, from tables of the kinds above.

    ``price_unit`` is the currency and the day of prices that are bare numbers, "USD 2026-11".
    FileError, one line with file and line, if a table is of none of these kinds, or a price has no
    unit.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "instances.csv"
    >>> _ = path.write_text("Instance type,vCPUs,Price\nx1.large,2,70.1\n")
    >>> parts_of([path], "EUR 2026-11")["processor"][0]["cost"]
    '70.1 EUR 2026-11'
    """

    def cost(path: Path, line: int, value: object) -> str:
        text = str(value).strip()
        for form in (text, f"{text.lstrip('$').replace(',', '')} {price_unit}"):
            try:
                Price.read(form)
            except ValueError:
                continue
            return form
        problem = f'{text!r} has no currency and no day; give both: --price-unit "USD 2026-11"'
        raise FileError(str(path), problem, key="price", line=line or None)

    found: dict[str, dict[str, Any]] = {}
    prices: dict[str, str] = {}
    for path in files:
        if path.suffix == ".json":
            try:
                of_package, priced = _of_package(path, read_document(path).data, cost)
            except (AttributeError, KeyError, TypeError) as error:
                problem = f"expected instances, each with cpu and cpu_ghz ({error})"
                raise FileError(str(path), problem) from None
            found |= of_package
            prices |= priced
        else:
            text = decode(read_bytes(str(path), what="a table of parts"), str(path))
            for part in _of_csv(path, text, cost):
                known = found.get(part["name"])
                if known is None or known.get("specrate", 0.0) < part.get("specrate", 0.0):
                    found[part["name"]] = part
    for name in found.keys() & prices.keys():
        found[name] = {**found[name], "cost": prices[name]}
    return {"processor": sorted(found.values(), key=lambda part: str(part["name"]))}


def _of_csv(path: Path, text: str, cost: Cost) -> Iterable[dict[str, Any]]:
    rows = csv.reader(text.splitlines())
    heads = [_meaning(head) for head in next(rows, [])]
    if "name" not in heads or not {"vcpus", "cores", "specrate"} & set(heads):
        problem = (
            "expected headings such as name, vCPU and price, or SPEC's: Processor, # Cores, "
            "# Chips, Base Result"
        )
        raise FileError(str(path), problem, line=1)
    for row in rows:
        cells: Row = {}
        for head, cell in zip(heads, row, strict=False):
            if head and cell.strip():
                cells.setdefault(head, cell.strip())
        if "benchmark" in cells and "int" not in cells["benchmark"].lower():
            continue
        if cells.get("name"):
            yield _part(path, rows.line_num, cells, cost)


def _part(path: Path, line: int, cells: Row, cost: Cost) -> dict[str, Any]:
    def number(key: str) -> float:
        try:
            value = float(cells[key].replace(",", ""))
        except ValueError:
            value = 0.0
        if not 0.0 < value < MOST:
            problem = f"expected a number above 0, got {cells[key]!r}"
            raise FileError(str(path), problem, key=key, line=line)
        return value

    threads = int(number("threads")) if "threads" in cells else 1
    chips = max(1, int(number("chips"))) if "chips" in cells else 1
    cores = int(number("cores")) // chips if "cores" in cells else int(number("vcpus"))
    when = [f"published {cells['published']}"] if "published" in cells else []
    part: dict[str, Any] = {
        "name": cells["name"], "cores": max(1, cores), "threads": min(2, max(1, threads)),
        "source": ", ".join([path.name, *([cells["system"]] if "system" in cells else []), *when]),
    }  # fmt: skip
    if "specrate" in cells:
        part |= {"specrate": number("specrate"), "chips": chips}
    elif "speed" in cells:
        part |= {"speed": number("speed"), "relative_to": f"speed 1 of {path.name}"}
    if "price" in cells:
        part["cost"] = cost(path, line, cells["price"])
    return part


def _of_package(
    path: Path, data: Any, cost: Cost
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Shapes by name, or the prices of them: of the one region, or of each where they differ."""
    if isinstance(data, dict) and isinstance(data.get("instances"), dict):
        return {
            name: {
                "name": name, "cores": each.get("cpu_cores") or each["cpu"],
                "threads": 2 if each.get("cpu_cores") and each["cpu"] > each["cpu_cores"] else 1,
                "clock": f"{each['cpu_ghz']} GHz",
                "speed": each["cpu_ghz"] * each.get("cpu_ipc_scale", 1.0),
                "relative_to": "1 GHz of the first generation", "source": path.name,
            }
            for name, each in data["instances"].items()
        }, {}  # fmt: skip
    regions = [r for r in data.values() if isinstance(r, dict) and "instances" in r]
    if not regions:
        raise FileError(str(path), 'expected "instances", of shapes or of a region\'s prices')
    return {}, {
        name: cost(path, 0, each["annual_cost"]) for name, each in regions[0]["instances"].items()
    }


def _meaning(head: str) -> str:
    words = re.sub(r"\[.*?\]|\(.*?\)", " ", head.casefold())
    words = " ".join(re.sub(r"[^a-z0-9 ]+", " ", words).split())
    return next((key for key, names in HEADINGS.items() if words in names), "")
