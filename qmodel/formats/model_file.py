"""Queueing networks as TOML or JSON files.

A station that a class does not name in its demand is not visited: its demand is 0. A class that
names no station at all is a mistake.
"""

from collections.abc import Iterator
from itertools import islice
from os import PathLike
from typing import Any

from qmodel.documents.document import Document, read_document, told_format
from qmodel.documents.toml_text import document_text
from qmodel.documents.validation import validate
from qmodel.documents.wording import KeyPath, did_you_mean, show_text
from qmodel.errors import FileError, InvalidNetwork
from qmodel.formats.model_tables import NetworkFile
from qmodel.model import stations as kinds
from qmodel.model.customer_classes import CustomerClass, OpenClass
from qmodel.model.distributions import Recorded, distribution
from qmodel.model.network import Network

#: Most demands, stations times classes, of a network in a file.
DEMAND_LIMIT = 1_000_000


def load_network(path: str | PathLike[str], format: str | None = None) -> Network:  # noqa: A002
    """The network a TOML or JSON file describes.

    Parameters
    ----------
    path : path-like
        The file; "-" reads standard input and needs ``format``.
    format : str, optional
        "toml" or "json"; told from the extension if not given.

    Returns
    -------
    Network
        Demands in seconds; 0 where a class does not name a station.

    Raises
    ------
    FileError
        One line with file, line, key and what would be right.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "model.toml")
    ...     _ = path.write_text('''
    ... [[station]]
    ... name = "cpu"
    ... kind = "queueing"
    ... [[class]]
    ... name = "edit"
    ... population = 20
    ... think_time = "917 s"
    ... demand = { cpu = "68 s" }
    ... ''')
    ...     load_network(path).demand
    ((68.0,),)
    """
    return network_of(read_document(path, format))


def is_layered(document: Document) -> bool:
    """Whether a document describes services rather than stations."""
    return {"service", "entry"} <= document.data.keys() and "station" not in document.data


def network_of(document: Document) -> Network:
    """The network a document describes; see `load_network`."""
    if is_layered(document):
        takes = "qmodel solve and simulate, and load_model, take it"
        raise document.error(("service",), f"a layered model, not a queueing network; {takes}")
    file = validate(NetworkFile, document, what="model")
    size = len(file.stations) * len(file.classes)
    if size > DEMAND_LIMIT:
        problem = f"stations times classes is {size}, more than the {DEMAND_LIMIT} of a file"
        raise document.error(("class",), problem)
    if problems := list(islice(_problems(file), 1000)):
        raise document.errors(problems)
    stations = [table.station() for table in file.stations]
    try:
        return Network(
            stations,
            [table.customer_class() for table in file.classes],
            [[table.demand_at(s.name) for s in stations] for table in file.classes],
            visit_ratio=(
                [[table.visits_at(s.name) for s in stations] for table in file.classes]
                if any(table.visits for table in file.classes)
                else None
            ),
            scv=(
                [[table.scv_at(s.name) for s in stations] for table in file.classes]
                if any(table.scv for table in file.classes)
                else None
            ),
            limits=[table.limit() for table in file.limits],
            distributions={k: d for table in file.classes for k, d in table.distributions.items()},
            routes={table.name: table.route for table in file.classes if table.route},
        )
    except InvalidNetwork as error:  # a product of visits and service time beyond all floats
        raise FileError(document.path, str(error)) from None


def dump_network(
    network: Network,
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002
    *,
    force: bool = False,
) -> None:
    """Write a network as a file that `load_network` reads back as an equal network.

    Parameters
    ----------
    network : Network
        Demands are written as such, whether or not they came from visits; visits beside them
        where they are not 1.
    path : path-like
        The file; written under a temporary name and renamed.
    format : str, optional
        "toml" or "json"; told from the extension if not given.
    force : bool
        Whether a file that exists is replaced.

    Raises
    ------
    FileError
        If the file exists and ``force`` is not set, or if it cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from qmodel import ClosedClass, QueueingStation
    >>> network = Network([QueueingStation("cpu", 2)], [ClosedClass("edit", 20, 917.0)], [68.0])
    >>> with TemporaryDirectory() as folder:
    ...     dump_network(network, Path(folder, "model.toml"))
    ...     load_network(Path(folder, "model.toml")) == network
    True
    """
    from qmodel.documents.writing import write_text

    write_text(path, network_text(network, told_format(path, format)), force=force)


