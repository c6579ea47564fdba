"""What a network says that no method of analysis takes, or takes by two moments only."""

from qmodel.model.network import Network
from qmodel.model.product_form import insensitive


def only_simulated(network: Network, *, pools: bool = False) -> str | None:
    """What no method of analysis takes, in words, or None.

    Other orders of service and given routes are those of any network in product form. With
    ``pools`` of those methods that know more of limits: nested ones, routes, who is rejected.
    """
    if pools:
        return None
    for limit in network.limits:
        if limit.full == "reject":
            return f"limit {limit.name!r} rejects customers"
        if limit.held == "visit":
            return f"limit {limit.name!r} is held for a visit, and not for all of an interaction"
    broken = network.product_form_violation()
    for k, station in enumerate(network.stations):
        order = getattr(station, "discipline", "any")
        if order in {"lcfs-pr", "random"} and any(row[k] for row in network.demand) and broken:
            return f"station {station.name!r} serves by {order!r} beyond product form: {broken}"
    if network.routes and broken:
        return f"class {network.routes[0][0]!r} has a route beyond product form: {broken}"
    return None


def two_moments(network: Network) -> str | None:
    """Which distributions the analysis knows by mean and SCV only, in words, or None."""
    alike = {s.name for s in network.stations if insensitive(s)}
    said = [
        f"{name!r}" + (f" at {station!r}" if station else " (arrivals)")
        for (name, station), distribution in network.distributions
        if distribution != "phase-type" and station not in alike
    ]
    return f"by mean and SCV only: {', '.join(said)}; simulate has all" if said else None
