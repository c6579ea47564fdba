"""Model files from one format to another: TOML, JSON, JMVA, LQNX and LQN text.

Layered models are TOML, JSON, LQNX or LQN text, networks TOML, JSON or JMVA. Visits
and service times are kept, not only their product; what the other format cannot hold is
named.
"""

import json
from os import PathLike, fspath
from pathlib import PurePath

from qmodel.documents.document import read_document
from qmodel.documents.toml_text import document_text
from qmodel.documents.validation import validate
from qmodel.documents.wording import show_text
from qmodel.errors import FileError, InvalidInput
from qmodel.formats.jmt.losses import beyond_mean_values
from qmodel.formats.jmt.model import JmvaModel, model_of
from qmodel.formats.jmt.read import load_jmva
from qmodel.formats.jmt.write import jmva_text
from qmodel.formats.layered_file import layered_text
from qmodel.formats.load import load_model
from qmodel.formats.lqn.door import lqn_written
from qmodel.formats.model_file import network_text
from qmodel.formats.model_tables import NetworkFile
from qmodel.model.closed_network import without_limits
from qmodel.model.layered_model import Layered
from qmodel.model.network import Network

Rows = tuple[tuple[float, ...], ...]

FORMATS = ("toml", "json", "jmva", "lqnx", "lqn")


def convert(
    source: str | PathLike[str], target: str | PathLike[str] | None = None, to: str | None = None
) -> tuple[str, tuple[str, ...]]:
    """The model of one file as the text of another.

    Parameters
    ----------
    source : path-like
        File that ends in ``.toml``, ``.json``, ``.jmva``, ``.lqnx`` or ``.lqn``.
    target : path-like, optional
        Where the text will go; its extension says the format. Nothing is written.
    to : str, optional
        The format, if no target says it: "toml", "json", "jmva", "lqnx" or "lqn".

    Returns
    -------
    text : str
        What the file will hold.
    warnings : tuple of str
        One line for each thing that is not kept, or not as it stands in the source.

    Raises
    ------
    FileError
        If the source holds no model, or the format cannot hold it.
    InvalidInput
        If neither ``target`` nor ``to`` says which format.
    """
    if target is None and to is None:
        raise InvalidInput(f"name a target, or a format: one of {', '.join(FORMATS)}")
    read = format_of(source)
    write = to or format_of(target or "")
    if write not in FORMATS:
        raise InvalidInput(f"unknown format {show_text(write)}; one of {', '.join(FORMATS)}")
    own = None if read == "jmva" else load_model(source)
    if isinstance(own, Layered) or write in {"lqnx", "lqn"}:
        path = str(fspath(source))
        if not isinstance(own, Layered):
            raise FileError(path, f"a queueing network, {write} holds layered models; use jmva")
        if write == "jmva":
            raise FileError(path, "a layered model, jmva holds queueing networks; use lqnx")
        if write in {"lqnx", "lqn"}:
            return lqn_written(own, path, write == "lqnx"), ()
        return layered_text(own, write), ()
    if own is None:
        model = load_jmva(source)
        warnings = model.warnings
    else:
        visits, times = _visits_and_times(own, source, read)
        if write != "jmva":
            return _text(own, visits, times, write), ()
        shown = str(fspath(source))
        warnings = tuple(f"{shown}: {problem}" for problem in beyond_mean_values(own))
        network = without_limits(own)
        kept = len(network.stations)
        model = model_of(
            network, tuple(row[:kept] for row in visits), tuple(row[:kept] for row in times)
        )
    if write == "jmva":
        text, more = jmva_text(model, str(fspath(source if target is None else target)))
        return text, warnings + more
    if read == "jmva":
        shown = str(fspath(source))
        warnings += tuple(f"{shown}: {problem}" for problem in _not_held(model))
    return _text(model.network, model.visit_ratio, model.service_time, write), warnings


def format_of(path: str | PathLike[str]) -> str:
    """The format that the extension of a file says."""
    shown = str(fspath(path))
    extension = PurePath(shown).suffix.lower().removeprefix(".").replace("lqxo", "lqnx")
    if extension not in FORMATS:
        what = show_text(f".{extension}") if extension else "the name"
        names = ", ".join(f".{name}" for name in FORMATS)
        raise FileError(shown, f"cannot tell the format from {what}; expected one of {names}")
    return extension


def _text(network: Network, visit_ratio: Rows, service_time: Rows, format: str) -> str:  # noqa: A002
    """As TOML or JSON, with visits and service times for classes that visit repeatedly."""
    data = json.loads(network_text(network, "json"))
    served = len(network.stations) - len(network.limits)
    names = network.station_names[:served]
    for table, visits, times in zip(data["class"], visit_ratio, service_time, strict=True):
        if any(v not in {0.0, 1.0} for v in visits):
            del table["demand"]
            table["visits"] = dict(zip(names, visits, strict=False))
            table["service_time"] = {
                name: f"{time!r} s" for name, time in zip(names, times, strict=False)
            }
    return document_text(data, format)


def _visits_and_times(
    network: Network,
    source: str | PathLike[str],
    format: str,  # noqa: A002
) -> tuple[Rows, Rows]:
    """Of the network of a TOML or JSON file: as it gives them, or a visit where there is work."""
    document = read_document(source, format)
    visits, times = [], []
    for table, demand in zip(
        validate(NetworkFile, document, what="model").classes, network.demand, strict=True
    ):
        if table.demand_key == "visits":
            visits.append(tuple(table.visits.get(k, 0.0) for k in network.station_names))
            times.append(tuple(table.service_time.get(k, 0.0) for k in network.station_names))
        else:
            visits.append(tuple(float(d > 0.0) for d in demand))
            times.append(demand)
    return tuple(visits), tuple(times)


def _not_held(model: JmvaModel) -> list[str]:
    """What of a JMVA model a TOML or JSON file has no place for."""
    left = []
    if model.description:
        left.append("the description is left out; a comment may hold it")
    if model.what_if is not None:
        what = show_text(model.what_if.get("type") or "")
        left.append(f"the what-if analysis {what} is left out; qmodel sweep does such things")
    chosen = [one.get("name") for one in model.algorithm.all("algType")] if model.algorithm else []
    if any(name != "MVA" for name in chosen):
        left.append(
            f"the algorithm {show_text(chosen[0] or '')} is left out; qmodel solve has its own"
        )
    plain = model_of(model.network, model.visit_ratio, model.service_time)
    left += [
        f"the name of the delay station {show_text(name)} is left out; its times are think times"
        for name in dict.fromkeys(model.thinking)
        if name is not None and name not in plain.reference
    ]
    left += [
        f"the reference station {show_text(mine)} of class {show_text(c.name)} is left out"
        for c, mine, usual in zip(model.classes, model.reference, plain.reference, strict=True)
        if mine != usual and mine not in model.thinking
    ]
    return left
