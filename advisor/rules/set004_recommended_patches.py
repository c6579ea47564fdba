"""The check of SET004, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import counted
from advisor.rule_support.rule import Case, NothingToGoBy, documented
from calibration.printed_tables.table import load_table

RELEASES = ("NetWare 3.11", "NetWare 3.12")


def check(case: Case) -> Iterator[Finding]:
    """Files of the source's list that the configuration does not list."""
    software = case.settings.software
    if software.patches is None:
        raise NothingToGoBy("software.patches is not given", evidence=True)
    if software.operating_system not in {None, *RELEASES}:
        raise NothingToGoBy(f"the source's list is for {' and '.join(RELEASES)}")
    table = load_table("notes31/table_4_6")
    applied = {patch.casefold() for patch in software.patches}
    missing = [file for file in table.rows if file.casefold() not in applied]
    if not missing:
        return
    others = f" and {counted(len(missing) - 1, 'other')}" if len(missing) > 1 else ""
    verb = "are" if others else "is"
    yield Finding(
        level="note",
        state="problem",
        message=f"{missing[0]}{others} of the source's list {verb} missing",
        key=("software", "patches"),
        evidence=(
            Evidence(
                "files of the list that are missing",
                float(len(missing)),
                "files",
                "computed",
                f"software.patches against {table.cite()}",
                0.0,
            ),
        ),
        options=(
            Option(
                Change.of(
                    f"apply {', '.join(missing)}", "software.patches", (*software.patches, *missing)
                ),
                sources=(table.cite(),),
                effort="setting",
                side_effects=("the server is down while they are loaded",),
                benefit=documented("the state in which the source measured"),
            ),
        ),
    )
