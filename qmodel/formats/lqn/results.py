"""What a layered queueing solver found, as it stands in its LQNX or LQXO file."""

from dataclasses import dataclass, field
from os import PathLike, fspath

from qmodel.documents.syntax import read_bytes
from qmodel.errors import FileError
from qmodel.formats.jmt.fields import Fields
from qmodel.formats.jmt.xml import Element, parse_xml


@dataclass(slots=True)
class LqnResults:
    """By name: throughputs [1/s], threads or cores in use in the mean, times to the answer [s]."""

    solver: str = ""
    throughput: dict[str, float] = field(default_factory=dict)
    busy_threads: dict[str, float] = field(default_factory=dict)
    busy_cores: dict[str, float] = field(default_factory=dict)
    response_time: dict[str, float] = field(default_factory=dict)


def load_lqn_results(path: str | PathLike[str]) -> LqnResults:
    """The results in a file.

    Raises `FileError` if the file is not XML of such a solver, or holds no results.
    """
    shown = str(fspath(path))
    fields, root = Fields(shown), parse_xml(read_bytes(shown), shown)
    found = LqnResults()
    for general in (g for p in root.all("solver-params") for g in p.all("result-general")):
        found.solver = general.get("solver-info") or ""
    for processor in root.all("processor"):
        _put(fields, found.busy_cores, processor, "result-processor", "utilization")
        for task in processor.all("task"):
            _put(fields, found.throughput, task, "result-task", "throughput")
            _put(fields, found.busy_threads, task, "result-task", "utilization")
            for entry in task.all("entry"):
                _put(fields, found.response_time, entry, "result-entry", "phase1-service-time")
                phases = [a for e in entry.all("entry-phase-activities") for a in e.all("activity")]
                for phase in (a for a in phases if a.get("phase") in {None, "1"}):
                    who = entry.get("name") or ""
                    _put(fields, found.response_time, phase, "result-activity", "service-time", who)
    if not found.throughput:
        raise FileError(shown, "there are no results in it (<result-task>); qmodel solve takes it")
    return found


def _put(
    fields: Fields, to: dict[str, float], of: Element, tag: str, key: str, name: str = ""
) -> None:
    """A number of a result, if it is there."""
    for result in of.all(tag):
        if (text := result.get(key)) is not None:
            to[name or of.get("name") or ""] = fields.number(result, text, key)
