"""The check of SET004, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Evidence, Finding
from advisor.findings.words import counted
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case, NothingToGoBy
from calibration.printed_tables.table import load_table

CARD = card_of(__file__)
RELEASES = ("NetWare 3.11", "NetWare 3.12")


def check(case: Case) -> Iterator[Finding]:
    """Files of the source's list that the configuration does not list."""
    software = case.settings.software
    if software.operating_system not in {None, *RELEASES}:
        raise NothingToGoBy(f"the source's list is for {' and '.join(RELEASES)}")
    table = load_table("notes31/table_4_6")
    patches = software.patches or ()
    applied = {patch.casefold() for patch in patches}
    missing = [file for file in table.rows if file.casefold() not in applied]
    if not missing:
        return
    count, source = len(missing), f"software.patches against {table.cite()}"
    what = "files of the list that are missing"
    others = f" and {counted(count - 1, 'other')}" if count > 1 else ""
    every = (*patches, *missing)
    yield CARD.finding(
        "missing", Evidence(what, float(count), "files", "computed", source, 0.0),
        options=[CARD.option("apply", every, files=", ".join(missing))],
        files=f"{missing[0]}{others}", verb="are" if others else "is",
    )  # fmt: skip
