"""Calibrations of tables whose truth is known, and of tables that cannot be calibrated."""

import random
from dataclasses import replace

import pytest

from calibration.estimation.data import ONE_RUN, UNSTATED, Conditions
from calibration.estimation.fit import NotCalibratable
from calibration.fitting.calibrate import calibrate
from calibration.model_evaluation.answers import answers
from calibration.model_evaluation.model import blank
from calibration.predicting.prediction import predict_all
from calibration.printed_tables.table import load_table
from calibration.recordings.user_table import parse_user_table
from calibration.structures import STRUCTURES
from tests.calibration.synthetic import model, runs, table
from tests.tables import asked, rows

BY_NAME = {s.name: s for s in STRUCTURES}

#: Each structure with a value that the table shows clearly: model, name of the fit, parameter.
TRUTHS = {name: asked(text, globals()) for name, text in rows(__file__, "truths")}


def calibrated(text, **options):
    return calibrate(parse_user_table(text), **options)


@pytest.mark.parametrize("structure", TRUTHS)
def test_each_structure_is_found_where_it_is_true(structure):
    changes, name, parameter, value = TRUTHS[structure]
    text = table(model(**changes), runs(), digits=7)
    found = calibrated(text, candidates=[BY_NAME["product form"], BY_NAME[structure]])
    assert found.best.name == name
    assert found.best.structure == structure
    assert found.best.value(parameter) == pytest.approx(value, rel=2e-3)
    assert found.best.error < 1e-4
    assert not found.model("product form").admissible
    # Background stays out of the demand; growth and scale leave the demand a monitor shows.
    assert found.best.value("demand of cpu") == pytest.approx(0.2, rel=3e-3)


@pytest.mark.parametrize("law", ["waking", "coherency"])
def test_demands_that_vary_with_load_are_found(law):
    """Below saturation a straight line: the same at each load, whatever saturation is taken for."""
    true = replace(model(**{law: (0.5, 0.0)}), reference=16.0)
    text = table(true, runs((2, 4, 6, 8, 10, 12)), digits=7)
    found = calibrated(text, candidates=[BY_NAME["product form"], BY_NAME[law]])
    assert found.best.name == f"{law} of cpu"
    for users in (2, 12):
        demand = found.service(found.best).demand_at(users)[0][0]
        assert demand == pytest.approx(true.demand_at(users)[0][0], rel=2e-3)


def test_product_form_needs_nothing_else():
    found = calibrated(table(model(), runs(), seed=5))
    plain = found.model("product form")
    assert plain.admissible
    for i, truth in enumerate((0.2, 0.1)):
        low, high = plain.interval(i, 3.0)
        assert low < truth < high
    assert 0.3 < found.widening < 1.5


def test_parameters_are_ordinary_weighted_least_squares():
    """One station, throughput known exactly by N and Z at one user: D = R, a weighted mean."""
    lines = "population,think_time [s],response_time [s],cpu\n1,2,0.500,20.0\n1,2,0.510,20.4\n"
    found = calibrated(lines, candidates=[BY_NAME["product form"]])
    (demand,) = found.best.values
    # The utilization is D / (D + Z).
    numbers = [d.measurement for d in found.data.numbers]
    step = 1e-6

    def chi(d):
        said = [d if n.value > 0.4 else d / (d + 2.0) for n in numbers]
        return sum(((n.value - s) / n.standard_deviation) ** 2 for n, s in zip(numbers, said))

    assert (chi(demand + step) - chi(demand - step)) / (2 * step) == pytest.approx(0.0, abs=0.05)
    curvature = (chi(demand + step) + chi(demand - step) - 2 * chi(demand)) / step**2
    error = (2.0 / curvature) ** 0.5 * found.widening
    assert found.best.standard_errors[0] == pytest.approx(error, rel=0.02)


def test_the_noise_is_estimated_from_the_scatter():
    """Twice the noise that an estimate begins with, and a third of it."""
    for factor in (2.0, 1.0 / 3.0):
        text = table(model(), runs(range(2, 40, 2)), seed=11, noise=UNSTATED.scaled(factor))
        assert calibrated(text, candidates=SOME[:1]).widening == pytest.approx(factor, rel=0.25)


