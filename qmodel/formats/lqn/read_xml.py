"""LQNX: the XML of layered queueing networks, read strictly (schema lqn.xsd of LQNS 5 and 6)."""

from collections.abc import Iterable

from qmodel.documents.wording import show_text
from qmodel.formats.jmt.fields import Fields
from qmodel.formats.jmt.xml import Element, parse_xml
from qmodel.formats.lqn import records
from qmodel.model.layered_records import Discipline

#: Elements that say nothing of the model.
SILENT = {
    "solver-params", "run-control", "pragma", "plot-control", "observation",
    "service-time-distribution",
}  # fmt: skip
#: Attributes that a construct stands in which is not read, and what they may hold all the same.
USUAL = {
    "host-demand-cvsq": ("1", "1.0"), "queue-length": ("0",), "semaphore": (), "rwlock": (),
    "initially": ("0",), "histogram": (), "quorum": ("0",),
}  # fmt: skip


def read_lqnx(content: bytes, path: str) -> records.Lqn:
    """What the bytes of an LQNX file say; raises `FileError` with line, name and problem."""
    return _Reader(path).model(parse_xml(content, path))


class _Reader:
    def __init__(self, path: str) -> None:
        self.fields, self.file = Fields(path), records.Lqn(path)

    def model(self, root: Element) -> records.Lqn:
        """The root and its processors."""
        if root.tag != "lqn-model":
            raise self.fields.error(root, f"expected <lqn-model>, got <{root.tag}>")
        for element in self._inside(root, "processor"):
            name = self.fields.name(element, [*self.file.hosts])
            host = records.Host(name, element.line, copies=self._copies(element))
            host.discipline = self._scheduling(element, host)
            host.replicas = int(self._number(element, "replication", 1.0))
            host.speed = self._number(element, "speed-factor", 1.0)
            self.file.hosts[name] = host
            for inside in self._inside(element, "task", "group"):
                if inside.tag != "task":
                    raise self._refused(inside)
                self._task(inside, name)
        entries: set[str] = set()
        for task in self.file.tasks.values():
            for entry in task.entries:
                if entry.name in entries:
                    raise self.file.error(entry.line, f"entry {entry.name!r} is there twice")
                entries.add(entry.name)
        return self.file

    def _scheduling(self, element: Element, host: records.Host) -> Discipline:
        word = element.get("scheduling") or "fcfs"
        if word not in records.PROCESSORS or records.PROCESSORS[word] is None:
            read = ", ".join(w for w, d in records.PROCESSORS.items() if d and len(w) > 1)
            problem = f"processor {host.name!r}: scheduling {show_text(word)} is not read; {read}"
            raise self.fields.error(element, f"{problem} are")
        if word == "inf":
            host.copies = records.ANY
        return records.PROCESSORS[word] or "ps"

    def _task(self, element: Element, processor: str) -> None:
        name = self.fields.name(element, [*self.file.tasks])
        word = element.get("scheduling") or "fcfs"
        if word not in records.TASKS:
            raise self.fields.error(
                element, f"task {name!r}: scheduling {show_text(word)} is not read; fcfs, inf and "
                "ref are"
            )  # fmt: skip
        task = records.Task(
            name, processor, element.line, word == "ref", copies=self._copies(element)
        )
        if word == "inf":
            task.copies = records.ANY
        task.replicas = int(self._number(element, "replication", 1.0))
        task.think = self._number(element, "think-time", 0.0)
        task.priority = int(self._number(element, "priority", 0.0))
        self.file.tasks[name] = task
        self._usual(element)
        starts = {}
        for inside in self._inside(element, "entry", "task-activities", "fan-out", "fan-in"):
            if inside.tag == "entry":
                task.entries.append(self._entry(inside))
            elif inside.tag == "fan-out":
                to = self.fields.text(inside, "dest")
                task.fan_out[to] = int(self._number(inside, "value", 1.0))
            elif inside.tag == "task-activities":
                starts = self._activities(inside, task)
        for entry in task.entries:
            entry.start = starts.pop(entry.name, None)
        for entry_name in starts:
            problem = f"an activity is bound to {entry_name!r}, no entry of task {name!r}"
            raise self.file.error(task.line, problem)

    def _entry(self, element: Element) -> records.LqnEntry:
        self._usual(element)
        entry = records.LqnEntry(self.fields.text(element, "name"), element.line)
        entry.arrivals = self._number(element, "open-arrival-rate", 0.0)
        if self._number(element, "priority", 0.0):
            raise self.fields.error(element, f"entry {entry.name!r}: priorities of entries are not "
                                             "read; give them to tasks")  # fmt: skip
        for inside in self._inside(element, "forwarding", "entry-phase-activities"):
            if inside.tag == "forwarding":
                to = self.fields.text(inside, "dest")
                entry.forwards[to] = self._number(inside, "prob", 1.0)
                continue
            for each in self._inside(inside, "activity"):
                number = int(self._number(each, "phase", 1.0))
                if not 1 <= number <= 3 or number in entry.phases:
                    raise self.fields.error(each, f"entry {entry.name!r}: phase {number}, expected "
                                                  "1 to 3, each once")  # fmt: skip
                entry.phases[number] = self._activity(each)
        return entry

    def _activity(self, element: Element) -> records.Activity:
        self._usual(element)
        activity = records.Activity(self.fields.text(element, "name"), element.line)
        activity.demand = self._number(element, "host-demand-mean", 0.0)
        activity.think = self._number(element, "think-time", 0.0)
        activity.fixed = element.get("call-order") == "DETERMINISTIC"
        for call in self._inside(element, "synch-call", "asynch-call"):
            made = activity.calls if call.tag == "synch-call" else activity.sends
            to = self.fields.text(call, "dest")
            made[to] = made.get(to, 0.0) + self._number(call, "calls-mean", 1.0)
        return activity

    def _activities(self, element: Element, task: records.Task) -> dict[str, str]:
        """The graph of a task; the activity that each entry starts."""
        starts = {}
        for each in self._inside(element, "activity", "precedence", "reply-entry"):
            if each.tag == "activity":
                activity = self._activity(each)
                if activity.name in task.activities:
                    raise self.fields.error(each, f"activity {activity.name!r} is there twice")
                task.activities[activity.name] = activity
                if bound := each.get("bound-to-entry"):
                    starts[bound] = activity.name
            elif each.tag == "reply-entry":
                name = self.fields.text(each, "name")
                task.replies[name] = [self.fields.text(r, "name")
                                      for r in self._inside(each, "reply-activity")]  # fmt: skip
            else:
                task.precedences.append(self._precedence(each))
        return starts

    def _precedence(self, element: Element) -> records.Precedence:
        made = records.Precedence([], [], line=element.line)
        kinds = ("pre", "pre-AND", "pre-OR", "post", "post-AND", "post-OR", "post-LOOP")
        for side in self._inside(element, *kinds):
            self._usual(side)
            which, _, kind = side.tag.lower().partition("-")
            names = [self.fields.text(a, "name") for a in self._inside(side, "activity")]
            if which == "pre":
                made.before, made.joins = names, kind  # type: ignore[assignment]
                continue
            key = {"or": "prob", "loop": "count"}.get(kind, "")
            numbers = [self._number(a, key, 1.0) if key else 1.0
                       for a in self._inside(side, "activity")]  # fmt: skip
            made.after, made.forks = list(zip(names, numbers, strict=True)), kind  # type: ignore[assignment]
            if end := side.get("end"):
                made.after.append((end, -1.0))
        return made

    def _copies(self, element: Element) -> float:
        if (text := element.get("multiplicity")) is None:
            return 1.0
        if text.strip() in {"@infinity", "inf"}:
            return records.ANY
        return float(self.fields.whole(element, "multiplicity", least=1))

    def _number(self, element: Element, name: str, usual: float) -> float:
        if (text := element.get(name)) is None:
            return usual
        if text.startswith("$"):
            raise self.fields.error(
                element, f"{name} is the variable {text}: write its value; sweeps are qmodel sweep"
            )
        number = self.fields.number(element, text, f"{name} of <{element.tag}>")
        if name in {"phase", "replication", "value", "priority"} and number != int(number):
            raise self.fields.error(element, f"{name} is {text}, expected a whole number")
        if name in {"replication", "value", "speed-factor"} and number <= 0.0:
            raise self.fields.error(element, f"{name} is {text}, expected more than 0")
        return number

    def _usual(self, element: Element) -> None:
        """Refuse what stands in attributes and is not read."""
        for name, usual in USUAL.items():
            text = element.get(name)
            if text is not None and text not in usual:
                who = element.get("name") or element.tag
                raise self.fields.error(element, f"{name} {show_text(text)} of {who!r} is not read")

    def _inside(self, element: Element, *tags: str) -> Iterable[Element]:
        """What is inside, results left out."""
        found = [e for e in element.children if e.tag not in SILENT and "result" not in e.tag]
        for each in found:
            if each.tag not in tags:
                raise self._refused(each)
        return found

    def _refused(self, element: Element) -> Exception:
        who = f" {element.get('name')!r}" if element.get("name") else ""
        return self.fields.error(element, f"<{element.tag}>{who} is not read; leave it out")
