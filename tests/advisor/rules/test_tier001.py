"""TIER001: more cores for a tier of several machines that were measured together."""

import shutil

import pytest

from advisor import load_config
from advisor.engine import review
from advisor.forecasting.forecast import growth
from advisor.forecasting.user_growth import stated_growth
from qmodel.errors import FileError
from tests.advisor.cases import ask, skipped
from tests.advisor.configurations import EXAMPLES, quiet

EXAMPLE = EXAMPLES / "web_and_db.toml"


def test_busy_tiers_get_the_fewest_cores_that_are_enough():
    configuration = load_config(EXAMPLE)
    _, database = ask("TIER001", configuration)
    assert database.options[0].change.title == "use 20 cores at db-cpu instead of 16"
    assert ask("TIER001", configuration.with_users(100)) == []
    steps = review(configuration).plan.steps
    assert [step.advice.option.change.settings[0][1] for step in steps] == [16, 20]  # as size
    assert steps[0].advice.option.change.diff(configuration.data)[0][0] == "tier.web-cpu.cores"
    every, *_ = growth(configuration, stated_growth("3%/month")).upgrades
    assert (len(every.settings), every.bought.low > 1.0) == (2, True)


def test_other_tiers_are_refused(tmp_path):
    assert skipped("TIER001", quiet()) == ("not-applicable", "no [[tier]] is given")
    shutil.copytree(EXAMPLES / "calibrated", tmp_path / "calibrated")
    wrong = EXAMPLE.read_text(encoding="utf-8").replace("web-cpu", "webcpu")
    (tmp_path / "c.toml").write_text(wrong, encoding="utf-8")
    with pytest.raises(FileError, match=r'no station of .*; did you mean "web-cpu"'):
        review(load_config(tmp_path / "c.toml"))
    wrong = EXAMPLE.read_text(encoding="utf-8").replace(
        "[workload]", "[server]\ncores = 8\n[workload]"
    )
    (tmp_path / "c.toml").write_text(wrong, encoding="utf-8")
    with pytest.raises(FileError, match="the calibration has tiers db-cpu and web-cpu"):
        review(load_config(tmp_path / "c.toml"))
    with pytest.raises(FileError, match=r"is not given; see \[\[machine\]\]"):
        review(quiet(tier=[{"name": "web-cpu", "cores": 2}]))
