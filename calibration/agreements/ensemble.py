"""Several admissible calibrations: what they agree on, and how far they differ; see THEORY.md."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log, sqrt

from calibration.estimation.fit import Fit
from calibration.estimation.interval import Range
from calibration.hardware.task import Task
from calibration.model_evaluation.model import ServiceModel
from calibration.predicting.worlds import interval

#: Standard deviations to either side of a 90 % interval of the normal distribution.
NINETY_PERCENT = 1.645


@dataclass(frozen=True, slots=True)
class FittedTask:
    """A task whose parameters were fitted."""

    #: Parameter values to the task.
    make: Callable[[Sequence[float]], Task]
    #: Values, covariance and residuals.
    fit: Fit
    #: Names of the parameters, with their unit.
    names: tuple[str, ...]
    #: References to the rows that were fitted.
    fitted: tuple[str, ...]
    #: Lowest and highest population among them.
    populations: tuple[int, int]

    @property
    def task(self) -> Task:
        """The task at the fitted values."""
        return self.make(self.fit.values)

    def moved(self) -> Iterator[tuple[Task, Task]]:
        """The task moved both ways along each principal axis of its uncertainty in one more run.

        The fit knows the mean of its runs to the covariance; one more run differs from that mean
        as the runs differ among themselves, which makes it ``1 + number of runs`` times as wide.
        The steps are relative, as the fit's are: a demand stays positive however uncertain.
        """
        import numpy as np

        values = np.array(self.fit.values)
        one_run = np.array(self.fit.covariance) * (1 + len(self.fitted))
        sizes, axes = np.linalg.eigh(one_run / np.outer(values, values))
        for size, axis in zip(sizes, axes.T, strict=True):
            step = np.exp(NINETY_PERCENT * sqrt(max(float(size), 0.0)) * axis)
            yield self.make((values * step).tolist()), self.make((values / step).tolist())


@dataclass(frozen=True, slots=True)
class Member:
    """One admissible structure with its fitted and its fixed tasks.

    What one of its tasks may be as well, though it makes no difference to any number that was
    fitted, is in ``otherwise``.
    """

    name: str
    description: str
    fitted: tuple[FittedTask, ...]
    fixed: tuple[Task, ...] = ()
    otherwise: tuple[Task, ...] = ()

    def tasks(self) -> dict[str, Task]:
        """All tasks by name."""
        return {t.name: t for t in (*(f.task for f in self.fitted), *self.fixed)}


@dataclass(frozen=True, slots=True)
class Variant:
    """One way the world may be: a member, moved along one axis of its uncertainty or not at all.

    ``axis`` 0 is the member itself; the others come in pairs, or alone where they go one way. Of a
    calibration, ``weight`` is that of the member, and ``service`` the system then.
    """

    member: str
    axis: int
    tasks: dict[str, Task]
    write_share: float = 0.5
    weight: float | None = None
    service: ServiceModel | None = None


def variants(members: Sequence[Member], used: Sequence[str]) -> tuple[Variant, ...]:
    """Every way the world may be, as far as the tasks in ``used`` can tell.

    What a task may be otherwise is one more axis each; so is the share of disk operations that
    write where it was not measured: it is taken from none to all.
    """
    found = []
    for member in members:
        tasks = member.tasks()
        centre = Variant(member.name, 0, tasks)
        found.append(centre)
        axis = 0
        for fitted in member.fitted:
            if fitted.task.name not in used:
                continue
            for pair in fitted.moved():
                axis += 1
                found.extend(
                    Variant(member.name, axis, tasks | {moved.name: moved}) for moved in pair
                )
        for task in member.otherwise:
            if task.name in used:
                axis += 1
                found.append(Variant(member.name, axis, tasks | {task.name: task}))
        if any(tasks[name].write_share is None and tasks[name].disk_volume for name in used):
            found.extend(replace(centre, axis=axis + 1, write_share=share) for share in (0.0, 1.0))
    return tuple(found)


def combine(ways: Sequence[Variant], values: Sequence[float], most: float = inf) -> Range:
    """The range of one number that cannot be negative, predicted by every variant.

    Within a member the effects of its axes add in quadrature, as independent errors do, on a
    scale of ratios, as the fit's are; between members the range is the widest, since at most one
    of them is true. Members with weights make a mixture: see `calibration.predicting.mixture`.
    Every member has a variant with axis 0; ``most`` is what the number cannot exceed.
    """
    if ways[0].weight is not None:
        found = _mixed(ways, values, most=most)
    elif min(values) <= 0.0:
        found = combine_changes(ways, values)
    else:
        found = _widest(
            ways, values, lambda value, centre: log(value / centre), lambda c, by: c * exp(by)
        )
    low, mid, high = (min(max(end, 0.0), most) for end in (found.low, found.mid, found.high))
    return Range(low, mid, high)


def _mixed(
    ways: Sequence[Variant], values: Sequence[float], most: float = inf, *, ratio: bool = True
) -> Range:
    """The range of members with weights; from the least value on where none has a bound."""
    among = [(way.member, way.weight or 0.0, way.axis) for way in ways]
    found = interval(among, values, ratio=ratio, most=most)
    return found if found.low < inf else replace(found, low=min(values))


def combine_changes(ways: Sequence[Variant], values: Sequence[float]) -> Range:
    """The range of a number of either sign, such as a relative change; see `combine`."""
    if min(values) == -inf:
        if max(values) == inf:  # of all sizes and of either sign
            return Range(-inf, 0.0, inf)
        turned = combine_changes(ways, [-value for value in values])
        return Range(-turned.high, -turned.mid, -turned.low)
    if ways[0].weight is not None:
        return _mixed(ways, values, ratio=False)
    return _widest(ways, values, lambda value, centre: value - centre, lambda c, by: c + by)


def _widest(
    ways: Sequence[Variant], values: Sequence[float], effect: Callable[[float, float], float],
    moved: Callable[[float, float], float],
) -> Range:  # fmt: skip
    """`widest` of the members, with the effect of a value on a centre, and a centre moved by one.

    A member without a bound has a range from its least end on.
    """
    ranges = []
    for centre, axes in _by_member(ways, values):
        if centre < inf:
            effects = [[0.0, *(effect(value, centre) for value in axis)] for axis in axes]
            low = moved(centre, -_quadrature(map(min, effects)))
            ranges.append(Range(low, centre, moved(centre, _quadrature(map(max, effects)))))
        else:
            ranges.append(Range(min([inf, *(v for axis in axes for v in axis)]), inf, inf))
    return widest(ranges)


def _by_member(
    ways: Sequence[Variant], values: Sequence[float]
) -> Iterator[tuple[float, list[list[float]]]]:
    """Each member's own value, and the values along each of its axes."""
    members: dict[str, dict[int, list[float]]] = {}
    for way, value in zip(ways, values, strict=True):
        members.setdefault(way.member, {}).setdefault(way.axis, []).append(value)
    for axes in members.values():
        (centre,) = axes.pop(0)
        yield centre, [axes[axis] for axis in sorted(axes)]


def _quadrature(errors: Iterable[float]) -> float:
    return sqrt(sum(error * error for error in errors))


def widest(ranges: Sequence[Range]) -> Range:
    """At most one member is true, so the ends are the outermost; the middle is their mean."""
    mid = sum(each.mid for each in ranges) / len(ranges)
    return Range(min(each.low for each in ranges), mid, max(each.high for each in ranges))
