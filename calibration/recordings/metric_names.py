"""What metrics by the names of node_exporter, cAdvisor, OpenTelemetry and clouds say of stations.

A processor is busy unless it is idle or waits for a disk. Dots in names are underscores here.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from calibration.recordings import cloud_metrics as clouds
from calibration.recordings import counted_once as counts
from calibration.recordings.counters import Metrics, clean, growth, scrapes, usual_step
from calibration.recordings.header import OF_ONE, Heading, read_heading
from calibration.recordings.percentiles import SHARES
from calibration.recordings.series import Recording, Series
from calibration.recordings.spellings import ambiguous
from qmodel.errors import FileError


class Rule(NamedTuple):
    """How a metric is taken: a counter whose growth, or a gauge whose value, is a quantity.

    ``of`` is a label whose value names the station or class, or "=name"; of a histogram the bound.
    """

    pattern: str
    quantity: str
    of: str
    counter: bool = True
    factor: float = 1.0
    cloud: bool = False


_OURS = f"(?!{counts.OTHERS})"
_NAMES = {"ours": _OURS, "timed": f"{_OURS}(?={counts.TIMED}).*"}
RULES = tuple(
    Rule(**{**each, "pattern": each["pattern"].format(**_NAMES)}) for each in counts.METRICS
)
#: Of clouds: times of requests as somebody else averaged them, and other levels that have no sum.
_MEAN_TIMES = {"response_time", *SHARES}
_LEVELS = {"utilization", "idle", "servers"}
#: Labels that name a class of requests.
_ROUTES = next(rule.of for rule in RULES if rule.quantity == "throughput")
#: Modes of a processor that does not work; those that others contain, of metrics that begin so.
_AT_REST = {"idle", "iowait", "wait"}
_TWICE = {"guest": "", "guest_nice": "", "interrupt": "windows", "dpc": "windows"}
_OF_DEVICES = {"utilization", "idle", "operations", "volume"}
_TIMES = {"busy time", counts.BUCKETS}
#: Labels that name what is scraped, and by whom.
_SCRAPED = {"job", "metrics_path", "prometheus_replica", "__replica__", *counts.HOSTS}
#: Names that are not used are said if there are no more; a mean time that is believed of a name
#: without a unit. [s]
UNUSED, LONGEST = 8, 5.0


def recording_of(metrics: Metrics, taken: dict[str, Heading] | None = None) -> Recording:
    """What metrics say of stations and requests.

    `taken` is what a user says that metrics are, by their names. FileError if none is understood,
    or they are no samples in time.
    """
    parts: counts.Parts = {}
    named = {**metrics.headings, **(taken or {})}
    rules = {name: _rule(name, named, spelt=metrics.as_headings) for name, _ in metrics.samples}
    _check_shares(metrics, {name: rule for name, rule in rules.items() if name not in named})
    unsaid: dict[tuple[str, str], str] = {}
    processors: dict[str, set[str]] = {}
    seen: set[tuple[Any, ...]] = set()
    told: dict[tuple[str, str, str], str] = {}
    levels: set[tuple[str, str, str]] = set()
    keys = {"prometheus_replica", "__replica__"}
    replicas = {value for _, each in metrics.samples for key, value in each if key in keys}
    mapping: dict[str, str] = {}
    notes = dict.fromkeys(metrics.notes)
    resets, rated, counted = 0, False, False
    ladders: dict[tuple[str, str, Any], dict[float, counts.Part]] = {}
    fresh, placed = _fresh(metrics, rules), counts.placed(metrics.samples)
    for (name, own), samples in metrics.samples.items():
        if (labels := placed.get((name, own), own)) is None:
            continue
        label = {key.replace(".", "_"): value for key, value in labels}
        host = next((label[each] for each in counts.HOSTS if label.get(each)), "")
        host = re.sub(r":\d+$", "", host).strip("[]")
        mode = label.get("mode", label.get("state", label.get("cpu_mode", "")))
        rule = rules[name]
        if rule is None or _again(name, label, replicas) or name.startswith(_TWICE.get(mode, "\0")):
            continue
        core = label.get("cpu", label.get("cpu_logical_number", label.get("core", "")))
        twin: tuple[Any, ...] = host, core, mode
        if rule.quantity != "cpu":
            one = ":" in label.get("instance", "") or (host and rule.quantity in _OF_DEVICES)
            twin = name, frozenset(pair for pair in labels if not (one and pair[0] == "job"))
        family = ""
        if rule.quantity in {*counts.USED, "servers"}:
            family = counts.level_of(label, name, rule.quantity)
        service = next((label[each] for each in counts.SERVICES if label.get(each)), "")
        averaged = rule.cloud and rule.quantity in _MEAN_TIMES
        if averaged or rule.quantity in counts.COUNTED:
            family = counts.family_of(name) if rule.pattern != name else ""
            host = service or (host if not family else "")
            said = rule.cloud or name in named or metrics.kind.startswith("OTLP")
            said = said or bool(re.search("sec|_s_", name))
            if rule.quantity == "busy time" and rule.factor == 1.0 and not said:
                unsaid[family, host] = name
        names = (label[each] for each in rule.of.split("|") if label.get(each))
        of = rule.of[1:] if rule.of.startswith("=") else next(names, "").lower()
        times, values = clean(samples[0], samples[1])
        inner = rule.quantity == "volume" and counts.INNER.fullmatch(of)
        if not len(times) or inner or twin in seen:  # by another job
            continue
        seen.add(twin)
        if rule.quantity in counts.POOLS and rule in RULES:
            host, of = service, of or name.partition("_")[0]
        if rule.quantity in {*_OF_DEVICES, *counts.POOLS} and not rule.of.startswith("="):
            of = re.sub(r"[^\w.-]+", "-", of).strip("-")
        usual, missing = usual_step(times, metrics.path, even=name not in metrics.increments)
        notes |= dict.fromkeys(missing)
        interval = np.full(len(times), usual)
        counted |= rule.counter
        if rule.counter:
            if (new := fresh.get((name, own))) is not None:
                times, values = times[np.isin(times, new)], values[np.isin(times, new)]
                notes[counts.SAID["scraped"].format(np.median(np.diff(new)))] = None
            grown, fell = (values[1:], 0) if name in metrics.increments else growth(values)
            resets += fell if rule.quantity != counts.BUCKETS else 0
            times, interval, rated = times[1:], np.diff(times), rated or len(times) > 1
            values = grown / interval
        if (values < 0.0).any():
            if rule.quantity == "pool":  # -1 is no limit
                continue
            raise FileError(metrics.path, f"{name} is negative, {values.min():.4g}; expected >= 0")
        quantity = rule.quantity
        if quantity == "cpu":
            processors.setdefault(host, set()).add(core)
            quantity = "at rest" if mode in _AT_REST else "at work"
        elif quantity == "utilization" and rule.counter:
            quantity = "time in use"
        if rule.quantity == counts.BUCKETS:
            with suppress(ValueError):  # a bound that is no number
                rest = name, host, tuple(pair for pair in labels if pair[0] != "le")
                ladders.setdefault(rest, {})[float(of) * rule.factor] = times, interval, values
                mapping[name] = counts.BUCKETS
            continue
        if averaged or (rule.cloud and rule.quantity in _LEVELS):
            if (place := (quantity if averaged else name, of, host)) in levels:
                problem = counts.SAID["twice"].format(host or "one system", name)
                raise FileError(metrics.path, problem)
            levels.add(place)
        if rule not in RULES and not rule.counter and not rule.cloud:
            before = told.setdefault((quantity, of, host), name)
            if before != name:
                raise FileError(metrics.path, counts.SAID["both"].format(before, name, quantity))
        part = times, interval, values * rule.factor
        routed = of and rule.of == _ROUTES and not averaged
        whole = [""] if routed and (name, ()) not in metrics.samples else []
        for each in (of, *whole):  # requests of each class, and of all
            parts.setdefault((family, quantity, each, host), []).append(part)
        shown = dict.fromkeys(("idle", "busy servers", "utilization"), "utilization")
        mapping[name] = {"cpu": "utilization:cpu", **shown}.get(rule.quantity, quantity)
    if resets:
        notes[f"a counter was reset {resets} times"] = None
    for host in processors.keys() - {each[0] for each in seen if each[2:] == ("idle",)}:
        parts.pop(("", "at rest", "cpu", host), None)  # a part of it
    unused, several = counts.other_families(parts)
    notes |= dict.fromkeys(several[:1])
    used = counts.once(parts, unused)
    by_any = counts.COUNTED | {*counts.USED, *counts.POOLS, "servers"}
    sums = {k: (counts.together if k[0] in by_any else _sum)(some) for k, some in used.items()}
    for limit in (part[2].max(initial=0.0) for k, part in sums.items() if k[0] == "servers"):
        if 1e-6 < limit % 1.0 < 1.0 - 1e-6:
            notes[counts.SAID["limit"].format(limit, ceil(limit), limit / ceil(limit))] = None
    found = _derived(sums, processors, metrics.path)
    _check_unit(metrics.path, found, {k[1]: n for k, n in unsaid.items() if k not in unused})
    found += counts.percentiles(
        {k: each for k, each in ladders.items() if (counts.family_of(k[0]), k[1]) not in unused}
    )
    series = tuple(each for each in found if len(each.end))
    gone = {family for family, _ in unused} - {f for f, _, _, w in parts if (f, w) not in unused}
    mapping = {name: what for name, what in mapping.items() if counts.family_of(name) not in gone}
    unknown = dict.fromkeys(name for name, _ in metrics.samples if name not in mapping)
    used_names = {name.partition(" [")[0] for name in mapping}
    notes |= dict.fromkeys(text for n, text in metrics.remarks.items() if n not in used_names)
    left = {*gone, *metrics.remarks}
    others = [name for name in unknown if not left & {counts.family_of(name), name}]
    if 0 < len(others) <= UNUSED:
        notes[f"not used: {', '.join(others)}"] = None
    notes |= dict.fromkeys(filter(None, map(ambiguous, others)))
    if not series or (counted and not rated):
        raise FileError(metrics.path, _nothing(metrics, understood=counted))
    called = {name: metrics.called.get(name, name) for name in rules}
    read_as = tuple((called[name], what) for name, what in mapping.items())
    return Recording(
        metrics.path, metrics.kind, metrics.clock, series, read_as, tuple(notes),
        names=tuple(called.values()),
    )  # fmt: skip


def _fresh(metrics: Metrics, rules: dict[str, Rule | None]) -> dict[tuple[str, Any], Any]:
    """When each counter of Prometheus is new, as all of its exporter at one instance are."""
    held: dict[tuple[Any, ...], list[tuple[str, Any]]] = {}
    for name, labels in metrics.samples if metrics.kind.startswith("Prometheus") else ():
        if (rule := rules[name]) and rule.counter:
            target = name.partition("_")[0], *(pair for pair in labels if pair[0] in _SCRAPED)
            held.setdefault(target, []).append((name, labels))
    found: dict[tuple[str, Any], Any] = {}
    for keys in held.values():
        new = scrapes(clean(*metrics.samples[key]) for key in keys)
        found |= dict.fromkeys(keys, new)
    return found


def _again(name: str, label: dict[str, str], replicas: set[str]) -> bool:
    """Whether a metric is of what another series has: by a second Prometheus, proxy or handler."""
    replica = label.get("prometheus_replica", label.get("__replica__", ""))
    second = replica not in {"", *sorted(replicas)[:1]}
    inner = name.startswith("caddy") and label.get("handler", "subroute") != "subroute"
    whole = "*" in (label.get("host"), label.get("server")) or label.get("code") == "total"
    return second or inner or whole or label.get("reporter") == "source"


def _rule(name: str, taken: dict[str, Heading], *, spelt: bool) -> Rule | None:
    column = taken.get(name, taken.get(name.rpartition(" [")[0]))
    plain = name.replace(".", "_")
    if cloud := clouds.known(name):
        of = _ROUTES if cloud.of == "route" else cloud.of
        known: Rule | None = Rule(cloud.pattern, cloud.quantity, of, False, cloud.factor, True)
    else:
        known = next((rule for rule in RULES if re.fullmatch(rule.pattern, plain)), None)
    told = column or taken.get(f"{counts.family_of(name)}_sum")  # in which unit
    if known and known.quantity in _TIMES and told and told.quantity == "response_time":
        return known._replace(factor=float(told.factor))
    if column is not None:
        ends = "_(total|sum|bucket)$" if column.is_gauge else "_(total|count|sum|bucket)$"
        return _as_told(name, column, counter=bool(re.search(ends, name)))
    if known is None and spelt:
        with suppress(ValueError):  # as a heading of a table
            return _as_told(name, read_heading(name), counter=False)
    return known


def unused(recordings: Sequence[Recording]) -> list[str]:
    """Names in recordings that are taken for nothing, if they are few."""
    taken = {name for each in recordings for name, _ in each.mapping}
    found = [name for each in recordings for name in each.names if name not in taken]
    return found if len(found) <= UNUSED else []


def unknown_names(names: Sequence[str], taken: Mapping[str, Heading]) -> str:
    """What is wrong with names that a user gives a meaning and no file has; empty if nothing is."""
    there = dict.fromkeys(names)
    every = {*there, *(name.rpartition(" [")[0] for name in there)}
    every |= {f"{counts.family_of(name)}_sum" for name in there}
    wrong = next((name for name in taken if name not in every), None)
    if wrong is None:
        return ""
    some = ", ".join(list(there)[:UNUSED]) + (", ..." if len(there) > UNUSED else "")
    return f"--columns {wrong}: no such column" + (f"; there is {some}" if some else "")


def _as_told(name: str, column: Heading, *, counter: bool) -> Rule:
    parts = {"% idle": "idle", **dict.fromkeys(OF_ONE, "busy servers")}
    summed = {"response_time": "busy time"} if counter else {}
    quantity = parts.get(column.unit, summed.get(column.quantity, column.quantity))
    return Rule(name, quantity, f"={column.of}", counter, float(column.factor))


def _check_shares(metrics: Metrics, rules: dict[str, Rule | None]) -> None:
    """FileError if a processor's column of no unit never exceeds one: is it a share?"""
    for name, rule in rules.items():
        if rule and rule.of.endswith("cpu") and (rule.pattern, *{*"[("} & {*name}) == (name,):
            most = max(max(s[1], default=0.0) for (n, _), s in metrics.samples.items() if n == name)
            if rule.quantity in {"utilization", "idle"} and 0.0 < most <= 1.0:
                raise FileError(metrics.path, counts.SAID["share"].format(name, most, rule.of[1:]))


