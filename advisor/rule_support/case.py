"""A case: all that a rule may see of a configuration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.configuration.changes import Settings
from advisor.configuration.configuration import Configuration
from advisor.configuration.schema import BatchTask, ServerConfig
from advisor.predicting.outlook import Outlook
from advisor.predicting.parts_of_time import PartsOfTime
from calibration.hardware.task import Task

if TYPE_CHECKING:
    from calibration.agreements.system import System


@dataclass(frozen=True, slots=True)
class Case:
    """A configuration and what the model says of it.

    Parameters
    ----------
    configuration : Configuration
        What the user wrote.
    system : System, optional
        The measured system the workload refers to.
    outlook : Outlook
        At the worst peak hour, batch tasks included.
    alone : Outlook
        At the same number of users without batch tasks.
    tasks : dict of str to Task
        The tasks of the first admissible calibration, and those the configuration gives.
    shares_alone : callable
        A batch task to the utilization of each resource's busiest station when it runs alone.
    most_users : callable
        Settings to change first, and how much of a limit an outlook at the peak takes, to the
        largest number of users that keeps within it, 0 if none does.
    outlook_with : callable
        Settings to change first, to the outlook at the worst peak hour.
    parts_of_time : callable
        A class of users to where its response time goes at the worst peak hour.
    """

    configuration: Configuration
    system: System | None
    outlook: Outlook
    alone: Outlook
    tasks: dict[str, Task]
    shares_alone: Callable[[Task], dict[str, float]]
    most_users: Callable[[Settings, Callable[[Outlook], float]], int]
    outlook_with: Callable[[Settings], Outlook]
    parts_of_time: Callable[[str], PartsOfTime]

    @property
    def settings(self) -> ServerConfig:
        """The validated settings, in base units."""
        return self.configuration.settings

    @property
    def of_a_paper(self) -> bool:
        """Whether the workload is one of the papers', so that what they printed concerns it."""
        return self.settings.workload.system is not None

    @property
    def disk_load_unknown(self) -> bool:
        """Whether nobody said what the load asks of the drives, which leaves them idle here."""
        return self.outlook.resource("disk").utilization.mid == 0.0

    def batch_at_peak(self) -> tuple[tuple[int, Task], ...]:
        """Index and demands of each batch task that the model knows and that meets the peak."""
        peak = self.settings.workload.peak
        return tuple(
            (i, task)
            for i, batch in enumerate(self.settings.batch)
            if (task := self.task(batch)) and batch.hours and batch.hours.overlaps(peak)
        )

    def task(self, batch: BatchTask) -> Task | None:
        """What a batch task asks of the server, None if the configuration does not say."""
        return self.tasks.get(batch.task_name)
