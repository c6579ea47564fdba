"""What the models of domino5_raid say of published numbers: drives."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from calibration.agreements.comparison import Comparison, Status
from calibration.agreements.fitted_formula import FittedLaw, Point
from calibration.agreements.published import published
from calibration.systems.domino5_raid.drives import RIVALS, ROOT, calibrated, points
from scripts.paper_agreement.shared import left_out

#: The paper says "approximately 3,500 users": round to hundreds.
_ROUND = 50.0


def compare() -> Iterator[Comparison]:
    """Each array fitted and left out, and ten drives."""
    every = points()
    for point in every:
        yield _comparison(point, "fitted", calibrated(), [calibrated(law) for law in RIVALS])
    without = [left_out(law, every) for law in (ROOT, *RIVALS)]
    for i, point in enumerate(every):
        root, *rivals = (each[i] for each in without)
        yield _comparison(point, "left out", root, rivals)
    rivals = [calibrated(law) for law in RIVALS]
    for row, table in (("capacity_10_drives", "one"), ("users_study_one", "two")):
        number = published(f"domino5_raid/study_{table}_claims", row, "value")
        point = Point(replace(number, half_unit=_ROUND), 10)
        yield _comparison(point, "held out", calibrated(), rivals)


def _comparison(
    point: Point[int], status: Status, root: FittedLaw[int], rivals: Sequence[FittedLaw[int]]
) -> Comparison:
    drives = [each.at for each in root.points]
    smallest = min(root.points, key=lambda each: each.at)
    return Comparison(
        published=point.published,
        subject="one array",
        metric="users supported",
        case="ten drives" if point.at == 10 else "two to nine drives",
        status=status,
        model=ROOT.name,
        predicted=root.predict(point),
        fitted_on=root.cells,
        by_model=tuple((each.law.name, each.value(point.at)) for each in (root, *rivals)),
        baselines=(
            (
                "as many a drive as in the smallest array",
                smallest.published.value / smallest.at * point.at,
            ),
        ),
        extrapolated=""
        if min(drives) <= point.at <= max(drives)
        else f"{point.at} drives, fitted to {min(drives)} to {max(drives)}",
    )
