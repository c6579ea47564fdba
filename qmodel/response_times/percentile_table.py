"""Percentiles of a solved network, each class with what they assume."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qmodel.model.network import Network
from qmodel.model.solution import Row, index_of
from qmodel.tabular import Tabular


@dataclass(frozen=True, slots=True)
class Percentiles(Tabular):
    """Times within which a share of the customers is done, for each class.
    As a table: a row per class, place (the response time, or a station) and share.

    Parameters
    ----------
    network : Network
        The network.
    shares : tuple of float, length P
        Each 0 <= p < 1. [1]
    response_times : tuple of tuple of float, shape (C, P)
        Percentiles of the response time, think time excluded. [s]
    sojourn_times : tuple, shape (C, K, P)
        Percentiles of the time of one visit to a station, waiting and service; 0 where a class
        does not go. [s]
    assumptions : tuple of str, length C
        What the numbers of each class assume beyond the solution.
    exact : tuple of bool, length C
        True where the response time has exactly this distribution, to about 8 digits.

    Examples
    --------
    >>> from qmodel import ClosedClass, Network, QueueingStation, percentiles, solve
    >>> stations = [QueueingStation(name, discipline="fcfs") for name in ("cpu", "disk")]
    >>> network = Network(stations, [ClosedClass("users", 3, think_time=1.0)], [[0.2, 0.1]])
    >>> table = percentiles(solve(network), (0.5, 0.95))
    >>> round(table["users"][0.95], 4), round(table["users", "cpu"][0.95], 4), table.exact
    (0.9304, 0.7845, (True,))
    >>> print(table.assumptions[0])
    cpu, disk: first come, first served; found on arrival: the network with one customer less; \
exact where all pass the stations in the same order
    """

    network: Network
    shares: Row
    response_times: tuple[Row, ...]
    sojourn_times: tuple[tuple[Row, ...], ...]
    assumptions: tuple[str, ...]
    exact: tuple[bool, ...]

    def __getitem__(self, name: str | tuple[str, str]) -> dict[float, float]:
        """Times by share: ``p["users"]`` of responses, ``p["users", "cpu"]`` of single visits."""
        class_name, station_name = (name, None) if isinstance(name, str) else name
        c = index_of(self.network.class_names, class_name, "class")
        row = self.response_times[c]
        if station_name is not None:
            row = self.sojourn_times[c][
                index_of(self.network.station_names, station_name, "station")
            ]
        return dict(zip(self.shares, row, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Plain lists in base units, the form ``qmodel solve --json`` prints."""
        return {
            "shares": list(self.shares),
            "response_time": [list(row) for row in self.response_times],
            "sojourn_time": [[list(row) for row in rows] for rows in self.sojourn_times],
            "assumptions": list(self.assumptions),
            "exact": list(self.exact),
        }

    def _caption(self) -> str:
        return "; ".join(dict.fromkeys(self.assumptions))

    def _columns(self) -> dict[str, Sequence[Any]]:
        rows = [
            (class_name, place, share, time)
            for c, class_name in enumerate(self.network.class_names)
            for place, times in self._rows(c)
            for share, time in zip(self.shares, times, strict=True)
        ]
        return dict(zip(("class", "place", "share", "time"), zip(*rows, strict=True), strict=True))

    def __str__(self) -> str:
        width = max(len(name) for name in (*self.network.station_names, "response time"))
        lines: list[str] = []
        for c, name in enumerate(self.network.class_names):
            head = "".join(f"{f'p{100.0 * share:.10g}':>15}" for share in self.shares)
            lines += [*([""] if lines else []), f"{name}: {'':<{width - len(name)}}{head}"]
            lines += [
                f"  {place:<{width}}" + "".join(f"{time:>13.6g} s" for time in times)
                for place, times in self._rows(c)
            ]
            lines.append(f"  assumes {self.assumptions[c]}")
        return "\n".join(lines)

    def _rows(self, c: int) -> list[tuple[str, Row]]:
        visits = zip(
            self.network.station_names, self.network.demand[c], self.sojourn_times[c], strict=True
        )
        return [
            ("response time", self.response_times[c]),
            *((name, times) for name, demand, times in visits if demand and any(times)),
        ]
