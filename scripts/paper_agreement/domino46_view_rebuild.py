"""What the models of domino46 say of published numbers: view_rebuild."""

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.published import Published
from calibration.estimation.interval import Range
from calibration.printed_tables.run import REPLICATE_NOISE
from calibration.printed_tables.table import load_table
from calibration.systems.domino46.view_rebuild import ABOUT, TABLE, rebuild_time

ROW = "rebuild_factor"
_WORDS = {"double": 2.0, "triple": 3.0}


def compare() -> tuple[Comparison, ...]:
    """Two databases against one; the baseline is that four processors rebuild both at once."""
    table = load_table(TABLE)
    server = load_table("domino46/buffer_pool_server")
    processors = int(server.value("processors"))
    text = table.cell(ROW, "value").text
    number = Published(
        table.name,
        ROW,
        "value",
        table.cite(ROW),
        "1",
        _WORDS[text],
        _WORDS[text],
        ABOUT * _WORDS[text],
    )
    serial = rebuild_time(2, 1, processors)
    noise = (
        2.0 * (REPLICATE_NOISE["response_time"] * serial) ** 2 + number.half_unit**2 / 3
    ) ** 0.5
    return (
        Comparison(
            published=number,
            subject="view rebuild",
            metric="time of two databases over one",
            case=f"{processors} processors",
            status="held out",
            model="one update task",
            predicted=for_one_more(Range(serial, serial, serial), noise),
            by_model=(("one update task", serial),),
            baselines=(("all processors", rebuild_time(2, processors, processors)),),
            note=f"printed as a word: about {text}",
        ),
    )
