"""SET006 read-ahead-cache: Recommends the default setting of the read-ahead cache.

What it does
    Names a read-ahead cache that was changed from its default, where the measured system's source
    found the default best.
Why it matters
    Read-ahead fetches what the next request probably asks for. Too little leaves the drives to
    seek, too much reads what is never used.
Threshold
    Any change from the default, which the GroupWise paper of 1997 found 15 to 20 % better.
Example
    the read-ahead cache was changed; the default was 15 to 20 % better.
Limits
    Documented, not modelled: no hit ratio was printed, and the paper's definition of the setting
    is not that of a read-ahead cache (erratum E-G97-12).
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.rule_support.rule import Case, NothingToGoBy, Rule, documented
from calibration.agreements.published import published


def check(case: Case) -> Iterator[Finding]:
    """A read-ahead cache that is not at its default."""
    setting = case.settings.software.settings.read_ahead_cache
    if setting is None:
        raise NothingToGoBy("software.settings.read_ahead_cache is not given", evidence=True)
    if setting == "default":
        return
    gain = published("groupwise52/claims", "read_ahead_gain", "value")
    key = ("software", "settings", "read_ahead_cache")
    found = f"{gain.low:g} to {gain.high:g} %"
    yield Finding(
        level="note",
        state="problem",
        message=f"the read-ahead cache was changed; the source found its default {found} better",
        key=key,
        evidence=(
            Evidence(
                "gain of the default read-ahead cache", gain.low, "%", "measured", gain.source
            ),
        ),
        options=(
            Option(
                Change("set the read-ahead cache to its default", ((key, "default"),)),
                sources=(gain.source,),
                effort="setting",
                valid="the source's server and load",
                benefit=documented(f"{found} more performance, of which kind is not printed"),
            ),
        ),
    )


RULE = Rule.of(__name__, "read-ahead is at its default", __doc__, check, ("groupwise52",))
