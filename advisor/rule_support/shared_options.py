"""Options that several rules share; their words are the card beside it."""

from collections.abc import Callable, Sequence
from math import inf

from advisor.configuration.changes import Key, Settings
from advisor.findings.records import Option
from advisor.findings.words import MIB, counted, memory_size
from advisor.predicting.outlook import Outlook
from advisor.rule_support.card import card_of
from advisor.rule_support.rule import Case
from qmodel.errors import InvalidInput

CARD = card_of(__file__)

#: A step of a ladder: what is done, and the settings.
Step = tuple[str, Settings]


def next_size(need: float) -> float:
    """The smallest size of memory that can be bought and is enough for a need. [bytes]

    Modules double from one size to the next; of one size, or of two that follow each other, two
    make 2, 3, 4, 6, 8, 12, 16 ... MB. InvalidInput if the need is not a positive, finite number.
    """
    if not 0.0 < need < inf:
        raise InvalidInput(f"memory needed is {need}, expected a positive finite number [bytes]")
    size = MIB
    while size < need:
        size = size * 1.5 if 1.5 * size >= need and size > MIB else size * 2.0
    return size


def more_memory(
    need: float, source: str, *, valid: str, benefit: str = "", side_effect: str = ""
) -> Option:
    """The next size of memory that is enough for a need [bytes], which its title says."""
    size = next_size(need)
    # Where the need is such a size itself it is not said twice.
    why = "" if memory_size(size) == memory_size(need) else f"; {memory_size(need)} are needed"
    return CARD.option(
        "memory", f"{size / MIB:.0f} MB", size=memory_size(size), why=why, source=source,
        valid=valid, benefit=benefit, side_effect=side_effect,
    )  # fmt: skip


def faster_processors(case: Case, gains: Sequence[float]) -> tuple[Step, ...]:
    """Processors so many times as fast, where the present one is none of the catalogue."""
    server = case.settings.server
    now = server.cpu_speed or 1.0
    return tuple(
        (
            f"use processors {gain:g} times as fast",
            ((("server", "cpu_speed"), round(now * gain, 6)),),
        )
        for gain in gains
        if server.processor is None
    )


def night_moves(case: Case) -> Settings:
    """Settings that move batch tasks out of the peak, as far as they may and fit off-peak."""
    return moved(case, [i for i, _ in case.batch_at_peak() if fit_the_night(case, [i])])


def fit_the_night(case: Case, tasks: Sequence[int]) -> bool:
    """Whether tasks, by their places in the file, may all run off-peak, one after the other."""
    night, peak = case.settings.workload.off_peak, case.settings.workload.peak
    batches = [case.settings.batch[i] for i in tasks]
    if night.overlaps(peak) or any(batch.fixed for batch in batches):
        return False
    return sum(batch.duration or batch.work or 0.0 for batch in batches) <= night.length * 60


def moved(case: Case, tasks: Sequence[int]) -> Settings:
    """Settings with which tasks run off-peak; a start of today goes, it says otherwise."""
    hours = tuple(str(case.settings.workload.off_peak).split("-"))
    windows: tuple[tuple[Key, object], ...] = tuple((("batch", i, "window"), hours) for i in tasks)
    starts: tuple[tuple[Key, object], ...] = tuple(
        (("batch", i, "start"), None) for i in tasks if case.settings.batch[i].start is not None
    )
    return (*windows, *starts)


def fewer_users(case: Case, excess: Callable[[Outlook], float], source: str) -> tuple[Option, ...]:
    """The most users that keep within a limit, with batch tasks moved out of the peak.

    ``excess`` says how much of the limit an outlook takes, within it up to 1; ``source`` where the
    limit is from.
    """
    users = case.settings.workload.users
    if case.settings.workload.arrival_rate is not None:
        return ()
    moves = night_moves(case)
    fit = case.most_users(moves, excess)
    if not 0 < fit < users:
        return ()
    night = ", batch tasks off-peak" if moves else ""
    settings: Settings = ((("workload", "users"), fit), *moves)
    most = counted(fit, "user")
    return (CARD.option("fewer", settings=settings, users=most, night=night, source=source),)
