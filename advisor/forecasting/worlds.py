"""Possible worlds at random: a calibration, its demands and a growth of users; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Any

from advisor.forecasting.user_growth import UserGrowth
from advisor.predicting.highest_load import MOST, Loads, log_load
from calibration.agreements.ensemble import NINETY_PERCENT, Variant

#: Worlds that are drawn.
WORLDS = 20_000


@dataclass(frozen=True, slots=True)
class Worlds:
    """Calibrations, demands and growth as they may be, drawn once and used for every upgrade."""

    #: The load that loads are multiples of. [customers]
    now: float
    #: Logarithm of the users now, and what it gains a month.
    users: Any
    slope: Any
    #: Which calibration is true, for each the worlds in which it is.
    members: dict[str, Any]
    #: How far each axis of its uncertainty is off. [standard deviations]
    axes: dict[tuple[str, int], Any]
    #: How far computed percentiles are off, the same way all of them. [standard deviations]
    tails: Any

    def months(self, ways: Sequence[Variant], loads: Loads) -> Any:
        """Months until each world crosses a target that the ``ways`` do, 0 if it is missed now."""
        import numpy as np

        found = np.empty(len(self.slope))
        for name, here in self.members.items():
            pairs = zip(ways, loads.of_ways, strict=True)
            mine = [(way.axis, load) for way, load in pairs if way.member == name]
            centre = next(log_load(load) for axis, load in mine if axis == 0)
            logs = np.full(len(here), centre)
            for axis in sorted({axis for axis, _ in mine if axis}):
                up, *other = [log_load(load) - centre for a, load in mine if a == axis]
                down = other[0] if other else 0.0  # what is alone goes one way
                z = self.axes[name, axis][here] / NINETY_PERCENT
                logs += np.where(z > 0.0, z * up, -z * down)
            found[here] = logs
        z = self.tails / NINETY_PERCENT
        found += np.where(z > 0.0, z * loads.above, z * loads.below)
        beyond = found + log(self.now) - self.users
        with np.errstate(divide="ignore", invalid="ignore"):
            months = np.where(self.slope > 0.0, beyond / self.slope, inf)
        # A world whose load is as good as without limit never crosses.
        months = np.where(found >= log(MOST), inf, months)
        return np.where(beyond <= 0.0, 0.0, months)


def draw_worlds(
    now: float, users_growth: UserGrowth, ways: Sequence[Variant], seed: int, *, by_rate: bool
) -> Worlds:
    """Draw worlds, the same ones for the same seed.

    ``now`` are the users, or, ``by_rate``, what arrivals are multiples of. ``ways`` are those of
    the configuration and of every change of it. Each model has its exact part
    of the worlds, and an axis the quantiles of its distribution in an order of chance.
    """
    import numpy as np
    from scipy.special import ndtri

    random: np.random.Generator = np.random.default_rng(seed)
    if by_rate and users_growth.level is not None:
        # Arrivals grow as users did; what they are now is what the configuration says.
        now = float(np.exp(users_growth.level + users_growth.slope * users_growth.middle))
    users, slope = users_growth.draw(now, WORLDS, random)
    weights = {way.member: 1.0 if way.weight is None else way.weight for way in ways}
    ends = np.cumsum(list(weights.values())) / sum(weights.values())
    parts = np.split(random.permutation(WORLDS), np.rint(ends[:-1] * WORLDS).astype(int))
    keys = dict.fromkeys((way.member, way.axis) for way in ways if way.axis)
    return Worlds(
        now, users, slope, dict(zip(weights, parts, strict=True)),
        {key: ndtri((random.permutation(WORLDS) + 0.5) / WORLDS) for key in keys},
        ndtri((random.permutation(WORLDS) + 0.5) / WORLDS),
    )  # fmt: skip
