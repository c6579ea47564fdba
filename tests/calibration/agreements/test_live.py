"""Recorded systems, their low loads fitted, the rest predicted by laws chosen without them."""

from dataclasses import replace
from functools import cache

import pytest

from calibration.agreements import live
from calibration.agreements.live import idling_of, judged, live_agreements, reached, weights_of
from calibration.agreements.live_corpus import AGAIN, LIVE
from calibration.agreements.live_corpus import recordings as read
from calibration.agreements.repetition import repeated
from calibration.agreements.universal_scalability import fitted_law
from calibration.fitting.calibrate import calibrate
from calibration.fitting.far_reach import WEIGHTS, short
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank
from calibration.predicting.prediction import predict
from calibration.recordings.user_table import parse_user_table
from qmodel.errors import InvalidInput
from tests.calibration.synthetic import runs, table

LOADS = (5, 10, 14, 18, 48, 80, 120)
PLAIN = replace(blank(("users",), ("cpu",), reference=80.0), demand=((0.005,),))
THINK = 0.395
FITTED = {}
recordings = cache(read)


def text_of(variants, seed=3):
    """One table of several variants: name, truth, servers, loads."""
    lines = []
    for name, true, servers, loads in variants:
        head, *rows = table(true, runs(loads, THINK, (servers,)), seed=seed, repeat=2).splitlines()
        lines = lines or [f"configuration,{head}"]
        lines += [f"{name},{row}" for row in rows]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A system whose second core comes, and one in a pool that is known and then smaller."""
    tmp_path = tmp_path_factory.mktemp("systems")
    delayed = replace(PLAIN, hidden_delay=(0.02,))
    pooled, smaller = (replace(delayed, pool=(float(n),)) for n in (16, 3))
    systems = {
        "plain": ([("one", PLAIN, 1, LOADS), ("two", PLAIN, 2, (40,))], "", '"servers:cpu" = 2'),
        "pooled": ([("one", pooled, 1, LOADS), ("two", smaller, 1, (40,))], '"pool" = 16',
                   '"pool" = 3'),
    }  # fmt: skip
    for name, (variants, known, change) in systems.items():
        (tmp_path / f"{name}.csv").write_text(text_of(variants))
        (tmp_path / f"{name}.toml").write_text(
            f'title = "{name}"\n[known]\n{known}\n[causes]\ntwo = "no reason"\n'
            '[[variant]]\nname = "one"\nsays = "one"\n'
            f'[[variant]]\nname = "two"\nsays = "two"\nchange = {{ {change} }}\n'
        )
    return tmp_path


def test_a_recording_knows_its_levels_and_where_it_saturates(folder):
    plain, pooled = recordings(folder)
    earlier = recordings()[-1]
    levels = plain.levels(plain.variants[0])
    assert [level.users for level in levels] == [*LOADS]
    assert all(level.runs == 2 and level.errors["throughput"] > 0.0 for level in levels)
    assert plain.saturation == pytest.approx(78.0, rel=0.05)
    assert plain.fitted.values("population") == tuple(n for n in LOADS[:4] for _ in range(2))
    assert pooled.known == {"pool": 16}
    assert earlier.name == "postgresql_live"
    every = [each.system for each in recordings()]
    assert [len(recordings(LIVE / again)) for again in AGAIN] == [10, 10]
    assert {name: every.count(name) for name in every} == {
        **dict.fromkeys((each.name for each in recordings(LIVE)), 3), "postgresql_live": 1,
    }  # fmt: skip
    assert [level.users for level in earlier.levels(earlier.variants[0])][-2:] == [20, 40]


@pytest.fixture(autouse=True)
def fitted_once(monkeypatch):
    """Of the same table in the same way."""

    def remembered(table, **how):
        key = repr((table, how))
        return FITTED.get(key) or FITTED.setdefault(key, calibrate(table, **how))

    monkeypatch.setattr(live, "calibrate", remembered)


def test_levels_and_changes_are_predicted(folder):
    found = live_agreements(recordings(folder))
    every = [c for each in found for c in each.comparisons]
    assert {(c.subject, c.case) for c in every} == {
        ("one", "N = 48"), ("one", "N = 80"), ("one", "N = 120"), ("two", "N = 40"),
    }  # fmt: skip
    here = reached(every)
    assert (here.throughput, here.utilization) == (1.0, 1.0)
    assert (here.p95, here.p99) == (None, None)  # no percentiles there
    assert here.inside >= 0.8
    assert here.half_width < 0.25
    assert reached(every, "line").throughput < 1.0
    (pool,) = (c for c in found[1].comparisons if c.note and c.metric == "throughput")
    assert pool.published.value < 115.0  # three at once of some 26 ms each
    assert pool.error == pytest.approx(0.0, abs=0.05)
    assert pool.known_failure == "no reason"


def test_a_folder_without_recordings_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="no recordings"):
        recordings(tmp_path)


def test_a_limit_that_nobody_tells_is_not_predicted(folder):
    _, pooled = recordings(folder)
    blind = replace(pooled, variants=(pooled.variants[0], replace(pooled.variants[1], change={})))
    (time,) = (
        c for c in judged(blind, WEIGHTS).comparisons if c.note and c.metric == "response time"
    )
    assert not time.inside


def test_weights_lean_to_what_predicted_the_others():
    assert weights_of([]) == pytest.approx(WEIGHTS)
    found = weights_of([{"waking": 1.0}] * 4)
    assert found["waking"] == pytest.approx((WEIGHTS["waking"] + 1.0) / 2.0)
    assert sum(found.values()) == pytest.approx(sum(WEIGHTS.values()) / 2.0 + 0.5)


def test_gunthers_law_of_its_own_numbers():
    def law(n):
        return 10.0 * n / (1.0 + 0.02 * (n - 1) + 0.001 * n * (n - 1))

    found = fitted_law([1, 5, 10, 20], [law(n) for n in (1, 5, 10, 20)])
    assert found(60) == pytest.approx(law(60), rel=1e-9)


def low_loads(true, seed):
    return parse_user_table(table(true, runs(LOADS[:4], THINK, (1,)), seed=seed, repeat=3))


@pytest.mark.parametrize(
    "law",
    [{"waking": (0.1,)}, {"idling": (0.15,)}, {"coherency": (0.15,)}, {"hidden_queue": (0.003,)}],
)
def test_the_interval_at_saturation_holds_whatever_law_is_true(law):
    true = replace(PLAIN, **law)
    (answer,) = answers(true, runs([80], THINK, (1,)))
    found = calibrate(low_loads(true, 1), anyway=True)
    assert short(found.data)
    assert sum(model.weight for model in found.admissible) == pytest.approx(1.0)
    assert answer.throughput[0] in predict(found, 80)["throughput"]


def test_what_the_likelihood_alone_leaves_out_is_carried():
    """Waking that four low levels hardly show: it is there, and the interval is wider for it."""
    data = low_loads(replace(PLAIN, waking=(0.03,)), 1)
    carried, alone = calibrate(data), calibrate(data, weights={})
    assert {"waking", "product form", "pool"} <= {m.structure for m in carried.admissible}
    wide, narrow = (predict(each, 80)["throughput"] for each in (carried, alone))
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)
    pool = carried.smallest_pool
    assert pool is not None
    assert 1 <= pool <= 6
    assert alone.smallest_pool is None


def test_runs_up_to_saturation_need_no_carrying():
    text = table(PLAIN, runs((10, 20, 40, 60), THINK, (1,)), seed=2)
    found = calibrate(parse_user_table(text))
    assert not short(found.data)
    assert found.smallest_pool is None


def test_the_servers_that_were_recorded_have_levels_rounds_and_percentiles():
    found = recordings()
    assert len(found) == 31
    for each in found[:-1]:
        levels = each.levels(each.variants[0])
        assert len(levels) >= 8
        assert min(level.runs for level in levels) >= 3
        assert levels[-1].users > 0.95 * each.saturation > 2.0 * levels[3].users
        assert len(each.variants) >= 2
        assert set(each.fitted.values("population")) >= {5, 10, 15}
        p95, means = each.table.values("p95"), each.table.values("response_time")
        assert all(p95[i] > means[i] for i in range(len(means)))


def test_the_cost_of_idling_is_seen_in_all_of_them():
    powers = [idling_of(each) for each in recordings()]
    assert all(0.05 < power < 0.5 for power in powers)


def test_a_run_is_as_near_as_the_others_of_its_level(folder):
    plain, *_ = recordings(folder)
    again = repeated([plain])  # no percentiles there
    assert again.keys() == {"throughput", "utilization"}
    assert again["throughput"] > 0.9
    every = repeated(recordings())
    assert every["throughput"] > 0.9
    assert 0.5 < every["p95"] < every["p99"] < 0.7
