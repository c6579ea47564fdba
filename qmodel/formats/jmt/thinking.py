"""From visits and delay stations of a JMVA file to interactions and think times.

An interaction of a closed class is one visit of its reference station. A delay station is where
customers think if it is the reference station of every class that is ever there.
"""

from collections.abc import Sequence
from dataclasses import replace

from qmodel.documents.wording import show_text
from qmodel.formats.jmt.fields import Fields
from qmodel.formats.jmt.model import JmvaModel
from qmodel.formats.jmt.stations import Place
from qmodel.formats.jmt.xml import Element
from qmodel.model.customer_classes import ClosedClass, CustomerClass
from qmodel.model.stations import DelayStation


def put_together(
    fields: Fields, table: Element, classes: Sequence[CustomerClass], places: Sequence[Place],
    reference: Sequence[str],
) -> JmvaModel:  # fmt: skip
    """The model, without what of the file is no network.

    Classes and places are as they stand in the file, ``reference`` is the reference station of each
    class, ``table`` the element to name in warnings.
    """
    names = [place.station.name for place in places]
    visits = []
    for c, customer_class in enumerate(classes):
        row = [place.visits[c] for place in places]
        if isinstance(customer_class, ClosedClass):
            row = _per_interaction(fields, table, customer_class, row, names.index(reference[c]))
        visits.append(row)
    thinking = {
        k for k in range(len(places)) if _only_thinks(fields, table, k, classes, places, reference)
    }
    if len(thinking) == len(places):
        fields.warn(table, "there is no station but where customers think; kept as stations")
        thinking = set()
    kept = [k for k in range(len(places)) if k not in thinking]
    finished: list[CustomerClass] = []
    for c, customer_class in enumerate(classes):
        made = customer_class
        if isinstance(made, ClosedClass) and names.index(reference[c]) in thinking:
            at = names.index(reference[c])
            made = replace(made, think_time=visits[c][at] * places[at].times[c])
        finished.append(made)
    return JmvaModel(
        tuple(places[k].station for k in kept),
        tuple(finished),
        tuple(tuple(row[k] for k in kept) for row in visits),
        tuple(tuple(places[k].times[c] for k in kept) for c in range(len(classes))),
        tuple(reference),
    )


def _per_interaction(
    fields: Fields, table: Element, customer_class: ClosedClass, visits: list[float], at: int
) -> list[float]:
    """Visits per visit of the reference station."""
    base = visits[at]
    if base == 0.0:
        fields.warn(
            table,
            f"class {show_text(customer_class.name)} does not visit its reference station; its "
            "visits are taken to be per interaction",
        )
        return visits
    if base == 1.0:
        return visits
    return [1.0 if k == at else v / base for k, v in enumerate(visits)]


def _only_thinks(
    fields: Fields, table: Element, k: int, classes: Sequence[CustomerClass],
    places: Sequence[Place], reference: Sequence[str],
) -> bool:  # fmt: skip
    """Whether a delay station is the reference of every class that is ever there."""
    place = places[k]
    name = place.station.name
    if not isinstance(place.station, DelayStation) or name not in reference:
        return False
    for customer_class, visits, time, its_own in zip(
        classes, place.visits, place.times, reference, strict=True
    ):
        if visits * time and its_own != name:
            mine = classes[reference.index(name)].name
            fields.warn(
                table,
                f"class {show_text(mine)} thinks at {show_text(name)}, where class "
                f"{show_text(customer_class.name)} passes as well; kept as a station, so that "
                "response times include it",
            )
            return False
    return True
