"""What one service answers: the verdict of `advise`, and the first step of its plan."""

from functools import lru_cache
from typing import Any

from advisor.configuration.configuration import Configuration
from advisor.fleet.services import Service
from advisor.loading import configuration_of
from qmodel.documents.document import Document, read_document
from qmodel.errors import QmodelError

#: Worst first: what cannot be told stands above all that can, and what is missed is one rank.
STATES = {"NOT READ": 0, "OVERLOADED": 1, "TOO SLOW": 1, "AT RISK": 2, "NOT KNOWN": 3, "FITS": 4}


def answer(service: Service) -> dict[str, Any]:
    """The row of a service: strings, numbers, and None for what is not known."""
    try:
        found = _server(service)
    except QmodelError as error:
        said = str(error)
        if service.place and not said.startswith(service.path):
            said = f"{service.place}: {said}"
        found = {"state": "NOT READ", "problem": said}
    return {
        "name": service.name, "state": found["state"], "load": found.get("load"),
        "fits": found.get("fits"), "unit": found.get("unit", "users"),
        "limited_by": found.get("limited_by", ""), "busiest": found.get("busiest", ""),
        "utilization": found.get("utilization"), "next": found.get("next", ""),
        "takes": found.get("takes", ""), "problem": found.get("problem", ""),
        "config": service.path,
    }  # fmt: skip


@lru_cache(maxsize=64)
def _document(path: str) -> Document:
    return read_document(path)


@lru_cache(maxsize=64)
def _configuration(path: str) -> Configuration:
    return configuration_of(_document(path))


def _server(service: Service) -> dict[str, Any]:
    from advisor.configuration.changed_keys import change_of, changed
    from advisor.engine import review
    from advisor.findings.targets import bottleneck_of
    from advisor.machines.tables import describes_machines, machines_of
    from advisor.planning.what_steps_take import what_steps_take

    document = _document(service.path)
    if describes_machines(document):
        return _machines(machines_of(document), service)
    configuration = _configuration(service.path)
    if service.settings:
        configuration = changed(configuration, change_of(configuration, service.settings))
    found = review(configuration)
    verdict, steps = found.verdict, found.plan.steps
    name, busy = bottleneck_of(configuration, found.outlook)
    return {
        "state": verdict.state, "load": verdict.load,
        "fits": float(verdict.loaded(verdict.most.mid)) if verdict.most else None,
        "unit": "users" if verdict.counted else "1/s", "limited_by": verdict.limited_by,
        "busiest": name, "utilization": busy.mid,
        "next": steps[0].advice.option.change.title if steps else "",
        "takes": what_steps_take(found)[0] if steps else "",
    }  # fmt: skip


def _machines(machines: Any, service: Service) -> dict[str, Any]:
    from advisor.machines.review import review_machines
    from advisor.machines.settings import with_settings

    found = review_machines(with_settings(machines, list(service.settings)))
    busiest = max(found.now.rows, key=lambda row: row.utilization)
    return {
        "state": found.state, "load": float(found.now.users), "fits": float(found.fit[0]),
        "limited_by": found.fit[1] or "", "busiest": busiest.resource.name,
        "utilization": busiest.utilization, "next": found.plan[0].title if found.plan else "",
    }  # fmt: skip
