"""What hypothesis draws networks from: small and large, tied and nearly tied, with zeros."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

import qmodel as qm
from tests.truth.random_networks import final_speed

# The suite must say the same thing twice; `make stress` is where new ground is covered.
settings.register_profile("qmodel", deadline=None, max_examples=30, derandomize=True)
settings.load_profile("qmodel")

#: Demands that meet one another again and again, so that ties are common, and any others.
demands = st.one_of(
    st.sampled_from([0.0, 0.1, 0.1, 0.2, 0.2 + 1e-12, 0.3, 1.0, 4.0]),
    st.floats(1e-6, 1e3, allow_nan=False),
)
positive_demands = demands.filter(bool)
think_times = st.one_of(st.just(0.0), st.floats(1e-3, 1e4, allow_nan=False))


@st.composite
def stations(draw: Any, name: str, kinds: str = "sdml") -> qm.Station:
    """A station of one of the kinds: single, delay, multiple servers, load-dependent."""
    match draw(st.sampled_from(kinds)):
        case "d":
            return qm.DelayStation(name)
        case "m":
            return qm.QueueingStation(name, servers=draw(st.integers(2, 6)))
        case "l":
            speeds = st.floats(0.5, 4.0, allow_nan=False)
            return qm.LoadDependentStation(name, draw(st.lists(speeds, min_size=1, max_size=5)))
    return qm.QueueingStation(name)


@st.composite
def networks(
    draw: Any, *, closed: tuple[int, int] = (1, 1), opened: tuple[int, int] = (0, 0),
    kinds: str = "sdml", most_stations: int = 4, population: tuple[int, int] = (1, 12),
) -> qm.Network:  # fmt: skip
    """A network with numbers of closed and open classes within the given limits."""
    count = draw(st.integers(1, most_stations))
    places = [draw(stations(f"s{k}", kinds)) for k in range(count)]
    classes: list[qm.CustomerClass] = []
    rows = []
    for c in range(draw(st.integers(*closed))):
        size, think = draw(st.integers(*population)), draw(think_times)
        row = [draw(demands) for _ in places]
        if not think and not any(row):
            row[0] = draw(positive_demands)
        classes.append(qm.ClosedClass(f"closed {c}", size, think))
        rows.append(row)
    number = draw(st.integers(*opened))
    load = draw(st.floats(0.0, 0.9))
    for c in range(number):
        row = [draw(demands) for _ in places]
        limit = max(d / final_speed(s) for d, s in zip(row, places, strict=True))
        # Each open class takes its share of the station it loads most.
        classes.append(qm.OpenClass(f"open {c}", load / number / limit if limit else 1.0))
        rows.append(row)
    return qm.Network(places, classes, rows)
