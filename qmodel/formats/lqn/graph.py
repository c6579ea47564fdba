"""Graphs of activities as nested steps, and back.

From an activity the graph is followed to its end. Branches of an or-fork go on to their ends each,
and what they have in common there is taken out again; those of an and-fork must all end, or meet in
one and-join. So it takes series-parallel graphs; others are refused at the line of the fork.
"""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from qmodel.formats.lqn.records import Activity, Lqn, LqnEntry, Precedence, Task
from qmodel.model.layered_steps import Answer, Choice, Repeat, Step, Steps, Together, Work, flat

#: Steps of one entry, at most: or-forks are followed on each branch.
STEPS = 2000


def steps_of_entry(file: Lqn, task: Task, entry: LqnEntry) -> Steps:
    """What an entry does that starts an activity."""
    return _Graph(file, task, entry).steps()


def work_of(activity: Activity, name: str = "") -> Work:
    """An activity as a step; one that does nothing is left out by who asks."""
    return Work(
        activity.demand, activity.calls, activity.sends, activity.fixed, activity.think, name
    )


class _Graph:
    def __init__(self, file: Lqn, task: Task, entry: LqnEntry) -> None:
        self.file, self.task, self.entry = file, task, entry
        self.following: dict[str, Precedence] = {}
        for each in task.precedences:
            for name in each.before:
                if name in self.following:
                    raise file.error(each.line, f"activity {name!r} is followed twice; keep one")
                self.following[name] = each
        self.answers = set(task.replies.get(entry.name, ()))
        self.count = 0

    def steps(self) -> Steps:
        """The whole graph from where the entry starts."""
        found, join = self._from(self.entry.start or "", ())
        if join is not None:
            raise self.file.error(join.line, "an and-join that is reached without its and-fork")
        while found[-1:] == [Answer()]:
            found.pop()
        return tuple(found) or (Work(),)

    def _from(self, name: str, path: tuple[str, ...]) -> tuple[list[Step], Precedence | None]:
        """Steps from an activity to the end, or to an and-join that is not its own."""
        found: list[Step] = []
        while True:
            if (activity := self.task.activities.get(name)) is None:
                problem = f"task {self.task.name!r} has no activity {name!r}"
                raise self.file.error(self.entry.line, problem)
            if name in path:
                circle = f"activity {name!r} is reached again from itself; use a loop"
                raise self.file.error(activity.line, circle)
            path = (*path, name)
            self.count += 1
            if self.count > STEPS:
                raise self.file.error(activity.line, f"more than {STEPS} activities on all paths")
            work = self.file.made(activity.line, partial(work_of, activity, activity.name))
            if work != Work(name=activity.name):
                found.append(work)
            if name in self.answers:
                found.append(Answer())
            after = self.following.get(name)
            if after is None or not after.after:
                return found, None
            if after.joins == "and":
                return found, after
            ahead = self._fork(found, after, path)
            if isinstance(ahead, str):
                name = ahead
                continue
            return found, ahead

    def _fork(
        self, found: list[Step], at: Precedence, path: tuple[str, ...]
    ) -> str | Precedence | None:
        """Add what follows; the activity after it, or the join that is not its own."""
        if not at.forks:
            return at.after[0][0]
        if at.forks == "loop":
            last = None
            for name, times in at.after:
                if times < 0.0:  # the activity after the loop
                    last = name
                    continue
                inside, join = self._from(name, path)
                if join is not None:
                    raise self.file.error(at.line, "a loop leads to an and-join outside of it")
                found.append(self.file.made(at.line, partial(Repeat, times, tuple(inside))))
            return last
        branches = [self._from(name, path) for name, _ in at.after]
        joins = [join for _, join in branches]
        if any(join is not joins[0] for join in joins):
            raise self.file.error(
                at.line, f"branches of the fork after {at.before[0]!r} do not all meet in one join"
            )
        if at.forks == "or":
            steps = [s for s, _ in branches]
            common: list[Step] = []
            while all(steps) and all(s[-1] == steps[0][-1] for s in steps):
                common.insert(0, steps[0][-1])
                for each in steps:
                    each.pop()
            pairs = tuple((p, tuple(s)) for (_, p), s in zip(at.after, steps, strict=True))
            found += [self.file.made(at.line, partial(Choice, pairs)), *common]
            return joins[0]
        together = tuple(tuple(s) for s, _ in branches)
        found.append(self.file.made(at.line, partial(Together, together)))
        if joins[0] is None:
            return None
        ahead = Precedence(joins[0].before, joins[0].after, "", joins[0].forks, joins[0].line)
        if set(ahead.before) & self.answers:
            raise self.file.error(ahead.line, "an answer at an and-join; put it after the join")
        return self._fork(found, ahead, path)


class Written:
    """Steps as activities and precedences of a task, names made where there are none."""

    def __init__(self, task: Task, entry: str) -> None:
        self.task, self.entry = task, entry

    def add(self, steps: Steps) -> tuple[str, str]:
        """The first and the last activity of some steps."""
        first = last = ""
        for step in steps:
            if isinstance(step, Answer):
                if not last:
                    first = last = self._activity(Work())
                self.task.replies.setdefault(self.entry, []).append(last)
                continue
            begins, ends = self._step(step)
            if last:
                self.task.precedences.append(Precedence([last], [(begins, 1.0)]))
            first, last = first or begins, ends
        if not first:
            first = last = self._activity(Work())
        return first, last

    def _step(self, step: Step) -> tuple[str, str]:
        if isinstance(step, Work):
            name = self._activity(step)
            return name, name
        begins, ends = self._activity(Work()), self._activity(Work())
        put = self.task.precedences.append
        if isinstance(step, Repeat):
            first, _ = self.add(step.steps)
            put(Precedence([begins], [(first, step.times), (ends, -1.0)], forks="loop"))
            return begins, ends
        assert isinstance(step, Choice | Together)
        if isinstance(step, Choice):
            rest = 1.0 - sum(p for p, _ in step.branches)
            shares: Sequence[tuple[float, Steps]] = step.branches
            if rest > 1e-12:
                shares = (*shares, (rest, ()))
            added = [(p, self.add(branch)) for p, branch in shares]
        else:
            added = [(1.0, self.add(branch)) for branch in step.branches]
        kind: Literal["or", "and"] = "or" if isinstance(step, Choice) else "and"
        put(Precedence([begins], [(first, p) for p, (first, _) in added], forks=kind))
        if any(isinstance(each, Answer) for _, each in flat((step,))):  # nothing follows
            return begins, begins
        put(Precedence([last for _, (_, last) in added], [(ends, 1.0)], joins=kind))
        return begins, ends

    def _activity(self, work: Work) -> str:
        name, count = work.name, len(self.task.activities)
        while not name or name in self.task.activities:
            count += 1
            name = f"{work.name or self.entry}_{count}"
        self.task.activities[name] = activity_of(work, name)
        return name


def activity_of(work: Work, name: str) -> Activity:
    """A piece of work as an activity or a phase."""
    calls, sends = dict(work.calls), dict(work.sends)
    return Activity(name, 0, work.demand, work.think, work.fixed, calls, sends)
