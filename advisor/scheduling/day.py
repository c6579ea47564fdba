"""A day in slots: how many users are at work in each, and where the day of the tasks begins."""

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.configuration.hours import DAY, UserProfile, Window
from advisor.configuration.schema import Workload
from qmodel.errors import InvalidInput

#: Share of the users at work outside the peak, where the configuration does not say: a convention.
OFF_PEAK_SHARE = 0.10
#: Slots shorter than this only make the search longer. [min]
SHORTEST = 5
#: Parts of the arrivals at their most, which stand in the place of users.
PARTS = 1000


@dataclass(frozen=True, slots=True)
class Day:
    """Equal slots from midnight to midnight."""

    #: Length of one. [min]
    slot: int
    #: The largest share of the users at work in each. [1]
    shares: tuple[float, ...]
    #: The same as whole users. [customers]
    users: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.users)

    def covered(self, start: int, length: int) -> tuple[int, ...]:
        """Slots that some minutes touch, in order of time."""
        first, last = start // self.slot, -(-(start + length) // self.slot)
        return tuple(s % len(self) for s in range(first, min(last, first + len(self))))


def day_of(workload: Workload, slot: int) -> Day:
    """The day of a workload, from its profile or else from its peak hours."""
    if not SHORTEST <= slot <= DAY // 2 or DAY % slot:
        raise InvalidInput(
            f"slot must divide the day and be {SHORTEST} to {DAY // 2} minutes long, got {slot}; "
            "15 makes 96 slots"
        )
    shares = tuple(profile_of(workload).most(start, slot) for start in range(0, DAY, slot))
    # Arrivals are counted in parts, of which there is no smallest that is still somebody.
    least, most = (0, workload.users) if workload.arrival_rate is None else (1, PARTS)
    users = (int(share * most + 0.5) for share in shares)
    return Day(
        slot, shares, tuple(max(n, least) if s else 0 for n, s in zip(users, shares, strict=True))
    )


def profile_of(workload: Workload) -> UserProfile:
    """The users' profile, told from the peak hours where there is none."""
    if workload.profile is not None:
        return workload.profile
    elsewhere = workload.off_peak_share
    return UserProfile.by_peak(workload.peak, OFF_PEAK_SHARE if elsewhere is None else elsewhere)


def beginning(
    windows: Sequence[Window], peak: Window, after: Sequence[Sequence[int]] = (),
    minutes: Sequence[int] = (),
) -> int:  # fmt: skip
    """Minute after midnight at which the day of the tasks begins.

    One task after another is meant within one such day. So it begins where it cuts no window and
    parts as few tasks as can be from those they come ``after``, whose least ``minutes`` are given:
    at the end of the longest such time that is in no window. If every such time parts some, it may
    begin with any window; where the windows leave no time free, at the end of the peak.
    """
    bounded = [w for w in windows if w.length < DAY]
    gaps = {
        window.start: min((window.start - other.end) % DAY for other in bounded)
        for window in bounded
        if not any(window.start in other and window.start != other.start for other in bounded)
    }

    def order(start: int) -> tuple[int, int, int]:
        parted = _parted(start, windows, after, minutes)
        return parted, -gaps.get(start, 0), (start - peak.end) % DAY

    best = min(gaps or [peak.end], key=order)
    if order(best)[0]:
        return min([best, *(window.start for window in bounded)], key=order)
    return best


def _parted(
    origin: int, windows: Sequence[Window], after: Sequence[Sequence[int]], minutes: Sequence[int]
) -> int:
    """Tasks that no longer end within their windows if the day begins at a minute.

    Each starts as early as its window and the tasks before it let it.
    """
    opens = [
        origin if window.length == DAY else origin + (window.start - origin) % DAY
        for window in windows
    ]
    least = list(minutes) or [0] * len(windows)
    ends = [start + length for start, length in zip(opens, least, strict=True)]
    for _ in after:
        for i, before in enumerate(after):
            start = max([opens[i], *(ends[j] for j in before)])
            ends[i] = start + least[i]
    return sum(
        end > start + window.length for end, start, window in zip(ends, opens, windows, strict=True)
    )
