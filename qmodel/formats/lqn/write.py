"""LQN models spelt: as LQNX, or as the older text."""

from collections.abc import Iterable, Iterator, Mapping

from qmodel.formats.jmt.xml import Element, xml_text
from qmodel.formats.lqn.records import ANY, Activity, Host, Lqn, Precedence, Task

#: How processors serve, by word and by letter.
WORDS = {"ps": ("ps", "s 0"), "fcfs": ("fcfs", "f"), "priority": ("pp", "p")}
#: Between activities that end or begin together, by kind.
SIGNS = {"": " ", "and": " & ", "or": " + ", "loop": ", "}


def lqnx_text(file: Lqn) -> str:
    """A model as LQNX."""
    root = Element("lqn-model", (), tuple(_host(file, host) for host in file.hosts.values()))
    return xml_text(root)


def _element(tag: str, given: Mapping[str, object], *inside: Element) -> Element:
    """An element with the attributes that hold something."""
    kept = {key: value for key, value in given.items() if value not in ("", 0, 0.0, None)}
    return Element(tag, tuple((key, _shown(value)) for key, value in kept.items()), inside)


def _shown(value: object) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _host(file: Lqn, host: Host) -> Element:
    tasks = [_task(task) for task in file.tasks.values() if task.processor == host.name]
    given = {
        "name": host.name,
        "scheduling": "inf" if host.copies == ANY else WORDS[host.discipline][0],
        "multiplicity": 0 if host.copies in {1.0, ANY} else int(host.copies),
        "replication": 0 if host.replicas == 1 else host.replicas,
        "speed-factor": 0 if host.speed == 1.0 else host.speed,
    }
    return _element("processor", given, *tasks)


def _task(task: Task) -> Element:
    given = {
        "name": task.name,
        "scheduling": "ref" if task.reference else "inf" if task.copies == ANY else "fcfs",
        "multiplicity": 0 if task.copies in {1.0, ANY} else int(task.copies),
        "replication": 0 if task.replicas == 1 else task.replicas,
        "think-time": task.think,
        "priority": task.priority,
    }
    inside = [_element("fan-out", {"dest": to, "value": n}) for to, n in task.fan_out.items()]
    starts = {entry.start: entry.name for entry in task.entries if entry.start}
    for entry in task.entries:
        parts = [
            _element("forwarding", {"dest": to, "prob": p}) for to, p in entry.forwards.items()
        ]
        if entry.phases:
            phases = [_activity(a, {"phase": i}) for i, a in entry.phases.items()]
            parts.append(_element("entry-phase-activities", {}, *phases))
        kind = "NONE" if entry.start else "PH1PH2"
        arrivals = {"name": entry.name, "type": kind, "open-arrival-rate": entry.arrivals}
        inside.append(_element("entry", arrivals, *parts))
    if task.activities:
        graph = [_activity(a, {"bound-to-entry": starts.get(a.name)})
                 for a in task.activities.values()]  # fmt: skip
        graph += [_precedence(each) for each in task.precedences]
        for name, last in {} if task.reference else task.replies.items():
            answers = [_element("reply-activity", {"name": each}) for each in last]
            graph.append(_element("reply-entry", {"name": name}, *answers))
        inside.append(_element("task-activities", {}, *graph))
    return _element("task", given, *inside)


def _activity(activity: Activity, more: Mapping[str, object]) -> Element:
    calls = [
        _element(tag, {"dest": to, "calls-mean": n})
        for tag, made in (("synch-call", activity.calls), ("asynch-call", activity.sends))
        for to, n in made.items()
    ]
    given = {
        "name": activity.name, **more, "host-demand-mean": _shown(activity.demand),
        "think-time": activity.think, "call-order": "DETERMINISTIC" if activity.fixed else "",
    }  # fmt: skip
    return _element("activity", given, *calls)


def _precedence(each: Precedence) -> Element:
    before = [_element("activity", {"name": name}) for name in each.before]
    key = {"or": "prob", "loop": "count"}.get(each.forks, "")
    after = [_element("activity", {"name": name} | ({key: n} if key else {}))
             for name, n in each.after if n >= 0.0]  # fmt: skip
    end = next((name for name, n in each.after if n < 0.0), "")
    tags = [kind and f"-{kind.upper()}" for kind in (each.joins, each.forks)]
    sides = [_element(f"pre{tags[0]}", {}, *before)]
    if after:
        sides.append(_element(f"post{tags[1]}", {"end": end}, *after))
    return _element("precedence", {}, *sides)


