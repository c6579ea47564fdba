"""What JMVA files cannot hold of a network: all that lies beyond product form, thing by thing."""

from collections.abc import Iterator

from qmodel.documents.wording import show_text
from qmodel.model.network import Network
from qmodel.model.product_form import EQUAL, insensitive
from qmodel.model.stations import ORDERLESS, RANKED, ForkJoinStation, QueueingStation


def beyond_mean_values(network: Network) -> Iterator[str]:
    """One line for each thing that a JMVA file leaves out."""
    if network.has_product_form_kinds:
        return
    ordered = set()
    for k, station in enumerate(network.stations):
        name = f"station {show_text(station.name)}"
        if isinstance(station, ForkJoinStation):
            yield (
                f"{name} forks each visit into {station.branches} parts; JMVA has no such "
                "station; written as a single server"
            )
        elif isinstance(station, QueueingStation):
            if station.discipline in RANKED:
                yield f"{name} serves by priority ({station.discipline}); JMVA does not; left out"
            if station.discipline not in ORDERLESS:
                ordered.add(k)
            if station.buffer is not None:
                yield f"{name} has room for {station.buffer}; JMVA has no finite capacity; left out"
            times = [network.service_time_at(c, k) for c, r in enumerate(network.demand) if r[k]]
            if times and not insensitive(station) and max(times) > min(times) * (1.0 + EQUAL):
                yield (
                    f"{name} serves classes of different service times by {station.discipline}; "
                    "JMVA shares its servers among them; the order is left out"
                )
    for c, customer_class in enumerate(network.classes):
        name = f"class {show_text(customer_class.name)}"
        scv = getattr(customer_class, "arrival_scv", 1.0)
        if form := _form(scv, network.distribution_at(c)):
            yield f"{name} arrives with {form}; JMVA takes Poisson arrivals; left out"
        for k in sorted(ordered):
            if form := _form(network.scv_at(c, k), network.distribution_at(c, k)):
                yield (
                    f"{name} at station {show_text(network.station_names[k])} has {form}; "
                    "JMVA knows mean service times only; left out"
                )
    for limit in network.limits:
        yield (
            f"limit {show_text(limit.name)} lets in {limit.customers} customers; JMVA has no "
            "limits; left out"
        )


def _form(scv: float, law: object) -> str:
    """What is not exponential, empty if nothing."""
    if law in {None, "phase-type"}:
        return f"SCV {scv:g}" if scv != 1.0 else ""
    return f"a distribution of SCV {scv:g}"
