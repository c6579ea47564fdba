"""A configuration's parts by name, with what the catalogue knows of them.

A part's figures are put where the file leaves a key out, as if it had been written there; what
the file gives itself wins. With parts put in, keys and their sense are checked.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from advisor.configuration.calibrated import calibration_beside
from advisor.configuration.configuration import Configuration
from advisor.configuration.consistency import Problem, contradictions, doubts
from advisor.configuration.schema import ServerConfig
from qmodel.devices.catalogue import Catalogue, Processor
from qmodel.devices.catalogue.parts import SPECRATE_CORE
from qmodel.devices.processor import THREAD_GAIN
from qmodel.documents.document import Document, file_beside
from qmodel.documents.validation import validate
from qmodel.documents.wording import show_text
from qmodel.errors import FileError, InvalidInput

Key = tuple[str, str]


def with_parts(data: dict[str, Any], document: Document) -> dict[str, Any]:
    """The data with the figures of the parts it names; the same data if it names none.

    FileError if a part or the user's own catalogue, beside the document, is not there.
    """
    named = list(_named(data))
    if not named:
        return data
    catalogue = _catalogue(data, document)
    found = {**data, **{table: dict(data[table]) for (table, _), _, _ in named}}
    for key, name, figures in named:
        try:
            given = figures(catalogue, name, found)
        except InvalidInput as error:
            raise document.error(key, str(error)) from None
        table = found[key[0]]
        for each, value in given.items():
            table.setdefault(each, value)
    return found


def part_sources(data: dict[str, Any], document: Document) -> tuple[tuple[str, str, str], ...]:
    """Key, name and sources of each part that a configuration names, for a derivation."""
    named = [(key, name) for key, name, _ in _named(data)]
    if not named:
        return ()
    catalogue = _catalogue(data, document)
    found = []
    for (table, key), name in named:
        (part,) = (p for p in catalogue.named(name) if p.kind == key)
        sources = "; ".join(
            f"{value}: {source}" for value, source in (("", part.source), *part.sources.items())
        )
        found.append((f"{table}.{key}", part.name, sources.removeprefix(": ")))
    return tuple(found)


def catalogue_of(configuration: Configuration) -> Catalogue:
    """The parts that a configuration may name."""
    return _catalogue(configuration.data, configuration.document)


_Figures = Callable[["Catalogue", str, dict[str, Any]], dict[str, Any]]


def _named(data: dict[str, Any]) -> Iterator[tuple[Key, str, _Figures]]:
    """Each key that names a part of the catalogue, the name, and who knows its figures."""
    workload = data.get("workload")
    measured = isinstance(workload, dict) and "system" in workload
    places: list[tuple[str, str, _Figures]] = [("disk", "drive", _drive), ("lan", "network", _lan)]
    if not measured:  # a measured system knows its own processors
        places.append(("server", "processor", _processor))
    for table, key, figures in places:
        part = data.get(table)
        name = part.get(key) if isinstance(part, dict) else None
        if isinstance(name, str):
            yield (table, key), name, figures


def _catalogue(data: dict[str, Any], document: Document) -> Catalogue:
    from qmodel.devices.catalogue import load_catalogue

    table = data.get("catalogue")
    own = table.get("file") if isinstance(table, dict) else None
    if not isinstance(own, str):
        return load_catalogue()
    place = file_beside(document, ("catalogue", "file"), own)
    try:
        return load_catalogue(place)
    except FileError:
        raise
    except OSError as error:
        raise document.error(("catalogue", "file"), str(error)) from None


def _drive(catalogue: Catalogue, name: str, _data: dict[str, Any]) -> dict[str, Any]:
    from qmodel.devices.catalogue import Drive

    drive = catalogue.find(Drive, name)
    figures: dict[str, Any] = {"transfer_rate": f"{drive.transfer_rate!r} bytes/s"}
    for key in ("seek_time", "read_latency", "write_latency"):
        value = getattr(drive, key)
        if value is not None:
            figures[key] = f"{value!r} s"
    if drive.rotation is not None:
        figures["rotation_time"] = f"{1.0 / drive.rotation!r} s"
    for key in ("parallelism", "write_iops"):
        if (value := getattr(drive, key)) is not None:
            figures[key] = value
    if drive.capacity is not None:
        figures["capacity"] = f"{drive.capacity!r} bytes"
    return figures | ({"raid": "raid0"} if drive.provider else {})


def _lan(catalogue: Catalogue, name: str, _data: dict[str, Any]) -> dict[str, Any]:
    from qmodel.devices.catalogue import NetworkPart

    network = catalogue.find(NetworkPart, name)
    figures: dict[str, Any] = {
        "rate": f"{network.rate!r} bit/s", "medium": network.medium, "duplex": network.duplex,
    }  # fmt: skip
    if network.usable_share is not None:
        figures["usable_share"] = network.usable_share
    return figures


def _processor(catalogue: Catalogue, name: str, data: dict[str, Any]) -> dict[str, Any]:
    from qmodel.devices.catalogue import Processor

    server = data["server"]
    processor = catalogue.find(Processor, name)
    figures: dict[str, Any] = {"cores": processor.cores}
    reference = server.get("reference_processor")
    if "cpu_speed" in server or not isinstance(reference, str):
        return figures
    figures["cpu_speed"] = _speed(
        processor, catalogue.find(Processor, reference), threads=bool(server.get("hyper_threads"))
    )
    return figures


def _speed(processor: Processor, reference: Processor, *, threads: bool) -> float:
    """Speed of one core relative to that on which the demands were measured.

    Of one thread of it where the model has its second one as ``threads`` besides.
    """
    if processor.name == reference.name:
        return 1.0
    speed, unit = (_known_speed(each, threads=threads) for each in (processor, reference))
    if processor.relative_to != reference.relative_to:
        raise InvalidInput(
            f"no measurement compares {show_text(processor.name)} with "
            f"{show_text(reference.name)}; give cpu_speed"
        )
    return speed / unit


def _known_speed(processor: Processor, *, threads: bool) -> float:
    if processor.speed is None:
        raise InvalidInput(f"no speed of {show_text(processor.name)} is known; give cpu_speed")
    both = processor.threads > 1 and processor.relative_to == SPECRATE_CORE
    return processor.speed / THREAD_GAIN if threads and both else processor.speed


def configure(data: dict[str, Any], document: Document) -> Configuration:
    """Validate data as they would stand in a configuration file.

    FileError names file, line and key, what was wrong and what would be right.
    """
    disk = data.get("disk")
    if isinstance(disk, dict) and disk.get("drives") == 1:
        data = {**data, "disk": {"raid": "raid0", **disk}}
    changed = replace(document, data=data)
    settings = settings_of(changed)
    file = settings.workload.calibration
    tasks = calibration_beside(document, file).data.classes if file else ()
    refuse(changed, contradictions(settings, tasks))
    warnings = tuple(f"{changed.error(*doubt)} (warning)" for doubt in doubts(settings))
    return Configuration(settings, data, document, warnings)


def settings_of(document: Document) -> ServerConfig:
    """The settings that a document holds, with the figures of its parts, each by itself right."""
    if "machine" in document.data:
        raise document.error(("machine",), "either [server] or [[machine]], not both")
    data = with_parts(document.data, document)
    settings: ServerConfig = validate(
        ServerConfig, replace(document, data=data), remedy="see `init`"
    )
    return settings


def refuse(document: Document, problems: Iterable[Problem]) -> None:
    """Refuse a configuration for problems, if any: the first in the file, with the others in it."""
    if found := tuple(problems):
        raise document.errors(found)
