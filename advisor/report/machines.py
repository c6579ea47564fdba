"""Several machines in the terminal: verdict, numbers, what to do, how sure."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.configuration.promises import tail_name
from advisor.findings.words import counted, percent, seconds, signed
from advisor.machines import outlook as predicted
from advisor.machines.pools import PoolFinding
from advisor.machines.review import MachinesReview, Step
from advisor.machines.tables import Machines
from advisor.report.first_screen import HELD, held_text
from advisor.report.screen import MARKS, bar, short, show_list, table

#: What one of a resource is called.
ONE = {"cpu": "core", "quota": "core", "disk": "drive", "network": "link", "threads": "thread",
       "connections": "connection"}  # fmt: skip
#: Where the plan is empty.
NOTHING = (
    "No larger pool, and no larger processor or array of those that are half busy, brings the "
    "targets nearer."
)
#: Rows of resources, and of lists.
MOST, ROOM = 12, 26
HOW_SURE = (
    f"How sure: layered queueing model, within {100 * predicted.TIME_ERROR:g} % of simulation in "
    f"95 of 100 models drawn at random, p95 within {percent(predicted.TAIL_ERROR)}, p99 within "
    f"{percent(predicted.FAR_ERROR)}; up to {percent(predicted.HELD_ERROR)} longer where a "
    "connection is held while another is waited for; "
    "the demands are as given, not measured."
)


def show_machines(console: Console, found: MachinesReview, *, every: bool = False) -> None:
    """Print a review."""
    show = console.print
    machines, now = found.machines, found.now
    show(Text(f"{machines.file.title}  ({counted(now.users, 'user')})", style="bold"))
    show()
    mark, style = MARKS[found.state]
    verdict = Table.grid(padding=(0, 3))
    verdict.add_row(Text(f"{mark} {found.state}", style=style), sentence(found))
    show(verdict)
    show()
    after = found.plan[-1].after if found.plan else None
    show(_numbers(machines, now, after))
    show()
    show(_resources(machines, now, None if every else MOST))
    show()
    if found.plan:
        show(Text("What to do", style="bold"))
        for i, step in enumerate(found.plan, 1):
            before = found.plan[i - 2].after if i > 1 else now
            show(Text(f"{i}  {step.title}   {_gain(before, step.after)}"))
        show(Text(f"   then {fits(found.fit_after)}"))
    elif found.left:
        show(Text(NOTHING))
    for each in found.pools:
        show(Text(f"{each.rule}  {said(each, found.plan)}"))
    if found.left and found.plan:
        show(Text(f"still missed: {', '.join(found.left)}", style="red"))
    show(Text(HOW_SURE, style="dim"))
    show(Text(f"{counted(len(found.pools), 'finding')}; no options but those above", style="dim"))


def sentence(found: MachinesReview) -> str:
    """The verdict in words."""
    now, full = found.now, found.now.bottleneck
    missed = now.missed(found.machines)
    said = f"{', '.join(missed)}; {fitting(found.fit)}." if missed else f"{fits(found.fit)}."
    if full is None:
        return said
    row = now.row(full)
    if row.resource.is_pool and row.utilization > 0.9:
        devices = [each for each in now.rows if not each.resource.is_pool]
        busiest = max(devices, key=lambda each: each.utilization)
        idle = f"{busiest.resource.name}, is {percent(busiest.utilization)} busy"
        return f"{said} All {full} are in use; the busiest device, {idle}."
    return f"{said} {full} is the busiest, {percent(row.utilization)}."


def fits(fit: tuple[int, str | None]) -> str:
    """How many users fit, and what limits them."""
    return fitting(fit) + (f"; with more, {fit[1]}" if fit[1] else "")


def fitting(fit: tuple[int, str | None]) -> str:
    """How many users fit; without what limits them as many as were tried."""
    count, then = fit
    return f"{'at least ' * (not then)}{counted(count, 'user')} fit{'s' if count == 1 else ''}"


def _numbers(machines: Machines, now: predicted.Outlook, after: predicted.Outlook | None) -> Table:
    """Response times: now, after the plan, and the target."""
    found = Table("", "now", box=None, pad_edge=False, padding=(0, 3, 0, 0))
    if after is not None:
        found.add_column("after the plan")
    found.add_column("target")
    for name, share, limit in now.limits(machines):
        times = [each.within(name, share) for each in (now, after) if each]
        cells = [held_text(time, limit, short) for time in times]
        found.add_row(row_name(name, share), *cells, seconds(limit) if limit else "-")
    return found


def row_name(name: str, share: float | None) -> str:
    """A class, and which percentile of its response time."""
    return name if share is None else f"{name} {tail_name(share)}"


def _resources(machines: Machines, now: predicted.Outlook, most: int | None) -> Table:
    """Devices and pools, the busiest first."""
    rows = sorted(now.rows, key=lambda row: -row.utilization)
    limit = predicted.busy_limit(machines)
    target = f"| target {percent(limit)}" if limit else ""
    waits = "response time\nspent waiting" if any(row.waited >= 0.005 for row in rows) else ""
    found = table("", "", "busy", target, waits)
    for row in rows[:most]:
        mark = " ◄" if row.resource.name == now.bottleneck else ""
        waited = percent(row.waited) if row.waited >= 0.005 else ""
        stroke = None if row.resource.is_pool else limit
        found.add_row(row.resource.name + mark, size_of(row), percent(row.utilization),
                      bar(row.utilization, stroke, 12), waited)  # fmt: skip
    if most is not None and len(rows) > most:
        found.add_row(f"{len(rows) - most} more: --all", "", "", "", "")
    return found


def size_of(row: predicted.Row) -> str:
    """How many of it there are."""
    size, one = row.resource.size, ONE[row.resource.kind]
    return f"{size:g} {one}" if size == 1 else f"{size:g} {one}s"


def _gain(before: predicted.Outlook, after: predicted.Outlook) -> str:
    return f"{seconds(before.response_time)} → {seconds(after.response_time)}"


def said(found: PoolFinding, plan: Sequence[Step]) -> str:
    """What a finding says.

    A pool that is too small is what customers wait for while what it protects has room.
    """
    name, size = found.resource.name, found.resource.size
    if found.rule == "POOL002":
        return f"{name}: {size:g}; at today's load {found.of_use} would give the same response time"
    times = _gain(found.before, found.after)
    enough = "" if found.enough in {None, found.of_use} else f"{found.enough} meet the targets; "
    fills = f"; {found.next} fills next" if found.next else ""
    taken = any(step.key == found.resource.key for step in plan)
    effect = "" if taken else f" ({times})"
    waited = f"{percent(found.row.waited)} of the response time is spent waiting for one of"
    return (
        f"{name}: {waited} {size:g}; {enough}more than {found.of_use} gain nothing{effect}{fills}"
    )


def whatif_said(
    machines: Machines, before: predicted.Outlook, title: str, after: predicted.Outlook
) -> str:
    """A change in a sentence: the response time, the targets, and what is fullest."""
    missed, full = after.missed(machines), after.fullest
    held = "; all targets met" if before.missed(machines) else ""
    gain = signed(after.response_time / before.response_time - 1.0)
    return (
        f"{title}: {_gain(before, after)} ({gain})"
        + (f"; misses {', '.join(missed)}" if missed else held)
        + (f"; fullest: {full.resource.name}, {percent(full.utilization)}." if full else ".")
    )


def show_outlooks(
    console: Console, machines: Machines, rows: Sequence[tuple[str, predicted.Outlook]],
    heading: str, *, verdict: str = "", shares: Sequence[float] = (), every: bool = False,
) -> None:  # fmt: skip
    """Print predictions as a table: a row for each load, or each setting."""
    classes = [each.name for each in machines.file.workload.classes]
    columns = [(name, p) for name in classes for p in shares]
    alone = len(classes) == 1
    if verdict:
        console.print(Text(verdict, style="bold"))
        console.print()

    def build(count: int) -> Table:
        heads = [tail_name(p) if alone else row_name(name, p) for name, p in columns]
        found = table(heading, "response time", *heads, "throughput", "", "fullest")
        for name, each in rows[:count]:
            mark = ("?" if each.at_risk(machines) else "✓") if each.meets(machines) else "✗"
            full = each.fullest
            times = (
                short(each.within(one, p)) if one in each.response_times else "-"
                for one, p in columns
            )
            found.add_row(
                name, short(each.within()), *times, f"{sum(each.throughputs.values()):.4g}/s",
                Text(mark, style=HELD[mark]),
                f"{full.resource.name} {percent(full.utilization)}" if full else "-",
            )  # fmt: skip
        return found

    show_list(console, build, len(rows), room=None if every else ROOM)
    console.print(Text(HOW_SURE, style="dim"))
