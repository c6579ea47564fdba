"""The check of CPU001, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import busy_evidence
from advisor.rule_support.rule import Case, NothingToGoBy

CARD = card_of(__file__)
THRESHOLD = 0.60
#: What a processor needs beside it.
NEEDS = {"Pentium/100": "system ROM of 09/06/94 or later for a Pentium/100"}


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
    present = case.system.processors[now].value
    every = sorted(case.system.processors.items(), key=lambda item: -item[1].value)
    faster = [(n, s, s.value / present) for n, s in every if s.value > present]
    of = "speed of a {} relative to the {}"
    yield CARD.finding(
        "bottleneck",
        busy_evidence(case, "cpu", THRESHOLD),
        *(Evidence(of.format(n, now), r, "1", "computed", s.source) for n, s, r in faster),
        options=[
            CARD.option(
                "replace", name, name=name, now=now, ratio=ratio, source=speed.source,
                demands=case.system.source, needs=NEEDS.get(name, ""),
            )
            for name, speed, ratio in faster
        ],
        busy=percent(busy),
    )  # fmt: skip
