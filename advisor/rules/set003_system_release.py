"""SET003 system-release: Recommends NetWare 3.12 in the place of NetWare 3.11.

What it does
    Names NetWare 3.11 where the measured system's source advises NetWare 3.12.
Why it matters
    The later release has the earlier one's corrections in it, and the source tested with both
    names on its list.
Threshold
    The releases that the 1995 TechNote names (Chapter 4): 3.11 is the older, 3.12 the advised.
Example
    NetWare 3.11 where the source advises NetWare 3.12.
Limits
    Documented, not modelled: the source calls the gain slight and prints no number. Releases that
    it does not name are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case, NothingToGoBy, Rule, documented
from calibration.printed_tables.table import load_table

OLDER, ADVISED = "NetWare 3.11", "NetWare 3.12"


def check(case: Case) -> Iterator[Finding]:
    """The older of the two releases."""
    release = case.settings.software.operating_system
    if release is None:
        raise NothingToGoBy("software.operating_system is not given", evidence=True)
    if release != OLDER:
        return
    source = load_table("notes31/netware_parameters").source
    place = f"{source.cite()}, Chapter 4, NetWare versions"
    yield Finding(
        level="note",
        state="problem",
        message=f"{OLDER} where the source advises {ADVISED}",
        key=("software", "operating_system"),
        evidence=(Evidence("release of NetWare", 3.11, "release", "given", place, 3.12),),
        options=(
            Option(
                Change(f"upgrade to {ADVISED}", ((("software", "operating_system"), ADVISED),)),
                sources=(place,),
                effort="rebuild",
                side_effects=("the server is down for the upgrade",),
                benefit=documented("a slight gain, for which the source prints no number"),
            ),
        ),
    )


RULE = Rule.of(__name__, "the advised release runs", __doc__, check, ("notes31",))
