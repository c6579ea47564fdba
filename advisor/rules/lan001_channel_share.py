"""The check of LAN001, whose words are the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Settings
from advisor.configuration.schema import Lan
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.predicting.hardware import SHARED_USABLE, hardware_of, shared_usable
from advisor.rule_support.card import card_of
from advisor.rule_support.evidence import busy_evidence, lan_volume_rate, percentage, printed
from advisor.rule_support.rule import Case
from calibration.printed_tables.table import load_table
from qmodel.devices.lan import ETHERNET_RATES, SWITCHED_FROM
from qmodel.documents.units import show_quantity

CARD = card_of(__file__)
THRESHOLD = 0.60
CLIENTS = "groupwise52/table_3"


def check(case: Case) -> Iterator[Finding]:
    """A segment beyond the threshold."""
    busy = case.outlook.resource("lan").utilization.mid
    if busy < THRESHOLD:
        return
    lan = case.settings.lan
    lines = 2.0 if hardware_of(case.configuration).lan.full_duplex else 1.0
    nominal = lan_volume_rate(case) * 8.0 / (lines * lan.rate * lan.segments)
    source = "throughput times the LAN volume of an interaction, over all segments, in and out"
    yield CARD.finding(
        "nearly_full", busy_evidence(case, "lan", THRESHOLD),
        percentage("share of the nominal LAN rate", nominal, source=source),
        *(_limits() if case.of_a_paper else ()), level="warning" if busy < 0.9 else "error",
        state="problem" if case.outlook.bottleneck == "lan" else "symptom",
        options=_options(case, lan), busy=percent(busy), nominal=percent(nominal),
        followed=_followed(case),
    )  # fmt: skip


def _options(case: Case, lan: Lan) -> Iterator[Option]:
    """A segment more, a switch for a hub, and the next Ethernet rate."""
    measured, faster_measured, clients = _sources(case)
    more = lan.segments + 1
    yield CARD.option("split", more, segments=more, measured=measured)
    if _shared(lan):
        settings: Settings = ((("lan", "medium"), "switched"), (("lan", "duplex"), "half"))
        if lan.usable_share is not None:
            settings = (*settings, (("lan", "usable_share"), 1.0))
        yield CARD.option("switch", settings=settings, clients=clients)
    faster = [rate for rate in ETHERNET_RATES if rate > lan.rate]
    if faster:
        rate = show_quantity(faster[0], "bit rate")
        written = f"{faster[0] / 1e6:g} Mb/s"
        yield CARD.option("faster", written, rate=rate, faster=faster_measured, measured=measured)


def _limits() -> tuple[Evidence, ...]:
    """What the papers say that a shared segment carries."""
    steady = "sustained share of the nominal rate that the paper calls saturation"
    return (
        printed("notes31/channel_limits", "lan", "limit", "usable rate of 10 Mb/s"),
        printed("groupwise52/claims", "network_saturation_share", "value", steady),
        printed(CLIENTS, "10_10", "throughput", "measured at 10 Mb/s, 10 clients"),
        printed(CLIENTS, "100_10", "throughput", "measured at 100 Mb/s, 10 clients"),
    )


def _shared(lan: Lan) -> bool:
    return lan.medium == "shared" or (lan.medium is None and lan.rate < SWITCHED_FROM)


def _followed(case: Case) -> str:
    """Which of the papers' limits is followed."""
    lan = case.settings.lan
    if not case.of_a_paper or not _shared(lan):
        return ""
    usable, why = lan.usable_share, "as lan.usable_share says"
    if usable is None:
        usable = shared_usable(case.settings.workload.system)
        why = "for frames of all lengths" if usable == SHARED_USABLE else "for its full frames"
    return f"; of the papers' limits, 50, 70 and 93 %, {percent(usable)} is used, {why}"


def _sources(case: Case) -> tuple[str, str, str]:
    """What was measured of a segment, of a faster one, and the clients that it was measured with.

    Empty but for the law where the load is of no paper.
    """
    if not case.of_a_paper:
        return "throughput law: what a segment carries over its usable rate", "", ""
    table, limits = load_table(CLIENTS), load_table("notes31/channel_limits")
    slow, fast = (table.cell(row, "throughput").text for row in ("10_10", "100_10"))
    return (
        f"{limits.cite('lan')}: {limits.cell('lan', 'limit').text} KB/s of 10 Mb/s usable",
        f"{table.cite('100_10')}: {fast} Mb/s against {slow} with 10 clients",
        table.cite(),
    )
