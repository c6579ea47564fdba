"""SOFT003 attachments-once: Recommends to store each mail attachment only once.

What it does
    Where a Domino 8.5 server keeps an attachment in the mail file of everybody who received it,
    names what was measured when it is stored once.
Why it matters
    Most of the bytes of mail are attachments that many received. Stored once they are written
    once, and take the space of one.
Threshold
    Attachments not stored once, with whatever load.
Example
    attachments are stored for every recipient; stored once, the disk volume fell by 10 %.
Limits
    Documented, not modelled: the demand of a transaction is calibrated on both runs together, so
    that the model has no transaction without it. Disk operations fell by 1 % and processor time
    not at all: what is saved is bytes, not waiting. The space saved depends on how many received
    the same attachment. Tables 4 and 5 of the article were measured without it, although the list
    of settings names it (erratum E-D09-08).
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case, NothingToGoBy, Rule, documented
from calibration.printed_tables.table import load_table


def check(case: Case) -> Iterator[Finding]:
    """Attachments that are stored for every recipient."""
    once = case.settings.software.attachments_once
    if once is None:
        raise NothingToGoBy("software.attachments_once is not given", evidence=True)
    if once:
        return
    table, claims = load_table("domino85/table_6"), load_table("domino85/claims")
    saved = claims.cell("daos_storage", "value")
    key = ("software", "attachments_once")
    yield Finding(
        level="note",
        state="problem",
        message="attachments are stored for every recipient; stored once, the disk volume of the "
        f"source's server changed by {table.cell('disk_volume', 'change').text}",
        key=key,
        evidence=(
            *(
                Evidence(
                    f"change of {words}",
                    (table.cell(row, "change").value or 0.0) * 100.0,
                    "%",
                    "measured",
                    table.cite(row),
                )
                for row, words in (
                    ("disk_volume", "disk volume"),
                    ("disk_ios", "disk operations"),
                    ("processor", "processor"),
                )
            ),
            Evidence(
                "storage saved, at least",
                (saved.value or 0.0) * 100.0,
                "%",
                "measured",
                claims.cite("daos_storage"),
            ),
        ),
        options=(
            Option(
                Change("store attachments once", ((key, True),)),
                sources=(table.cite("disk_volume"), claims.cite("daos_storage")),
                effort="rebuild",
                side_effects=("mail files have to be compacted for it", "backups have two parts"),
                valid="databases of the new format with transaction logging",
                benefit=documented(
                    f"disk volume {table.cell('disk_volume', 'change').text}, storage "
                    f"{saved.text} less or more, response time and processor as before"
                ),
            ),
        ),
    )


RULE = Rule.of(__name__, "attachments are stored once", __doc__, check, ("domino85",))
