"""Headings as planners, dashboards and load generators spell them, in the house's own spelling.

"VUs" are users, "Avg latency (ms)" is response_time [ms], "CPU %" is utilization:cpu [%]. A word
that names no unit and implies none is left without one, so that it is asked for.
"""

import re
from contextlib import suppress

from qmodel.documents.wording import show_text

#: Words that say nothing of the quantity.
_EMPTY = (
    r"\b(avg|average|mean|the|of|number|count|concurrent|active|virtual|total|num|no|rate|per cent"
    r"|at|and|all)\b"
)
_USERS = r"users?|vus?|clients?|concurrency|allthreads"
#: The space of a disk, or its time.
_DISK_USED = re.compile(
    r"(?=.*\bus(ed|age)\b)(?=.*(%|percent|per cent|pct|us(ed|age)$))"
    r".*\b(disk|drive|volume|storage|partition|filesystem|fs|hdd|ssd|x?[sv]d[a-z]\d*|nvme\w*)\b"
)
_RATES = (
    r"rps|tps|qps|(req|reqs|requests?|queries|transactions?|tx|ops|operations|hits|pages|calls"
    r"|iterations)( ?(/|per) ?(s|sec|second|min|minute))|throughput|requests?|arrivals?"
    r"|transactions?"
)
_RATED = r"rps|tps|qps|.*(/|per) ?(s|sec|second)"
_PER_SECOND = {"rps", "tps", "qps", "req/s", "ops/s"}
_TIMES = r"(response|resp|service response)( times?)?|latency|rt"
#: Of a request only where they are a mean or in parts of a second: a run has them as well.
_MEAN_TIMES = rf"{_TIMES}|elapsed( time)?|duration|time"
_BUSY = r"(util|utilization|utilisation|usage|used|busy|load)"
_STATION = r"(?P<of>[a-z][\w.-]*)"
_DATA = r"[KMGk]?i?(?:B|b|bytes|bit|bits)(?:/s|ps| per second)|[KMG]bit/s"
_UNIT = re.compile(
    r"\s*(?:\[\s*(?P<a>[^\[\]]*?)\s*\]|\(\s*(?P<b>[^()]*?)\s*\)"
    r"|[\s_,]+(?:in )?(?P<c>ms|msec|milliseconds|us|µs|s|secs?|seconds|%|percent|per cent|pct"
    rf"|[rtq]ps|{_DATA}))$"
)
#: Units of what names none, to be confirmed.
USUAL_UNITS = {"response_time": "ms", "think_time": "s", "throughput": "1/s", "utilization": "%"}
USUAL_UNITS |= dict.fromkeys(("p50", "p90", "p95", "p99", "p99.9"), "ms")
#: Parts of a second.
_SHORT = re.compile("(m|milli|µ|u|micro)s.*")
_PERCENT = {"%", "percent", "per cent", "pct"}
_NO_MEANS = re.compile(
    r"\b(p\d\d?|\d\dth|percentile|median|(?<!/)min|max|std|stdev|stddev|errors?|failed)\b"
)
_TAIL = re.compile(
    r"\bp(?P<p>50|90|95|99(\.9)?)\b|\bmedian\b"
    r"|\b(?P<th>50|90|95|99(\.9)?)(th)? ?(percentile|pctl|pct)\b"
)
#: What networks are called, and what a station is called by the lack of a name.
_SPOKEN = {"net": "network", "nic": "network", "processor": "cpu", "cpus": "cpu", "io": "disk"}

#: No tier, but all processors there are.
_OF_ALL = {None, "physical", "logical", "allocated", "available", "total", "server", "host"}
#: Busy processors, counted.
_COUNTED = re.compile(
    r"((?P<tier>(?!v?cpu\b)[a-z]\w*) )?(v?cpu )?((?P<milli>milli)cores?( (used|usage|busy))?"
    r"|cores? (used|usage|busy))"
)

#: What time or room is divided into, and other shares: no machines and no devices.
_PARTS = {"user", "usr", "system", "sys", "idle", "iowait", "wait", "steal", "nice", "free"}
_SHARES = _PARTS | {
    "peak", "max", "success", "pass", "hit", "cache", "memory", "mem", "ram", "heap", "swap", "gc",
    "availability", "users", "requests", "share", "change", "confidence", "of", "error", "errors",
    "apdex", "sla", "slo", "failure", "failures", "fail", "saturation", "throttling", "throttled",
    "battery", "uptime", "loss", "drop", "drops", "dropped", "inode", "inodes",
    "limit", "limits", "quota", "shares", "period", "periods", "time", "times", "seconds", "queue",
    "credit", "credits", "pressure", "throttle", "kernel", "irq", "softirq", "guest", "loadavg",
    "clock", "frequency", "temperature", "value", "name", "model", "type",
}  # fmt: skip


