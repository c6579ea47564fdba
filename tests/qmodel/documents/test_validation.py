"""Mistakes in a configuration, each told in one line with its place and what would be right."""

import json
import re
from typing import Annotated, Literal

import pytest
from pydantic import Field, TypeAdapter, model_validator

from qmodel import FileError, InvalidInput
from qmodel.documents import fields
from qmodel.documents.document import parse_document
from qmodel.documents.validation import validate
from tests.tables import rows, text_of


class Disk(fields.StrictModel):
    raid: Literal["raid0", "raid1", "raid5"]
    drives: int = Field(ge=1, le=64)
    stripe: fields.Memory = 16384.0

    @model_validator(mode="after")
    def drives_suffice(self):
        if self.raid == "raid5" and self.drives < 3:
            raise fields.KeyProblem(f"raid5 needs at least 3 drives, got {self.drives}", "drives")
        if self.raid == "raid0" and self.drives > 50:
            raise InvalidInput("raid0 of so many drives is not to be trusted")
        return self


class Task(fields.StrictModel):
    name: fields.Name
    share: fields.Share
    cpu: fields.Time
    hours: fields.Many[int] = ()


class Workload(fields.StrictModel):
    users: fields.Population = Field(ge=1)
    think_time: fields.Time = 0.0
    tasks: fields.Many[Task] = Field(alias="class", min_length=1)


class Fixed(fields.StrictModel):
    kind: Literal["fixed"]
    delay: fields.PositiveTime


class Shared(fields.StrictModel):
    kind: Literal["shared"]
    rate: fields.BitRate


class Controller(fields.StrictModel):
    speed: float = Field(gt=0)
    delay: float = Field(ge=0)
    slots: list[int]
    is_cached: bool
    label: str
    disks: fields.Many[Disk]


class Config(fields.StrictModel):
    schema_number: Literal[1] = Field(1, alias="schema")
    disk: Disk
    workload: Workload
    speed: float = Field(1.0, gt=0, lt=1000)
    is_mirrored: bool = False
    lan: Annotated[Fixed | Shared, Field(discriminator="kind")] | None = None
    volumes: dict[str, fields.Memory] = Field({})
    spares: int | Literal["all", "none"] = 0
    controllers: dict[str, Controller] = Field({})


GOOD = text_of(__file__, "good")


def lines(text, file_format="toml", **options):
    with pytest.raises(FileError) as caught:
        validate(Config, parse_document(text, file_format, "F"), **options)
    return [str(error) for error in (caught.value, *caught.value.others)]


def changed(*changes):
    text = GOOD
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return lines(text)


def test_a_right_file_becomes_base_units():
    config = validate(Config, parse_document(GOOD))
    assert config.disk.stripe == 16384.0
    assert config.workload.think_time == 917.0
    assert [task.share for task in config.workload.tasks] == [0.6, 0.4]
    assert config.workload.tasks[1].cpu == 0.01
    assert config.workload.tasks[0].hours == (8, 17)
    assert config.lan.rate == 1e7
    assert config.speed == 2.0
    assert config.volumes == {"mail": 2.0**20}


@pytest.mark.parametrize(("old", "new", "line"), rows(__file__, "mistakes"))
def test_one_mistake_one_line(old, new, line):
    found = changed((old, new))
    assert len(found) == 1
    assert found[0] == line or (line.endswith("TOML") and found[0].startswith(line))


def test_a_table_in_place_of_an_array_of_tables():
    text = (
        GOOD[: GOOD.index('[[workload.class]]\nname = "search"')]
        .replace("[[", "[")
        .replace("]]", "]")
    )
    said = "F:10: workload.class: expected array, got table (in TOML: [[workload.class]])"
    assert lines(text) == [said]
    assert lines("disk = 5\n" + GOOD.replace("[disk]", "[dusk]"))[0] == (
        "F:1: disk: expected table, got integer 5"
    )


def test_a_problem_of_a_whole_table_stands_at_the_table():
    (line,) = changed(("raid5", "raid0"), ("drives = 4", "drives = 60"))
    assert line == "F:3: disk: raid0 of so many drives is not to be trusted"


def test_several_mistakes_come_in_the_order_of_the_file():
    assert changed(
        ("speed = 2", "spede = 2"),
        ("users = 20", "users = 0"),
        ('cpu = "10 ms"', ""),
        ("drives = 4", ""),
    ) == [
        'F:2: spede: unknown key; did you mean "speed"?',
        "F:3: disk.drives: required (a positive whole number)",
        "F:8: workload.users: must be >= 1, got 0",
        'F:15: workload.class[1].cpu: required (a time such as "60 ms")',
    ]  # fmt: skip


def test_a_missing_table_comes_last():
    text = GOOD.replace("users = 20", "users = 0")
    start, end = text.index("[disk]"), text.index("[workload]")
    assert lines(text[:start] + text[end:]) == [
        "F:4: workload.users: must be >= 1, got 0",
        "F: disk: required (a table)",
    ]


