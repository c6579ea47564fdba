"""What metrics count several times, once; and what each instance counts for itself, together.

An application, its framework and the proxy before it may count the same request under several
names. Control groups contain each other: cAdvisor tells of containers, pods and the machine.
"""

import re
from collections.abc import Container, Mapping
from functools import reduce
from typing import Any

import numpy as np

from calibration.recordings.percentiles import SHARES
from calibration.recordings.series import Series

#: Metrics of a monitor about itself, and of requests that are asked of others or not yet answered.
OTHERS = "prom|node_|net_conntrack|scrape_|.*(client|active)"
#: Beginnings of the names under which times of requests are counted, as regular expressions.
TIMED = ".*request.*(duration|latency|time|seconds)|(http|rpc)_server_duration|grpc_server_handling"
#: Labels that name the service an instance belongs to, the most telling first.
SERVICES = ("service_name", "service", "app", "job")
#: What histograms are taken for: counters of requests that took at most a bound.
BUCKETS = ", ".join(SHARES)
#: Quantities that each instance counts of its own requests.
COUNTED = {"throughput", "busy time", BUCKETS}

#: What processes and containers use, and what it is known of, the widest first.
USED, LEVELS = ("processors", "throttled"), ("machine", "container", "pod", "process", "slice")

Part = tuple[Any, Any, Any]  # end, interval and value of samples
#: Parts by family of metrics or level (empty of what a user named and of all else), quantity,
#: station or class, and host or service.
Parts = dict[tuple[str, str, str, str], list[Part]]


def family_of(name: str) -> str:
    """Of a metric's name what its counters have in common, as http_requests of the _total."""
    return re.sub("_(count|sum|bucket|total)$", "", name)


def level_of(label: Mapping[str, str]) -> str:
    """Of what a metric of used processors tells; cAdvisor names a control group by its ``id``."""
    if label.get("id") == "/":
        return "machine"
    named = label.get("name") or label.get("container") not in {None, "", "POD"}
    inner = "container" if named else "pod" if label.get("pod") else "slice"
    return inner if "id" in label else "process"


def once(parts: Parts, unused: Container[str]) -> dict[tuple[str, str, str], list[Part]]:
    """Parts by quantity, name and place, without unused families and all but the widest level."""
    levels = {q: {f for f, quantity, _, _ in parts if quantity == q} for q in USED}
    widest = {q: min(some, key=LEVELS.index) for q, some in levels.items() if some}
    kept: dict[tuple[str, str, str], list[Part]] = {}
    for (family, quantity, of, where), some in parts.items():
        if family not in unused and family == widest.get(quantity, family):
            kept.setdefault((quantity, of, where), []).extend(some)
    return kept


def other_families(parts: Parts) -> tuple[set[str], str]:
    """Families of counters whose requests another one counts as well, and which one, in words.

    What a user named has no family and is used before all; else it is the family that knows times
    as well as numbers, and of several the one with the most requests.
    """
    counted: dict[str, float] = {}
    for (family, quantity, of, _), some in parts.items():
        if quantity == "throughput":
            more = 0.0 if of else sum(float(value @ interval) for _, interval, value in some)
            counted[family] = counted.get(family, 0.0) + more
    timed = {family for family, quantity, _, _ in parts if quantity == "busy time"}
    if not counted:
        return set(), ""
    used = max(counted, key=lambda each: (not each, each in timed, round(counted[each])))
    others = [each for each in counted if each != used]
    told = f"requests are those of {used or 'what was named'}, not of {', '.join(others)}"
    return set(others), told if others else ""


def together(parts: list[Part]) -> Part:
    """The sum of rates at all times that any of them has; who is not seen has none."""
    parts = [each for each in parts if len(each[0])] or parts[:1]
    end, interval, value = parts[0]
    if all(np.array_equal(each[0], end) for each in parts):
        return end, interval, sum(each[2] for each in parts)
    end = np.unique(np.concatenate([each[0] for each in parts]))
    before = np.concatenate([[-np.inf], end[:-1]])
    first, total = end.copy(), np.zeros(len(end))
    for times, interval, value in parts:
        place = np.minimum(np.searchsorted(times, end), len(times) - 1)
        begins = np.maximum(times[place] - interval[place], before)
        inside = (times[place] >= end) & (begins < end)
        first[inside] = np.minimum(first, begins)[inside]
        total[inside] += value[place][inside]
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
