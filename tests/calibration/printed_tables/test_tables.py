"""The measured tables as shipped: complete, readable, laws kept or an erratum named."""

import tomllib

import pytest

from calibration.printed_tables.card import BY_ROW, QUANTITIES, STATIONS, base_unit
from calibration.printed_tables.table import TABLES, TableError, load_table, sources, table_names

SOURCES = (
    "domino46",
    "domino5_raid",
    "domino85",
    "groupwise52",
    "notes31",
    "postgresql_live",
)


@pytest.fixture(scope="module")
def tables():
    """Every shipped table, as printed and as corrected by the errata."""
    return {
        f"{name}, {view}": load_table(name, view)
        for name in table_names()
        for view in ("corrected", "printed")
    }


def interval(cell):
    """What a printed number can have been before it was rounded."""
    return cell.value - cell.half_unit, cell.value + cell.half_unit


def overlap(one, other, slack=1e-12):
    return one[0] <= other[1] + slack and other[0] <= one[1] + slack


def test_all_sources_are_there():
    assert sources() == SOURCES
    assert all(table_names(source) for source in SOURCES)


def test_every_file_belongs_to_a_table():
    known = {"source.toml", "errata.toml", "limits.toml"}
    for source in SOURCES:
        files = {path.name for path in (TABLES / source).iterdir()} - known
        short = {each.partition("/")[2] for each in table_names(source)}
        assert files == {f"{each}{end}" for each in short for end in (".csv", ".toml")}


def test_cards_are_complete(tables):
    for name, table in tables.items():
        assert table.title, name
        assert table.section, name
        assert table.caption or table.near or table.row_measures or table.kind == "derived", name
        for measure in (*table.columns, *table.row_measures):
            assert measure.meaning, (name, measure)
            assert measure.quantity in QUANTITIES | {BY_ROW}, (name, measure)
            assert measure.station in STATIONS | {""}, (name, measure)
            assert measure.is_text or measure.unit == BY_ROW or base_unit(measure.unit)
        by_row = any(column.unit == BY_ROW for column in table.columns)
        assert by_row == bool(table.row_measures), name


def test_numbered_tables_have_their_number(tables):
    for name, table in tables.items():
        if table.name.partition("/")[2].startswith("table_"):
            assert table.name.endswith(f"table_{table.number.replace('-', '_')}"), name
            assert table.cite().endswith(f", Table {table.number}"), name


def test_shape(tables):
    for name, table in tables.items():
        assert len(table.rows) == len(table.texts) == len(set(table.rows)) > 0, name
        assert all(len(line) == len(table.columns) for line in table.texts), name
        assert all(key and key == key.strip() for key in table.rows), name
        assert all(cell == cell.strip() for line in table.texts for cell in line), name


def test_every_cell_can_be_read(tables):
    for name, table in tables.items():
        for row in table.rows:
            for column in table.columns:
                cell = table.cell(row, column.name)
                assert (cell.value is None) == (cell.half_unit is None), (name, row, column)
                assert cell.value is None or cell.half_unit > 0, (name, row, column)
                measure = table.row(row) if column.unit == BY_ROW else column
                if measure.unit == "%" and measure.quantity in ("utilization", "share"):
                    assert cell.value is None or 0 <= cell.value <= 1, (name, row, column)


def test_some_number_is_printed_in_each_column_of_numbers(tables):
    for name, table in tables.items():
        for column in table.columns:
            if column.is_text:
                with pytest.raises(TableError, match="holds text"):
                    table.values(column.name)
            else:
                values = table.values(column.name)
                assert len(values) == len(table.rows), (name, column)
                assert any(value is not None for value in values), (name, column)


def test_errata_on_the_card_are_those_that_name_the_table():
    for name in table_names():
        card = tomllib.loads((TABLES / f"{name}.toml").read_text(encoding="utf-8"))
        assert card.get("errata", []) == [each.id for each in load_table(name).errata], name


def test_product_files_say_nothing_of_how_they_were_made():
    for path in TABLES.rglob("*.*"):
        text = path.read_text(encoding="utf-8").lower()
        for word in ("seed", "typed", "../", ".txt"):
            assert word not in text, f"{path}: {word}"


def test_frame_holds_the_values():
    frame = load_table("notes31/table_4_2").to_frame()
    assert list(frame.index) == ["no_fault_tolerance", "raid5"]
    assert frame.loc["raid5", "cpu"] == 0.88
    assert frame.loc["raid5", "lan"] == 145_740
    assert frame.attrs["view"] == "corrected"


