"""Contradictions in when batch tasks run, and in when users are at work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from advisor.configuration.consistency import Problem
from advisor.configuration.hours import DAY, clock
from qmodel.documents.wording import did_you_mean, show_text

if TYPE_CHECKING:
    from advisor.configuration.schema import BatchTask, ServerConfig, Workload


def timing_contradictions(settings: ServerConfig) -> Iterator[Problem]:
    """Key path and problem of each contradiction between times."""
    names = [batch.name for batch in settings.batch]
    for i, batch in enumerate(settings.batch):
        yield from _lengths(i, batch)
        if batch.start is None and batch.fixed and batch.window is None:
            yield ("batch", i, "fixed"), "needs start or window beside it, to say when"
        apart = batch.window and batch.start is not None and batch.start not in batch.window
        if batch.fixed and apart:  # the others may run outside of it today
            problem = f"{clock(batch.start or 0)} is outside window {batch.window}"
            yield ("batch", i, "start"), problem
        for other in batch.not_with:
            if other == batch.name:
                problem = f"{show_text(other)} cannot stay away from itself; name another task"
                yield ("batch", i, "not_with"), problem
            elif other not in names:
                problem = f"unknown batch task {show_text(other)}; {did_you_mean(other, names)}"
                yield ("batch", i, "not_with"), problem


def timing_doubts(workload: Workload) -> Iterator[Problem]:
    """What is legal but probably not meant."""
    if workload.profile is None:
        return
    if workload.off_peak_share is not None:
        yield ("workload", "off_peak_share"), "does nothing beside profile"
    at_peak = workload.profile.most(workload.peak.start, workload.peak.length)
    if workload.profile.most(0, DAY) > at_peak:
        problem = f"more users at some other time than at the peak, {workload.peak}"
        yield ("workload", "profile"), problem


def _lengths(i: int, batch: BatchTask) -> Iterator[Problem]:
    if batch.duration and batch.work:
        yield ("batch", i, "work"), "give either duration or work, not both"
    if batch.work and batch.window and batch.work > batch.window.length * 60:
        problem = f"{batch.work / 3600:g} h does not fit window {batch.window}"
        yield ("batch", i, "work"), problem
    for key, length in (("duration", batch.duration), ("work", batch.work)):
        if length and length > DAY * 60:
            yield ("batch", i, key), f"must be <= 24 h, got {length / 3600:g} h"
