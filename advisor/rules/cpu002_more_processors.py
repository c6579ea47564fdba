"""CPU002 more-processors

What it does
    Where the processor is the users' bottleneck, offers one more processor, and beside it
    processors that are faster by as much as the whole server would gain.
Why it matters
    Two processors take twice the interactions, but none of them any sooner: an interaction alone,
    or a batch task alone, uses one at a time. The same capacity in fewer, faster processors is
    never slower, and the quieter the server the more it wins. Doubling the processors does not
    double what users get either, since what queues elsewhere stays.
Threshold
    With the users alone the processor is the busiest resource and busy 60 % or more, as for
    CPU001. Batch tasks at the peak are moved before a processor is bought for them: SCH001.
Example
    3 processors busy 84 %: a fourth, or three that are 1.33 times as fast.
Limits
    The software must run on several processors, which NetWare 3.1x of 1995 did not: nothing is
    offered there. No paper varies the number of processors while it prints a response time, so
    that the offer rests on the model alone. Locks and memory that processors share are not
    modelled; both options are the most that can be hoped for. A speed is offered where the
    configuration gives speeds as numbers; CPU001 knows processors by name.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.advice import Evidence, Finding, Option
from advisor.case import Case
from advisor.changes import Change
from advisor.rule import NothingToGoBy, Rule
from advisor.words import percent

THRESHOLD = 0.60
#: Systems whose operating system ran on one processor only.
SINGLE = ("notes31",)
LAW = "queueing network: several servers of one speed against one as fast as all together"
POOLING = "L. Kleinrock, Queueing Systems, volume 2, Wiley, 1976, section 5.1"


def check(case: Case) -> Iterator[Finding]:
    """The processor as bottleneck, where one more could be used."""
    busy = case.alone.resource("cpu").utilization.mid
    if case.alone.bottleneck != "cpu" or busy < THRESHOLD:
        return
    if case.system is not None and case.system.name in SINGLE:
        raise NothingToGoBy(f"{case.system.title}: its operating system ran on one processor")
    server = case.settings.server
    yield Finding(
        level="warning",
        state="problem",
        message=f"{server.cpus * server.cores} processor core(s) are busy {percent(busy)} "
        "with the users alone: more of them take more users, faster ones also answer each sooner",
        key=("workload", "users"),
        evidence=(
            Evidence(
                "utilization of cpu",
                busy * 100,
                "%",
                "computed",
                "queueing network at the configured number of users, without batch tasks",
                THRESHOLD * 100,
            ),
        ),
        options=(
            Option(
                Change(
                    f"use {server.cpus + 1} processors instead of {server.cpus}",
                    ((("server", "cpus"), server.cpus + 1),),
                ),
                sources=(LAW, POOLING),
                effort="part",
                side_effects=("software must be licensed for, and run on, one more processor",),
                valid="interactions independent of each other; a batch task alone gains nothing",
            ),
            *_faster(case),
        ),
    )


def _faster(case: Case) -> Iterator[Option]:
    server = case.settings.server
    if server.processor is not None:
        return
    gain = (server.cpus + 1) / server.cpus
    speed = round((server.cpu_speed or 1.0) * gain, 6)
    yield Option(
        Change(f"use processors {gain:.3g} times as fast", ((("server", "cpu_speed"), speed),)),
        sources=(LAW, POOLING),
        effort="part",
        side_effects=("more clock is less speed where work waits for memory: see CPU001",),
        valid="all of the processor's work gets faster by that much, also what waits for memory",
    )


RULE = Rule(
    "CPU002", "more-processors", "the processors have room for one more load", __doc__, check
)
