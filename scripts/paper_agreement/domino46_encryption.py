"""What the models of domino46 say of published numbers: encryption."""

from collections.abc import Iterator

from calibration.agreements.comparison import Comparison
from calibration.agreements.published import published
from calibration.estimation.interval import Range
from calibration.printed_tables.table import load_table
from calibration.systems.domino46.encryption import CLAIM, LOADS, rise, surcharge


def compare() -> Iterator[Comparison]:
    """The relative rise of utilization at each load; the baseline is that nothing changes."""
    settings = load_table("domino46/encryption_settings")
    share = surcharge()
    for row in LOADS:
        users = int(settings.value(row))
        low, mid, high = (rise(users, each) * 100.0 for each in (share.low, share.mid, share.high))
        yield Comparison(
            published=published(*CLAIM),
            subject="port encryption",
            metric="rise of utilization",
            case=f"N = {users}",
            status="fitted",
            model="surcharge",
            predicted=Range(low, mid, high),
            fitted_on=(":".join(CLAIM),),
            by_model=(("surcharge", mid),),
            baselines=(("nothing", 0.0),),
            note="one range is printed for all three loads",
        )
