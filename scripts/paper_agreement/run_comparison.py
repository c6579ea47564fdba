"""What the models of the systems say of published numbers: run_comparison."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from calibration.agreements.comparison import Comparison, Status, for_one_more
from calibration.agreements.ensemble import Member, Variant, combine, variants
from calibration.agreements.published import Published, published
from calibration.agreements.run_comparison import Measured
from calibration.hardware.server import Hardware, server_network
from calibration.hardware.task import Load
from calibration.printed_tables.run import REPLICATE_NOISE
from qmodel import solve
from scripts.paper_agreement.shared import by_member, by_status, with_ends


@dataclass(frozen=True, slots=True)
class _Metric:
    """A number of a run.

    ``per_run`` makes a rate into what one interaction moves, by the forced flow law.
    """

    name: str
    column: str
    unit: str
    noise: float
    per_run: bool = False

    def printed(self, each: Measured) -> Published:
        if not self.per_run:
            return published(each.run.table, each.run.row, self.column, self.unit)
        rate = published(each.run.table, each.run.row, self.column, "KB/s")
        return rate.converted(self.unit, lambda value: value / each.run.throughput)


_TIME = REPLICATE_NOISE["response_time"]
_VOLUME = REPLICATE_NOISE["volume_rate"]
_METRICS = (
    _Metric("completion time", "response_time", "s", _TIME),
    _Metric("utilization", "cpu", "%", REPLICATE_NOISE["utilization"]),
    _Metric("LAN volume", "lan", "KB", sqrt(_VOLUME**2 + _TIME**2), per_run=True),
    _Metric("LAN rate", "lan", "KB/s", _VOLUME),
    _Metric("disk volume", "disk", "KB", sqrt(_VOLUME**2 + _TIME**2), per_run=True),
)
#: LAN rates under this are noise of the channel, not traffic of the task: not compared. [KB/s]
LEAST_RATE = 1.0


def compare_runs(
    members: Sequence[Member],
    fitted: Sequence[Measured],
    held_out: Sequence[Measured],
    fitted_on: dict[str, tuple[str, ...]],
    disk_scatter: float = 0.0,
) -> tuple[Comparison, ...]:
    """Predict every run and compare time, utilization, and the volumes of the channels.

    Volumes are of one interaction, which more users should not change; the LAN's rate is
    compared too. The baselines are the fitted rows' mean, and a rule of three: without contention
    time does not change with users and rates are proportional to them; "linear" has it the other
    way round. ``disk_scatter`` is the relative standard deviation of a run's disk volume about the
    prediction. [1]
    """
    return tuple(
        comparison
        for status, each in by_status(fitted, held_out)
        for comparison in _compare(
            members,
            [m for m in fitted if m.task == each.task],
            each,
            status,
            fitted_on[each.task],
            disk_scatter,
        )
    )


def _compare(
    members: Sequence[Member],
    base: Sequence[Measured],
    each: Measured,
    status: Status,
    fitted_on: tuple[str, ...],
    disk_scatter: float,
) -> list[Comparison]:
    questions = possibilities(members, each)
    ways = [way for way, _ in questions]
    predictions = [_predict(each, way, hardware) for way, hardware in questions]
    baselines = _baselines(base, each)
    populations = {m.run.population for m in base}
    found = []
    for metric in _METRICS:
        if metric.column == "lan" and each.run.lan_rate.value * 1e-3 < LEAST_RATE:
            continue
        printed = metric.printed(each)
        predicted = combine(ways, [p[metric.name] for p in predictions])
        noise = metric.noise * predicted.mid
        if metric.column == "disk":
            noise = disk_scatter * predicted.mid
        rounding = printed.half_unit
        if metric.per_run:  # from the print of the rate, at the predicted throughput
            rounding *= each.run.throughput / predictions[0]["throughput"]
        found.append(
            Comparison(
                published=printed,
                subject=each.task,
                metric=metric.name,
                case=f"N = {each.run.population}",
                status=status,
                model="ensemble",
                predicted=for_one_more(predicted, sqrt(rounding**2 / 3.0 + noise**2)),
                fitted_on=fitted_on,
                by_model=by_member(ways, [p[metric.name] for p in predictions]),
                baselines=tuple((name, values[metric.name]) for name, values in baselines),
                extrapolated=""
                if each.run.population in populations
                else f"{each.run.population} users, fitted at {min(populations)}",
                note=each.note,
            )
        )
    return found


def possibilities(
    members: Sequence[Member], each: Measured
) -> tuple[tuple[Variant, Hardware], ...]:
    """Every way the world may be, with the hardware that goes with it.

    What is not printed of the hardware is one more axis of uncertainty for each member.
    """
    return with_ends(variants(members, [each.task]), each.hardware, *each.unknown)


def _predict(each: Measured, way: Variant, hardware: Hardware) -> dict[str, float]:
    load = Load(each.task, way.tasks[each.task], each.run.population)
    solution = solve(server_network(hardware, [load], way.write_share).network)
    return {
        "throughput": solution.throughputs[0],
        "completion time": solution.response_times[0],
        "utilization": solution.station_utilizations[0] * 100.0,
        "LAN volume": load.task.lan_volume * 1e-3,
        "LAN rate": solution.throughputs[0] * load.task.lan_volume * 1e-3,
        "disk volume": load.task.disk_volume_at(hardware.disk.block) * 1e-3,
    }


def _baselines(
    base: Sequence[Measured], each: Measured
) -> tuple[tuple[str, dict[str, float]], ...]:
    """What the fitted rows' mean and a rule of three would say."""

    def mean(values: Sequence[float]) -> float:
        return sum(values) / len(values)

    time = mean([m.run.response_time.value for m in base])
    busy = mean([m.run.utilization.value for m in base]) * 100.0
    lan = mean([m.run.lan_rate.value for m in base]) * 1e-3
    disk = mean([m.run.disk_rate.value for m in base]) * 1e-3
    users = mean([m.run.population for m in base])
    growth = each.run.population / users
    volumes = {"LAN volume": lan * time / users, "disk volume": disk * time / users}
    return (
        (
            "no contention",
            {"completion time": time, "utilization": busy * growth, "LAN rate": lan * growth}
            | volumes,
        ),
        (
            "linear",
            {"completion time": time * growth, "utilization": busy, "LAN rate": lan} | volumes,
        ),
    )
