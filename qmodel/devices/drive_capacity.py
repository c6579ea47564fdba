"""Users that an array carries by its number of drives: an empirical law; see THEORY.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log

from qmodel.devices.ranges import MOST_PARTS, count, positive
from qmodel.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class CapacityLaw:
    """Capacity ``c k**e`` of k drives.

    Examples
    --------
    >>> round(RAID_1E_MAIL.capacity(9)), RAID_1E_MAIL.extrapolated(10)
    (3390, True)
    >>> RAID_1E_MAIL.drives_for(3000)
    8
    """

    #: Capacity c that the law gives to one drive. [users]
    one_drive: float
    #: e, over 0; 1 is every drive as good as the first. [1]
    exponent: float
    #: Drives of the arrays it was fitted to.
    fewest: int
    most: int
    #: Where the numbers come from.
    source: str

    def __post_init__(self) -> None:
        positive(self.one_drive, "capacity of one drive", "users")
        positive(self.exponent, "exponent")
        if count(self.fewest, "fewest drives") > count(self.most, "most drives"):
            raise InvalidInput(f"fewest drives are {self.fewest}, most are {self.most}")

    def capacity(self, drives: int) -> float:
        """Users that an array of ``drives`` drives carries. [users]"""
        return float(self.one_drive * count(drives, "number of drives") ** self.exponent)

    def extrapolated(self, drives: int) -> bool:
        """Whether that many drives are outside the range the law was fitted over."""
        return not self.fewest <= drives <= self.most

    def drives_for(self, users: float) -> int:
        """Fewest drives that carry ``users``. [drives]"""
        share = positive(users, "number of users") / self.one_drive
        if log(share) > self.exponent * log(MOST_PARTS):
            raise InvalidInput(f"{users:g} users need more than {MOST_PARTS} drives")
        drives: float = share ** (1.0 / self.exponent)
        return max(1, ceil(drives * (1.0 - 1e-12)))


def crowded(operations: Sequence[float], worth: float) -> tuple[float, ...]:
    """The operations of an array of which that share of the drives does all the work.

    What an array carries is measured where it is full. This has the busiest drive full as soon, and
    the work of one operation unchanged: alone it takes as long as with any number of drives.

    ``operations`` are those at each drive, were they all as good as the first; ``worth`` is how
    many drives an array is worth over those it has: ``k**(e - 1)`` by a law of exponent e.
    """
    if positive(worth, "drives that an array is worth over those it has") > 1.0:
        raise InvalidInput(f"an array is worth {worth:g} times its drives, expected at most 1")
    left = sum(operations)
    shares = []
    for each in sorted(operations, reverse=True):
        shares.append(min(left, each / worth))
        left -= shares[-1]
    return tuple(shares)


#: Mail users at 5 s of response time on one RAID-1E array of 10,000 rpm drives: fitted to the
#: five arrays of the 2000 study's Table 1 with the exponent held at one half.
RAID_1E_MAIL = CapacityLaw(
    1130.0, 0.5, 2, 9, "IBM, disk organization and Lotus Notes (2000), Table 1"
)
