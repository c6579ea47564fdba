"""The check of CTL003, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change
from advisor.findings.records import Finding, Option
from advisor.findings.words import percent
from advisor.rule_support.evidence import disk_volume_rate, percentage, printed
from advisor.rule_support.rule import Case, NothingToGoBy

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
        evidence=(percentage("share of the disk channel", busy, THRESHOLD, source),),
        options=()
        if rate is None
        else (
            Option(
                Change.of(
                    f"use a channel of {2 * rate / 1e6:g} MB/s",
                    "disk.channel_rate",
                    f"{2 * rate / 1e6!r} MB/s",
                ),
                sources=("queueing network with a channel of twice the rate",),
                effort="part",
                side_effects=("a faster controller, or a second one with half of the drives",),
                valid="operations spread evenly over the channels",
            ),
        ),
    )
