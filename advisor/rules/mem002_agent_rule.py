"""MEM002 agent-rule: Checks that the server has the memory its mail agent needs.

What it does
    Adds up what the mail agent of the GroupWise system needs by its threads and connections, and
    compares it with the server's memory.
Why it matters
    The agent's memory hardly grows with users, 50 kB each, and much with threads, 2 MB each. A
    rule of so many megabytes a user, as the Domino article of 1997 has it, would ask for four
    times as much at 500 users, and for too little at 50.
Threshold
    The rule of thumb of the 1997 white paper: 8 MB for the agent, 2 MB for each thread and 50 kB
    for each connection, in bytes of a million to the MB, beside what the operating system takes.
    Threads are those of server.threads, or else the 42 of the paper's tests.
Example
    96 MB are 101 million bytes, less than the 117 million of 500 connections and 42 threads.
Limits
    With 42 threads the rule meets the paper's own numbers within 4 % at 250, 500 and 1,000 users,
    and misses the 42 MB printed for 100 users, which would need 14.5 threads (erratum E-G97-01):
    with few users, believe the rule. It is followed for GroupWise alone; for Domino the memory of
    a user is that of MEM001. The model has no response time to gain from memory.
"""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import memory_size
from advisor.rule_support.evidence import printed
from advisor.rule_support.rule import Case, NothingToGoBy, Rule
from advisor.rule_support.shared_options import more_memory


def check(case: Case) -> Iterator[Finding]:
    """Memory short of what the agent needs."""
    memory = case.settings.server.memory
    if memory is None:
        raise NothingToGoBy("server.memory is not given", evidence=True)
    from calibration.systems.groupwise52.memory import rule_of_thumb, threads

    given = case.settings.server.threads
    count = threads() if given is None else given
    users, rule = case.settings.workload.users, rule_of_thumb()
    need = rule.need({"thread": count, "connection": users})
    if memory >= need:
        return
    yield Finding(
        level="warning",
        state="problem",
        message=f"{memory_size(memory)} are {memory / 1e6:.0f} million bytes, less than the "
        f"{need / 1e6:.1f} million that {users} connections and {count} threads need beside the "
        "operating system; followed is the GroupWise rule of thumb, not 1 MB a user, which "
        "another paper found for Domino",
        key=("server", "memory"),
        evidence=(
            Evidence(
                "memory of the server", memory / 1e6, "MB", "given", "server.memory", need / 1e6
            ),
            Evidence("memory by the rule of thumb", need / 1e6, "MB", "computed", rule.source),
            _nearest(users),
        ),
        options=(
            more_memory(
                need,
                rule.source,
                side_effects=("the memory of the operating system comes on top",),
                valid="100 to 1,000 users and 42 threads were measured; fewer threads by the rule",
                benefit="the agent has the memory that the source measured for it at the peak",
            ),
        ),
    )


def _nearest(users: int) -> Evidence:
    """The printed row whose users are nearest."""
    row = min(("100", "250", "500", "1000"), key=lambda each: abs(int(each) - users))
    return printed("groupwise52/table_1", row, "memory", f"memory measured with {row} users")


RULE = Rule.of(__name__, "memory meets what the mail agent needs", __doc__, check, ("groupwise52",))
