"""SET004 recommended-patches: Names recommended patches that are missing from the server.

What it does
    Compares the patches that the configuration lists with those of the measured system's source,
    and names what is missing.
Why it matters
    The source applied them to its server before it measured; failures that they cure would show
    in no response time.
Threshold
    The 14 files of the 1995 TechNote's Table 4-6.
Example
    CLIB.NLM and 13 others of the source's list are missing.
Limits
    Documented, not modelled: the source says of no patch what it changes. Releases of NetWare
    after 3.12 have their own lists.
"""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import counted
from advisor.rule_support.rule import Case, NothingToGoBy, Rule, documented
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
                Change(
                    f"apply {', '.join(missing)}",
                    ((("software", "patches"), (*software.patches, *missing)),),
                ),
                sources=(table.cite(),),
                effort="setting",
                side_effects=("the server is down while they are loaded",),
                benefit=documented("the state in which the source measured"),
            ),
        ),
    )


RULE = Rule.of(__name__, "the listed patches are applied", __doc__, check, ("notes31",))
