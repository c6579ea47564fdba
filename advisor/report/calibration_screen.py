"""A calibration on one screen: whether it is usable, what was found, what is not settled."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from math import ceil, inf

from rich.console import Console, Group, RenderableType
from rich.text import Text

from advisor.findings.words import counted, load_text, percent, resource_name, seconds
from advisor.predicting.reproduced import why_not_usable
from advisor.report.calibration import details
from advisor.report.screen import show_list, table
from calibration.estimation.data import CalibrationData, Datum
from calibration.fitting.fitted_model import Calibration
from calibration.fitting.profile import Profile
from calibration.hardware.hardware import station_kind
from calibration.model_evaluation.model import load_of
from calibration.predicting.measured_percentiles import MeasuredPercentile, deviations
from calibration.predicting.prediction import POOL_USE, Prediction, predict_all
from calibration.structures import STRUCTURES
from calibration.structures.station_law import HALF
from qmodel.errors import NotApplicable

#: An interval of the response time no wider than this to either side is good; a convention. [1]
GOOD = 0.10
#: Loads that are tried, times the highest measured; no further is anything claimed.
LOADS = (1.0, 1.25, 1.5, 2.0)
#: The same where the runs do not reach half of saturation.
FAR_LOADS = (*LOADS, 3.0, 4.0)
#: What is fitted beside laws of single stations.
OF_CLASSES = "demand", "volume", "think_time", "hidden_delay", "hidden_queue", "pool", "merging"
#: A part of the response time that is long; a convention. [1]
LONG = 0.2
#: Explanations that are less apart say the same: no run tells them apart. [1]
SAME = 0.02
#: Standard deviations from which on a number is marked.
FAR = 2.0
#: Lines for demands, and for what the table took for granted.
DEMANDS, CHECKS = 10, 3


def show_calibration(
    console: Console, calibration: Calibration, profiles: Sequence[Profile] = (),
    tails: Sequence[MeasuredPercentile] = (), *,
    models: bool = False, residuals: bool = False, every: bool = False,
) -> bool:  # fmt: skip
    """Print the verdict, demands, fit, what fills first, and what is open; whether it is usable."""
    data = calibration.data
    measured, unit = data.populations or data.rates, _unit(data)
    loads = f", {' to '.join(dict.fromkeys(map(load_text, measured)))} {unit}" if measured else ""
    runs, numbers = counted(len(data.runs), "run"), len(data.numbers)
    console.print(Text(f"{data.source}   {runs}{loads}, {numbers} numbers", "bold"))
    console.print()
    further = _further(calibration)
    console.print(_verdict(calibration, further))
    console.print()
    demands = list(_demands(calibration))
    room = None if every else DEMANDS
    show_list(console, lambda n: _demand_table(demands[:n]), len(demands), room=room)
    console.print()
    console.print(_fit(calibration, further))
    console.print()
    console.print(_open(calibration, further, room))
    for line in deviations(tails):
        console.print(Text(line))
    for part in details(
        calibration, profiles, alike=alike(calibration, further), every=every,
        parameters=every or bool(profiles), models=every or models, residuals=every or residuals,
    ):  # fmt: skip
        console.print()
        console.print(part)
    if not every:
        console.print()
        console.print(Text("models --models   residuals --residuals   all of it --all", "dim"))
    return not _why_not(calibration, further)


def why_not(calibration: Calibration) -> str:
    """Why a calibration is not usable; empty if it is."""
    return _why_not(calibration, _further(calibration))


def _further(calibration: Calibration) -> tuple[Prediction, ...]:
    """Predictions at the highest measured load and beyond; none where no model has an answer."""
    users, rates = calibration.data.populations, calibration.data.rates
    loads = LOADS if calibration.smallest_pool is None else FAR_LOADS
    try:
        if users is not None:
            return predict_all(calibration, [round(users[1] * each) for each in loads])
        if rates is not None:
            return predict_all(calibration, rates=[rates[1] * each for each in LOADS])
        return predict_all(calibration)
    except NotApplicable:
        return ()


def alike(calibration: Calibration, further: Sequence[Prediction]) -> tuple[str, ...]:
    """Models that say what the best one says at the highest load asked, within its interval."""
    if not further:
        return ()
    apart = {*further[-1].disagree, *further[-1].silent}
    return tuple(m.name for m in calibration.admissible if m.name not in apart)


def _unit(data: CalibrationData) -> str:
    """What the measured loads count."""
    return "users" if data.populations else "requests/s"


def _one_load(data: CalibrationData) -> bool:
    """Whether every run was at the same load, of which nothing follows for another."""
    measured = data.populations or data.rates
    return measured is not None and measured[0] == measured[1]


def _width(found: Prediction) -> float:
    time = found["response_time"]
    if time.high == inf:
        return inf
    return (time.high - time.low) / (2.0 * time.mid) if time.mid else 0.0


def _why_not(calibration: Calibration, further: Sequence[Prediction]) -> str:
    if why := why_not_usable(calibration):
        return why
    if _one_load(calibration.data) and not calibration.data.stations:
        return "one load and no utilization, from which nothing follows for another load"
    if not further:
        return "no model has an answer at the highest load"
    wide = "the response time at the highest load is not known to a factor of two"
    return wide if _width(further[0]) > 1.0 else ""


def _verdict(calibration: Calibration, further: Sequence[Prediction]) -> RenderableType:
    error, why = calibration.best.error, _why_not(calibration, further)
    shown = table("", "")
    shown.show_header = False
    if why:
        shown.add_row(Text("✗ NOT USABLE", style="bold red"), f"{why}.")
        return shown
    good = _good(calibration, further)
    told = f"fits its own runs to {percent(error)} on average"
    if good:
        far = "twice" if len(further) == len(LOADS) else f"{FAR_LOADS[-1]:g} times"
        beyond = f", {far} the most measured" if good[-1] is further[-1] else ""
        told += f"; good up to {load_text(good[-1].load)} {_unit(calibration.data)}{beyond}"
    else:
        told += f"; ± {percent(_width(further[0]))} at the highest load"
    shown.add_row(Text("✓ USABLE", style="bold green"), f"{told}.")
    return shown


def _good(calibration: Calibration, further: Sequence[Prediction]) -> list[Prediction]:
    """Loads up to the first at which the response time is not known well, or a pool may be full."""
    pool = 0.0 if _one_load(calibration.data) else calibration.smallest_pool or inf

    def known(each: Prediction) -> bool:
        inside = each["throughput"].mid * each["response_time"].mid
        return _width(each) <= GOOD and (inside <= pool or each is further[0])

    return list(takewhile(known, further))


def _demands(calibration: Calibration) -> Iterator[tuple[str, str, str]]:
    """What an interaction takes, and what else was needed to explain the times."""
    best, data = calibration.best, calibration.data
    servers = max(data.runs, key=load_of).servers
    needed = False
    with_law = {
        p.place[-1]
        for p, value in zip(best.parameters, best.values, strict=True)
        if value != p.neutral and p.sets not in OF_CLASSES
    }
    for parameter, value, error in zip(
        best.parameters, best.values, best.standard_errors, strict=True
    ):
        note = ""
        if value == parameter.neutral:
            continue  # it does nothing; only its uncertainty counts
        if parameter.sets == "demand" and value > 0.0:
            k = parameter.place[-1]
            cpu = station_kind(data.stations[k]) == "cpu"
            note = counted(servers[k], "core" if cpu else "server")
            if len(data.classes) == 1 and k not in with_law:
                note += f"; full at {servers[k] / value:.3g} /s"
        elif parameter.sets == "think_time":
            note = "the pause of users"
        elif parameter.sets not in {"demand", "volume"}:
            needed = True
            names = parameter.name, best.structure
            note = next((s.says for name in names for s in STRUCTURES if s.name in name), "")
        name = parameter.name.removeprefix("demand of ")
        yield name, _with_error(value, error, parameter.unit), note
    if not needed:
        yield "", "nothing else was needed", ""


def _with_error(value: float, error: float, unit: str) -> str:
    if unit == "s":
        shown, unit = seconds(value).split(" ")
        size = 1e3 if unit == "ms" else 1.0
    elif unit == "bytes":
        shown, unit, size = f"{value / 1e3:.4g}", "KB", 1e-3
    else:
        shown, size = f"{value:.4g}", 1.0
    plus = f" ± {error * size:.2g}" if error < abs(value) else " (not settled)"
    return f"{shown} {unit}{plus}".replace("1 ±", "±") if unit != "1" else f"{shown}{plus}"


def _demand_table(rows: Sequence[tuple[str, str, str]]) -> RenderableType:
    errors = "± standard error" if any("±" in value for _, value, _ in rows) else ""
    shown = table("one interaction takes", errors, "")
    for row in rows:
        shown.add_row(*row)
    return shown


def _fit(calibration: Calibration, further: Sequence[Prediction]) -> RenderableType:
    """Measured against fitted at three loads; in the middle one that is missed, if one is."""
    data = calibration.data
    runs = sorted(range(len(data.runs)), key=lambda i: load_of(data.runs[i]))
    quantity = "response_time" if any(d.quantity == "response_time" for d in data.numbers) else ""
    last = list(data.of(quantity or "throughput", runs[-1]))
    of = last[0].customer_class if len(last) > 1 else ""
    station = _busiest(calibration, further)
    said = dict(zip(map(id, data.numbers), calibration.predicted(calibration.best), strict=True))
    off = dict(zip(map(id, data.numbers), calibration.best.residuals, strict=True))

    def pair(i: int) -> list[Datum | None]:
        numbers = (*data.of("utilization", i), *data.of("pool_use", i))
        busy = next((d for d in numbers if station in {d.of, f"pool {d.of}"}), None)
        found = data.of(quantity or "throughput", i)
        return [next((d for d in found if not of or d.customer_class == of), None), busy]

    def far(i: int) -> float:
        return max(abs(off[id(d)]) if d else 0.0 for d in pair(i))

    limit, between = FAR, runs[len(runs) // 2]
    if not _why_not(calibration, further):  # else its scatter is no noise
        limit *= max(1.0, calibration.widening)
    between = max((i for i in runs[1:-1] if far(i) > limit), default=between, key=far)
    name = f"{'response' if quantity else 'throughput'} {of}".strip()
    shown = table(_unit(data), name, "fitted", "", station, "fitted", "")
    for column in shown.columns:
        column.justify = "right"
    for i in dict.fromkeys([runs[0], between, runs[-1]]):
        cells: list[RenderableType] = []
        for each in pair(i):
            if each is None:
                cells += ["-", "", ""]
                continue
            cells += [_value(each, each.measurement.value), _value(each, said[id(each)])]
            missed = abs(off[id(each)]) > limit
            cells.append(Text("!", "bold yellow") if missed else Text("✓", "green"))
        shown.add_row(load_text(load_of(data.runs[i])), *cells)
    return shown


def _busiest(calibration: Calibration, further: Sequence[Prediction]) -> str:
    """The station, or the pool whose use was measured, that is the busiest at the highest load."""
    stations = calibration.data.stations
    of = {name: f"utilization:{name}" for name in stations}
    of |= {f"pool {d.of}": POOL_USE for d in calibration.data.numbers if d.quantity == "pool_use"}
    if not further or not of:
        return stations[0] if stations else "cpu"
    return max(of, key=lambda name: further[0][of[name]].mid)


def _value(number: Datum, value: float) -> str:
    if number.quantity == "response_time":
        return seconds(value)
    return percent(value) if number.quantity in {"utilization", "pool_use"} else f"{value:.4g} /s"


def _open(
    calibration: Calibration, further: Sequence[Prediction], room: int | None
) -> RenderableType:
    """What fills first, what is not settled with the one measurement that tells most, checks."""
    shown = table("", "")
    shown.show_header = False
    found = further[0].saturation if further else None
    if found is None:
        shown.add_row("First to fill", "nothing that was measured limits the throughput")
    else:
        at = beyond = ""
        if (users := found.users) is not None:
            low, mid, high = (f"{v:.0f}" for v in (users.low, users.mid, users.high))
            at = f"; without waiting {mid} users{'' if low == high else f' ({low}-{high})'}"
            most = (calibration.data.populations or (inf, inf))[1]
            beyond = "; extrapolated beyond the runs" if users.mid > most else ""
        name = resource_name(found.station)
        shown.add_row("First to fill", f"{name}, at {found.throughput.mid:.3g} /s{at}{beyond}")
    if not _why_not(calibration, further):
        lines = _not_settled(calibration, further)
        shown.add_row("Not settled", Group(*(Text(line) for line in lines)))
    checks = [*_pools(calibration, further), *_checks(calibration)]
    kept = checks if room is None else checks[:CHECKS]
    if len(kept) < len(checks):
        kept.append(f"{len(checks) - len(kept)} more: --all")
    if kept:
        shown.add_row("Check", Group(*(Text(line) for line in kept)))
    return shown


def _not_settled(calibration: Calibration, further: Sequence[Prediction]) -> Iterator[str]:
    models = calibration.admissible
    if further and (carried := list(_carried(calibration, further))):
        yield from carried
        return
    if _one_load(calibration.data):
        who = "one run" if len(calibration.data.runs) == 1 else "runs at one load"
        yield f"{who} cannot tell what another load does; measure twice the load too."
        return
    if len(models) > 1 and further:
        known = [each for each in further if each["response_time"].high < inf] or further[:1]
        near, far = (_apart(each) for each in (further[0], known[-1]))
        unit = _unit(calibration.data)
        users = [f"{load_text(each.load)} {unit}" for each in (further[0], known[-1])]
        fit = f"{len(models)} explanations fit"
        if len(alike(calibration, known)) == len(models) or max(near, far) < SAME:
            yield f"{fit}; to {users[1]} they say the same, within {percent(far)}."
        else:
            yield (
                f"{fit}; up to {users[0]} they differ by {percent(near)} at most, at "
                f"{users[1]} by {percent(far)}."
            )
            yield f"One run with {users[1]} would settle it."
            return
    if calibration.unknown:
        first = next((each for each in calibration.unknown if each.measure), calibration.unknown[0])
        if not {m.name for m in models}.issuperset(first.what):
            yield f"{first.reason}."
        if first.measure:
            yield f"Most telling: {first.measure}."
    elif len(models) == 1:
        yield "nothing: one model explains the runs."


def _carried(calibration: Calibration, further: Sequence[Prediction]) -> Iterator[str]:
    """Below half of saturation: how far the runs can be trusted, and what to measure next."""
    measured, pool = calibration.data.populations, calibration.smallest_pool
    if measured is None or pool is None:
        return
    good, full = _good(calibration, further), calibration.reference
    to = f"good to {load_text(good[-1].load)} users; beyond, " if good else ""
    one = len(calibration.admissible) == 1
    yield (
        f"The runs reach {percent(measured[1] / full)} of saturation, so "
        f"{counted(len(calibration.admissible), 'explanation')} that "
        f"{'fits goes' if one else 'fit go'} on beyond: {to}a pool of {pool} or more cannot be "
        "excluded."
    )
    yield f"Measure next: {ceil(HALF * full)} users, half of saturation."


def _apart(found: Prediction) -> float:
    """How far the models are from one another on the response time. [1]"""
    metric = next(m for m in found.metrics if m.name == "response_time")
    said = [value for _, value in metric.by_model if value > 0.0]
    return max(said) / min(said) - 1.0 if said else 0.0


def _pools(calibration: Calibration, further: Sequence[Prediction]) -> Iterator[str]:
    """A pool that may stand before a long time where nothing was measured."""
    best = calibration.best
    if calibration.smallest_pool is not None or calibration.data.pool < inf:
        return  # said with how far the runs can be trusted; known
    delay = sum(
        value
        for parameter, value in zip(best.parameters, best.values, strict=True)
        if parameter.sets == "hidden_delay"
    )
    for parameter, value in zip(best.parameters, best.values, strict=True):
        if parameter.sets == "parallel" and value > HALF and further:
            name = calibration.data.stations[parameter.place[0]]
            yield f"{name} serves several requests at once; how many it can was not measured."
    if len(calibration.data.classes) == 1 and further:
        there = further[0]["throughput"].mid * delay
        if delay > LONG * further[0]["response_time"].mid:
            pool = f"at once: possibly in a pool of {ceil(there + 1e-9)} or more"
            pool = f", by up to {there:.3g} requests {pool}" if there > 1.0 else ""
            yield f"{seconds(delay)} are spent somewhere unmeasured{pool}."


def _checks(calibration: Calibration) -> Iterator[str]:
    if calibration.widening >= 1.05:  # of which two digits say more than 1
        yield (
            f"the runs scatter {calibration.widening:.2g} times as much as assumed; all intervals "
            "are widened by that."
        )
    for each in calibration.data.assumed:
        yield f"{each} was taken as one server: servers:{each} if it has several."
    for note in (*calibration.contradictions, *calibration.data.notes):
        if not any(note.startswith(f"{name} ") for name in calibration.data.assumed):
            yield note
