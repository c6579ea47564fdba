"""JMVA model files of the Java Modelling Tools, read (schema JMTmodel.xsd, JMT 0.8 to 1.2)."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike, fspath

from qmodel.documents.syntax import read_bytes
from qmodel.documents.wording import show_text
from qmodel.errors import FileError, InvalidNetwork
from qmodel.formats.jmt.fields import Fields
from qmodel.formats.jmt.model import ARRIVALS, JmvaModel
from qmodel.formats.jmt.stations import Place, places
from qmodel.formats.jmt.thinking import put_together
from qmodel.formats.jmt.xml import Element, parse_xml
from qmodel.model.customer_classes import ClosedClass, CustomerClass, OpenClass


def load_jmva(path: str | PathLike[str]) -> JmvaModel:
    """The model a JMVA file describes.

    Parameters
    ----------
    path : path-like
        The file; "-" reads standard input. At most 1 MB.

    Returns
    -------
    JmvaModel
        Its ``network`` is what `solve` takes; its ``warnings`` name what is not kept.

    Raises
    ------
    FileError
        One line with file, line and what is wrong: no XML, a document type, a station with
        priorities, speeds that differ between classes, a number that is none ...

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from qmodel import ClosedClass, Network, QueueingStation, dump_jmva, load_jmva
    >>> network = Network([QueueingStation("cpu", 2)], [ClosedClass("edit", 20, 9.0)], [0.5])
    >>> with TemporaryDirectory() as folder:
    ...     _ = dump_jmva(network, Path(folder, "model.jmva"))
    ...     load_jmva(Path(folder, "model.jmva")).network == network
    True
    """
    shown = str(fspath(path))
    return read_jmva(read_bytes(shown), shown)


def read_jmva(content: bytes, path: str) -> JmvaModel:
    """The model that the bytes of a JMVA file describe; see `load_jmva`."""
    fields = Fields(path)
    root = parse_xml(content, path)
    if root.tag != "model":
        kind = " (a simulation model, not one of JMVA)" if root.tag in {"sim", "archive"} else ""
        raise fields.error(root, f"expected <model>, got <{root.tag}>{kind}")
    parameters = fields.one(root, "parameters")
    classes = _classes(fields, fields.one(parameters, "classes"))
    table = fields.one(parameters, "stations")
    customers = sum(c.population for c in classes if isinstance(c, ClosedClass))
    stations = places(fields, table, [c.name for c in classes], customers)
    reference = _reference(fields, parameters, classes, stations)
    if (what_if := next(root.all("whatIf"), None)) is not None:
        # The analysis is kept as it is; what it speaks of must be there.
        fields.text(what_if, "type")
        for text in fields.text(what_if, "values").split(";"):
            fields.number(what_if, text, "what-if value")
        if name := what_if.get("className"):
            fields.known(what_if, "class", name, [c.name for c in classes])
        if name := what_if.get("stationName"):
            fields.known(what_if, "station", name, [place.station.name for place in stations])
    _name_what_is_left(fields, root)
    try:
        model = put_together(fields, table, classes, stations, reference)
        _ = model.network
    except InvalidNetwork as error:
        raise FileError(path, str(error), line=table.line) from None
    return replace(
        model, description="".join(element.text for element in root.all("description")),
        what_if=what_if, algorithm=next(root.all("algParams"), None),
        warnings=tuple(fields.warnings),
    )  # fmt: skip


def _classes(fields: Fields, table: Element) -> list[CustomerClass]:
    classes: list[CustomerClass] = []
    for element in fields.members(table, "closedclass", "openclass"):
        name = fields.name(element, [c.name for c in classes])
        priority = element.get("priority")
        if priority not in {None, "", "0"}:
            fields.warn(
                element,
                f"priority {priority} of class {show_text(name)} is left out; its stations know "
                "no priorities",
            )
        if element.tag == "closedclass":
            classes.append(ClosedClass(name, fields.whole(element, "population", least=0)))
        else:
            rate = fields.number(element, fields.text(element, "rate"), "rate")
            classes.append(OpenClass(name, rate))
    return classes


def _reference(
    fields: Fields, parameters: Element, classes: Sequence[CustomerClass], stations: Sequence[Place]
) -> list[str]:
    """The reference station of each class; as in JMT the first one where nothing is said."""
    names = [place.station.name for place in stations]
    closed = {c.name: isinstance(c, ClosedClass) for c in classes}
    chosen: dict[str, str] = {}
    for table in parameters.all("ReferenceStation"):
        for element in fields.members(table, "Class"):
            name, station = fields.text(element, "name"), fields.text(element, "refStation")
            fields.known(element, "class", name, [*closed])
            fields.known(element, "station", station, names if closed[name] else [*names, ARRIVALS])
            chosen[name] = station
    return [ARRIVALS if isinstance(c, OpenClass) else chosen.get(c.name, names[0]) for c in classes]


def _name_what_is_left(fields: Fields, root: Element) -> None:
    if (solved := next(root.all("solutions"), None)) is not None:
        fields.warn(solved, "results in the file are left out; solve the model anew")
    for element in root.children:
        if element.tag not in {"description", "parameters", "algParams", "whatIf", "solutions"}:
            fields.warn(element, f"<{element.tag}> is no part of a queueing network; left out")
