"""What a change of software should leave as it is, and what storing attachments once saves.

Storing attachments once (DAOS) changes where attachments lie: what transactions ask of the
processor and how often they go to the disks should stay. It saves volume, from none of it to the
share of storage that the source reports of customers, 20 %: not all volume is attachments.
Another release changes what a transaction asks for, which no model here speaks to; but the mail
that crosses the network, and the memory for the same users, should stay. These runs are not held
out, since others are predicted from them; each is left out of its own prediction.
"""

from calibration.agreements.comparison import Comparison
from calibration.agreements.published import published
from calibration.estimation.interval import Range
from calibration.systems.domino85.runs import Run, Runs
from scripts.paper_agreement.shared import compared

#: What attachments stored once should leave as it is, and what they should save.
KEPT = (
    "transactions", "processor", "disk_ios", "disk_reads", "disk_writes", "network",
    "virtual_memory",
)  # fmt: skip


SAVED = ("domino85/claims", "daos_storage", "value")
LESS = ("disk_volume", "disk_volume_read", "disk_volume_written")


def compare_attachments(runs: Runs) -> tuple[Comparison, ...]:
    """The run with attachments stored once from the one without.

    The baseline is the mean of the runs before.
    """
    saved = published(*SAVED)
    storage = saved.low / 100.0
    found = []
    for metric in (*KEPT, *LESS):
        share = storage if metric in LESS else 0.0
        base = runs.template.value(metric)
        found.append(
            _compared(
                runs.daos,
                metric,
                "attachments once",
                Range(base * (1.0 - share), base * (1.0 - share / 2.0), base),
                (*runs.template.cells(metric), *((":".join(SAVED),) if metric in LESS else ())),
                ("mean of the runs before", _mean(metric, runs.every[:3])),
                "from no volume to the share of storage saved" if metric in LESS else "",
            )
        )
    return tuple(found)


def compare_releases(runs: Runs) -> tuple[Comparison, ...]:
    """Network and memory of the new release from the old one.

    The baseline is that they go with the transactions.
    """
    found = []
    old = runs.release_80
    for run in (runs.release_85, runs.template):
        for metric in ("network", "virtual_memory"):
            base = old.value(metric)
            fewer = run.value("transactions") / old.value("transactions")
            found.append(
                _compared(
                    run,
                    metric,
                    "another release",
                    Range(base, base, base),
                    old.cells(metric),
                    ("with the transactions", base * fewer),
                    "",
                )
            )
    return tuple(found)


def _compared(
    run: Run,
    metric: str,
    case: str,
    predicted: Range,
    fitted_on: tuple[str, ...],
    baseline: tuple[str, float],
    note: str,
) -> Comparison:
    return compared(
        run.numbers[metric],
        metric,
        predicted,
        case=case,
        status="left out",
        model="demands stay",
        fitted_on=fitted_on,
        by_model=(("demands stay", predicted.mid),),
        baselines=(baseline,),
        note=note,
    )


def _mean(metric: str, runs: tuple[Run, ...]) -> float:
    return sum(run.value(metric) for run in runs) / len(runs)
