"""POOL001 and POOL002: pools too small for what they protect, or too large; see THEORY.md."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from advisor.machines.model import Resource
from advisor.machines.outlook import Outlook, Row, busy_limit, outlook
from advisor.machines.settings import with_value
from advisor.machines.tables import Machines
from calibration.printed_tables.card import read_toml

#: Share of response time waited for a pool that is worth a word; a device that still has room. [1]
WAITED, ROOM = 0.05, 0.9
#: A response time this close to the least is as good. [1]
AS_GOOD = 0.02
#: A pool this many times larger than of use is too large. [1]
TOO_LARGE = 3.0


class Manual(NamedTuple):
    """What `qmodel explain` prints of a rule of pools."""

    code: str
    slug: str
    sentence: str
    manual: str


def manual_of(name: str) -> Manual | None:
    """The manual of POOL001 or POOL002, by code or slug; None of another rule."""
    for code, found in read_toml(Path(__file__).with_suffix(".toml")).items():
        if name.casefold() in (code.casefold(), found["slug"]):
            sentence = found["manual"].strip().splitlines()[0].split(": ", 1)[1]
            return Manual(code, found["slug"], sentence, found["manual"])
    return None


@dataclass(frozen=True, slots=True)
class PoolFinding:
    """A pool that is too small (POOL001) or too large (POOL002)."""

    rule: Literal["POOL001", "POOL002"]
    row: Row
    #: Smallest size that keeps the targets, None where none does; size of use.
    enough: int | None
    of_use: int
    #: Now and with the size of use.
    before: Outlook
    after: Outlook
    #: What then fills first.
    next: str | None

    @property
    def resource(self) -> Resource:
        """The pool."""
        return self.row.resource


def judge_pools(machines: Machines, now: Outlook | None = None) -> list[PoolFinding]:
    """Findings on every pool, those that are too small first, the worst of them on top."""
    seen = now or outlook(machines)
    found = [each for row in seen.rows if (each := _judge(machines, seen, row))]
    return sorted(found, key=lambda each: (each.rule, -each.row.waited))


def _judge(machines: Machines, now: Outlook, row: Row) -> PoolFinding | None:
    resource = row.resource
    if not resource.is_pool or resource.key is None:
        return None
    key, size = resource.key, int(resource.size)

    def sized(count: int) -> Outlook:
        return outlook(with_value(machines, key, count))

    most = max(now.users, size)
    wide = sized(most)
    limit = (1.0 + AS_GOOD) * min(wide.response_time, now.response_time)
    if row.waited >= WAITED and wide.response_time < (1.0 - AS_GOOD) * now.response_time:
        if any(each.utilization > ROOM for each in now.rows if not each.resource.is_pool):
            return None  # the hardware is what is waited for
        of_use = _least(size + 1, most, lambda n: sized(n).response_time <= limit)
        meets = wide.meets(machines)
        enough = _least(size, of_use, lambda n: sized(n).meets(machines)) if meets else None
        after = sized(of_use)
        return PoolFinding("POOL001", row, enough, of_use, now, after, _fills_next(machines, after))
    of_use = _least(1, size, lambda n: sized(n).response_time <= limit)
    if size < TOO_LARGE * of_use or size - of_use < 4:
        return None
    return PoolFinding("POOL002", row, of_use, of_use, now, sized(of_use), None)


def _fills_next(machines: Machines, after: Outlook) -> str | None:
    """The busiest device or pool."""
    busy = max(after.rows, key=lambda row: row.utilization, default=None)
    limit = busy_limit(machines) or ROOM
    worth = busy is not None and busy.utilization > 0.5 * limit
    return busy.resource.name if busy and worth else after.bottleneck


def _least(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The least number for which something holds that holds from there on; ``high`` does."""
    return low + bisect_left(range(low, high), True, key=holds)
