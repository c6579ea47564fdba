"""The check of MEM001, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import MIB, memory_size
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy
from advisor.rule_support.shared_options import more_memory
from calibration.agreements.system import Figure
from calibration.printed_tables.table import load_table

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """Memory short of the documented need."""
    if case.system is None:
        raise NothingToGoBy("the workload names no measured system", evidence=True)
    need = case.system.memory_need
    each = case.system.memory_per_user
    if need is None and each is None:
        source = case.system.name if case.of_a_paper else "your own measurement"
        raise NothingToGoBy(f"{source} names no memory need", evidence=True)
    memory = case.settings.server.memory
    if memory is None:
        raise NothingToGoBy("server.memory is not given", evidence=True)
    if each is not None:
        yield from _for_each_user(case, memory, each)
    if need is not None and memory < need.value:
        yield _without_failures(case, memory, need)


def _without_failures(case: Case, memory: float, need: Figure) -> Finding:
    every = (*case.settings.workload.classes, *case.settings.batch)
    replicates = any(each.task_name.startswith("replicate") for each in every)
    wanted = need.value / MIB
    return CARD.finding(
        "fails" if replicates else "might_fail",
        Evidence("memory of the server", memory / MIB, "MB", "given", "server.memory", wanted),
        Evidence("memory without failures", wanted, "MB", "measured", need.source),
        options=[
            more_memory(
                need.value,
                need.source,
                valid="up to ten concurrent replications; more was not tested",
                benefit="ten concurrent replications stopped losing connections (measured)"
                if replicates
                else "",
            )
        ],
        memory=memory_size(memory),
        need=memory_size(need.value),
    )


def _tested() -> float:
    """Memory for each user where the Domino article tested most users. [MB]"""
    memory = load_table("domino46/buffer_pool_settings").value("large", "memory")
    users = load_table("domino46/load_points").values("users")
    return memory / MIB / max(each or 0.0 for each in users)


def _for_each_user(case: Case, memory: float, each: Figure) -> Iterator[Finding]:
    users = case.settings.workload.users
    need = users * each.value
    if memory >= need:
        return
    tested, what = _tested(), "memory for each user at the highest load tested"
    most = f"256 MB and 400 users: {load_table('domino46/buffer_pool_settings').cite('large')}"
    yield CARD.finding(
        "for_each_user",
        Evidence("memory of the server", memory / MIB, "MB", "given", "server.memory", need / MIB),
        Evidence("memory for each user", each.value / MIB, "MB", "measured", each.source),
        Evidence(what, tested, "MB", "computed", most),
        options=[
            more_memory(
                need,
                each.source,
                valid="average to advanced users; with more than 256 of them it was not tested",
                benefit="users have the memory that the source planned for them",
            )
        ],
        memory=memory_size(memory),
        need=memory_size(need),
        users=users,
        each=memory_size(each.value),
        tested=tested,
    )
