"""The check of LAN001, whose manual is the card beside it."""

from collections.abc import Iterator

from advisor.configuration.changes import Change, Settings
from advisor.configuration.schema import Lan
from advisor.findings.records import Evidence, Finding, Option
from advisor.findings.words import percent
from advisor.predicting.hardware import SHARED_USABLE, shared_usable
from advisor.rule_support.evidence import busy_evidence, lan_volume_rate, percentage, printed
from advisor.rule_support.rule import Case
from calibration.printed_tables.table import load_table
from qmodel.devices.lan import ETHERNET_RATES, SWITCHED_FROM
from qmodel.documents.units import show_quantity

THRESHOLD = 0.60
CLIENTS = "groupwise52/table_3"


def check(case: Case) -> Iterator[Finding]:
    """A segment beyond the threshold."""
    busy = case.outlook.resource("lan").utilization.mid
    if busy < THRESHOLD:
        return
    lan = case.settings.lan
    nominal = lan_volume_rate(case) * 8.0 / (lan.rate * lan.segments)
    options = [
        Option(
            Change.of(
                f"split the LAN into {lan.segments + 1} segments", "lan.segments", lan.segments + 1
            ),
            sources=_measured(case),
            effort="part",
            side_effects=("one more network controller in the server",),
            valid="users spread evenly over the segments",
        )
    ]
    if _shared(lan):
        options.append(_switch(case))
    faster = [rate for rate in ETHERNET_RATES if rate > lan.rate]
    if faster:
        options.append(
            Option(
                Change.of(
                    f"use Ethernet of {show_quantity(faster[0], 'bit rate')}",
                    "lan.rate",
                    f"{faster[0] / 1e6:g} Mb/s",
                ),
                sources=_faster_measured(case),
                effort="part",
                side_effects=(
                    "controllers and cabling of every workstation on the segment; behind a switch "
                    "the server's alone, workstations keep their rate (E-G97-09)",
                ),
                valid="workstations that have the faster rate as well",
            )
        )
    yield Finding(
        level="warning" if busy < 0.9 else "error",
        state="problem" if case.outlook.bottleneck == "lan" else "symptom",
        message=f"the busiest LAN segment carries {percent(busy)} of its usable rate at the peak, "
        f"{percent(nominal)} of the nominal one{_followed(case)}",
        key=("lan", "rate"),
        evidence=(
            busy_evidence(case, "lan", THRESHOLD),
            percentage(
                "share of the nominal LAN rate",
                nominal,
                source="throughput times the LAN volume of an interaction, over all segments",
            ),
            *(_limits() if case.of_a_paper else ()),
        ),
        options=tuple(options),
    )


def _limits() -> tuple[Evidence, ...]:
    """What the papers say that a shared segment carries."""
    return (
        printed("notes31/channel_limits", "lan", "limit", "usable rate of 10 Mb/s"),
        printed(
            "groupwise52/claims",
            "network_saturation_share",
            "value",
            "steady share of the nominal rate said to mean saturation",
        ),
        printed("groupwise52/table_3", "10_10", "throughput", "measured at 10 Mb/s, 10 clients"),
        printed("groupwise52/table_3", "100_10", "throughput", "measured at 100 Mb/s, 10 clients"),
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
    return f"; of the papers' limits, 50, 70 and 93 %, followed is {percent(usable)}, {why}"


def _switch(case: Case) -> Option:
    lan = case.settings.lan
    settings: Settings = ((("lan", "medium"), "switched"), (("lan", "duplex"), "half"))
    if lan.usable_share is not None:
        settings = (*settings, (("lan", "usable_share"), 1.0))
    return Option(
        Change("put a switch in the place of the hub", settings),
        sources=(
            *((load_table(CLIENTS).cite(),) if case.of_a_paper else ()),
            "CSMA/CD: R. M. Metcalfe and D. R. Boggs, CACM 19(7), 1976, section 6",
        ),
        effort="part",
        side_effects=("the server still has one port of the same rate: collisions end, no more",),
        valid="half duplex: which way the traffic goes was not measured",
    )


def _faster_measured(case: Case) -> tuple[str, ...]:
    if not case.of_a_paper:
        return _measured(case)
    table = load_table(CLIENTS)
    slow, fast = (table.cell(row, "throughput").text for row in ("10_10", "100_10"))
    faster = f"{table.cite('100_10')}: {fast} Mb/s against {slow} with 10 clients"
    return (faster, *_measured(case))


def _measured(case: Case) -> tuple[str, ...]:
    if not case.of_a_paper:
        return ("throughput law: what a segment carries over its usable rate",)
    table = load_table("notes31/channel_limits")
    return (f"{table.cite('lan')}: {table.cell('lan', 'limit').text} KB/s of 10 Mb/s usable",)
