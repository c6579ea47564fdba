"""The measured tables as shipped: complete, readable, laws kept or an erratum named."""

import hashlib
import tomllib

import pytest

from calibration.printed_tables.card import BY_ROW, TableError, base_unit
from calibration.printed_tables.table import TABLES, load_table, sources, table_names

SOURCES = ("domino46", "domino5_raid", "domino85", "groupwise52", "notes31", "postgresql_live")

#: What a table, a column or a row may hold, and where it was measured.
KINDS = {"measured", "text", "setting", "derived", "specification"}
QUANTITIES = {
    "key", "label", "setting", "utilization", "throughput", "response_time", "duration",
    "volume_rate", "volume", "operations_rate", "service_demand", "population", "users", "memory",
    "size", "frequency", "count", "share", "factor", "change", "standard_deviation", BY_ROW,
}  # fmt: skip
STATIONS = {"", "cpu", "disk", "lan", "memory"}


@pytest.fixture(scope="module")
def tables():
    """Every shipped table, as printed and as corrected by the errata."""
    return {
        f"{name}, {view}": load_table(name, view)
        for name in table_names()
        for view in ("corrected", "printed")
    }


def test_all_sources_are_there():
    assert sources() == SOURCES
    assert all(table_names(source) for source in SOURCES)


def test_every_file_belongs_to_a_table():
    known = {"source.toml", "errata.toml", "limits.toml", "agreement.json"}
    for source in SOURCES:
        files = {path.name for path in (TABLES / source).iterdir()} - known
        short = {each.partition("/")[2] for each in table_names(source)}
        assert files == {f"{each}{end}" for each in short for end in (".csv", ".toml")}


def test_cards_are_complete(tables):
    for name, table in tables.items():
        assert all((table.title, table.section, table.kind in KINDS)), name
        short = TABLES / name.partition(",")[0]
        card = tomllib.loads(short.with_suffix(".toml").read_text())
        assert card["sha256"] == hashlib.sha256(short.with_suffix(".csv").read_bytes()).hexdigest()
        assert list(card["columns"]) == [column.name for column in table.columns]
        assert len(set(table.rows)) == len(table.rows) > 0
        assert list(card.get("rows", table.rows)) == list(table.rows)
        assert table.caption or table.near or table.row_measures or table.kind == "derived", name
        for measure in (*table.columns, *table.row_measures):
            assert measure.meaning, (name, measure)
            assert measure.quantity in QUANTITIES, (name, measure)
            assert measure.station in STATIONS, (name, measure)
            assert measure.kilobyte in {0, 1000, 1024}
            assert (measure.unit == BY_ROW) == (measure.quantity == BY_ROW)
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


def test_memory_of_1997_is_printed_twice_alike():
    assert load_table("groupwise52/table_1").texts == load_table("groupwise52/table_5").texts


def test_one_run_of_1995_is_printed_twice():
    first, again = load_table("notes31/table_4_2"), load_table("notes31/table_4_3")
    assert first.texts[0][2:] == again.texts[0][2:]


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
