"""Classes that higher priorities keep from being served for good. Original."""

from __future__ import annotations

from collections.abc import Sequence

from qmodel.errors import Unstable
from qmodel.model.customer_classes import ClosedClass
from qmodel.model.network import Network


def check_served(network: Network, throughputs: Sequence[float], hardly: float) -> None:
    """Raise `Unstable` if a closed class is hardly ever served.

    ``hardly`` is the throughput, over that without any waiting, which is taken for none.
    """
    for c, (customers, x) in enumerate(zip(network.classes, throughputs, strict=True)):
        if isinstance(customers, ClosedClass) and customers.population:
            alone = customers.think_time
            for demand in network.demand[c]:
                alone += demand
            if not x * alone > hardly * customers.population:
                raise Unstable(
                    f"class {customers.name!r}: classes of higher priority leave it next to "
                    "nothing of a station; it is hardly ever served"
                )
