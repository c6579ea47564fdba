"""A rule: a stable code, a slug, a claim, a manual, and a check of a case, which is all it sees."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from advisor.configuration.changes import Settings
from advisor.configuration.configuration import Configuration
from advisor.configuration.parts import catalogue_of
from advisor.configuration.schema import BatchTask, ServerConfig
from advisor.findings.records import Finding, State
from advisor.predicting.calibrated import changeable
from advisor.predicting.highest_load import USUAL
from advisor.predicting.outlook import Outlook
from advisor.predicting.parts_of_time import PartsOfTime
from calibration.agreements.system import System
from calibration.hardware.task import Task
from qmodel.devices.catalogue import Drive


class NothingToGoBy(Exception):
    """A rule lacks what it needs: ``state`` is not-applicable or no-evidence."""

    def __init__(self, reason: str, *, evidence: bool = False) -> None:
        super().__init__(reason)
        self.state: State = "no-evidence" if evidence else "not-applicable"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    #: Stable: three or four letters of the topic and three digits.
    code: str
    #: Stable name in words.
    slug: str
    #: One line: what holds where the rule has nothing to report.
    claim: str
    #: Code, slug and one plain sentence; then what it does, why it matters, threshold and source,
    #: example, limits.
    manual: str
    #: Case to findings; raises `NothingToGoBy` where it cannot tell.
    check: "Callable[[Case], Iterator[Finding]]"
    #: The measured systems whose sources document what it holds a configuration against; empty for
    #: a rule that goes by the model.
    systems: tuple[str, ...] = ()
    #: Keys of a configuration without which it does not apply, and those without which it has no
    #: evidence.
    only_with: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What the rule is for, in one sentence."""
        return self.manual.strip().partition("\n")[0].partition(": ")[2]

    @classmethod
    def of(
        cls, name: str, claim: str, manual: str, check: "Callable[[Case], Iterator[Finding]]",
        **when: tuple[str, ...],
    ) -> "Rule":  # fmt: skip
        """The rule of a file, whose name is its code and its slug; and when it is asked."""
        code, _, slug = name.partition("_")
        return cls(code.upper(), slug.replace("_", "-"), claim, manual, check, **when)

    def judge(self, case: "Case") -> list[Finding]:
        """What it finds in a case.

        NothingToGoBy if it cannot tell, lacks a key that it goes by, or the workload is of no
        system that its sources document.
        """
        if self.systems and case.system is None:
            raise NothingToGoBy("applies only if workload.system is given")
        if self.systems and case.system_name not in self.systems:
            source = (
                f"the source of {case.system_name}" if case.of_a_paper else "your own measurement"
            )
            raise NothingToGoBy(f"{source} does not document it")
        for key in (*self.only_with, *self.needs):
            if value_at(case.settings, key) is None:
                raise NothingToGoBy(f"{key} is not given", evidence=key in self.needs)
        return list(self.check(case))


def value_at(settings: ServerConfig, key: str) -> Any:
    """The value of a dotted key; None where its table is not given."""
    value: Any = settings
    for part in key.split("."):
        value = None if value is None else getattr(value, part)
    return value


def known(value: float | None) -> float:
    """A number of a configuration that the rule's card asks for: none is not judged."""
    assert value is not None
    return value


#: Tables of configurations by the beginnings of the codes of rules.
_TABLES = {
    "CPU": "server", "DSK": "disk", "RAID": "disk", "STR": "disk", "CTL": "disk", "LAN": "lan",
    "INP004": "disk",
}  # fmt: skip


def check_device(configuration: Configuration, rule: Rule) -> None:
    """Raise `NothingToGoBy` unless the configuration describes the device that a rule is about.

    So too if a calibration measured the device and its measured_on is not given.
    """
    table = next((t for code, t in _TABLES.items() if rule.code.startswith(code)), None)
    if table is None:
        return
    if table != "server" and not configuration.settings.describes(table):
        raise NothingToGoBy(f"the configuration has no table [{table}]")
    if rule.code.startswith("RAID") and rented(configuration):
        raise NothingToGoBy("the cloud provider already keeps each volume on several drives")
    if rule.code.startswith("STR") and "stripe" not in configuration.settings.disk.model_fields_set:
        raise NothingToGoBy("disk.stripe is not given")
    if not changeable(configuration, table):
        raise NothingToGoBy(
            f"which {table} was measured is not stated; add [{table}.measured_on]", evidence=True
        )


def rented(configuration: Configuration) -> bool:
    """Whether the drives are volumes of a cloud."""
    name = configuration.settings.disk.drive
    return bool(name and catalogue_of(configuration).find(Drive, name).provider)


#: Stands before every gain that is passed on and not predicted.
LABEL = "documented, not modelled"


def documented(gain: str) -> str:
    """A gain as an option's benefit."""
    return f"{LABEL}: {gain}"


@dataclass(frozen=True, slots=True)
class Case:
    """A configuration and what the model says of it."""

    configuration: Configuration
    #: The measured system the workload refers to.
    system: System | None
    #: At the worst peak hour, batch tasks included.
    outlook: Outlook
    #: At the same number of users without batch tasks.
    alone: Outlook
    #: The tasks of the first admissible calibration, and those the configuration gives.
    tasks: dict[str, Task]
    #: A batch task to the utilization of each resource's busiest station when it runs alone.
    shares_alone: Callable[[int], dict[str, float]]
    #: Settings to change first, and how much of a limit an outlook at the peak takes, to the
    #: largest number of users that keeps within it, 0 if none does.
    most_users: Callable[[Settings, Callable[[Outlook], float]], int]
    #: Settings to change first, to the outlook at the worst peak hour.
    outlook_with: Callable[[Settings], Outlook]
    #: A class of users to where its response time goes at the worst peak hour.
    parts_of_time: Callable[[str], PartsOfTime]

    @property
    def settings(self) -> ServerConfig:
        """The validated settings, in base units."""
        return self.configuration.settings

    @property
    def system_name(self) -> str:
        """Name of the measured system the workload refers to; empty without one."""
        return self.system.name if self.system else ""

    @property
    def of_a_paper(self) -> bool:
        """Whether the workload is one of the papers', so that what they printed concerns it."""
        return self.settings.workload.system is not None

    @property
    def busy_limit(self) -> float:
        """Utilization that leaves no room: 80 %, or what was promised if that is more. [1]"""
        targets = self.settings.targets
        return max(USUAL, (targets and targets.utilization) or 0.0)

    @property
    def disk_load_unknown(self) -> bool:
        """Whether it is not said what the load asks of the drives, which leaves them idle here."""
        return self.outlook.resource("disk").utilization.mid == 0.0

    def batch_at_peak(self) -> tuple[tuple[int, Task], ...]:
        """Index and demands of each batch task that the model knows and that meets the peak."""
        peak, night = self.settings.workload.peak, self.settings.workload.off_peak
        return tuple(
            (i, task)
            for i, batch in enumerate(self.settings.batch)
            if (task := self.task(batch)) and batch.hours(night).overlaps(peak)
        )

    def task(self, batch: BatchTask) -> Task | None:
        """What a batch task asks of the server, None if the configuration does not say."""
        return self.tasks.get(batch.task_name)
