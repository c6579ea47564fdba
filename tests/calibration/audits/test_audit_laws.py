"""Each law on a user's table: silent where nothing is wrong, right where something is."""

import math
import random

import pytest

import calibration as cal
from calibration.audits.contradiction import Place
from calibration.audits.law import Evidence
from calibration.audits.laws.capacity import suspects
from calibration.audits.noise import USUAL
from calibration.audits.observation import Number, Observation, Series
from calibration.audits.shipped import user_observations
from calibration.recordings.user_table import parse_user_table
from tests.calibration.audit_tables import EVERYTHING, runs, text
from tests.tables import rows, text_of

WITHOUT_THROUGHPUT = "population think response cpu lan disk"


def audit(rows, columns=EVERYTHING):
    return cal.audit(parse_user_table(text(rows, columns)))


def found(rows, columns=EVERYTHING):
    return [(each.law, each.rows) for each in audit(rows, columns).contradictions]


def line(index):
    return f"line {index + 2}"


COLUMNS = [
    EVERYTHING, "population think throughput response", WITHOUT_THROUGHPUT,
    "population response cpu lan disk", "population throughput response cpu", "throughput cpu lan",
    "cpu lan", "population cpu", "population throughput response cpu lan disk operations",
]  # fmt: skip


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("think", [0.0, 9.0, 300.0])
@pytest.mark.parametrize("servers", [1, 4])
def test_exact_tables_raise_nothing(columns, think, servers):
    rows = runs((1, 3, 9, 20, 40, 80), think=think, servers=servers)
    assert found(rows, columns + (" servers" if servers > 1 else "")) == []


@pytest.mark.parametrize("index", range(6))
@pytest.mark.parametrize("column", ["cpu", "lan", "operations"])
def test_one_wrong_rate(index, column):
    rows = runs()
    rows[index][column] *= 0.8
    law = "utilization law" if column == "cpu" else "forced flow"
    assert found(rows) == [(law, (line(index),))]


@pytest.mark.parametrize("index", range(6))
@pytest.mark.parametrize("column", ["throughput", "response", "population", "think"])
def test_littles_law(index, column):
    rows = runs((4, 8, 12, 16, 20, 24))
    rows[index][column] *= 3.0 if column == "response" else 1.5
    assert found(rows) == [("Little's law", (line(index),))]


def test_littles_law_in_a_single_row():
    rows = runs((5,))
    assert found(rows, "population think throughput response") == []
    rows[0]["response"] *= 3
    assert found(rows, "population think throughput response") == [("Little's law", ("line 2",))]
    # Any think time could explain too short a response; no think time explains too long a one.
    assert found(rows, "population throughput response") == []
    rows[0]["response"] *= 30
    assert found(rows, "population throughput response") == [("Little's law", ("line 2",))]


@pytest.mark.parametrize("columns", [WITHOUT_THROUGHPUT, "population response cpu lan disk"])
@pytest.mark.parametrize("index", [1, 3, 5])
def test_stated_population(columns, index):
    rows = runs()
    right = rows[index]["population"]
    rows[index]["population"] = 2 * right
    (contradiction,) = audit(rows, columns).contradictions
    assert contradiction.law == "stated population"
    assert contradiction.rows == (line(index),)
    assert f"{2 * right} users are stated, {right}.0 implied" in contradiction.message


def test_little_weighs_the_response_time_by_its_share_of_the_cycle():
    """Nearly all of N / (R + Z) is think time here, a mean of so many as fit into 300 s."""
    (row,) = rows = runs((50,), think=300.0)
    row["throughput"] *= 3.0
    (contradiction,) = audit(rows, "population think throughput response").contradictions
    share = row["response"] / (row["response"] + 300.0)
    drawn = (1.0 - share) / math.sqrt(300.0 * row["throughput"])
    assert contradiction.size == pytest.approx(
        math.log(3.0) / math.hypot(0.01, 0.01 * share, drawn), 2e-3
    )


def test_more_servers_are_as_many_times_less_busy():
    rows = runs((2, 4, 8)) + runs((4, 12, 20), servers=2)
    columns = f"{EVERYTHING} servers"
    assert found(rows, columns) == []
    rows[4]["servers"] = 4
    assert found(rows, columns) == [("utilization law", ("line 6",))]


@pytest.mark.parametrize(("populations", "factors", "columns", "laws"), rows(__file__, "wrong"))
def test_what_is_wrong_is_named_with_its_line(populations, factors, columns, laws):
    table = runs(tuple(populations)) if populations else runs()
    for row, column, factor in factors:
        table[row][column] *= factor
    assert sorted(found(table, columns or EVERYTHING)) == [(law, (f"line {n}",)) for law, n in laws]


