"""JMVA model files of the Java Modelling Tools, written (schema JMTmodel.xsd, JMT 1.2)."""

from collections.abc import Iterable
from os import PathLike, fspath

from qmodel.documents.wording import show_text
from qmodel.errors import FileError
from qmodel.formats.jmt.losses import beyond_mean_values
from qmodel.formats.jmt.model import ARRIVALS, JmvaModel, model_of
from qmodel.formats.jmt.stations import write_speeds
from qmodel.formats.jmt.xml import Element, unwritable, xml_text
from qmodel.model import stations as kinds
from qmodel.model.closed_network import without_limits
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network

#: JMT refuses a file that does not name an algorithm, and uses the exact one with this.
_EXACT = Element(
    "algParams",
    children=(
        Element("algType", (("name", "MVA"), ("tolerance", "1.0E-7"), ("maxSamples", "10000"))),
        Element("compareAlgs", (("value", "false"),)),
    ),
)


def dump_jmva(
    model: JmvaModel | Network, path: str | PathLike[str], *, force: bool = False
) -> tuple[str, ...]:
    """Write a network as a JMVA file that `load_jmva` and JMT read.

    Think times become a delay station, the reference station of the classes that think there;
    speeds of a load-dependent station become service times, one for each customer there may be.

    Parameters
    ----------
    model : JmvaModel or Network
        Of a network visits are 1 and service times the demands.
    path : path-like
        The file; written under a temporary name and renamed.
    force : bool
        Whether a file that exists is replaced.

    Returns
    -------
    tuple of str
        One line for each thing that JMVA cannot hold, or not as it is.

    Raises
    ------
    FileError
        If the file exists and ``force`` is not set, if it cannot be written, or if JMVA cannot
        hold the network at all.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from qmodel import ClosedClass, LoadDependentStation, Network, dump_jmva, load_jmva
    >>> network = Network([LoadDependentStation("array", [1.0, 1.6])], [ClosedClass("a", 3)], [0.2])
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "array.jmva")
    ...     warnings = dump_jmva(network, path)
    ...     load_jmva(path).network == network, [s for s in path.read_text().split() if ";" in s]
    (True, ['customerclass="a">0.2;0.125;0.125</servicetimes>'])
    """
    from qmodel.documents.writing import write_text

    text, warnings = jmva_text(model, str(fspath(path)))
    write_text(path, text, force=force)
    return warnings


def jmva_text(model: JmvaModel | Network, path: str = "-") -> tuple[str, tuple[str, ...]]:
    """A network as the text of a JMVA file, and what it cannot hold; see `dump_jmva`."""
    losses: tuple[str, ...] = ()
    if isinstance(model, Network):
        losses = tuple(str(FileError(path, text)) for text in beyond_mean_values(model))
        model = model_of(without_limits(model))
    writer = _Writer(model, path)
    root = writer.root()
    _check_text(root, path)
    return xml_text(root), (*losses, *writer.warnings)


