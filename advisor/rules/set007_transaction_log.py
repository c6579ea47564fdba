"""SET007 transaction-log: Checks how a Domino server keeps its transaction log.

What it does
    Names a Domino server whose transaction log is off or kept in another style than the measured
    system's.
Why it matters
    A log turns scattered writes into sequential ones and lets a server restart without checking
    its databases. The style that favours run time does fewer of the checkpoints that others do.
Threshold
    The style of the Domino 8.5 article's Table 2: enabled, favor runtime.
Example
    the transaction log is off; the source measured with favor runtime.
Limits
    Documented, not modelled: the article measured no other style, so what it gains is not known;
    the writes of its runs have the log in them. Restart after a failure takes longer.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case, NothingToGoBy, Rule, documented
from calibration.printed_tables.table import load_table

STYLE = "favor runtime"


def check(case: Case) -> Iterator[Finding]:
    """Another style than the source's."""
    style = case.settings.software.transaction_log
    if style is None:
        raise NothingToGoBy("software.transaction_log is not given", evidence=True)
    if style == STYLE:
        return
    source = load_table("domino85/table_2").cite("transaction_log")
    key = ("software", "transaction_log")
    now = "off" if style == "off" else f"set to {style}"
    yield Finding(
        level="note",
        state="problem",
        message=f"the transaction log is {now}; the source measured with {STYLE}",
        key=key,
        evidence=(Evidence("runs with another style", 0.0, "runs", "given", source),),
        options=(
            Option(
                Change(f"set the transaction log to {STYLE}", ((key, STYLE),)),
                sources=(source,),
                effort="setting",
                side_effects=(
                    "restart after a failure takes longer than with other styles",
                    "the log should have drives of its own",
                ),
                valid="mail on Domino 8.0 and 8.5",
                benefit=documented("the style that the source's runs were made with"),
            ),
        ),
    )


RULE = Rule.of(__name__, "the log is kept as measured", __doc__, check, ("domino85",))
