"""Replicas as services of their own, each with its processor, behind one that passes calls on.

Original.
"""

from dataclasses import replace

from qmodel.model.layered_model import Layered
from qmodel.model.layered_records import Entry, Service


def copy_of(name: str, i: int) -> str:
    """The name of a replica of a service, an entry or a processor; the first one is 0."""
    return f"{name} #{i + 1}"


def spread(model: Layered) -> Layered:
    """The same model without replicas: calls go to each of the copies equally often."""
    if all(service.replicas == 1 for service in model.services):
        return model
    times = {service.processor: service.replicas for service in model.services}
    processors = [
        each if times.get(each.name, 1) == 1 else replace(each, name=copy_of(each.name, i))
        for each in model.processors
        for i in range(times.get(each.name, 1))
    ]
    services = []
    for service in model.services:
        count = service.replicas
        if count == 1:
            services.append(service)
            continue
        shares = {e.name: {copy_of(e.name, i): 1.0 / count for i in range(count)}
                  for e in service.entries}  # fmt: skip
        services.append(
            Service(service.name, tuple(Entry(n, forwards=to) for n, to in shares.items()))
        )
        services += [
            replace(
                service, name=copy_of(service.name, i),
                entries=tuple(replace(e, name=copy_of(e.name, i)) for e in service.entries),
                processor=copy_of(service.processor or "", i), replicas=1,
            )
            for i in range(count)
        ]  # fmt: skip
    return Layered(model.users, services, processors)