def test_base_units():
    times = load_table("notes31/table_4_7").values("response_time")
    assert times == pytest.approx((1195.8, 1179.6, 1182.6), abs=1e-9)
    assert load_table("notes31/channel_limits").values("limit")[:2] == (1.7e6, 875e3)
    assert load_table("groupwise52/table_1").values("memory")[0] == 42e6
    assert load_table("groupwise52/table_3").values("throughput")[0] == 9.3e6 / 8
    assert load_table("notes31/hardware").cell("server_memory", "value").value == 32 * 2**20
    assert load_table("domino5_raid/hardware").cell("one_drive_size", "value").value == 9.1e9
    assert load_table("domino85/runs").values("response_time")[0] == 0.033


def test_conditions_are_a_frozen_mapping():
    conditions = load_table("notes31/table_4_4").conditions
    assert conditions["workstations"] == 10
    assert {**conditions}["server"].startswith("Compaq ProLiant 2000")
    with pytest.raises(KeyError):
        conditions["nothing"]
    with pytest.raises(TypeError):
        conditions["workstations"] = 20


def test_sources_cite_themselves():
    cited = {source: load_table(table_names(source)[0]).source.cite() for source in SOURCES}
    assert cited["notes31"] == "Compaq TechNote 184430-001, January 1995"
    assert len(set(cited.values())) == len(SOURCES)
    cell = load_table("notes31/table_4_2").cite("raid5", "cpu")
    assert cell == "Compaq TechNote 184430-001 (1995), Table 4-2, row raid5, column cpu"


# --- laws within rounding, or a named erratum ---------------------------------------------------


def changes(number, view):
    """Rows of a table of 2009 that have a change, with their three cells."""
    table = load_table(f"domino85/table_{number}", view)
    for row in table.rows:
        old, new, change = (table.cell(row, each) for each in ("baseline", "variant", "change"))
        if change.value is not None:
            yield row, old, new, change


@pytest.mark.parametrize(
    ("view", "number", "expected"),
    [("corrected", each, {}) for each in (4, 5, 6, 7)]
    + [("printed", 4, {}), ("printed", 6, {})]
    + [("printed", 5, {"virtual_memory": "E-D09-01"}), ("printed", 7, {"disk_ios": "E-D09-02"})],
)
def test_percentages_of_2009_recompute_from_the_printed_numbers(view, number, expected):
    wrong = {
        row: change.errata
        for row, old, new, change in changes(number, view)
        if round((new.value / old.value - 1) * 100) != round(change.value * 100)
    }
    assert set(wrong) == set(expected)
    for row, erratum in expected.items():
        assert erratum in {each.id for each in wrong[row]}


@pytest.mark.parametrize("number", [4, 5, 6, 7])
def test_percentages_of_2009_against_the_numbers_before_rounding(number):
    # 14.3 to 14.6 % of table 7 could have been printed as 15: E-D09-02 is likely, not certain.
    wrong = set()
    for row, old, new, change in changes(number, "printed"):
        low, high = interval(new)[0] / interval(old)[1] - 1, interval(new)[1] / interval(old)[0] - 1
        if not overlap((low, high), interval(change)):
            wrong.add(row)
    assert wrong == ({"virtual_memory"} if number == 5 else set())


@pytest.mark.parametrize("number", [4, 5, 6, 7])
@pytest.mark.parametrize("side", ["baseline", "variant"])
@pytest.mark.parametrize(
    "parts",
    [
        ("disk_reads", "disk_writes", "disk_ios"),
        ("disk_volume_read", "disk_volume_written", "disk_volume"),
    ],
)
def test_reads_and_writes_of_2009_add_up(number, side, parts):
    table = load_table(f"domino85/table_{number}")
    read, written, total = (table.cell(row, side) for row in parts)
    slack = read.half_unit + written.half_unit + total.half_unit
    assert read.value + written.value == pytest.approx(total.value, abs=slack)


def test_runs_of_2009_are_columns_of_their_tables():
    runs = load_table("domino85/runs")
    for run in runs.rows:
        table = load_table(f"domino85/{runs.cell(run, 'table').text}")
        side = runs.cell(run, "side").text
        for column in runs.columns[3:]:
            if column.name in table.rows:
                assert runs.cell(run, column.name).text == table.cell(column.name, side).text
            else:
                assert runs.cell(run, column.name).text == ""


def test_message_shares_of_2009_are_all_messages():
    assert sum(load_table("domino85/table_3").values("share")) == pytest.approx(1, abs=1e-12)


