"""CTL003 disk-channel: Warns of a channel between controller and memory that is close to full.

What it does
    Where the channel between controller and memory carries 60 % or more of its rate at the peak,
    offers a channel of twice the rate.
Why it matters
    All drives of a controller share its channel. More drives do not help once it is full.
Threshold
    60 % of the rate; 90 % is an error. Planners' conventions, as for the LAN. The rate is
    disk.channel_rate, or on the system of 1995 the 1,700 KB/s that its TechNote calls the
    practical limit of the disk channel.
Example
    941 KB/s of 1,700 KB/s while searching: 55 %, and no finding.
Limits
    The limit of 1995 is stated and not measured: no table comes near it but searching at 55 %. The
    TechNote's 42 % of the channel are those of searching without an index, not of creating one
    (erratum E-N95-03). Where disk.channel_rate is not given the model has no channel, and no
    option can be solved.
"""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.evidence import disk_volume_rate, printed
from advisor.rule_support.rule import Case, NothingToGoBy, Rule

THRESHOLD = 0.60
ERROR = 0.90


def check(case: Case) -> Iterator[Finding]:
    """A channel beyond the threshold."""
    rate = case.settings.disk.channel_rate
    if rate is not None:
        busy = case.outlook.resource("channel").utilization.mid
        source, key = "queueing network at the worst peak hour", "channel_rate"
    elif case.system_name == "notes31":
        limit = printed("notes31/channel_limits", "disk", "limit", "practical limit")
        busy = disk_volume_rate(case) / (limit.value * 1e3)
        source, key = f"disk volume over {limit.value:g} KB/s: {limit.source}", "drives"
    else:
        raise NothingToGoBy("disk.channel_rate is not given", evidence=True)
    if busy < THRESHOLD:
        return
    yield Finding(
        level="error" if busy >= ERROR else "warning",
        state="problem" if case.outlook.bottleneck == "channel" else "symptom",
        message=f"the disk channel carries {percent(busy)} of its rate at the peak: more drives "
        "behind it would not help",
        key=("disk", key),
        evidence=(
            Evidence(
                "share of the disk channel", busy * 100, "%", "computed", source, THRESHOLD * 100
            ),
        ),
        options=()
        if rate is None
        else (
            Option(
                Change(
                    f"use a channel of {2 * rate / 1e6:g} MB/s",
                    ((("disk", "channel_rate"), f"{2 * rate / 1e6!r} MB/s"),),
                ),
                sources=("queueing network with a channel of twice the rate",),
                effort="part",
                side_effects=("a faster controller, or a second one with half of the drives",),
                valid="operations spread evenly over the channels",
            ),
        ),
    )


RULE = Rule.of(__name__, "the disk channel is not near its limit", __doc__, check)
