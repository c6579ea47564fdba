"""What a JMVA file of the Java Modelling Tools holds, and what of it is a queueing network.

JMVA gives visits and service times, and has no think times: customers think at a delay station
that is the reference station of their class, and an interaction is a visit to that station. So
the demand is visits times service time, per visit of the reference station; and a delay station
is a think time here if it is the reference station of every class that visits it. Any other delay
station stays a station, and counts in response times.

References
----------
.. [1] M. Bertoli, G. Casale and G. Serazzi, "JMT: performance engineering tools for system
   modeling," ACM SIGMETRICS Performance Evaluation Review 36(4), 2009, pp. 10-15.
"""

from dataclasses import dataclass

from qmodel.errors import InvalidInput
from qmodel.formats.jmt.xml import Element
from qmodel.model.customer_classes import ClosedClass, CustomerClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.stations import DelayStation, Station

Row = tuple[float, ...]

#: What JMVA calls the reference station of an open class.
ARRIVALS = "Arrival Process"


@dataclass(frozen=True, slots=True)
class JmvaModel:
    """A model of JMVA: a network, and what of the file is not part of one.

    Parameters
    ----------
    stations : tuple of Station
        K stations, without those where customers only think.
    classes : tuple of CustomerClass
        C classes, with their think times.
    visit_ratio : tuple of tuple of float, shape (C, K)
        Visits per visit of the reference station; of an open class, per arrival. [1]
    service_time : tuple of tuple of float, shape (C, K)
        Per visit; at a load-dependent station that of a customer alone. [s]
    reference : tuple of str, length C
        The reference station of each class: a station, a delay station where it thinks, or
        ``ARRIVALS``.
    description : str
        What the author says of the model.
    what_if : Element or None
        The what-if analysis, kept as it is; its class, station and values exist.
    algorithm : Element or None
        The algorithms to use and to compare, kept as they are.
    warnings : tuple of str
        One line for each thing in the file that is not kept, or not as it stands there.

    Examples
    --------
    >>> from qmodel import ClosedClass, JmvaModel, QueueingStation
    >>> model = JmvaModel((QueueingStation("disk"),), (ClosedClass("users", 3, think_time=5.0),),
    ...                   visit_ratio=((20.0,),), service_time=((0.015,),), reference=("Users",))
    >>> model.network.demand
    ((0.3,),)
    """

    stations: tuple[Station, ...]
    classes: tuple[CustomerClass, ...]
    visit_ratio: tuple[Row, ...]
    service_time: tuple[Row, ...]
    reference: tuple[str, ...]
    description: str = ""
    what_if: Element | None = None
    algorithm: Element | None = None
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known = {station.name for station in self.stations}
        for c, name in zip(self.classes, self.reference, strict=True):
            if isinstance(c, ClosedClass) and c.think_time and name in known:
                raise InvalidInput(
                    f"class {c.name!r} thinks {c.think_time:g} s, but its reference {name!r} is a "
                    "station; name a delay station of its own"
                )

    @property
    def network(self) -> Network:
        """The queueing network, D = V S."""
        return Network.from_visits(self.stations, self.classes, self.visit_ratio, self.service_time)

    @property
    def thinking(self) -> tuple[str | None, ...]:
        """The delay station where each class thinks; None where it does not."""
        known = {station.name for station in self.stations}
        return tuple(
            None if isinstance(c, OpenClass) or name in known else name
            for c, name in zip(self.classes, self.reference, strict=True)
        )


def model_of(
    network: Network,
    visit_ratio: tuple[Row, ...] | None = None,
    service_time: tuple[Row, ...] | None = None,
) -> JmvaModel:
    """A network as a model of JMVA: one visit of a service time equal to the demand.

    Visits and service times per visit, shape (C, K), may be given where they are known, as from a
    file.
    """
    if visit_ratio is None or service_time is None:
        visit_ratio = tuple(tuple(float(d > 0) for d in row) for row in network.demand)
        service_time = network.demand
    thinks = "think time"
    number = 1
    while thinks in network.station_names:
        number += 1
        thinks = f"think time {number}"
    reference = []
    for c, customer_class in enumerate(network.classes):
        if isinstance(customer_class, OpenClass):
            reference.append(ARRIVALS)
        elif customer_class.think_time:
            reference.append(thinks)
        else:
            reference.append(network.station_names[_first(network, visit_ratio[c], c)])
    return JmvaModel(network.stations, network.classes, visit_ratio, service_time, tuple(reference))


def _first(network: Network, visits: Row, c: int) -> int:
    """The station to count interactions at: one that is visited once, and no delay if possible."""

    def rank(k: int) -> tuple[bool, bool, bool, int]:
        delay = isinstance(network.stations[k], DelayStation)
        return not network.demand[c][k], delay, visits[k] != 1.0, k

    return min(range(len(network.stations)), key=rank)
