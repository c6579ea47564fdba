"""The check of CPU002, whose words are the card beside it."""

from collections.abc import Iterator, Sequence

from advisor.configuration.changed_keys import with_new_parts
from advisor.configuration.parts import catalogue_of
from advisor.findings.records import Finding, Option
from advisor.findings.words import counted, percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import busy_evidence
from advisor.rule_support.rule import Case, NothingToGoBy
from advisor.rule_support.shared_options import Step, faster_processors, night_moves
from advisor.rule_support.smallest_step import smallest_step
from advisor.sizing.candidates import SINGLE
from qmodel.devices.catalogue import Processor

CARD = card_of(__file__)
THRESHOLD = 0.60
#: Numbers of processors, or of cores where the configuration counts those, that can be bought.
COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
#: Quotas in processors that are tried: of the small ones halves as well.
QUOTAS = sorted({*map(float, COUNTS), *(0.5 * halves for halves in range(1, 16))})
#: Most times as many processors as there are that are tried.
MOST = 8
#: Speeds that are tried, relative to now.
FASTER = (1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)


def check(case: Case) -> Iterator[Finding]:
    """The processor as bottleneck, where more of it could be used."""
    busy = case.alone.resource("cpu").utilization.mid
    if case.alone.bottleneck != "cpu" or busy < THRESHOLD:
        return
    if case.system is not None and case.system.name in SINGLE:
        raise NothingToGoBy(f"{case.system.title}: its operating system ran on one processor")
    server = case.settings.server
    total = server.cpus * server.cores
    cores = counted(total, "processor core")
    quota = server.cpu_quota if server.cpu_quota and server.cpu_quota < total else None
    raised = [
        (f"raise the quota to {n:g} processor" + "s" * (n != 1), ((("server", "cpu_quota"), n),))
        for n in QUOTAS
        if quota and quota < n <= total
    ]
    if quota:
        cores = f"a quota of {quota:g} of {cores}"
    ladders = {
        "quota": raised, "more": () if quota else _more(case), "larger": tuple(_larger(case)),
        "faster": faster_processors(case, FASTER),
    }  # fmt: skip
    offered = [_smallest(case, *each) for each in ladders.items() if each[1]]
    said = [each for _, each in offered if each]
    yield CARD.finding(
        "busy", busy_evidence(case, "cpu", THRESHOLD, alone=True),
        options=[option for option, _ in offered], cores=cores, busy=percent(busy),
        enough=min(said, key=lambda each: "nothing" in each, default="no step tried is enough"),
    )  # fmt: skip


def _smallest(case: Case, ladder: str, steps: Sequence[Step]) -> tuple[Option, str]:
    """The smallest step that is enough, the first if none is; and what it is enough for."""
    settings_of = [settings for _, settings in steps]
    found = smallest_step(
        case, settings_of, "cpu", THRESHOLD, night_moves(case), ordered=ladder in ("more", "faster")
    )  # what does more in all may do less on each core
    title, settings = steps[found.place]
    option = CARD.option(ladder, settings=settings, title=title)
    return option, f"offered: the smallest step {found.enough}" if found.enough else ""


def _more(case: Case) -> tuple[Step, ...]:
    """More processors of the same kind, or more cores where those are counted."""
    server = case.settings.server
    if server.cores > 1 and server.cpus == 1 and server.processor is None:
        return tuple(
            (f"use {count} cores instead of {server.cores}", ((("server", "cores"), count),))
            for count in sorted({*COUNTS, 2 * server.cores})
            if server.cores < count <= MOST * server.cores
        )
    return tuple(
        (f"use {count} processors instead of {server.cpus}", ((("server", "cpus"), count),))
        for count in sorted({*COUNTS, 2 * server.cpus})
        if server.cpus < count <= MOST * server.cpus
    )


def _larger(case: Case) -> Iterator[Step]:
    """Processors of the catalogue that do more than the present one, the smallest first."""
    server, catalogue = case.settings.server, catalogue_of(case.configuration)
    if case.system is not None or not (server.processor and server.reference_processor):
        return
    parts = catalogue.instead_of(Processor, server.processor)
    known = {p.name: p for p in parts if p.speed is not None}
    now = known.get(server.processor or "")
    if now is None:
        return
    capacities = {
        name: p.cores * p.speed
        for name, p in known.items()
        if p.speed is not None and p.relative_to == now.relative_to
    }
    for name in sorted(capacities, key=lambda each: capacities[each]):
        if capacities[name] > capacities[now.name]:
            settings = with_new_parts(case.configuration, ((("server", "processor"), name),))
            yield f"replace the {now.name} with the {name}", settings