def lqn_text(file: Lqn) -> str:
    """A model as text."""
    return "\n".join(_lines(file)) + "\n"


def _lines(file: Lqn) -> Iterator[str]:
    yield 'G "" 1e-06 50 -1'
    yield f"\nP {len(file.hosts)}"
    for host in file.hosts.values():
        letter = "i" if host.copies == ANY else WORDS[host.discipline][1]
        copies = f" m {host.copies:.0f}" if 1.0 < host.copies < ANY else ""
        speed = f" R {_shown(host.speed)}" if host.speed != 1.0 else ""
        yield f"p {host.name} {letter}{copies}{_replicas(host)}{speed}"
    yield f"-1\n\nT {len(file.tasks)}"
    for task in file.tasks.values():
        letter = "r" if task.reference else "i" if task.copies == ANY else "n"
        entries = " ".join(entry.name for entry in task.entries)
        more = f" {task.priority}" if task.priority else ""
        more += f" z {_shown(task.think)}" if task.think else ""
        more += f" m {task.copies:.0f}" if 1.0 < task.copies < ANY else ""
        yield f"t {task.name} {letter} {entries} -1 {task.processor}{more}{_replicas(task)}"
    for task in file.tasks.values():
        yield from (f"O {task.name} {to} {n}" for to, n in task.fan_out.items())
    yield f"-1\n\nE {sum(len(task.entries) for task in file.tasks.values())}"
    for entry in (entry for task in file.tasks.values() for entry in task.entries):
        if entry.arrivals:
            yield f"a {entry.name} {_shown(entry.arrivals)}"
        if entry.start:
            yield f"A {entry.name} {entry.start}"
        yield from (f"F {entry.name} {to} {_shown(p)} -1" for to, p in entry.forwards.items())
        phases = [entry.phases[i] for i in sorted(entry.phases)]
        yield from (f"{row} -1" for row in _rows(entry.name, phases))
    yield "-1"
    for task in file.tasks.values():
        if task.activities:
            yield f"\nA {task.name}"
            for activity in task.activities.values():
                yield from _rows(activity.name, [activity])
            answers = {name: entry for entry, last in task.replies.items() for name in last}
            lines = [_arrow(each, answers) for each in task.precedences]
            written = {name for each in task.precedences for name in each.before}
            lines += [f"{name}[{entry}]" for name, entry in answers.items() if name not in written]
            yield ":\n" + ";\n".join(lines) + "\n-1" if lines else "-1"


def _replicas(of: Host | Task) -> str:
    return f" r {of.replicas}" if of.replicas > 1 else ""


def _rows(name: str, activities: list[Activity]) -> Iterator[str]:
    """Letter, whose, whom is called, and a number for each phase."""

    def row(letter: str, numbers: Iterable[float], *called: str) -> str:
        return " ".join([letter, name, *called, *map(_shown, numbers)])

    if activities:
        yield row("s", [a.demand for a in activities])
    if any(a.think for a in activities):
        yield row("Z", [a.think for a in activities])
    if any(a.fixed for a in activities):
        yield row("f", [float(a.fixed) for a in activities])
    for letter, key in (("y", "calls"), ("z", "sends")):
        for to in dict.fromkeys(name for a in activities for name in getattr(a, key)):
            yield row(letter, [getattr(a, key).get(to, 0.0) for a in activities], to)


def _arrow(each: Precedence, answers: Mapping[str, str]) -> str:
    before = [f"{n}[{answers[n]}]" if n in answers else n for n in each.before]
    after = []
    for name, number in each.after:
        sign = {"or": f"({_shown(number)})", "loop": f"{_shown(number)} * "}.get(each.forks, "")
        after.append(f"{sign if number >= 0.0 else ''}{name}")
    return f"{SIGNS[each.joins].join(before)} -> {SIGNS[each.forks].join(after)}"
