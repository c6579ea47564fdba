"""The check of MEM001, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import MIB, memory_size
from advisor.rule_support.rule import Case, NothingToGoBy
from advisor.rule_support.shared_options import more_memory
from calibration.agreements.system import Figure
from calibration.printed_tables.table import load_table


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
        yield from _without_failures(case, memory, need)


def _without_failures(case: Case, memory: float, need: Figure) -> Iterator[Finding]:
    every = (*case.settings.workload.classes, *case.settings.batch)
    replicates = any(each.task_name.startswith("replicate") for each in every)
    yield Finding(
        level="error" if replicates else "note",
        state="problem" if replicates else "symptom",
        message=f"{memory_size(memory)} is less than the {memory_size(need.value)} that "
        "replication needed"
        + ("" if replicates else "; nothing here replicates, so it need not be bought (E-N95-15)"),
        key=("server", "memory"),
        evidence=(
            Evidence(
                "memory of the server",
                memory / MIB,
                "MB",
                "given",
                "server.memory",
                need.value / MIB,
            ),
            Evidence("memory without failures", need.value / MIB, "MB", "measured", need.source),
        ),
        options=(
            more_memory(
                need.value,
                need.source,
                valid="up to ten concurrent replications; more was not tested",
                benefit="ten concurrent replications stopped losing connections (measured)"
                if replicates
                else "",
            ),
        ),
    )


def _tested() -> float:
    """Memory for each user where the Domino article tested most users. [MB]"""
    memory = load_table("domino46/buffer_pool_settings").cell("large", "memory").value or 0.0
    users = load_table("domino46/load_points").values("users")
    return memory / MIB / max(each or 0.0 for each in users)


def _for_each_user(case: Case, memory: float, each: Figure) -> Iterator[Finding]:
    users = case.settings.workload.users
    need = users * each.value
    if memory >= need:
        return
    tested = _tested()
    most = load_table("domino46/buffer_pool_settings").cite("large")
    yield Finding(
        level="warning",
        state="problem",
        message=f"{memory_size(memory)} is less than the {memory_size(need)} that {users} users "
        f"need at {memory_size(each.value)} each, as this system's own source plans them; it "
        f"tested no more than {tested:.2f} MB each at its highest load (E-I46-02)",
        key=("server", "memory"),
        evidence=(
            Evidence(
                "memory of the server", memory / MIB, "MB", "given", "server.memory", need / MIB
            ),
            Evidence("memory for each user", each.value / MIB, "MB", "measured", each.source),
            Evidence(
                "memory for each user at the highest load tested",
                tested,
                "MB",
                "computed",
                f"256 MB and 400 users: {most}",
            ),
        ),
        options=(
            more_memory(
                need,
                each.source,
                valid="average to advanced users; with more than 256 of them it was not tested",
                benefit="users have the memory that the source planned for them",
            ),
        ),
    )
