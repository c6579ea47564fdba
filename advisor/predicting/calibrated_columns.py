"""All ways a calibrated server may be, each under its own number of users, solved side by side."""

from collections.abc import Sequence

from advisor.configuration.configuration import Configuration
from advisor.predicting.calibrated import (
    beside,
    calibration_of,
    largest_run,
    measured_hardware,
    think_times,
    write_share,
)
from advisor.predicting.hardware import hardware_of
from advisor.predicting.outlook import VariantOutlook
from calibration.agreements.ensemble import Variant
from calibration.estimation.data import NOT_MEASURED
from calibration.predicting.changed_hardware import changed_stations, saturated_later, template
from calibration.predicting.together import World, together
from calibration.predicting.worlds import worlds_of


def worst_together(
    configuration: Configuration, ways: Sequence[Variant], users: Sequence[int]
) -> list[VariantOutlook | None]:
    """Each way with so many users and no batch task, None where it is to be asked alone.

    That is every way of a server that has several classes, arrivals or a limit of those at work.
    """
    found: list[VariantOutlook | None] = [None] * len(ways)
    calibration, workload = calibration_of(configuration), configuration.settings.workload
    hardware = hardware_of(configuration)
    if (
        calibration is None
        or len(calibration.data.classes) > 1
        or len(workload.classes) > 1
        or workload.classes[0].cpu is not None
        or workload.arrival_rate is not None
        or hardware.most_active is not None
        or configuration.settings.server.replicas > 1
        or beside(configuration, calibration)
    ):
        return found
    (users_class,) = workload.classes
    measured = measured_hardware(configuration)
    hidden = any(any(w.service.hidden_queue) for w in worlds_of(calibration))
    names = [*calibration.data.stations, *([NOT_MEASURED] if hidden else [])]
    servers = largest_run(calibration).servers
    stations = template(calibration.data.stations, servers)
    alike: dict[float, list[int]] = {}
    for i, way in enumerate(ways):
        alike.setdefault(write_share(configuration, way), []).append(i)
    for share, members in alike.items():
        parts = changed_stations(stations, measured, hardware, share)
        counts = [*map(len, parts), 1]
        worlds = []
        for i in members:
            service = ways[i].service
            assert service is not None
            thinking = workload.think_time or think_times(calibration, service)[0]
            worlds.append(World(saturated_later(service, servers, parts), users[i], thinking))
        for i, seen in zip(members, together(worlds, parts), strict=True):
            if seen is not None:
                found[i] = VariantOutlook(
                    {users_class.name: seen.response_time},
                    {users_class.name: seen.throughput},
                    dict(zip(names, seen.utilizations, strict=False)),
                    dict(zip(names, seen.queue_lengths, strict=False)),
                    dict(zip(names, counts, strict=False)),
                    (seen.method,),
                )
    return found