class _Writer:
    """One model on its way to a file."""

    def __init__(self, model: JmvaModel, path: str) -> None:
        self.model = model
        self.path = path
        self.warnings: list[str] = []
        self.customers = sum(c.population for c in model.classes if isinstance(c, ClosedClass))
        self.visits = [list(row) for row in model.visit_ratio]
        self.times = [list(row) for row in model.service_time]

    def root(self) -> Element:
        model = self.model
        self._count_at_the_reference()
        stations = [*self._thinking(), *self._stations()]
        number = str(len(model.classes))
        parameters = Element(
            "parameters",
            children=(
                Element("classes", (("number", number),), tuple(self._classes())),
                Element("stations", (("number", str(len(stations))),), tuple(stations)),
                Element("ReferenceStation", (("number", number),), tuple(self._references())),
            ),
        )
        description = [Element("description", text=model.description)] if model.description else []
        what_if = [] if model.what_if is None else [model.what_if]
        return Element(
            "model",
            (
                ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
                ("xsi:noNamespaceSchemaLocation", "JMTmodel.xsd"),
            ),
            (*description, parameters, model.algorithm or _EXACT, *what_if),
        )

    def _classes(self) -> Iterable[Element]:
        for c in self.model.classes:
            name, priority = ("name", c.name), ("priority", "0")
            if isinstance(c, ClosedClass):
                population = ("population", str(c.population))
                yield Element("closedclass", (name, population, priority))
            else:
                yield Element("openclass", (name, priority, ("rate", repr(c.arrival_rate))))

    def _references(self) -> Iterable[Element]:
        for c, name in zip(self.model.classes, self.model.reference, strict=True):
            station = ARRIVALS if isinstance(c, OpenClass) else name
            yield Element("Class", (("name", c.name), ("refStation", station)))

    def _count_at_the_reference(self) -> None:
        """JMVA counts interactions by visits of the reference station; make that one a visit."""
        names = [station.name for station in self.model.stations]
        for c, customer_class in enumerate(self.model.classes):
            name = self.model.reference[c]
            if isinstance(customer_class, OpenClass) or name not in names:
                continue
            k = names.index(name)
            if isinstance(self.model.stations[k], kinds.DelayStation):
                self._warn(
                    f"class {show_text(customer_class.name)} has no think time and queues nowhere; "
                    f"its reference station is the delay station {show_text(name)}, which JMVA "
                    "takes for its think time"
                )
            visits = self.visits[c][k]
            if visits not in {0.0, 1.0}:
                self.times[c][k] *= visits
                self.visits[c][k] = 1.0
                self._warn(
                    f"class {show_text(customer_class.name)} visits its reference station "
                    f"{show_text(name)} {visits:g} times an interaction; written as one visit of "
                    "all their service time"
                )

    def _thinking(self) -> Iterable[Element]:
        """The delay stations where classes think, one for each name."""
        for name in dict.fromkeys(self.model.thinking):
            if name is not None:
                here = [mine == name for mine in self.model.thinking]
                times = [
                    repr(c.think_time) if it and isinstance(c, ClosedClass) else "0.0"
                    for c, it in zip(self.model.classes, here, strict=True)
                ]
                visits = [float(it) for it in here]
                yield self._station("delaystation", name, (), "servicetime", times, visits)

    def _stations(self) -> Iterable[Element]:
        for k, station in enumerate(self.model.stations):
            alone = [row[k] for row in self.times]
            visits = [row[k] for row in self.visits]
            times = [repr(time) for time in alone]
            tag, cell = "delaystation", "servicetime"
            servers: tuple[tuple[str, str], ...] = ()
            if isinstance(station, kinds.ForkJoinStation):
                tag, servers = "listation", (("servers", "1"),)
            elif isinstance(station, kinds.QueueingStation):
                tag, servers = "listation", (("servers", str(station.servers)),)
            elif isinstance(station, kinds.LoadDependentStation):
                self._name_what_a_table_cannot_hold(station, visited=any(alone))
                tag, servers, cell = "ldstation", (("servers", "1"),), "servicetimes"
                times = [write_speeds(station.rates, time, self.customers) for time in alone]
            yield self._station(tag, station.name, servers, cell, times, visits)

    def _station(
        self, tag: str, name: str, servers: tuple[tuple[str, str], ...], cell: str,
        times: Iterable[str], visits: Iterable[float],
    ) -> Element:  # fmt: skip
        names = [c.name for c in self.model.classes]
        tables = (
            Element(table, children=tuple(
                Element(tag_of_one, (("customerclass", name),), text=text)
                for name, text in zip(names, texts, strict=True)
            ))
            for table, tag_of_one, texts in (
                ("servicetimes", cell, list(times)),
                ("visits", "visit", [repr(v) for v in visits])
            )
        )  # fmt: skip
        return Element(tag, (("name", name), *servers), tuple(tables))

    def _name_what_a_table_cannot_hold(
        self, station: kinds.LoadDependentStation, *, visited: bool
    ) -> None:
        name = show_text(station.name)
        if not self.customers:
            raise FileError(
                self.path,
                f"station {name} is load-dependent; JMVA has service times for as many customers "
                "as its closed classes have, and there are none",
            )
        if not visited and len(set(station.rates)) > 1:
            self._warn(
                f"station {name} is visited by no customer; its speeds are left out, since service "
                "times of 0 have none"
            )
        beyond = len(station.rates) - self.customers
        if beyond > 0:
            self._warn(
                f"station {name} has speeds for {len(station.rates)} customers, JMVA holds those "
                f"for the {self.customers} there are; {beyond} left out"
            )
        if any(isinstance(c, OpenClass) for c in self.model.classes):
            self._warn(
                f"station {name} is load-dependent and there are open classes; JMVA solves "
                "load-dependent stations in closed models only"
            )

    def _warn(self, problem: str) -> None:
        self.warnings.append(str(FileError(self.path, problem)))


def _check_text(element: Element, path: str) -> None:
    for text in (element.text, *(value for _, value in element.attributes)):
        if (character := unwritable(text)) is not None:
            raise FileError(path, f"{text!r} holds {character!r}, which no XML file can")
    for child in element.children:
        _check_text(child, path)
