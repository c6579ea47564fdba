"""What the fields of a file may hold: strict tables, and text with a unit that becomes a float."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler, Strict
from pydantic_core import CoreSchema, core_schema

from qmodel.errors import InvalidInput
from qmodel.formats.units import DIMENSIONS, expected, quantity
from qmodel.formats.wording import show_number, show_text


class StrictModel(BaseModel):
    """A table of a file: no unknown key, nothing converted on the quiet, no NaN, frozen.

    Cross-checks belong into validators that raise `KeyProblem` or `InvalidInput`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class KeyProblem(InvalidInput):
    """A problem for a validator of a table to raise, at one of the table's keys.

    Examples
    --------
    >>> KeyProblem("raid5 needs at least 3 drives, got 2", "drives").key_path
    ('drives',)
    """

    def __init__(self, problem: str, *key_path: str | int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.key_path = key_path


@dataclass(frozen=True, slots=True)
class QuantityText:
    """Marks a float that a file writes as text with a unit; see `qmodel.formats.units`.

    Parameters
    ----------
    dimension : str
        A key of `DIMENSIONS`.
    positive : bool
        Whether zero is refused as well as what is below.

    Examples
    --------
    >>> from pydantic import TypeAdapter
    >>> TypeAdapter(Annotated[float, QuantityText("bit rate")]).validate_python("10 Mb/s")
    10000000.0
    """

    dimension: str
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
    ) -> CoreSchema:
        """Read the text before pydantic sees a float."""
        wanted = DIMENSIONS[self.dimension]
        written = {
            "type": "string",
            "pattern": r"^\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\s*[A-Za-zµμ/1].*$",
            "examples": list(wanted.examples),
            "x-expected": expected(self.dimension),
        }
        return core_schema.no_info_before_validator_function(
            self.read, handler(source), metadata={"pydantic_js_functions": [lambda *_: written]}
        )
