"""CPU001 faster-processor: Offers a faster processor where the processor is the bottleneck.

What it does
    Where the processor is the bottleneck, offers each faster processor whose speed was measured
    on the same system, and lets the model say what it would bring.
Why it matters
    Only the bottleneck's speed moves the throughput limit. A processor that is p times as fast
    divides its service demand by p; how much of that a user notices depends on how long the
    processor's queue is, which is why the same part brings 1 % on a quiet server and much more
    on a busy one.
Threshold
    The processor is the busiest resource and busy 60 % or more. The 1995 TechNote takes 60 % CPU
    as the end of medium load (Chapter 4, Controller Type).
Example
    cpu busy 100 % at the peak: a Pentium/100 for a Pentium/66 cuts the time of editing by 9.5 %
    (11.3 to 6.8) beside two batch tasks.
Limits
    The 1995 and 1997 papers advise the fastest processor whatever the load; the model follows them
    where the processor is the bottleneck and nowhere else. What memory and its bus take of the
    time does not shrink with the clock: 1.5 times the clock rate gave 1.20 times the speed, for
    about half of the time goes with the bus, which larger caches may spare; none was measured.
    The TechNote's 20 to 156 % are the view rebuild's; editing gained 5 and 44 % (erratum
    E-N95-12). Speeds come from rebuilding a view, a pure processor task; the Pentium/90 was not
    measured.
    The paper's own figures for the 486/50 while editing (44 % faster, CPU -58 %) contradict each
    other (erratum E-N95-14), so its speed is taken from the view rebuild.
"""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.evidence import busy_evidence
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
from calibration.agreements.system import Figure, System

THRESHOLD = 0.60


def check(case: Case) -> Iterator[Finding]:
    """The processor as bottleneck."""
    busy = case.outlook.resource("cpu").utilization.mid
    if case.outlook.bottleneck != "cpu" or busy < THRESHOLD:
        return
    if case.system is None:
        raise NothingToGoBy(
            "the workload names no measured system, so no other processor's speed is known; "
            "change server.cpu_speed to try one",
            evidence=True,
        )
    now = case.settings.server.processor
    if now is None:
        raise NothingToGoBy("server.processor is not given", evidence=True)
    if now not in case.system.processors:
        raise NothingToGoBy(f"no other processor was measured beside {now}", evidence=True)
    yield Finding(
        level="warning",
        state="problem",
        message=f"the processor is the bottleneck, busy {percent(busy)} at the peak",
        key=("server", "processor"),
        evidence=(
            busy_evidence(case, "cpu", THRESHOLD),
            *(
                Evidence(
                    f"speed of a {name} relative to the {now}", ratio, "1", "computed", speed.source
                )
                for name, speed, ratio in _faster(case.system, now)
            ),
        ),
        options=tuple(_options(case.system, now)),
    )


def _faster(system: System, now: str) -> tuple[tuple[str, Figure, float], ...]:
    """Name, figure and relative speed of each faster processor, the fastest first."""
    present = system.processors[now].value
    every = sorted(system.processors.items(), key=lambda item: -item[1].value)
    return tuple((n, s, s.value / present) for n, s in every if s.value > present)


def _options(system: System, now: str) -> Iterator[Option]:
    for name, speed, ratio in _faster(system, now):
        yield Option(
            Change(f"replace the {now} by a {name}", ((("server", "processor"), name),)),
            sources=(
                f"speed {ratio:.2f} times the {now}'s: {speed.source}",
                f"demands: {system.source}",
            ),
            effort="part",
            side_effects=("system ROM of 09/06/94 or later for a Pentium/100",)
            if name == "Pentium/100"
            else (),
            valid="processors of the same family on the same bus",
        )


RULE = Rule.of(__name__, "the processor is not the bottleneck", __doc__, check)