def network_text(network: Network, format: str = "toml") -> str:  # noqa: A002
    """A network as TOML or JSON text that `load_network` reads back as an equal network.

    Examples
    --------
    >>> from qmodel import ClosedClass, QueueingStation
    >>> network = Network([QueueingStation("cpu", 2)], [ClosedClass("edit", 20, 917.0)], [68.0])
    >>> print(network_text(network))
    [[station]]
    name = "cpu"
    kind = "queueing"
    servers = 2
    <BLANKLINE>
    [[class]]
    name = "edit"
    population = 20
    think_time = "917 s"
    demand = { cpu = "68 s" }
    <BLANKLINE>
    """
    served = network.stations[: len(network.stations) - len(network.limits)]
    data: dict[str, Any] = {
        "station": [_station_data(station) for station in served],
        "class": [
            _class_data(customer_class)
            | {"demand": {s.name: f"{_spelt(d)} s" for s, d in zip(served, row, strict=False)}}
            | _variations(network, c)
            for c, (customer_class, row) in enumerate(
                zip(network.classes, network.demand, strict=True)
            )
        ],
    }
    if network.limits:
        data["limit"] = [
            {"name": limit.name, "customers": limit.customers, "stations": limit.stations}
            | given(limit, classes=None, full="wait", held="interaction")
            for limit in network.limits
        ]
    return document_text(data, format)


def given(record: object, **usual: object) -> dict[str, Any]:
    """The fields of a record that are not as usual."""
    values = {key: getattr(record, key) for key in usual}
    return {key: value for key, value in values.items() if value != usual[key]}


def _problems(file: NetworkFile) -> Iterator[tuple[KeyPath, str]]:
    """What no table can know by itself: names used twice, stations that are not there."""
    known = dict.fromkeys(table.name for table in file.stations)
    for kind, names in (
        ("station", [table.name for table in file.stations]),
        ("class", [table.name for table in file.classes]),
        ("limit", [table.name for table in file.limits]),
    ):
        first: dict[str, int] = {}
        for i, name in enumerate(names):
            if first.setdefault(name, i) != i:
                used = f"{show_text(name)} already used by {kind}[{first[name]}]"
                yield (kind, i, "name"), f"{used}; give it another name"
    for c, table in enumerate(file.classes):
        for name in table.named_stations:
            if name not in known:
                problem = f"no station {show_text(name)}; {did_you_mean(name, known)}"
                yield ("class", c, table.demand_key, name), problem
        for (name, station), law in table.distributions.items():
            place: KeyPath = ("distribution", station) if station else ("arrivals",)
            try:
                distribution(law, f"class {show_text(name)}")
            except InvalidNetwork as error:
                yield ("class", c, *place), str(error)
        if table.is_closed and not table.think_time and not any(map(table.demand_at, known)):
            yield (
                ("class", c),
                "all demands and the think time are 0; throughput is unbounded; "
                "give a demand or a think_time",
            )

    for i, limit in enumerate(file.limits):
        if limit.name in known:
            problem = f"{show_text(limit.name)} is a station's name; give it another"
            yield ("limit", i, "name"), problem
        for key, what, named, there in (
            ("stations", "station", limit.stations, known),
            ("classes", "class", limit.classes or (), [table.name for table in file.classes]),
        ):
            for j, name in enumerate(named):
                if name not in there:
                    problem = f"no {what} {show_text(name)}; {did_you_mean(name, there)}"
                    yield ("limit", i, key, j), problem


def _station_data(station: kinds.Station) -> dict[str, Any]:
    match station:
        case kinds.DelayStation():
            return {"name": station.name, "kind": "delay"}
        case kinds.LoadDependentStation():
            return {"name": station.name, "kind": "load_dependent", "rates": [*station.rates]}
        case kinds.ForkJoinStation():
            return {"name": station.name, "kind": "fork_join", "branches": station.branches}
        case kinds.QueueingStation():
            others = given(station, servers=1, discipline="any", buffer=None)
            return {"name": station.name, "kind": "queueing", **others}


def _class_data(customer_class: CustomerClass) -> dict[str, Any]:
    named = {"name": customer_class.name, **given(customer_class, priority=0)}
    if isinstance(customer_class, OpenClass):
        rate = f"{_spelt(customer_class.arrival_rate)} /s"
        return {**named, **given(customer_class, arrival_scv=1.0), "arrival_rate": rate}
    named["population"] = customer_class.population
    if customer_class.think_time:
        named["think_time"] = f"{_spelt(customer_class.think_time)} s"
    return named


def _variations(network: Network, c: int) -> dict[str, Any]:
    """Visits and SCVs of a class where they are not 1."""
    variations: dict[str, Any] = {}
    for key, matrix in (("visits", network.visit_ratio), ("scv", network.scv)):
        if matrix:
            named = {
                name: value
                for name, value, demand in zip(
                    network.station_names, matrix[c], network.demand[c], strict=True
                )
                if demand and (value != 1.0)
            }
            if named:
                variations[key] = named
    mine = network.class_names[c]
    for (name, station), found in network.distributions:
        data = found._asdict() if isinstance(found, Recorded) else found
        if name == mine and station:
            variations.setdefault("distribution", {})[station] = data
        elif name == mine:
            variations["arrivals"] = data
    if mine in dict(network.routes):
        variations["route"] = [*dict(network.routes)[mine]]
    return variations


def _spelt(value: float) -> str:
    """The shortest text that reads back as the same float."""
    return repr(value).removesuffix(".0")
