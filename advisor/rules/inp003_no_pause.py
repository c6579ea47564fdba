"""INP003 no-pause: Warns of users who never pause between requests.

What it does
    Names users who are said never to pause between an answer and the next request.
Why it matters
    Users without a pause keep the server as busy as it can be, whatever their number: response
    times grow with every user from the second on. It is mostly a think time that was left out.
Threshold
    A class of users whose demands the configuration gives itself, with no think time and no
    arrival rate.
Example
    200 users never pause: the think time is missing.
Limits
    Programs that ask for the next thing at once do exist; say so in a suppression.
"""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.rule_support.rule import Case, Rule


def check(case: Case) -> Iterator[Finding]:
    """Users who never pause."""
    workload = case.settings.workload
    if workload.think_time or workload.arrival_rate is not None:
        return
    restless = [each for each in workload.classes if each.cpu is not None]
    if not restless:
        return
    yield Finding(
        level="warning",
        state="problem",
        message=f"users of {', '.join(each.name for each in restless)} never pause: is "
        "workload.think_time missing?",
        key=("workload", "think_time"),
        evidence=(Evidence("think time", 0.0, "s", "given", "workload.think_time"),),
    )


RULE = Rule.of(__name__, "users pause between requests", __doc__, check)
