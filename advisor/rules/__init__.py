"""The rules, one a file; a new one is a file and a line here."""

from __future__ import annotations

from advisor.rule import Rule
from advisor.rules import (
    cap001_saturated_station,
    cpu001_faster_processor,
    dsk001_spindles,
    lan001_channel_share,
    mem001_documented_need,
    raid001_level_for_workload,
    sch001_batch_at_peak,
    tgt001_missed_target,
)

RULES: tuple[Rule, ...] = (
    cap001_saturated_station.RULE,
    cpu001_faster_processor.RULE,
    dsk001_spindles.RULE,
    lan001_channel_share.RULE,
    mem001_documented_need.RULE,
    raid001_level_for_workload.RULE,
    sch001_batch_at_peak.RULE,
    tgt001_missed_target.RULE,
)