def test_repeated_runs_say_the_noise():
    text = table(model(), runs((2, 8, 20)), seed=11, noise=UNSTATED.scaled(2.0), repeat=6)
    noise = calibrated(text, candidates=SOME[:1]).data.noise
    assert noise.throughput == pytest.approx(0.03, rel=0.4)
    head, *rows = table(model(), runs((2, 8, 20)), seed=11).splitlines()
    assert calibrated("\n".join([head, *rows * 3]), candidates=SOME[:1]).data.noise == UNSTATED


def test_the_think_time_is_fitted_where_nobody_states_it():
    text = "\n".join(
        ",".join(cell for i, cell in enumerate(line.split(",")) if i != 1)
        for line in table(model(), runs()).splitlines()
    )
    found = calibrated(text, candidates=[BY_NAME["product form"]])
    assert found.best.value("think time") == pytest.approx(3.0, rel=1e-3)


def test_several_classes_counted_class_by_class():
    true = replace(blank(("edit", "search"), ("cpu", "disk")), demand=((0.2, 0.05), (0.4, 0.3)))
    conditions = [
        Conditions("", pair, None, (5.0, 8.0), (1, 1)) for pair in ((2, 1), (5, 2), (3, 4))
    ]
    lines = [
        "population:edit,population:search,think_time:edit [s],think_time:search [s],"
        "throughput:edit [1/s],throughput:search [1/s],cpu,utilization:disk [%]"
    ]
    for run, answer in zip(conditions, answers(true, conditions)):
        cells = [*run.population, 5, 8, *answer.throughput, *(u * 100 for u in answer.utilization)]
        lines.append(",".join(f"{cell:.7g}" for cell in cells))
    found = calibrated("\n".join(lines), candidates=[BY_NAME["product form"]])
    names = [p.name for p in found.best.parameters]
    assert dict(zip(names, found.best.values)) == pytest.approx(
        {
            "demand of cpu (edit)": 0.2, "demand of disk (edit)": 0.05,
            "demand of cpu (search)": 0.4, "demand of disk (search)": 0.3,
        },
        rel=1e-3,
    )  # fmt: skip


def test_shares_of_classes_are_populations():
    text = (
        "population,share:search [%],think_time [s],throughput [1/s],cpu\n"
        "10,20,5,1.812,43.8\n10,40,5,1.773,46.5\n12,25,5,2.136,53.1\n20,25,5,3.367,81.7\n"
    )
    found = calibrated(text, candidates=[BY_NAME["product form"]])
    assert found.data.classes == ("others", "search")
    assert [run.population for run in found.data.runs] == [(6, 4), (8, 2), (9, 3), (15, 5)]


def test_a_station_that_background_work_alone_keeps_busy_has_no_demand():
    true = replace(model(background=(0.0, 0.1)), demand=((0.2, 0.0),))
    some = [BY_NAME[name] for name in ("product form", "background load")]
    found = calibrated(table(true, runs(), seed=4), candidates=some, anyway=True)
    assert [p.name for p in found.best.parameters] == ["demand of cpu", "background load of disk"]
    assert found.best.value("background load of disk") == pytest.approx(0.1, rel=0.02)
    (said,) = predict_all(found, [40])
    assert said["response_time"].high < 1.2 * said["response_time"].mid


def test_throughput_alone_is_a_regression():
    text = "throughput [1/s],cpu\n1.000,15.0\n2.000,25.0\n3.000,35.0\n4.000,45.0\n"
    found = calibrated(text, candidates=[BY_NAME["product form"], BY_NAME["background load"]])
    assert found.best.name == "background load at cpu"
    assert found.best.value("background load of cpu") == pytest.approx(0.05, abs=1e-3)
    assert found.best.value("demand of cpu") == pytest.approx(0.10, abs=1e-3)
    assert any("background load" in each for each in found.contradictions)


def test_volumes_are_parameters_of_their_own():
    text = "users,think_time [s],throughput [1/s],volume:lan [KB/s],cpu\n"
    text += "1,2,0.4,40,20.0\n4,2,1.3786,138,68.93\n8,2,1.9392,194,96.96\n"
    found = calibrated(text, candidates=[BY_NAME["product form"]])
    assert found.best.value("volume of lan") == pytest.approx(1e5, rel=0.01)