def test_an_empty_file_names_what_it_needs():
    assert lines("") == ["F: empty configuration; required table [disk] missing"]
    assert lines("# x\n", what="server", remedy="see `init`") == [
        "F: empty server; required table [disk] missing (see `init`)"
    ]
    assert lines("{}", "json") == ["F: empty configuration; required table [disk] missing"]


def test_json_is_checked_alike():
    data = parse_document(GOOD).data
    data["workload"]["class"][1]["share"] = None
    data["workload"]["users"] = 20.5
    assert lines(json.dumps(data, indent=0), "json") == [
        "F:10: workload.users: must be a whole number for a closed class, got 20.5",
        'F:24: workload.class[1].share: expected a fraction such as "36 %", got null',
    ]


def test_long_values_are_cut():
    (line,) = changed(("drives = 4", f'drives = "{"x" * 10_000}"'))
    assert line == f'F:5: disk.drives: expected a whole number, got text "{"x" * 57}..."'
    (line,) = changed(("drives = 4", f"drives = {'9' * 300}"))
    assert line == "F:5: disk.drives: must be <= 64, got 99999999999999999999... (300 digits)"


def test_many_mistakes_are_cut():
    found = lines(GOOD + "".join(f'k{i} = "x"\n' for i in range(5000)))
    assert len(found) == 100
    assert found[0].startswith("F:24: volumes.k0: ")


def test_a_bad_value_of_the_wrong_alternative_is_told_without_its_tag():
    (line,) = changed(('kind = "shared"', 'kind = "fixed"'), ('rate = "10 Mb/s"', 'delay = "0 s"'))
    assert line == "F:21: lan.delay: must be > 0 s, got 0 s"


def test_all_alternatives_are_told():
    (line,) = changed(("speed = 2", 'spares = "some"'))
    assert line == 'F:2: spares: expected a whole number or one of all, none, got text "some"'
    text = GOOD.replace("speed = 2", 'spares = "all"')
    assert validate(Config, parse_document(text)).spares == "all"


def test_what_is_missing_is_described():
    assert lines(GOOD + '[controllers."a b"]\nsped = 1\nlabel = 5\n') == [
        'F:24: controllers."a b".delay: required (a number >= 0)',
        'F:24: controllers."a b".slots: required (an array)',
        'F:24: controllers."a b".is_cached: required (true or false)',
        'F:24: controllers."a b".disks: required (an array of tables)',
        'F:25: controllers."a b".sped: unknown key; did you mean "speed"?',
        'F:26: controllers."a b".label: expected text, got integer 5 (quote it)',
    ]
    assert lines(GOOD + "[controllers.x]\n")[0] == (
        "F:24: controllers.x.speed: required (a positive number)"
    )


def test_a_strict_model_refuses_nan_wherever_it_comes_from():
    with pytest.raises(ValueError, match="finite"):
        Controller.model_validate({"speed": float("nan")})


QUANTITIES = {
    name: getattr(fields, name)
    for name in ("Time", "PositiveTime", "Rate", "PositiveRate", "Memory", "Storage", "DataRate",
                 "BitRate", "Frequency", "Rotation")
}  # fmt: skip


@pytest.mark.parametrize("name", QUANTITIES)
def test_the_json_schema_agrees_with_the_door(name):
    adapter = TypeAdapter(QUANTITIES[name])
    schema = adapter.json_schema()
    assert schema["type"] == "string"
    pattern = re.compile(schema["pattern"])
    for example in schema["examples"]:
        assert pattern.match(example)
        assert adapter.validate_python(example) > 0
    for wrong in ["64", "", "s", "nan s", "five s"]:
        assert not pattern.match(wrong)
        with pytest.raises(ValueError, match=r"unit missing|expected|finite"):
            adapter.validate_python(wrong)
    assert adapter.json_schema(mode="serialization") == {"type": "number"}
    zero = schema["examples"][0].replace(schema["examples"][0].split()[0], "0")
    if name in {"Time", "Rate"}:
        assert adapter.validate_python(zero) == 0
    else:
        with pytest.raises(ValueError, match="must be > 0"):
            adapter.validate_python(zero)


def test_the_schema_of_a_configuration():
    schema = Config.model_json_schema()
    assert schema["additionalProperties"] is False
    task = schema["$defs"]["Task"]["properties"]
    assert task["cpu"]["examples"] == ["60 ms", "5 s"]
    assert [kind["type"] for kind in task["share"]["anyOf"]] == ["number", "string"]
    for pattern in (task["share"]["anyOf"][1]["pattern"],):
        assert re.match(pattern, "36 %")
        assert re.match(pattern, "0.36")
        assert not re.match(pattern, "-3 %")
    assert schema["$defs"]["Workload"]["properties"]["users"]["minimum"] == 1
