"""The check of CTL003, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.findings.records import Finding
from advisor.findings.words import percent
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import AT_PEAK, disk_volume_rate, percentage, printed
from advisor.rule_support.rule import Case, NothingToGoBy

CARD = card_of(__file__)
THRESHOLD = 0.60
ERROR = 0.90


def check(case: Case) -> Iterator[Finding]:
    """A channel beyond the threshold."""
    rate = case.settings.disk.channel_rate
    if rate is not None:
        busy = case.outlook.resource("channel").utilization.mid
        source, key = AT_PEAK, "channel_rate"
    elif case.system_name == "notes31":
        limit = printed("notes31/channel_limits", "disk", "limit", "practical limit")
        busy = disk_volume_rate(case) / (limit.value * 1e3)
        source, key = f"disk volume over {limit.value:g} KB/s: {limit.source}", "drives"
    else:
        raise NothingToGoBy("disk.channel_rate is not given", evidence=True)
    if busy < THRESHOLD:
        return
    faster = 2 * (rate or 0.0) / 1e6
    yield CARD.finding(
        "nearly_full", percentage("share of the disk channel", busy, THRESHOLD, source),
        level="error" if busy >= ERROR else "warning",
        state="problem" if case.outlook.bottleneck == "channel" else "symptom", key=("disk", key),
        options=[CARD.option("faster", f"{faster!r} MB/s", faster=faster)] if rate else (),
        busy=percent(busy),
    )  # fmt: skip