def test_a_pair_is_tried_where_no_single_structure_fits():
    true = model(hidden_delay=(0.6,), background=(0.2, 0.0))
    found = calibrated(
        table(true, runs(), digits=6),
        candidates=[BY_NAME[n] for n in ("product form", "hidden delay", "background load")],
    )
    assert set(found.best.name.split(" and ")) == {"hidden delay", "background load at cpu"}
    assert found.best.value("hidden delay") == pytest.approx(0.6, rel=1e-2)
    assert found.best.value("background load of cpu") == pytest.approx(0.2, rel=1e-2)


NOISY = table(model(hidden_delay=(0.4,)), runs(), seed=3)
SOME = [BY_NAME[n] for n in ("product form", "hidden delay", "hidden queue")]


def test_permuted_rows_change_nothing():
    header, *rows = NOISY.splitlines()
    first = calibrated(NOISY, candidates=SOME)
    random.Random(1).shuffle(rows)
    second = calibrated("\n".join([header, *rows]), candidates=SOME)
    assert [m.name for m in first.models] == [m.name for m in second.models]
    for a, b in zip(first.models, second.models):
        assert (a.values, a.covariance, a.weight) == (b.values, b.covariance, b.weight)


def test_other_units_change_nothing():
    header, *rows = NOISY.splitlines()
    names = header.replace("throughput [1/s]", "throughput [1/min]")
    names = names.replace("response_time [s]", "response_time [ms]")
    names = names.replace("cpu [%]", "cpu [1]")
    changed = []
    for row in rows:
        cells = row.split(",")
        # Shifted points keep the print rounding; a factor of 60 does not, and hardly counts.
        cells[2] = f"{float(cells[2]) * 60:.6g}"
        cells[3] = f"{float(cells[3]) * 1000:.5g}"
        cells[4] = f"{float(cells[4]) / 100:.7g}"
        changed.append(",".join(cells))
    first = calibrated(NOISY, candidates=SOME)
    second = calibrated("\n".join([names, *changed]), candidates=SOME)
    assert [m.name for m in first.admissible] == [m.name for m in second.admissible]
    for a in first.admissible:
        b = second.model(a.name)
        assert a.values == pytest.approx(b.values, rel=1e-5)
        assert a.standard_errors == pytest.approx(b.standard_errors, rel=1e-4)


def test_a_row_printed_twice_counts_once():
    header, *rows = NOISY.splitlines()
    first = calibrated(NOISY, candidates=SOME)
    second = calibrated("\n".join([header, *rows, rows[2], rows[0]]), candidates=SOME)
    assert first.models == second.models
    assert any("2 row(s) are exact copies" in note for note in second.data.notes)


def test_replicates_that_differ_count_twice():
    first = calibrated(NOISY, candidates=SOME, noise=ONE_RUN)
    more = table(model(hidden_delay=(0.4,)), runs(), seed=3, repeat=4)
    second = calibrated(more, candidates=SOME, noise=ONE_RUN)
    i = [p.name for p in first.best.parameters].index("demand of cpu")
    assert second.best.standard_errors[i] == pytest.approx(
        first.best.standard_errors[i] / 2.0, rel=0.1
    )


def test_more_noise_widens_the_interval():
    first = calibrated(NOISY, candidates=SOME[:2], noise=ONE_RUN)
    second = calibrated(NOISY, candidates=SOME[:2], noise=ONE_RUN.scaled(3.0))
    for a, b in zip(first.model("hidden delay").standard_errors,
                    second.model("hidden delay").standard_errors):  # fmt: skip
        assert b == pytest.approx(3.0 * a, rel=0.15)


def test_structures_that_the_data_cannot_tell_apart_are_named():
    """At one load, a delay, a scale factor and variable service do the same."""
    found = calibrated(table(model(hidden_delay=(0.5,)), runs([12]), repeat=2, digits=4, seed=2))
    names = {m.structure for m in found.admissible}
    assert {"hidden delay", "scale factor"} <= names
    apart = [u for u in found.unknown if "fit equally:" in u.reason]
    assert apart
    assert all("measure " in u.measure or "nothing" in u.measure for u in apart)
    assert ("hidden queue", "at one load a hidden queue is a hidden delay; "
            "measure another population") in found.refused  # fmt: skip


def test_confounded_parameters_are_named_with_the_measurement_that_would_tell():
    """Utilizations alone know ratios of times; nothing says how long a second is."""
    with pytest.raises(NotCalibratable, match="demand of cpu and think time are confounded; "
                       "measure response time"):  # fmt: skip
        calibrated("users,cpu\n1,10\n2,19\n4,36\n8,60\n")


