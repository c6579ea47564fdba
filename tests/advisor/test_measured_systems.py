"""Every measured system has an example, and the advisor repeats what its source measured."""

import pytest

import advisor
from advisor.predicting.prediction import outlook
from calibration.systems import SYSTEM_NAMES
from tests.advisor.configurations import EXAMPLES


def configurations():
    for path in sorted(EXAMPLES.glob("*.toml")):
        if "[server]" in path.read_text(encoding="utf-8"):
            yield advisor.load_config(path)


def test_every_system_has_an_example():
    assert {c.settings.workload.system for c in configurations()} >= set(SYSTEM_NAMES)


def test_one_server_of_the_domino_pair_is_as_busy_as_measured():
    found = outlook(advisor.load_config(EXAMPLES / "domino85_cluster_mail.toml"))
    busy = found.resource("cpu").utilization
    assert busy.low < 0.395 < busy.high
    assert busy.mid == pytest.approx(0.395, rel=0.01)
    for users in found.classes:
        # Measured: 31 ms with and 30 ms without attachments stored once.
        assert users.response_time.low < 0.0305 < users.response_time.high
        assert users.response_time.mid == pytest.approx(0.0305, rel=0.04)
    # 12,819 transactions a minute, of one server or of the pair.
    rate = sum(users.throughput.mid for users in found.classes) * 60.0
    assert 0.5 * 12819 < rate < 12819
