"""Rebuilding the views of several databases by one update task, which works through them in turn.

An update task is one thread: it can use one processor, whatever else is idle. Two databases of the
same size then take twice the time of one, with any number of processors; the article finds about
that and takes it for the best possible (erratum E-I46-04), which on four processors it is not.
"""

from calibration.agreements.comparison import Comparison, for_one_more
from calibration.agreements.published import Published
from calibration.estimation.interval import Range
from calibration.printed_tables.run import REPLICATE_NOISE
from calibration.printed_tables.table import load_table
from qmodel import ClosedClass, Network, QueueingStation, solve

TABLE = "domino46/buffer_pool_claims"

#: "About double": up to a quarter more or less would still be called so.
ABOUT = 0.25


def rebuild_time(databases: int, tasks: int, processors: int) -> float:
    """Time to rebuild equal databases, by tasks that take them in turn, over that of one. [1]

    Examples
    --------
    >>> rebuild_time(2, tasks=1, processors=4), rebuild_time(4, tasks=2, processors=4)
    (2.0, 2.0)
    """
    servers = min(tasks, processors)
    # All databases are waiting all the time: the station is never short of customers.
    network = Network(
        [QueueingStation("update", servers)], [ClosedClass("databases", databases)], [1.0]
    )
    return databases / float(solve(network).throughputs[0])


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
