"""The check of CPU001, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.evidence import busy_evidence
from advisor.rule_support.rule import Case, NothingToGoBy
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
            Change.of(f"replace the {now} by a {name}", "server.processor", name),
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
