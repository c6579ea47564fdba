"""A first look at a table of measured runs, by operational laws alone; see THEORY.md."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from calibration.estimation.fit import NotCalibratable
from calibration.estimation.regression import DemandEstimate, mean_demand
from calibration.recordings.user_table import UserTable
from qmodel import ClosedClass, DelayStation, Network, QueueingStation, laws, solve

#: How the station is called at which the rest of a response time is spent.
REST = "rest"
#: Columns whose rows are of several classes, or of more systems than one.
_SEVERAL = {"class", "share"}
#: How near the delay is found, as a part of the response time. [1]
CLOSE = 1e-12


@dataclass(frozen=True, slots=True)
class MeasuredPoint:
    """A run as operational laws see it."""

    #: Of its row.
    name: str
    #: Users. [customers]
    population: int
    #: Measured, or by Little's law. [1/s]
    throughput: float
    #: Measured or by Little's law; None where one is missing. [s]
    think_time: float | None
    response_time: float | None


@dataclass(frozen=True, slots=True)
class FirstLook:
    """Demands, think time and the rest of a response time, straight from measured runs."""

    #: Those whose utilization was measured.
    stations: tuple[str, ...]
    #: Of each.
    servers: tuple[int, ...]
    #: Of each. [s]
    demands: tuple[DemandEstimate, ...]
    #: Mean over the runs. [s]
    think_time: float
    #: Of the response time with the fewest users, what the stations do not explain. [s]
    delay: float
    #: The runs that were used.
    points: tuple[MeasuredPoint, ...]

    def network(self, population: int, deviations: float = 0.0) -> Network:
        """The network of these demands, each so many of its standard errors larger.

        Smaller by the same ratio if they are negative.
        """
        stations: list[QueueingStation | DelayStation] = []
        row = []
        for name, servers, demand in zip(self.stations, self.servers, self.demands, strict=True):
            stations.append(QueueingStation(name, servers))
            row.append(_moved(demand, deviations))
        if self.delay:
            stations.append(DelayStation(REST))
            row.append(self.delay)
        return Network(stations, [ClosedClass("users", population, self.think_time)], [row])


def first_look(table: UserTable) -> FirstLook:
    """Demands, think time and the rest of a response time by operational laws.

    Parameters
    ----------
    table : UserTable
        One row a run of one class of users, with their number, and utilizations.

    Raises
    ------
    NotCalibratable
        If what the laws need was not measured; the text says what is missing.

    Examples
    --------
    >>> from calibration.recordings.user_table import parse_user_table
    >>> from qmodel import solve
    >>> look = first_look(parse_user_table('''users,think_time [s],throughput [1/s],cpu
    ... 1,2,0.400,20.0
    ... 4,2,1.379,68.9
    ... 8,2,1.939,97.0
    ... '''))
    >>> round(look.demands[0].value, 3), round(look.demands[0].standard_error, 4)
    (0.5, 0.0002)
    >>> round(solve(look.network(40)).response_times[0], 2)
    18.0
    """
    for column in table.columns:
        if column.quantity in _SEVERAL or (column.quantity == "throughput" and column.of):
            raise NotCalibratable(
                f"{table.path}: {column.text} tells of several classes; calibrate takes such tables"
            )
    points = tuple(_points(table))
    if len(points) < 2:
        raise NotCalibratable(
            f"{table.path}: {len(points)} run(s) with users and throughput (or response and think "
            "time), at least two are needed"
        )
    thinking = [p.think_time for p in points if p.think_time is not None]
    if not thinking:
        raise NotCalibratable(
            f"{table.path}: neither think_time nor response_time was measured; one is needed"
        )
    found = [each for each in _stations(table, points) if each[2].value > 0.0]
    if not found:
        raise NotCalibratable(
            f"{table.path}: no utilization was measured in two runs or more; as in utilization:cpu"
        )
    total = 0.0
    for think_time in thinking:
        total += think_time
    look = FirstLook(
        tuple(name for name, _, _ in found), tuple(servers for _, servers, _ in found),
        tuple(demand for _, _, demand in found), total / len(thinking), 0.0, points,
    )  # fmt: skip
    return _with_delay(look)


def _points(table: UserTable) -> Iterator[MeasuredPoint]:
    columns = [table.values(q) for q in ("population", "throughput", "response_time", "think_time")]
    for name, users, measured, time, think_time in zip(table.rows, *columns, strict=True):
        throughput = measured
        if throughput is None and users and time is not None and think_time is not None:
            throughput = users / (time + think_time) if time + think_time else None
        if not users or not throughput:
            continue
        thinking, response = think_time, time
        if thinking is None and time is not None:
            thinking = laws.response_time(users, throughput, time)
            if thinking < 0.0:
                raise NotCalibratable(
                    f"{table.path}: {name}: {users:g} users at {throughput:g} /s come round in "
                    f"{users / throughput:.6g} s (Little), less than the response time of "
                    f"{time:g} s"
                )
        if response is None and think_time is not None:
            response = laws.response_time(users, throughput, think_time)
        yield MeasuredPoint(name, round(users), throughput, thinking, response)


def _stations(
    table: UserTable, points: tuple[MeasuredPoint, ...]
) -> Iterator[tuple[str, int, DemandEstimate]]:
    throughputs = {point.name: point.throughput for point in points}
    for column in table.columns:
        if column.quantity != "utilization":
            continue
        counts = {n for n in table.values("servers", column.of) if n is not None} or {1.0}
        if len(counts) > 1:
            raise NotCalibratable(
                f"{table.path}: servers:{column.of} differ between rows; demands are those of one "
                "system"
            )
        servers = round(counts.pop())
        demands = [
            (name, laws.demand(busy, throughputs[name], servers))
            for name, busy in zip(table.rows, table.values("utilization", column.of), strict=True)
            if busy is not None and name in throughputs
        ]
        if len(demands) > 1:
            yield column.of, servers, mean_demand(demands)


def _with_delay(look: FirstLook) -> FirstLook:
    """The delay of the run with the fewest users, the first of several."""
    timed = [p for p in look.points if p.response_time is not None]
    if not timed:
        return look
    fewest = min(timed, key=lambda p: p.population)
    measured = fewest.response_time or 0.0

    def missing(delay: float) -> bool:
        network = replace(look, delay=delay).network(fewest.population)
        return solve(network).response_times[0] < measured

    if not missing(0.0):
        return look
    low, high = 0.0, measured
    while high - low > CLOSE * measured:
        middle = low + 0.5 * (high - low)
        low, high = (middle, high) if missing(middle) else (low, middle)
    return replace(look, delay=high)


def _moved(demand: DemandEstimate, deviations: float) -> float:
    error = demand.standard_error
    if deviations < 0.0:
        return demand.value / (1.0 - deviations * error / demand.value)
    return demand.value + deviations * error