def test_an_unknown_that_is_measured_is_no_longer_unknown():
    """The remedy that a calibration names is one that works."""
    with pytest.raises(NotCalibratable):
        calibrated("users,cpu\n1,20.0\n4,68.9\n8,97.0\n16,99.99\n", candidates=SOME[:1])
    found = calibrated(
        "users,cpu,response_time [s]\n1,20.0,0.500\n4,68.9,0.901\n8,97.0,2.125\n16,99.99,\n",
        candidates=SOME[:1],
    )
    assert found.best.value("think time") == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize(("text", "words"), rows(__file__, "what_cannot_be_calibrated_says_why"))
def test_what_cannot_be_calibrated_says_why(text, words):
    with pytest.raises(NotCalibratable, match=words):
        calibrated(text)


def test_one_configuration_can_be_chosen():
    text = (
        "configuration,users,think_time [s],throughput [1/s],cpu\n"
        "a,1,2,0.4,20\na,4,2,1.379,68.9\nb,1,2,0.4,10\n"
    )
    found = calibrated(text, configuration="a", candidates=SOME[:1])
    assert len(found.data.runs) == 2
    with pytest.raises(NotCalibratable, match="no row of configuration 'c'; there is a, b"):
        calibrated(text, configuration="c")


def test_at_most_one_parameter_for_two_numbers():
    found = calibrated("users,think_time [s],throughput [1/s],cpu\n1,2,0.4,20\n")
    assert [m.name for m in found.models] == ["product form"]
    assert all("2 parameters need at least 4" in why or "measure" in why
               for _, why in found.refused)  # fmt: skip
    assert len(found.refused) >= 4


DOUBTFUL = "\n".join(
    line if not line.startswith("24,") else line.replace(line.split(",")[4], "55")
    for line in table(model(), runs(), digits=4).splitlines()
)


def test_a_table_that_contradicts_itself_is_refused_or_named():
    with pytest.raises(NotCalibratable, match="cpu utilization is 55 %, but the other 5 runs"):
        calibrated(DOUBTFUL, candidates=SOME)
    found = calibrated(DOUBTFUL, anyway=True, candidates=SOME)
    assert any("utilization law" in each for each in found.contradictions)
    assert found.widening > 1.0


def test_a_contradiction_that_a_structure_explains_is_named_and_explained():
    found = calibrated(table(model(background=(0.2, 0.0)), runs(), digits=6))
    assert found.widening < 0.5
    assert found.best.name == "background load at cpu"
    assert found.contradictions
    assert all("explained by the model 'background load at cpu'" in c for c in found.contradictions)


def test_a_shipped_table_can_be_calibrated():
    """One task of 1995: the client's time is a hidden delay, since completion times include it."""
    found = calibrate(load_table("notes31/table_4_2"))
    delay = found.model("hidden delay")
    assert found.data.whole_cycle
    assert delay.admissible
    assert delay.value("demand of cpu") == pytest.approx(66.0, rel=0.05)
    assert 1000.0 < delay.value("hidden delay") < 1500.0


def test_stations_whose_servers_nobody_counts_are_noted():
    rows = "1,2,0.400,20.0{0}\n4,2,1.379,68.9{0}\n8,2,1.939,97.0{0}\n"
    head = "users,think_time [s],throughput [1/s],cpu"
    some = [BY_NAME["product form"], BY_NAME["scale factor"]]
    unsaid = calibrated(f"{head}\n{rows.format('')}", candidates=some)
    said = calibrated(f"{head},servers:cpu\n{rows.format(',1')}", candidates=some)
    # A factor of a station of who knows how many servers would be a capacity that nobody measured.
    assert [len(each.models) for each in (unsaid, said)] == [1, 2]
    note = "cpu taken as one server; say servers:cpu in the table if it has more"
    assert note in unsaid.data.notes
    assert note not in said.data.notes


def test_a_mistake_of_another_configuration_is_none_of_the_chosen_one():
    rows = [f"{c},{row}" for row in ("1,2,0.4,20", "4,2,1.379,68.9", "8,2,1.939,97") for c in "ab"]
    head = "configuration,users,think_time [s],throughput [1/s],cpu"
    text = "\n".join([head, *rows, "b,4,2,4,20"])
    assert calibrated(text, configuration="a", candidates=SOME[:1]).contradictions == ()