def test_two_rows_cannot_be_told_apart():
    rows = runs((6, 12))
    rows[0]["cpu"] *= 1.5
    (contradiction,) = audit(rows, "throughput cpu").contradictions
    assert contradiction.rows == ("line 2", "line 3")
    assert "cannot be told" in contradiction.message


@pytest.mark.parametrize(("column", "factor", "slip"), rows(__file__, "units"))
def test_units(column, factor, slip):
    rows = runs()
    rows[3][column] *= factor
    (contradiction,) = audit(rows).contradictions
    assert (contradiction.law, contradiction.rows) == ("units", ("line 5",))
    assert slip in contradiction.message


@pytest.mark.parametrize(("factor", "columns", "laws", "meant"), rows(__file__, "other_units"))
def test_response_times_that_are_all_in_another_unit(factor, columns, laws, meant):
    table = [{**row, "response": row["response"] * factor} for row in runs()]
    table[2]["cpu"] *= 0.8
    said = audit(table, columns)
    assert [each.law for each in said.contradictions] == laws
    assert (meant in said.contradictions[-1].message, said.scatter < 3.0) == (True, True)


@pytest.mark.parametrize(("error", "laws"), rows(__file__, "standard_errors"))
def test_a_standard_error_that_is_known_counts_if_it_is_larger(error, laws):
    heads = "users,response_time [ms],cpu,error:response_time [%],error:cpu [%]"
    table = parse_user_table(f"{heads}\n10,66.9,12,{error},{error}\n100,44.7,,1.4,\n")
    assert [each.law for each in cal.audit(table).contradictions] == laws
    run = user_observations(table, USUAL)[0]
    found = [n.noise / n.value for n in (run.response_time, run.rates[0][1])]
    usual = [USUAL.response_time, USUAL.utilization]
    assert found == pytest.approx([max(error / 100, each) for each in usual])


@pytest.mark.parametrize(("factor", "laws"), [(0.01, ["units"]), (0.002, []), (0.02, [])])
def test_fractions_under_a_heading_of_percentages(factor, laws):
    rows = runs()
    for row in rows:
        row["cpu"] *= factor
    assert [law for law, _ in found(rows)] == laws


def test_background_load():
    rows = runs()
    for row in rows:
        row["cpu"] = 0.8 * row["cpu"] + 8.0
    (contradiction,) = audit(rows).contradictions
    assert contradiction.law == "background load"
    assert len(contradiction.rows) == 6
    assert "about 8." in contradiction.message or "about 7." in contradiction.message


@pytest.mark.parametrize("power", [0.15, -0.15])
def test_demand_that_changes_with_load(power):
    rows = runs()
    for row in rows:
        row["cpu"] *= (row["population"] / (20 if power > 0 else 2)) ** power
    (contradiction,) = audit(rows).contradictions
    assert contradiction.law == "demand changes with load"
    change = "+41 %" if power > 0 else "-29 %"
    assert f"{change} at 20 users compared with 2" in contradiction.message


def test_monotony():
    rows = runs((2, 4, 8, 12))
    rows[2]["throughput"] *= 0.4
    rows[2]["response"] = rows[2]["population"] / rows[2]["throughput"] - 9.0
    laws = found(rows, "population think throughput response")
    assert {law for law, _ in laws} == {"monotony in load"}
    assert all("line 4" in rows for _, rows in laws)


def test_monotony_averages_runs_at_one_load():
    rows = runs((8, 8, 8, 12))
    rows[0]["response"] *= 1.6
    assert found(rows, "population response") == []
    for row in rows[:3]:
        row["response"] *= 1.6
    (contradiction,) = audit(rows, "population response").contradictions
    assert contradiction.law == "monotony in load"


@pytest.mark.parametrize("of", ["", ":browse"])
@pytest.mark.parametrize(("numbers", "said"), rows(__file__, "percentiles"))
def test_percentiles(numbers, said, of):
    heads = (f"{each}{of} [ms]" for each in ("response_time", "p95", "p99"))
    table = f"users{of},{','.join(heads)}\n8,{','.join(map(str, numbers))}\n"
    found = cal.audit(parse_user_table(table)).contradictions
    laws = [(each.law, said in each.message) for each in found]
    assert laws == [("percentiles", True)] * bool(said)


@pytest.mark.parametrize(("lines", "wrong"), rows(__file__, "classes"))
def test_littles_law_holds_of_each_class(lines, wrong):
    said = cal.audit(parse_user_table("\n".join([text_of(__file__, "of_classes"), *lines, ""])))
    assert said.tests >= 4 * len(lines)
    assert sorted((*each.rows, *each.lines) for each in said.contradictions) == [*map(tuple, wrong)]


def test_capacity_of_a_channel():
    rows = runs()
    for row in rows:
        row["capacity"] = 3.8  # 475 KB/s
    laws = found(rows, "population throughput lan capacity")
    assert laws == [("capacity", (line(4),)), ("capacity", (line(5),))]


