"""What the fields of a file may hold: strict tables, and text with a unit that becomes a float."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from qmodel.documents.units import DIMENSIONS, expected, quantity
from qmodel.documents.wording import show_number, show_text
from qmodel.errors import InvalidInput, hidden_character


class StrictModel(BaseModel):
    """A table of a file: no unknown key, nothing converted on the quiet, no NaN, frozen.

    Cross-checks belong into validators that raise `KeyProblem` or `InvalidInput`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class KeyProblem(InvalidInput):
    """A problem for a validator of a table to raise, at one of the table's keys."""

    def __init__(self, problem: str, *key_path: str | int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.key_path = key_path


@dataclass(frozen=True, slots=True)
class QuantityText:
    """Marks a float that a file writes as text with a unit; see `qmodel.documents.units`."""

    #: A key of `DIMENSIONS`.
    dimension: str
    #: Whether zero is refused as well as what is below.
    positive: bool = False

    def read(self, text: Any) -> float:
        """The quantity in its base unit, or `InvalidInput`."""
        value = quantity(text, self.dimension)
        if value < 0 or (self.positive and value == 0):
            bound = "> 0" if self.positive else ">= 0"
            unit = DIMENSIONS[self.dimension].shown[0][0]
            raise InvalidInput(f"must be {bound} {unit}, got {text.strip()}")
        return value

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Read the text before pydantic sees a float."""
        return core_schema.no_info_before_validator_function(self.read, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Text with a unit in a file, a number where a model is written out."""
        if handler.mode == "serialization":
            return handler(schema)
        return {
            "type": "string",
            "pattern": PATTERN,
            "examples": list(DIMENSIONS[self.dimension].examples),
            "x-expected": expected(self.dimension),
        }


#: A number and a unit, for editors that check a file against the JSON Schema.
PATTERN = (
    r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*(1\s*/|/|per\b)?\s*[A-Za-zµμ].*$"
)


def processors(value: Any) -> Any:
    """Processor time in processors: a number, or text such as "2000m" (limits.cpu) or "200 %"."""
    read = re.fullmatch(r"\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(m|%)\s*", str(value))
    return float(read[1]) / (1000 if read[2] == "m" else 100) if read else value


def fraction(value: Any) -> float:
    """A number from 0 to 1, or text such as "36 %"."""
    share = quantity(value, "fraction")
    if not 0 <= share <= 1:
        got = show_text(value) if isinstance(value, str) else show_number(value)
        meant = f'; write "{value} %"' if 2 <= share <= 100 and "%" not in str(value) else ""
        raise InvalidInput(f"must be from 0 to 1 (or 0 % to 100 %), got {got}{meant}")
    return share


def whole(value: Any) -> Any:
    """A population as it is written; a fraction of a customer is refused in so many words."""
    if isinstance(value, float):
        raise InvalidInput(f"must be a whole number for a closed class, got {show_number(value)}")
    return value


Time = Annotated[float, QuantityText("time")]
PositiveTime = Annotated[float, QuantityText("time", positive=True)]
Rate = Annotated[float, QuantityText("rate")]
PositiveRate = Annotated[float, QuantityText("rate", positive=True)]
Memory = Annotated[float, QuantityText("memory", positive=True)]
Storage = Annotated[float, QuantityText("storage", positive=True)]
DataRate = Annotated[float, QuantityText("data rate", positive=True)]
BitRate = Annotated[float, QuantityText("bit rate", positive=True)]
Frequency = Annotated[float, QuantityText("frequency", positive=True)]
Rotation = Annotated[float, QuantityText("rotation", positive=True)]

#: A fraction: a number from 0 to 1, or text in percent.
Share = Annotated[
    float,
    BeforeValidator(fraction),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": 1},
                {"type": "string", "pattern": r"^\s*[+]?[0-9]*\.?[0-9]+\s*%?\s*$"},
            ],
            "examples": [0.36, "36 %"],
            "x-expected": 'a fraction such as 0.36 or "36 %"',
        },
        mode="validation",
    ),
]

#: Processor time: a number of processors, or text as containers have it.
Processors = Annotated[
    float, BeforeValidator(processors), Field(gt=0),
    WithJsonSchema(
        {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string"}],
         "examples": [2.5, "2000m"],
         "x-expected": 'processors such as 2, "2000m" or "200 %"'}, mode="validation",
    ),
]  # fmt: skip

#: Customers of a closed class; give the least with ``Field(ge=...)``.
Population = Annotated[int, BeforeValidator(whole)]

#: Text with something in it.
Text = Annotated[str, Field(min_length=1, pattern=r"\S")]


def _on_one_line(name: str) -> str:
    if hidden_character(name):
        raise InvalidInput(f"must be on one line, got {show_text(name)}")
    return name


#: The same on one line: names stand in tables, messages and files of other programs.
Name = Annotated[Text, AfterValidator(_on_one_line)]

_Member = TypeVar("_Member")

#: An array of a file as a tuple: ``Many[StationTable]``.
Many = Annotated[tuple[_Member, ...], Strict(strict=False)]
