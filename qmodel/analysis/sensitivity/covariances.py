"""Exact derivatives of product-form networks: covariances of queue lengths; see THEORY.md."""

from qmodel.analysis.sensitivity.held_customer import with_held_customer
from qmodel.analysis.sensitivity.parameters import Slopes, parameters, slopes_of
from qmodel.model.closed_network import at_population
from qmodel.model.customer_classes import ClosedClass, OpenClass
from qmodel.model.network import Network
from qmodel.model.solution import Solution, total
from qmodel.model.stations import DelayStation
from qmodel.solvers import solve

Row = list[float]

#: Demand of a class at stations it does not visit, over its others: it changes no digit of any
#: measure, and derivatives by it are in proportion.
_HARDLY = 2.0**-100


def slopes(network: Network, solution: Solution) -> tuple[Slopes, ...]:
    """Derivatives by all parameters that are no whole numbers.

    Raises `NotApplicable` if no exact method solves a network that is needed.
    """
    everywhere = _visiting_all(network)
    work = _Work(network, everywhere, solve(everywhere, "exact"))
    by_class = [work.of_class(c) for c in range(len(network.classes))]
    return tuple(
        slopes_of(
            parameter, solution, [throughput[i] for throughput, _ in by_class],
            [[row[i] for row in residence] for _, residence in by_class],
        )
        for i, parameter in enumerate(work.asked)
    )  # fmt: skip


class _Work:
    """A network, its solution, and the derivatives of ln G that it shows, one by parameter."""

    def __init__(self, network: Network, everywhere: Network, solution: Solution) -> None:
        self.network = network
        self.everywhere = everywhere
        self.solution = solution
        self.asked = [p for p in parameters(network) if not p.is_whole]
        self.log_g = self.log_derivatives(solution)

    def of_class(self, c: int) -> tuple[Row, list[Row]]:
        """Derivatives of a class's throughput, and of its residence times station by station."""
        customers = self.network.classes[c]
        none = [0.0] * len(self.asked)
        own = [p.class_name == customers.name for p in self.asked]
        x, times = self.solution.throughputs[c], self.solution.residence_times[c]
        seen, before, fullest = self.everywhere, self.log_g, None
        if isinstance(customers, OpenClass):
            rates = zip(own, self.asked, strict=True)
            throughput = [float(mine and p.kind == "arrival_rate") for mine, p in rates]
        elif customers.population:
            seen = at_population(self.everywhere, customers.name, customers.population - 1)
            before = self.log_derivatives(solve(seen, "exact"))
            throughput = [x * (b - h) for b, h in zip(before, self.log_g, strict=True)]
            fullest = self._fullest(c)
        else:
            return none, [none] * len(self.network.stations)
        residence = []
        for k, station in enumerate(self.network.stations):
            row = list(none)
            waits = self.network.demand[c][k] and not isinstance(station, DelayStation)
            if waits and k != fullest:
                held, parts = with_held_customer(seen, k)
                after = self.log_derivatives(solve(held, "exact"), k, parts)
                row = [times[k] * (t - b) for t, b in zip(after, before, strict=True)]
            for i, p in enumerate(self.asked):
                if own[i] and p.kind == "demand" and p.station_name == station.name:
                    row[i] += times[k] / self.everywhere.demand[c][k]
            residence.append(row)
        if fullest is not None and isinstance(customers, ClosedClass):
            cycle = customers.population / x
            for i, p in enumerate(self.asked):
                rest = -cycle * (throughput[i] / x)
                rest -= float(own[i] and p.kind == "think_time")
                for k, row in enumerate(residence):
                    rest -= row[i] if k != fullest else 0.0
                residence[fullest][i] = rest
        return throughput, residence

    def log_derivatives(self, solution: Solution, k: int = -1, parts: tuple[int, ...] = ()) -> Row:
        """Derivatives of ln G by each parameter; station ``k`` consists of ``parts``."""
        derivatives = []
        for p in self.asked:
            j = self.network.class_names.index(p.class_name or "")
            x, times = solution.throughputs[j], solution.residence_times[j]
            score = 0.0
            if p.kind == "think_time":
                score = x
            elif p.kind == "arrival_rate":
                score = total(times)
            else:
                where = self.network.station_names.index(p.station_name or "")
                score = total(times[part] for part in (parts if where == k else (where,)))
                score *= x / self.everywhere.demand[j][where]
            derivatives.append(score)
        return derivatives

    def _fullest(self, c: int) -> int | None:
        """The station with most customers of a class; None if more of them think or are delayed."""
        best, most = None, self.network.think_time[c]
        for k, (station, time) in enumerate(
            zip(self.network.stations, self.solution.residence_times[c], strict=True)
        ):
            if time > most:
                best, most = (None if isinstance(station, DelayStation) else k), time
        return best


def _visiting_all(network: Network) -> Network:
    """The same network, but every class visits every station."""
    if all(all(row) for row in network.demand):
        return network
    rows = []
    for think_time, row in zip(network.think_time, network.demand, strict=True):
        whole = total([think_time, *row]) or 1.0
        rows.append([demand or whole * _HARDLY for demand in row])
    return Network(network.stations, network.classes, rows)
