"""Verdict, findings and plan for several machines."""

from dataclasses import dataclass
from math import ceil, inf
from typing import Literal

from advisor.machines.model import Key
from advisor.machines.outlook import Outlook, busy_limit, outlook, users_that_fit
from advisor.machines.pools import PoolFinding, judge_pools
from advisor.machines.settings import with_value
from advisor.machines.tables import Machines

State = Literal["FITS", "AT RISK", "TOO SLOW", "OVERLOADED"]
#: Steps of a plan at most; a device this busy may be worth more of it; a gain worth a step. [1]
STEPS, BUSY, GAIN = 6, 0.5, 0.02


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the plan, made after all before it."""

    title: str
    rule: str
    key: Key
    value: int | float
    after: Outlook


@dataclass(frozen=True, slots=True)
class MachinesReview:
    """What there is to say of several machines."""

    machines: Machines
    now: Outlook
    state: State
    #: Most users within the targets, and what is missed beyond.
    fit: tuple[int, str | None]
    pools: tuple[PoolFinding, ...]
    plan: tuple[Step, ...]
    #: With all steps.
    fit_after: tuple[int, str | None]
    #: Targets that the plan leaves missed, in words.
    left: tuple[str, ...]


def review_machines(machines: Machines) -> MachinesReview:
    """Predict, judge the pools, and plan until the targets are met."""
    now = outlook(machines)
    pools = tuple(judge_pools(machines, now))
    fit = users_that_fit(machines)
    steps: list[Step] = []
    changed, seen, found = machines, now, pools
    while seen.missed(machines) and len(steps) < STEPS:
        step = _best(changed, seen, found)
        if step is None:
            break
        steps.append(step)
        changed = with_value(changed, step.key, step.value)
        seen = step.after
        found = tuple(judge_pools(changed, seen))
    after = users_that_fit(changed) if steps else fit
    left = tuple(seen.missed(machines))
    said = tuple(each for each in pools if each.rule == "POOL001")
    said += tuple(each for each in found if each.rule == "POOL002")
    state = _state(machines, now)
    return MachinesReview(machines, now, state, fit, said, tuple(steps), after, left)


def _state(machines: Machines, now: Outlook) -> State:
    if missed := now.missed(machines):
        return "TOO SLOW" if any("busy" not in each for each in missed) else "OVERLOADED"
    return "AT RISK" if now.at_risk(machines) else "FITS"


def _best(machines: Machines, now: Outlook, pools: tuple[PoolFinding, ...]) -> Step | None:
    """A setting that helps before hardware that does; of each kind what helps most."""
    for candidates in (_larger_pools(pools), _more_hardware(machines, now)):
        useful = [each for each in candidates if _gain(machines, now, each.after) > GAIN]
        if useful:
            return max(useful, key=lambda each: _gain(machines, now, each.after))
    return None


def _gain(machines: Machines, now: Outlook, after: Outlook) -> float:
    """What a step saves of the response time, or of what is above targets, whichever is more. [1]

    Ending a missed target counts for more.
    """
    ended = len(now.missed(machines)) - len(after.missed(machines))
    left = after.excess(machines) / (now.excess(machines) or 1.0)
    return ended + 1.0 - min(left, after.response_time / now.response_time)


def _larger_pools(pools: tuple[PoolFinding, ...]) -> list[Step]:
    found = []
    for each in pools:
        key = each.resource.key
        if each.rule == "POOL001" and key is not None:
            title = f"{each.resource.name}: {each.resource.size:g} → {each.of_use}"
            found.append(Step(title, each.rule, key, each.of_use, each.after))
    return found


def _more_hardware(machines: Machines, now: Outlook) -> list[Step]:
    """Half as much again, at least one more, of what is busy; more where its target asks for it."""
    found = []
    limit = busy_limit(machines) or inf
    for row in now.rows:
        resource = row.resource
        if resource.is_pool or resource.key is None or row.utilization < min(BUSY, limit):
            continue
        name, size, held = resource.name, resource.size, resource.held
        most = _most_quota(machines, resource.key[1]) if resource.kind == "quota" else inf
        more = 1.5 * size if most < inf else int(size + held + max(1, size // 2))
        more = min(more, most)
        if more <= size:
            continue
        after = outlook(with_value(machines, resource.key, more))
        while more < most and (then := after.row(name)).utilization > limit:
            wanted = held + (more - held) * then.utilization / limit
            more = min(most, max(int(more) + 1, ceil(wanted)))
            after = outlook(with_value(machines, resource.key, more))
        title = f"{name}: {size + held:g} → {more:g}"
        title += {"cpu": " cores", "disk": " drives"}.get(resource.kind, "")
        rule = "CPU001" if resource.kind in {"cpu", "quota"} else "DISK001"
        found.append(Step(title, rule, resource.key, more, after))
    return found


def _most_quota(machines: Machines, name: str) -> float:
    """What the quota of a service may be: what others on its machine leave, one to all without."""
    services = machines.file.services
    at = next(s.machine for s in services if s.name == name)
    others = [s.cpu_quota for s in services if s.machine == at and s.name != name]
    cpus = next(m.cpus for m in machines.file.machines if m.name == at)
    return cpus - sum(filter(None, others)) - (None in others)