@pytest.mark.parametrize(("busy", "names"), [(1.0, []), (1.000_001, ["a"]), (1.9, ["a"])])
def test_no_station_is_busier_than_always(busy, names):
    """A table of a paper may say more than 100 %; a user's table is refused before any law."""
    place = Place("paper", "a")
    number = Number(busy, 0.005, 0.02, "%", 0.01, place)
    run = Observation("a", place, "editing", rates=((Series("utilization", "cpu"), number),))
    suspected = [each.contradiction for each in suspects(Evidence((run,), ()))]
    assert [name for each in suspected for name in each.rows] == names
    assert all("a station is never busier than always" in each.message for each in suspected)


def test_capacity_of_a_station_whose_utilization_was_not_measured():
    rows = runs((2, 4, 8, 30))
    rows[3] |= {"cpu": "", "throughput": 1.3}
    assert found(rows, "population throughput cpu") == [("capacity", ("line 5",))]


@pytest.mark.parametrize(("rise", "law"), [(1.24, []), (1.5, ["class mix"])])
def test_class_mix(rise, law):
    rows = runs((6, 6))
    rows[0]["share"], rows[1]["share"] = 20.0, 0.0
    rows[1] |= {"cpu": rows[0]["cpu"] * rise, "throughput": rows[0]["throughput"] * 1.1}
    assert [name for name, _ in found(rows, "population throughput cpu share")] == law


def test_class_mix_at_another_population_is_not_compared():
    rows = runs((6, 12))
    rows[0]["share"], rows[1]["share"] = 20.0, 0.0
    rows[1]["cpu"] = 99.0
    audited = audit(rows, "population throughput cpu share")
    assert not audited.contradictions
    assert "the number of users differs" in {each.reason for each in audited.silent}


def with_names(rows, names, column="configuration"):
    return [{**row, column: name} for row, name in zip(rows, names, strict=True)]


def test_configurations_have_demands_of_their_own():
    old, new = runs((2, 4, 8)), runs((2, 4, 8), demand=(0.5, 0.4))
    rows = with_names(old + new, ["old"] * 3 + ["new"] * 3)
    columns = f"configuration {EVERYTHING}"
    assert found(rows, columns) == []
    rows[4]["cpu"] *= 1.5
    assert found(rows, columns) == [("utilization law", ("line 6",))]


def test_classes_are_never_compared():
    edit, mail = runs((2, 4, 8)), runs((2, 4, 8), demand=(0.1, 0.4))
    rows = with_names(edit + mail, ["edit"] * 3 + ["mail"] * 3, "class")
    assert found(rows, f"class {EVERYTHING}") == []


def test_rows_that_are_all_different_configurations():
    columns = f"configuration {EVERYTHING}"
    rows = with_names(runs(), "abcdef")
    assert found(rows, columns) == []
    rows[3]["cpu"] *= 0.7
    assert found(rows, columns) == [("utilization law", ("d",))]
    # If all of them differ, none stands out.
    for index, row in enumerate(rows):
        row["cpu"] *= 0.7 ** (index % 4)
    assert found(rows, columns) == []


def test_silences_say_what_is_missing():
    audited = audit(runs(), "population cpu")
    reasons = {each.law: each.reason for each in audited.silent}
    assert "throughput" in reasons["utilization law"]
    assert "think time" in reasons["Little's law"]
    assert "shares" in reasons["class mix"]


def test_zeros_and_blanks_are_not_compared():
    rows = runs()
    rows[0] |= {"lan": 0.0, "cpu": ""}
    rows[1] |= {"throughput": 0.0}
    rows[2] |= {"response": ""}
    assert found(rows) == []


def test_a_coarse_print_is_not_a_contradiction():
    rows = runs()
    for row in rows:
        row["cpu"], row["lan"] = f"{row['cpu']:.0f}", f"{row['lan'] / 1e4:.1f}"
    assert found(rows) == []


def test_scatter_tells_noise_that_is_larger_than_assumed():
    rng = random.Random(3)
    rows = runs(tuple(range(2, 26, 2)))
    assert audit(rows).scatter < 0.2
    for row in rows:
        for column in ("throughput", "response", "lan", "operations"):
            row[column] *= 1 + 0.05 * rng.gauss(0, 1)
    assert audit(rows).scatter > 2


def test_a_drive_that_is_busy_without_requests_and_how_long_a_run_was():
    table = parse_user_table(
        "start,end,throughput [1/s],utilization:sda [%]\n23:59:00,00:01:00,0,1\n,,5,10\n"
        "2026-01-05 10:00:00Z,2026-01-05T11:10:00+01:00,10,20\n,,20,40\n"
    )
    assert cal.audit(table).contradictions == ()
    lengths = [run.length for run in user_observations(table, USUAL)]
    assert lengths == [120.0, None, 600.0, None]
