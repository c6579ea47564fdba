"""Processors of one of several machines that were measured together: ``[[tier]]``."""

from typing import Annotated

from pydantic import AfterValidator, Field

from calibration.hardware.hardware import Tier as TierHardware
from qmodel.documents.fields import Many, Name, StrictModel


class Tier(StrictModel):
    """A station of the calibration by its name, with the cores and the speed there would be.

    ``cpu_speed`` is relative to the processors that were measured.
    """

    name: Name
    cores: Annotated[int, Field(ge=1, le=1024)]
    cpu_speed: Annotated[float, Field(ge=0.01, le=100)] = 1.0

    @property
    def hardware(self) -> TierHardware:
        """As the calibration floor knows it."""
        return TierHardware(self.name, self.cores, self.cpu_speed)


def _once(tiers: tuple[Tier, ...]) -> tuple[Tier, ...]:
    names = [tier.name for tier in tiers]
    if twice := [name for i, name in enumerate(names) if name in names[:i]]:
        raise ValueError(f'"{twice[0]}" stands twice')
    return tiers


Tiers = Annotated[Many[Tier], AfterValidator(_once)]
