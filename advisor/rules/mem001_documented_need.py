"""MEM001 documented-need: Checks that the server has the memory its software needs.

What it does
    Compares the server's memory with what the measured system needed to work without failures.
Why it matters
    NetWare 3.1x does not swap. When memory runs out, connections drop; response time gives no
    warning before.
Threshold
    The memory with which the source saw its failures end: 64 MB on the system of 1995, where ten
    concurrent replications dropped connections with 32 MB. An error where the configuration
    replicates; a note elsewhere, where more memory is tried and not recommended. Where the source
    gives memory for each user instead, that for all users: 1 MB on Domino 4.6, a warning. Offered
    is the next size that can be bought.
Example
    32 MB is less than the 64 MB that ten concurrent replications needed.
Limits
    The support is that one test. The paper's figure of response time against memory was taken
    with one workstation and supports no more than a slight gain (erratum E-N95-15); the model
    has no response time to gain from memory. The rule of 1 MB a user was not tested at the highest
    loads: 256 MB served up to 400 users (erratum E-I46-02). Papers differ on a user's memory, from
    50 kB beside a large base (see MEM002) to 1 MB: followed is what the system's own source says,
    and no source is carried over to another system. How many pages a server that is short of
    memory would move, and what that costs its drives, was measured by none of them.
"""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import MIB, memory_size
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
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


RULE = Rule.of(__name__, "memory meets the documented need", __doc__, check)
