"""When rules speak, how gravely, and why some cannot judge: what differs by a number or a word."""

import pytest

from tests.advisor.cases import above, ask, below, case_with, skipped
from tests.advisor.configurations import AS_TESTED, EXAMPLES, batch, example, measured, quiet
from tests.advisor.speaking import DOMINO_46, MAIL_85, NETBENCH, mail_85, ten_drives

#: Of each rule and resource, the levels that begin at a utilization, with a server to ask it of.
LEVELS = [
    ("CAP001", quiet(), name, {0.80: "warning", 0.95: "error"}) for name in ("cpu", "disk", "lan")
] + [
    ("CPU001", measured(), "cpu", {0.60: "warning"}),
    ("CPU002", quiet(), "cpu", {0.60: "warning"}),
    ("CTL002", quiet(disk={"raid": "raid5"}), "disk", {0.40: "note"}),
    ("CTL003", quiet(disk={"channel_rate": "1 MB/s"}), "channel", {0.60: "warning", 0.90: "error"}),
    ("DSK001", quiet(), "disk", {0.40: "warning", 0.80: "error"}),
    ("DSK002", ten_drives(), "disk", {0.40: "warning"}),
    ("LAN001", quiet(), "lan", {0.60: "warning", 0.90: "error"}),
    ("SOFT006", quiet(server={"encryption": 0.08}), "cpu", {above(0.60): "warning"}),
]


@pytest.mark.parametrize(("code", "configuration", "name", "levels"), LEVELS)
def test_levels_begin_at_their_utilization(code, configuration, name, levels):
    before = None
    for share, level in levels.items():
        for at, expected in ((below(share), before), (share, level), (share + 0.02, level)):
            found = ask(code, case_with(configuration, **{name: at}))
            assert [f.level for f in found] == ([expected] if expected else []), at
            assert code != "CAP001" or all(name in f.message for f in found)
        before = level


OTHER, MISSING = "not-applicable", "no-evidence"

#: Of each rule, a server it cannot judge, which state that is, and a part of the reason.
SKIPPED = [
    ("CAP002", quiet(workload={"arrival_rate": "0.1 /s"}), OTHER, "rate"),
    ("CPU001", quiet(user={"cpu": "8 s"}), MISSING, "no measured system"),
    ("CPU001", measured(server={"processor": None, "cpu_speed": 1.0}, workload={"users": 20}),
     MISSING, "server.processor"),
    ("CPU002", example(AS_TESTED), OTHER, "one processor"),
    ("CPU003", quiet(), OTHER, ""),
    ("CPU003", quiet(targets={"utilization": "80 %"}), OTHER, ""),
    ("CTL001", measured(), MISSING, "disk.controller"),
    ("CTL001", quiet(disk={"controller": "SMART"}), OTHER, "no measured system"),
    ("CTL001", example(MAIL_85, disk={"controller": "SMART"}), OTHER, "domino85"),
    ("CTL003", quiet(), MISSING, "disk.channel_rate"),
    ("DSK002", quiet(), MISSING, "further drive"),
    ("DSK002", example(AS_TESTED), MISSING, "further drive"),
    ("DSK003", quiet(), OTHER, ""),
    ("INP001", quiet(), OTHER, "gives the demands itself"),
    ("INP001", example(DOMINO_46), OTHER, "fitted"),
    ("INP002", quiet(), OTHER, ""),
    *[(code, configuration, OTHER, "") for code in ("INP004", "INP005")
      for configuration in (quiet(), measured())],
    ("MEM001", quiet(), MISSING, "no measured system"),
    ("MEM001", measured(server={"memory": None}), MISSING, "server.memory"),
    ("MEM001", example(EXAMPLES / "domino5_raid.toml"), MISSING,
     "domino5_raid names no memory need"),
    ("MEM002", quiet(server={"memory": "1 MB"}), OTHER, ""),
    ("MEM002", example(NETBENCH), MISSING, ""),
    ("MEM003", quiet(), OTHER, ""),
    ("MEM004", example(DOMINO_46, batch=[]), OTHER, "rebuilds"),
    ("MEM004", measured(), OTHER, "notes31"),
    ("MEM004", quiet(), OTHER, "no measured system"),
    ("SCH001", quiet(), OTHER, "no batch tasks"),
    ("SCH002", quiet(), OTHER, ""),
    ("SCH002", quiet(batch=[batch(cpu="20 s")]), OTHER, ""),
    ("SCH002", quiet(batch=[batch(window=("22:00", "06:00"), cpu="20 s", pause="60 s")]),
     OTHER, ""),
    ("SCH003", quiet(), OTHER, "no measured system"),
    ("SCH003", measured(), OTHER, "no class of users"),
    *[(f"SET00{n}", quiet(), OTHER, "no measured system") for n in range(1, 8)],
    *[(f"SET00{n}", measured(), MISSING, "software.") for n in range(1, 5)],
    ("SET005", example(DOMINO_46), MISSING, "software."),
    ("SET006", example(NETBENCH), MISSING, "software."),
    ("SET007", mail_85(), MISSING, "software."),
    ("SOFT005", mail_85(classes={"mail_release_80": 1.0}), OTHER, "beside local replicas"),
    ("SOFT005", mail_85(3000, {"mail": 0.2, "mail_local_replica": 0.8}), OTHER, "all would move"),
    ("SOFT006", quiet(), OTHER, ""),
    ("STR001", quiet(disk={"stripe": "4 KB"}), MISSING, "grows with the block"),
    ("TGT001", quiet(), OTHER, "no targets"),
    ("TGT001", quiet(targets={}), OTHER, "no targets"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "configuration", "state", "word"), SKIPPED)
def test_a_rule_that_cannot_judge_says_why(code, configuration, state, word):
    found, reason = skipped(code, configuration)
    assert (found, word in reason) == (state, True), reason