def test_actions_of_2009():
    assert sum(load_table("domino85/table_1").values("count")) == 267


def test_users_per_drive():
    table = load_table("domino5_raid/table_1")
    for row in table.rows:
        drives, users, each = (
            table.cell(row, name) for name in ("drives", "users", "users_per_drive")
        )
        assert users.value / drives.value == pytest.approx(each.value, abs=each.half_unit)


def test_increase_per_drive_is_the_mean_since_two():
    table = load_table("domino5_raid/table_1")
    first, users, drives = table.rows[0], table.values("users"), table.values("drives")
    assert table.cell(first, "increase").value is None
    for index, row in enumerate(table.rows[1:], 1):
        increase = table.cell(row, "increase")
        mean = (users[index] / users[0] - 1) / (drives[index] - drives[0])
        marginal = (users[index] / users[index - 1] - 1) / (drives[index] - drives[index - 1])
        assert mean == pytest.approx(increase.value, abs=increase.half_unit + 1e-12)
        if index > 1:
            assert marginal != pytest.approx(increase.value, abs=increase.half_unit)
            assert [each.id for each in increase.errata] == ["E-R00-01"]


def test_memory_of_1997_is_printed_twice_alike():
    assert load_table("groupwise52/table_1").texts == load_table("groupwise52/table_5").texts


def test_memory_rule_of_1997():
    base, thread, connection = load_table("groupwise52/memory_rule").values("size")
    settings = load_table("groupwise52/test_settings")
    threads = sum(settings.cell(row, "value").value for row in ("tcp_threads", "mf_threads"))
    table = load_table("groupwise52/table_1")
    for row in table.rows:
        memory = table.cell(row, "memory")
        rule = base + thread * threads + connection * table.cell(row, "active_users").value
        if rule != pytest.approx(memory.value, rel=0.04):
            assert [each.id for each in memory.errata] == ["E-G97-01"]
            assert row == "100"


def test_one_run_of_1995_is_printed_twice():
    first, again = load_table("notes31/table_4_2"), load_table("notes31/table_4_3")
    assert first.texts[0][2:] == again.texts[0][2:]


def volume_per_run(table, column):
    """Bytes that one workstation moves in one run of its script."""
    times, rates = table.values("response_time"), table.values(column)
    workstations = table.conditions["workstations"]
    return [time * rate / workstations for time, rate in zip(times, rates, strict=True)]


@pytest.mark.parametrize("view", ["corrected", "printed"])
def test_editing_moves_the_same_volume_in_each_table(view):
    reference = volume_per_run(load_table("notes31/table_4_2"), "lan")[0]
    for number in ("4_2", "4_3", "4_4", "4_7"):
        table = load_table(f"notes31/table_{number}", view)
        same = volume_per_run(table, "lan") == pytest.approx(
            [reference] * len(table.rows), rel=0.03
        )
        wrong = view == "printed" and "E-N95-02" in {each.id for each in table.errata}
        assert same != wrong


@pytest.mark.parametrize("view", ["corrected", "printed"])
def test_search_stresses_the_disk_and_not_the_lan(view):
    rates = {}
    for number in ("3_3", "3_4"):
        table = load_table(f"notes31/table_{number}", view)
        rates[table.column("throughput").station] = table.cell("N Indx Srch", "throughput").value
    chapter_4 = load_table("notes31/table_4_8")
    agrees = rates["disk"] > 500e3 < min(chapter_4.values("disk"))
    assert agrees == (view == "corrected")


def test_claims_of_1995_follow_from_their_tables():
    claims, profile = load_table("notes31/profiling_claims"), load_table("notes31/table_3_2")
    for claim, row in (("create_index_cpu", "Create Indx"), ("search_cpu", "N Indx Srch")):
        said = claims.cell(claim, "value")
        assert profile.cell(row, "cpu").value == pytest.approx(said.value, abs=said.half_unit)
    halves = [profile.cell(row, "cpu").value for row in ("S->S W Repl", "S->S R Repl")]
    said = claims.cell("replication_cpu", "value")
    assert sum(halves) / 2 == pytest.approx(said.value, abs=said.half_unit)
    assert said.text == "28%"
    share = claims.cell("disk_share", "value")
    task = claims.cell("disk_share", "task").text
    volume = load_table("notes31/table_3_4").cell(task, "throughput").value
    assert volume / 1.7e6 == pytest.approx(share.value, abs=share.half_unit)