def _check_unit(path: str, found: list[Series], unsaid: dict[str, str]) -> None:
    """FileError if times in no unit would, as seconds, be longer than anybody waits."""
    for each in (one for one in found if one.name == "response_time" and one.host in unsaid):
        if (took := each.mean(-np.inf, np.inf) or 0.0) > LONGEST:
            raise FileError(path, counts.SAID["no_unit"].format(unsaid[each.host], took))


def _sum(parts: list[counts.Part]) -> counts.Part:
    """The sum of series, at the times that all of them have."""
    times = parts[0][0]
    for other, _, _ in parts[1:]:
        times = np.intersect1d(times, other)
    picked = [(i[np.isin(t, times)], v[np.isin(t, times)]) for t, i, v in parts]
    return times, picked[0][0], sum(value for _, value in picked)


def _derived(
    parts: dict[tuple[str, str, str], counts.Part], processors: dict[str, set[str]], path: str
) -> list[Series]:
    """Utilization of processors, from their time at rest if that was kept; times of requests."""
    found: list[Series] = []
    cores: dict[str, Series] = {}
    for (quantity, of, host), (end, interval, value) in parts.items():
        if quantity in {"at rest", "at work"}:
            count = len(processors[host])
            both = [parts.get((each, of, host)) for each in ("at work", "at rest")]
            if processors[host] == {""} and None not in both:  # summed over all of them
                count = max(1, round(sum(float(np.mean(each[2])) for each in both if each)))
            elif processors[host] == {""} and quantity == "at work":  # of who knows how many
                found.append(Series("processors", of, host, end, interval, value))
                continue
            busy = 1.0 - value / count if quantity == "at rest" else value / count
            if quantity == "at rest" or ("at rest", of, host) not in parts:
                found.append(Series("utilization", of, host, end, interval, busy, busy=True))
                found.append(Series("servers", of, host, end, interval, value * 0.0 + count))
                if processors[host] != {""} or None not in both:
                    cores[host] = found[-1]
        elif quantity == "busy time":
            asked = parts.get(("throughput", of, host))
            if asked is not None and len(asked[0]) == len(end):
                some = asked[2] > 0.0
                rate, length = asked[2][some], interval[some]
                times = Series("response_time", of, host, end[some], length, value[some] / rate)
                found.append(replace(times, weight=rate * length))
        elif quantity == "response_time" and ("throughput", of, host) in parts:
            times, lengths, rates = parts["throughput", of, host]  # a mean of so many requests
            _, here, there = np.intersect1d(end, times, return_indices=True)
            here, there = here[rates[there] > 0.0], there[rates[there] > 0.0]
            series = Series(quantity, of, host, end[here], interval[here], value[here])
            found.append(replace(series, weight=rates[there] * lengths[there]))
        elif quantity in {"idle", "busy servers", "time in use"}:
            servers = parts.get(("servers", of, host))
            if quantity != "busy servers":
                busy = 1.0 - value if quantity == "idle" else value
            elif servers is not None:
                busy = value / np.interp(end, servers[0], servers[2])
            else:
                raise FileError(path, counts.SAID["count"].format(of))
            found.append(Series("utilization", of, host, end, interval, busy, busy=True))
        else:
            found.append(Series(quantity, of, host, end, interval, value))
    # Processors that were counted one by one need no other metric to say how many there are.
    return [s for s in found if s.name != "servers:cpu" or cores.get(s.host, s) is s]


def _nothing(metrics: Metrics, *, understood: bool) -> str:
    if understood:
        return str(counts.SAID["one_scrape"])
    if metrics.remarks or not metrics.samples:
        return "; ".join(metrics.remarks.values()) or "no sample in it; export a longer range"
    names = list(dict.fromkeys(name for name, _ in metrics.samples))
    shown = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
    unit = "%" if re.search("%|percent|prozent|pourcent|porcent", names[0].lower()) else "1"
    unit = "% idle" if "idle" in names[0].lower() else unit
    return str(counts.SAID["unknown"].format(len(names), shown, names[0], unit))
