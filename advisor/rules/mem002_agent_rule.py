"""The check of MEM002, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import memory_size
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import printed
from advisor.rule_support.rule import Case, known
from advisor.rule_support.shared_options import more_memory

CARD = card_of(__file__)


def check(case: Case) -> Iterator[Finding]:
    """Memory short of what the agent needs."""
    memory = known(case.settings.server.memory)
    from calibration.systems.groupwise52.memory import rule_of_thumb, threads

    given = case.settings.server.threads
    count = threads() if given is None else given
    users, rule = case.settings.workload.users, rule_of_thumb()
    need = rule.need({"thread": count, "connection": users})
    if memory >= need:
        return
    row = min(("100", "250", "500", "1000"), key=lambda each: abs(int(each) - users))
    yield CARD.finding(
        "short",
        Evidence("memory of the server", memory / 1e6, "MB", "given", "server.memory", need / 1e6),
        Evidence("memory by the rule of thumb", need / 1e6, "MB", "computed", rule.source),
        printed("groupwise52/table_1", row, "memory", f"memory measured with {row} users"),
        options=[
            more_memory(
                need, rule.source, side_effect="the memory of the operating system comes on top",
                valid="100 to 1,000 users and 42 threads were measured; fewer threads by the rule",
                benefit="the agent has the memory that the source measured for it at the peak",
            )
        ],
        size=memory_size(memory),
        memory=memory / 1e6,
        need=need / 1e6,
        users=users,
        threads=count,
    )  # fmt: skip
