"""What metrics count several times, once; and what each instance counts for itself, together.

An application, its framework and the proxy before it may count the same request under several
names. Control groups contain each other: cAdvisor tells of containers, pods and the machine.
"""

import re
import tomllib
from collections.abc import Callable, Container, Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from calibration.recordings.percentiles import SHARES
from calibration.recordings.series import Series

#: What histograms are taken for: counters of requests that took at most a bound.
BUCKETS = ", ".join(SHARES)
#: Quantities that each instance counts of its own requests.
COUNTED = {"throughput", "busy time", BUCKETS}

#: What is read of metrics by their names, see the file.
_DATA = tomllib.loads(Path(__file__).with_name("metric_names.toml").read_text(encoding="utf-8"))
OTHERS, TIMED, SERVICES, METRICS = (_DATA[e] for e in ("others", "timed", "services", "metric"))
HOSTS, SAID = _DATA["hosts"], _DATA["said"]
FIRST, MAPPED, INNER = (re.compile(_DATA[each]) for each in ("first", "mapped", "inner"))
#: Places in use, and how many there are, of each instance.
POOLS = {"pool_use", "pool"}
#: What processes and containers use, and what it is known of, the widest first.
USED, LEVELS = ("processors", "throttled"), ("machine", "container", "pod", "process", "slice")

SERVERS, OF_HOST = ("servers", "cpu"), "cgroup_cpu_limit"
Part = tuple[Any, Any, Any]  # end, interval and value of samples
#: Parts by family of metrics or level (empty of what a user named and of all else), quantity,
#: station or class, and host or service.
Parts = dict[tuple[str, str, str, str], list[Part]]


def family_of(name: str) -> str:
    """Of a metric's name what its counters have in common, as http_requests of the _total."""
    return re.sub(r"_(count|sum|bucket|total)(/s( \[.*\])?)?$", "", name)


def level_of(label: Mapping[str, str], name: str, quantity: str) -> str:
    """Of what a metric of processors tells; cAdvisor names a control group by its ``id``."""
    if label.get("id") == "/":
        return "machine"
    named = label.get("name") or label.get("container") not in {None, "", "POD"}
    inner = "container" if named else "pod" if label.get("pod") else "slice"
    of_name = name if quantity == "servers" else "process"
    return inner if "id" in label or name.startswith(("container_", "kube_")) else of_name


def placed(keys: Iterable[Any]) -> dict[Any, Any]:
    """Labels of what is told of containers: of a limit those of its container, None if not used."""
    found, used = dict[Any, Any](), dict[Any, Any]()
    hosted = any({*HOSTS} & {*dict(labels)} for _, labels in keys)
    quota = any(name == "container_spec_cpu_quota" for name, _ in keys)
    for name, labels in sorted(keys):  # container_ before what kube-state-metrics tells elsewhere
        label = dict(labels)
        who = label.get("pod", ""), label.get("container", "")
        if name.startswith("container_") and hosted and not {*HOSTS} & {*label}:
            # beside computers with names, containers that name none have their own
            found[name, labels] = (*labels, ("host", who[1] or label.get("name") or who[0]))
        if name == "container_cpu_usage_seconds_total":
            used[who] = found.get((name, labels), labels)
        elif name.startswith("kube_pod_container_resource_limits"):
            is_cpu = label.get("resource", "cpu") == "cpu"
            found[name, labels] = used.get(who) if is_cpu and not quota else None
    return found


def once(
    parts: Parts, unused: Container[tuple[str, str]]
) -> dict[tuple[str, str, str], list[Part]]:
    """Parts by quantity, name and place, of used families, the widest level, and whole disks."""
    levels = {q: {f: None for f, quantity, _, _ in parts if quantity == q} for q in USED}
    widest = {q: min(some, key=LEVELS.index) for q, some in levels.items() if some}
    known = list(dict.fromkeys(f for f, quantity, of, _ in parts if (quantity, of) == SERVERS))
    widest["servers"] = next((f for f in known if f not in LEVELS), "")
    running, limited = (
        sum(len(some) for key, some in parts.items() if key[:2] == ("container", quantity))
        for quantity in ("processors", "servers")
    )
    if widest.get("processors") == "container" and 0 < running <= limited:
        widest["servers"] = "container"  # as many as their quota lets them have
    kept: dict[tuple[str, str, str], list[Part]] = {}
    for (family, quantity, of, where), some in parts.items():
        wide = widest.get(quantity) if quantity in USED or (quantity, of) == SERVERS else family
        if (family, where) not in unused and family == wide:
            # Each container of Docker says how many processors its host has.
            united = [together(some, np.maximum)] if family == OF_HOST else some
            kept.setdefault((quantity, of, where), []).extend(united)
    disks = {(quantity, where) for quantity, of, where in kept if not MAPPED.fullmatch(of)}
    return {k: v for k, v in kept.items() if not MAPPED.fullmatch(k[1]) or k[::2] not in disks}


