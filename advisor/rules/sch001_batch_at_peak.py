"""The check of SCH001, whose words are the card beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil

from advisor.configuration.hours import DAY, Window, clock
from advisor.configuration.schema import BatchTask
from advisor.findings.records import Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import percentage
from advisor.rule_support.rule import Case, NothingToGoBy
from advisor.rule_support.shared_options import fit_the_night, moved
from calibration.hardware.task import Task

CARD = card_of(__file__)
LEAST_SHARE = 0.05


def check(case: Case) -> Iterator[Finding]:
    """Each batch task with hours at the peak."""
    if not case.settings.batch:
        raise NothingToGoBy("the configuration has no batch tasks")
    heavy = [found for each in case.batch_at_peak() if (found := _heavy(case, *each))]
    for n, (i, task, resource, share) in enumerate(heavy):
        batch = case.settings.batch[i]
        source = f"demands from {task.sources[0] if task.sources else f'batch[{i}]'}"
        yield CARD.finding(
            "at_peak",
            percentage(f"{batch.name} alone at {resource}", share, LEAST_SHARE, source),
            key=("batch", i, "window"),
            # Tasks in different hours hide each other: moving one leaves the other's hour.
            options=(
                *_move(case, [(i, task)]),
                *(_move(case, [(j, t) for j, t, _, _ in heavy]) if n == 0 < len(heavy) - 1 else ()),
            ),
            name=batch.name,
            hours=batch.hours(case.settings.workload.off_peak),
            peak=case.settings.workload.peak,
            resource=resource,
            share=percent(share),
        )


def _heavy(case: Case, i: int, task: Task) -> tuple[int, Task, str, float] | None:
    resource, share = max(case.shares_alone(i).items(), key=lambda item: item[1])
    return (i, task, resource, share) if share >= LEAST_SHARE else None


def _move(case: Case, tasks: Sequence[tuple[int, Task]]) -> Iterator[Option]:
    places = [i for i, _ in tasks]
    inside = {i: found for i in places if (found := _inside(case, i))}
    rest = [i for i in places if i not in inside]
    if not rest or fit_the_night(case, rest):
        names = " and ".join(case.settings.batch[i].name for i in places)
        nights = [*inside.values(), *([case.settings.workload.off_peak] if rest else [])]
        hours = " and ".join(dict.fromkeys(map(str, nights)))
        hours += "".join(_outside(case.settings.batch[i]) for i in rest)
        starts = ((("batch", i, "start"), clock(each.start)) for i, each in inside.items())
        option = CARD.option(
            "move", settings=(*moved(case, rest), *starts), names=names, hours=hours
        )
        sources = [s for i, task in tasks for s in task.sources or (f"batch[{i}] as given",)]
        yield replace(option, sources=tuple(dict.fromkeys(sources)))


def _inside(case: Case, i: int) -> Window | None:
    """Hours off the peak inside the window of a task; none if it must leave it."""
    batch, workload = case.settings.batch[i], case.settings.workload
    own, length = batch.window, batch.duration or batch.work
    if own is None or length is None or batch.fixed:
        return None
    minutes = ceil(length / 60)
    for start in (workload.off_peak.start, workload.peak.end, own.start):
        hours = Window(start, (start + minutes) % DAY)
        if (start - own.start) % DAY + minutes <= own.length and not hours.overlaps(workload.peak):
            return hours
    return None


def _outside(batch: BatchTask) -> str:
    """The window that a task leaves, where it is more than the hours in which it runs."""
    length = batch.duration or batch.work
    if batch.window is None or length is None or length >= 60 * batch.window.length:
        return ""
    return f", outside its window {batch.window}"
