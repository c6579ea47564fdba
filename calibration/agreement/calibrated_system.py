"""A calibration as a measured system, so that a configuration can refer to it.

A configuration knows processors, drives and network segments; a calibration knows stations. The
processor is the station "cpu" (or "processor"); disks are "disk" and what Linux calls disks; the
network is "lan", "network" or an interface. The hardware that was measured is that of the
configuration as it is written, so that every change is one against it.

What a disk did counts by its utilization. Bytes alone, without it, would be put on drives at the
times of a data sheet although the fit has them in its hidden parts already, so they are left out,
and a note says so. One disk of the system where the configuration has several drives is an array
behind a controller, and its demand is that of the drives together.

Structures that a task cannot hold, such as a variable service time, are left out, and so are those
whose parameter lies within twice its standard error of doing nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from calibration.agreement.ensemble import FittedTask, Member
from calibration.agreement.system import Model, Parameter, System
from calibration.estimation.fit import Fit
from calibration.fitting.fitted_model import Calibration, FittedModel
from calibration.hardware.hardware import Hardware
from calibration.hardware.server import server_network
from calibration.hardware.task import Load, Task
from calibration.model_evaluation.model import ServiceModel
from qmodel.errors import NotApplicable

_KINDS = (
    ("cpu", re.compile(r"cpu|processor")),
    ("disk", re.compile(r"(disk|drive|array|sd|vd|xvd|hd|nvme|md|dm)[a-z0-9 _.-]*")),
    ("lan", re.compile(r"(lan|net|network|ethernet|eth|en|wl|bond)[a-z0-9 _.-]*")),
)

#: Share of the disk operations that write, where nobody says.
HALF = 0.5

#: What a task can hold beside demands.
_HELD = {"hidden_delay", "hidden_queue", "scale"}

#: Work put on trial, of which what was measured is a multiple. [s], [bytes]
_TRIAL = 1e6


def calibrated_system(
    calibration: Calibration, hardware: Hardware, write_share: Mapping[str, float] | None = None
) -> System:
    """A calibration as a system whose tasks are its classes.

    Parameters
    ----------
    calibration : Calibration
        Of the server that a configuration describes.
    hardware : Hardware
        What was measured.
    write_share : mapping, optional
        Share of the disk operations that write, by class; half where it is not given. [1]

    Raises
    ------
    qmodel.NotApplicable
        If a station has no place in a configuration, or no admissible model is one of tasks.
    """
    resources = {name: _kind(name) for name in calibration.data.stations}
    shares = dict(write_share or {})
    members, left_out = [], []
    for model in calibration.admissible:
        reason = _why_left_out(model)
        if reason:
            left_out.append(f"{model.name}: {reason}")
        else:
            members.append(_member(calibration, model, resources, hardware, shares))
    if not members:
        raise NotApplicable(
            f"the calibration of {calibration.data.source} cannot be put into a configuration "
            f"({'; '.join(left_out)}); qmodel predict can use it"
        )
    best = calibration.best
    notes = [str(each) for each in calibration.unknown]
    notes += [f"model left out: {each}" for each in left_out]
    notes += _unused(calibration, resources)
    return System(
        name="calibration",
        title=f"the server measured in {calibration.data.source}",
        source=f"{len(calibration.data.numbers)} numbers of {len(calibration.data.runs)} runs",
        models=tuple(
            Model(
                m.name,
                m.structure,
                tuple(
                    Parameter(p.name, v, p.unit, e)
                    for p, v, e in zip(m.parameters, m.values, m.standard_errors, strict=True)
                ),
                chi_square=best.chi_square,
            )
            for m in calibration.admissible
        ),
        compare=lambda: (),
        notes=tuple(notes),
        reference=hardware,
        members=tuple(members),
    )


def _unused(calibration: Calibration, resources: Mapping[str, str]) -> list[str]:
    """What was measured of disks and cannot be used."""
    if "disk" in resources.values():
        return []
    return [
        f"{quantity} of {station} is not used: without its utilization its time is in what the fit "
        "holds hidden, so no change of the disk shows; measure the utilization"
        for quantity, station in calibration.data.series
        if _is("disk", station)
    ]


def _kind(station: str) -> str:
    for kind, names in _KINDS:
        if names.fullmatch(station):
            return kind
    raise NotApplicable(
        f"station {station!r} of the calibration has no place in a configuration, which knows a "
        "processor (cpu), disks (disk) and a network (lan); qmodel predict can use it"
    )


def _why_left_out(model: FittedModel) -> str:
    for i, parameter in enumerate(model.parameters):
        if parameter.neutral is None:
            continue
        if parameter.sets not in _HELD:
            return f"a configuration has no {parameter.name}"
        if abs(model.values[i] - parameter.neutral) < 2.0 * model.standard_errors[i]:
            return f"the {parameter.name} may as well do nothing"
    return ""


def _member(
    calibration: Calibration,
    model: FittedModel,
    resources: Mapping[str, str],
    hardware: Hardware,
    shares: Mapping[str, float],
) -> Member:
    data = calibration.data
    populations = data.populations or (1, 1)
    fitted = []
    for c, name in enumerate(data.classes):
        chosen = [
            i
            for i, p in enumerate(model.parameters)
            if p.sets == "scale" or (p.sets != "background" and p.place[0] == c)
        ]
        values = tuple(model.values[i] for i in chosen)
        make = partial(
            _task, calibration, model, resources, hardware, shares.get(name, HALF), c, chosen
        )
        fitted.append(
            FittedTask(
                make,
                Fit(
                    values,
                    tuple(model.standard_errors[i] for i in chosen),
                    tuple(tuple(model.covariance[i][j] for j in chosen) for i in chosen),
                    model.residuals,
                ),
                tuple(f"{model.parameters[i].name} [{model.parameters[i].unit}]" for i in chosen),
                tuple(run.name for run in data.runs),
                populations,
            )
        )
    return Member(model.name, model.reason, tuple(fitted))


def _task(
    calibration: Calibration,
    model: FittedModel,
    resources: Mapping[str, str],
    hardware: Hardware,
    write_share: float,
    c: int,
    chosen: Sequence[int],
    values: Sequence[float],
) -> Task:
    """The task of a class, with some parameters of its model put in."""
    every = list(model.values)
    for i, value in zip(chosen, values, strict=True):
        every[i] = value
    service = calibration.service(model, every)
    data = calibration.data
    task = Task(
        name=data.classes[c],
        title=data.classes[c],
        interaction="one interaction",
        cpu=0.0,
        disk_volume=0.0,
        lan_volume=_volume(service, "lan", c),
        client=service.hidden_delay[c],
        unseen=service.hidden_queue[c],
        write_share=write_share,
        think_time=_think_time(calibration, service, c),
        sources=(data.source,),
    )
    # A demand is proportional to the work behind it: what the hardware makes of some of it tells
    # how much there was.
    if wanted := _demand(service, resources, "cpu", c):
        each = _demand_of(hardware, replace(task, cpu=_TRIAL), "cpu")
        task = replace(task, cpu=_TRIAL * wanted / each)
    if wanted := _demand(service, resources, "disk", c):
        seen = sum(kind == "disk" for kind in resources.values())
        each = _demand_of(hardware, replace(task, disk_volume=_TRIAL), "disk", together=seen == 1)
        task = replace(task, disk_volume=_TRIAL * wanted / each)
    if wanted := _demand(service, resources, "lan", c):
        each = _demand_of(hardware, replace(task, lan_volume=_TRIAL), "lan")
        task = replace(task, lan_volume=_TRIAL * wanted / each)
    return task


def _demand_of(hardware: Hardware, task: Task, resource: str, *, together: bool = False) -> float:
    """Demand at the busiest station of a resource, or at all of them together. [s]"""
    server = server_network(hardware, [Load(task.name, task, 1)], HALF)
    members = next(stations for name, stations in server.resources if name == resource)
    each = [server.network.demand[0][k] for k in members]
    return sum(each) if together else max(each)


def _demand(service: ServiceModel, resources: Mapping[str, str], resource: str, c: int) -> float:
    """Demand at the busiest station of a kind, as customers feel it. [s]"""
    found = [
        service.demand[c][k] * service.scale[k]
        for k, name in enumerate(service.stations)
        if resources[name] == resource
    ]
    return max(found, default=0.0)


def _volume(service: ServiceModel, resource: str, c: int) -> float:
    found = [
        service.volume[c][s]
        for s, (quantity, station) in enumerate(service.series)
        if quantity == "volume" and _is(resource, station)
    ]
    return max(found, default=0.0)


def _is(resource: str, station: str) -> bool:
    names: Callable[[str], object] = dict(_KINDS)[resource].fullmatch
    return bool(names(station))


def _think_time(calibration: Calibration, service: ServiceModel, c: int) -> float:
    run = max(calibration.data.runs, key=lambda each: sum(each.population or ()))
    given = run.think_time[c]
    return service.think_time[c] if given is None else given