def other_families(parts: Parts) -> tuple[set[tuple[str, str]], list[str]]:
    """Families of counters, by service, whose requests another one counts as well; in words.

    What a user named has no family and is used before all; else one whose name says that users ask,
    that knows times as well as numbers, and of several the one with the most requests.
    """
    counted: dict[tuple[str, str], float] = {}
    for (family, quantity, of, where), some in parts.items():
        if quantity == "throughput":
            more = 0.0 if of else sum(float(value @ interval) for _, interval, value in some)
            counted[family, where] = counted.get((family, where), 0.0) + more
    timed = {(family, where) for family, quantity, _, where in parts if quantity == "busy time"}
    unused, notes = set(), []
    for where in dict.fromkeys(where for _, where in counted):
        here = [each for each in counted if each[1] == where]
        used = max(here, key=lambda e: (not e[0], bool(FIRST.search(e[0])), e in timed, counted[e]))
        if others := [each for each in here if each != used]:
            unused |= set(others)
            names = ", ".join(family for family, _ in others)
            notes.append(f"requests are those of {used[0] or 'what was named'}, not of {names}")
    return unused, notes


def together(parts: list[Part], joined: Callable[[Any, Any], Any] = np.add) -> Part:
    """The sum, or what else is ``joined``, at all times that any has; who is not seen has none."""
    parts = [each for each in parts if len(each[0])] or parts[:1]
    end, interval, value = parts[0]
    if all(np.array_equal(each[0], end) for each in parts):
        return end, interval, reduce(joined, (each[2] for each in parts))
    end = np.unique(np.concatenate([each[0] for each in parts]))
    before = np.concatenate([[-np.inf], end[:-1]])
    first, total = end.copy(), np.zeros(len(end))
    for times, interval, value in parts:
        place = np.minimum(np.searchsorted(times, end), len(times) - 1)
        begins = np.maximum(times[place] - interval[place], before)
        inside = (times[place] >= end) & (begins < end)
        first[inside] = np.minimum(first, begins)[inside]
        total[inside] = joined(total, value[place])[inside]
    some = first < end
    return end[some], (end - first)[some], total[some]


def percentiles(ladders: Mapping[tuple[str, str, Any], Mapping[float, Part]]) -> list[Series]:
    """Requests between the bounds of histograms of each service, as times of so many each.

    Buckets count what took at most a bound, so each histogram is taken apart by itself; without a
    bucket of all requests nothing is known of the slowest.
    """
    by_service: dict[str, list[tuple[Any, ...]]] = {}
    for (_, service, _), buckets in ladders.items():
        bounds = sorted(buckets)
        if bounds[-1] != np.inf or len(bounds) < 2:
            continue
        end = reduce(np.intersect1d, (buckets[bound][0] for bound in bounds))
        rows = [value[np.isin(at, end)] * length[np.isin(at, end)]
                for at, length, value in (buckets[bound] for bound in bounds)]  # fmt: skip
        length = buckets[bounds[0]][1][np.isin(buckets[bounds[0]][0], end)]
        counts = np.diff(np.array(rows), axis=0, prepend=0.0).clip(0.0)
        count = len(bounds)
        each = np.repeat(end, count), np.repeat(length, count), np.tile(bounds, len(end))
        by_service.setdefault(service, []).append((*each, counts.T.ravel()))
    found = []
    for service, some in by_service.items():
        columns = [np.concatenate(each) for each in zip(*some, strict=True)]
        order = np.argsort(columns[0], kind="stable")
        found += [Series(name, "", service, *(each[order] for each in columns)) for name in SHARES]
    return found