def respelt(text: str) -> str | None:
    """A heading in the house's spelling, None if it is not understood; ValueError asks which."""
    if named := re.fullmatch(r"([^:]+):\s*([\w.-]+)\s*([\[(].*)?", text):  # of a class
        if re.fullmatch(rf"idle|{_BUSY}", named[1].strip().lower()):
            return respelt(f"{named[2]} {named[1]} {named[3] or ''}")
        name, _, unit = (respelt(f"{named[1]} {named[3] or ''}") or ":").partition(" [")
        if name == "servers:cpu":
            return f"servers:{named[2]}"
        if ":" in name:
            return name if name.endswith(f":{named[2]}") else None
        return f"{name}:{named[2]}" + (f" [{unit}" if unit else "")
    if asked := ambiguous(text):
        raise ValueError(asked)
    plain = " ".join(re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", text).replace("_", " ").split())
    plain = re.sub(r"^(50|9[059]|99\.9) ?%( Line)?$", r"p\1", plain)
    unit = ""
    if found := _UNIT.search(plain):
        unit, plain = found["a"] or found["b"] or found["c"] or "", plain[: found.start()]
    if "%" in plain or re.search(r"\bpercent\b|\bpct\b", plain, re.IGNORECASE):
        unit = unit or "%"
        plain = re.sub(r"%|\b(percent|pct)\b", " ", plain, flags=re.IGNORECASE)
    words = plain.lower()
    if tail := _TAIL.search(words):
        rest = " ".join(re.sub(_EMPTY, " ", _TAIL.sub(" ", words)).split())
        name = f"p{tail['p'] or tail['th'] or '50'}"
        return _written(name, unit) if not rest or re.fullmatch(_TIMES, rest) else None
    if _NO_MEANS.search(words):
        return None
    bare = " ".join(re.sub(_EMPTY, " ", words).split())
    if unit in _PERCENT and re.search(r"\bidle\b", bare):
        of = _station(re.sub(r"\bidle\b", " ", bare).strip() or "cpu")
        return f"utilization:{of} [% idle]" if of else None
    if (busy := _COUNTED.fullmatch(bare)) and not unit:
        of = f"{busy['tier']}-cpu" if busy["tier"] not in _OF_ALL else "cpu"
        return f"utilization:{of} [{'millicores' if busy['milli'] else 'cores'}]"
    if unit in _PERCENT or re.search(rf"\b{_BUSY}\b", bare):
        of = _station(re.sub(rf"\b{_BUSY}\b", " ", bare))
        unit = "%" if unit in _PERCENT else unit
        return _written(f"utilization:{of}", unit) if of else None
    if not unit and (re.fullmatch(_USERS, bare) or words == "all threads"):
        return "population"
    if re.fullmatch(r"(v?cpu|processor)?s? ?(cores?|cpus|processors)|vcpus", bare) and not unit:
        return "servers:cpu"
    if (tier := re.fullmatch(r"([a-z]\w*) (v?cpu )?(cores|v?cpus)", bare)) and not unit:
        return "servers:cpu" if tier[1] in _OF_ALL else f"servers:{tier[1]}-cpu"
    if iops := re.fullmatch(rf"(({_STATION}) )?(iops|(?<= )(ops|operations|r/s|w/s))", bare):
        return f"operations:{_station(iops['of'] or 'disk')} [{unit or '1/s'}]"
    if unit and re.fullmatch(_DATA, unit):
        of = _station(re.sub(r"\b(throughput|traffic|volume|bandwidth)\b", " ", bare))
        return f"volume:{of} [{unit}]" if of else None
    if re.fullmatch(rf"{_RATES}", bare) or bare == "":
        rated = re.fullmatch(_RATED, bare) or unit.lower() in _PER_SECOND
        if bare or (rated and unit):
            if re.fullmatch(r".*(/|per) ?min(ute)?", bare):
                return _written("throughput", unit or "1/min")
            per_second = rated and (not unit or unit.lower() in _PER_SECOND)
            return _written("throughput", "1/s" if per_second else unit)
        return _written("response_time", unit) if re.search("avg|mean|average", words) else None
    if not unit and re.fullmatch(r"cpu \w+", bare):  # of a machine, in percent as cpu alone
        of = _station(bare)
        return f"utilization:{of} [%]" if of else None
    if re.fullmatch("think( time)?", bare):
        return _written("think_time", unit)
    short = re.search(r"\b(avg|average|mean)\b", words) or _SHORT.fullmatch(unit)
    times = _MEAN_TIMES if short else _TIMES
    return _written("response_time", unit) if re.fullmatch(times, bare) else None


def ambiguous(text: str) -> str:
    """What to write in place of a heading that means one of two things; empty of any other."""
    words = " ".join(text.replace("_", " ").lower().split())
    if _DISK_USED.match(words):
        either = "may be space or time; write utilization:disk [%] if busy time is meant"
    elif re.fullmatch(r"(thread|connection|session)s?", re.sub(_EMPTY, " ", words).strip()):
        either = "may be users or those of a server; write users if each is a user"
    else:
        return ""
    return f"{show_text(text)} {either}"


def to_paste(text: str) -> str:
    """A heading that is accepted in place of one that is not: with a usual unit, or ignored."""
    heading = None
    with suppress(ValueError):
        heading = respelt(text)
    if rate := re.fullmatch(r"\s*([\w .-]+?) *[\[(](1/s|/s|rps|tps|qps|req/s|ops/s)[\])]\s*", text):
        heading = heading or f"throughput:{rate[1].replace(' ', '_')} [1/s]"  # of a class
    if heading is None:
        name = re.sub(r"[^\w.%/-]+", " ", text.partition(":")[2] or text).strip()
        return f"ignore:{name or 'column'}"
    known = USUAL_UNITS.get(heading.partition(":")[0])
    return heading if "[" in heading or known is None else f"{heading} [{known}]"


def _station(words: str) -> str | None:
    *tier, device = words.split() or [""]
    if tier == ["cpu"]:
        tier, device = [device], "cpu"
    name = " ".join([*tier, _SPOKEN.get(device, device)])
    if len(tier) == 1 and name.endswith((" cpu", " disk", " network")) and tier[0] not in _PARTS:
        name = name.replace(" ", "-")  # of one of several machines
    if re.split("[ -]", name)[0] in _SHARES:
        return None
    return name if re.fullmatch(r"[a-z][\w.-]*", name) else None


def _written(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name
