"""When rules speak, how gravely, and why some cannot judge: the rows of `judgements.toml`."""

import pytest

from advisor.rule_support.rule import NothingToGoBy
from tests.advisor.cases import above, ask, below, case_with
from tests.advisor.configurations import measured, quiet
from tests.advisor.speaking import TABLE, configuration_of, ten_drives

#: Of each rule and resource, the levels that begin at a utilization, with a server to ask it of.
LEVELS = [
    ("CAP001", quiet(), name, {0.80: "warning", 0.95: "error"}) for name in ("cpu", "disk", "lan")
] + [
    ("CPU001", measured(), "cpu", {0.60: "warning"}),
    ("CPU002", quiet(), "cpu", {0.60: "warning"}),
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


ROWS = [(code, row) for code, rows in TABLE.items() for row in rows]


def settings_of(option):
    return {".".join(map(str, key)): value for key, value in option.change.settings}


def shown(finding, row):
    """Of a finding, what a row says something of."""
    evidence, options = finding.evidence, finding.options
    every = {
        "key": lambda: ".".join(map(str, finding.key)),
        "state": lambda: finding.state,
        "offers": lambda: [settings_of(option) for option in options],
        "first": lambda: [o.change.settings[0][1] for o in options][: len(row["first"])],
        "titles": lambda: [option.change.title for option in options],
        "evidence": lambda: pytest.approx([each.value for each in evidence]),
        "measured": lambda: pytest.approx([e.value for e in evidence if e.how == "measured"]),
        "threshold": lambda: pytest.approx(evidence[0].threshold),
    }
    return {name: show() for name, show in every.items() if name in row}


@pytest.mark.parametrize(
    ("code", "row"), ROWS, ids=[f"{code}-{i}" for i, (code, _) in enumerate(ROWS)]
)
def test_a_rule_judges_as_the_table_says(code, row):
    configuration = configuration_of(row)
    busy = {
        name: below(float(at.split()[1])) if isinstance(at, str) else at
        for name, at in row.get("busy", {}).items()
    }
    try:
        found = ask(code, case_with(configuration, **busy) if busy else configuration)
    except NothingToGoBy as nothing:
        found, judged, texts = [], nothing.state, [str(nothing)]
    else:
        judged = "; ".join(finding.level for finding in found) or "silent"
        texts = [finding.message for finding in found]
    assert judged == row["expect"], texts
    assert all(row.get("says", "") in text for text in texts), texts
    assert not any(row["lacks"] in text for text in texts if "lacks" in row), texts
    for finding in found:
        assert shown(finding, row) == {name: row[name] for name in shown(finding, row)}
        for option in finding.options if "ends" in row else ():
            assert ask(code, option.change.apply(configuration)) == []
