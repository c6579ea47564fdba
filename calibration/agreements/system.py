"""A measured system: its fitted models, what they predict, and what they cannot speak to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from calibration.agreements.comparison import Comparison
from calibration.agreements.ensemble import Member
from calibration.fitting.fitted_model import Calibration, FittedModel
from calibration.hardware.server import Hardware
from calibration.printed_tables.card import read_toml
from calibration.printed_tables.table import TABLES


@dataclass(frozen=True, slots=True)
class Figure:
    """A number taken over from a source, with the reference to it."""

    value: float
    unit: str
    source: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A fitted parameter; the standard error is None where the data cannot tell it."""

    name: str
    value: float
    unit: str
    standard_error: float | None


@dataclass(frozen=True, slots=True)
class Model:
    """A fitted model as the agreement report describes it."""

    #: What the report calls it, and what it assumes.
    name: str
    description: str
    #: What was fitted; empty for a rule taken over from a source.
    parameters: tuple[Parameter, ...] = ()
    #: The cells that the fit saw, as `Published.cell` names them.
    fitted_on: tuple[str, ...] = ()
    #: Numbers less parameters.
    degrees_of_freedom: int = 0
    #: Sum of squared residuals over their stated noise; None without a stated noise.
    chi_square: float | None = None


@dataclass(frozen=True, slots=True)
class NotModelled:
    """Published numbers that no model here can speak to, and the reason."""

    #: In words.
    what: str
    #: Patterns of cells, as in ``groupwise52/claims:packet_*:*``.
    cells: tuple[str, ...]
    #: Why not, and what would have to be known.
    reason: str


@dataclass(frozen=True, slots=True)
class System:
    """A measured system."""

    #: What a configuration writes, what a person reads, and the reference.
    name: str
    title: str
    source: str
    #: What was fitted, to which cells.
    models: tuple[Model, ...]
    #: Predicts every published number that a model can speak to; called when asked for.
    compare: Callable[[], Sequence[Comparison]]
    #: The other published numbers, with the reason.
    not_modelled: tuple[NotModelled, ...] = ()
    #: What the data cannot tell.
    notes: tuple[str, ...] = ()
    #: The hardware that the demands of the tasks refer to, or that was measured.
    reference: Hardware | None = None
    #: The calibration that it is, instead of members.
    calibration: Calibration | None = None
    #: The admissible calibrations of its tasks, side by side; empty for a system without tasks.
    members: tuple[Member, ...] = ()
    #: Speed of each processor relative to the reference processor.
    processors: dict[str, Figure] = field(default_factory=dict)
    #: Memory below which the source saw failures. [bytes]
    memory_need: Figure | None = None
    #: Memory that the source wants for each user. [bytes]
    memory_per_user: Figure | None = None

    @property
    def task_names(self) -> tuple[str, ...]:
        """Tasks that every member knows."""
        if self.calibration is not None:
            return self.calibration.data.classes
        return tuple(self.members[0].tasks()) if self.members else ()


def limits(source: str) -> dict[str, Any]:
    """What the models of a source leave out and cannot tell, as fields of a `System`."""
    data = read_toml(TABLES / source / "limits.toml")
    return {
        "notes": tuple(data.get("notes", ())),
        "not_modelled": tuple(
            NotModelled(
                each["what"], tuple(f"{source}/{cell}" for cell in each["cells"]), each["reason"]
            )
            for each in data["not_modelled"]
        ),
    }


def fitted_parameters(model: FittedModel) -> tuple[Parameter, ...]:
    """The free numbers of a calibration's model."""
    rows = zip(model.parameters, model.values, model.standard_errors, strict=True)
    return tuple(Parameter(p.name, value, p.unit, error) for p, value, error in rows)


@lru_cache(maxsize=64)
def calibrated_system(calibration: Calibration) -> System:
    """A calibration as a system whose tasks are its classes."""
    return System(
        name="calibration",
        title=f"the server measured in {calibration.data.source}",
        source=f"{len(calibration.data.numbers)} numbers of {len(calibration.data.runs)} runs",
        models=tuple(
            Model(m.name, m.structure, fitted_parameters(m), chi_square=m.chi_square)
            for m in calibration.admissible
        ),
        compare=lambda: (),
        notes=tuple(str(each) for each in calibration.unknown),
        calibration=calibration,
    )
