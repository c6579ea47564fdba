"""LAN001 channel-share

What it does
    Where the busiest LAN segment carries 60 % or more of its usable rate at the peak, offers
    another segment and the next Ethernet rate.
Why it matters
    Shared Ethernet loses capacity to collisions before its nominal rate: about 70 % carries
    traffic. Near that point every transfer waits for others.
Threshold
    60 % of the usable rate (so 42 % of the nominal rate on shared Ethernet); 90 % is an error.
    Planners' conventions; the usable share, 70 % or 875 KB/s at 10 Mb/s, is the 1995 TechNote's
    (Chapter 3, Axis Scales).
Example
    segment at 71 % of its usable 875 KB/s: two segments instead of one.
Limits
    Users are taken as spread evenly over the segments; bursts shorter than a run are not seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.advice import Evidence, Finding, Option
from advisor.case import Case
from advisor.changes import Change
from advisor.rule import Rule
from advisor.words import percent
from calibration.measured.table import load_table
from qmodel.devices.lan import ETHERNET_RATES

THRESHOLD = 0.60


def check(case: Case) -> Iterator[Finding]:
    """A segment beyond the threshold."""
    busy = case.outlook.resource("lan").utilization.mid
    if busy < THRESHOLD:
        return
    lan = case.settings.lan
    options = [
        Option(
            Change(
                f"split the LAN into {lan.segments + 1} segments",
                ((("lan", "segments"), lan.segments + 1),),
            ),
            sources=(_measured(),),
            effort="part",
            side_effects=("one more network controller in the server",),
            valid="users spread evenly over the segments",
        )
    ]
    faster = [rate for rate in ETHERNET_RATES if rate > lan.rate]
    if faster:
        options.append(
            Option(
                Change(
                    f"use Ethernet of {faster[0] / 1e6:g} Mb/s",
                    ((("lan", "rate"), f"{faster[0] / 1e6:g} Mb/s"),),
                ),
                sources=(_measured(),),
                effort="part",
                side_effects=("controllers and cabling of every workstation on the segment",),
            )
        )
    yield Finding(
        level="warning" if busy < 0.9 else "error",
        state="problem" if case.outlook.bottleneck == "lan" else "symptom",
        message=f"the busiest LAN segment carries {percent(busy)} of its usable rate at the peak",
        key=("lan", "rate"),
        evidence=(
            Evidence(
                "share of the usable LAN rate",
                busy * 100,
                "%",
                "computed",
                "queueing network at the worst peak hour",
                THRESHOLD * 100,
            ),
        ),
        options=tuple(options),
    )


def _measured() -> str:
    table = load_table("notes31/channel_limits")
    return f"{table.cite('lan')}: {table.cell('lan', 'limit').text} KB/s of 10 Mb/s usable"


RULE = Rule("LAN001", "channel-share", "no LAN segment is near its limit", __doc__, check)
