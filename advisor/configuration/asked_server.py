"""A configuration from what a planner knows of a server without a load test."""

import json
import tomllib
from dataclasses import dataclass
from math import inf
from pathlib import Path

import qmodel as qm
from qmodel import laws
from qmodel.errors import InvalidInput

_TEMPLATES = Path(__file__).with_name("templates.toml")
#: From so many times the measured response time on the least one contradicts it: a convention. [1]
CONTRADICTED = 1.5
#: The level to begin with, by the number of drives up to three.
RAID = ("", "raid0", "raid1", "raid5")


@dataclass(frozen=True, slots=True)
class AskedServer:
    """What was observed of a server at work."""

    title: str
    #: Of its processors, in all.
    cores: int
    #: Of the processor. [1]
    utilization: float
    #: Mean, of one request. [s]
    response_time: float
    #: What the response time should be. [s]
    target: float
    #: At work at the same time. [customers]
    users: int | None = None
    #: Between an answer and the next request. [s]
    think_time: float = 0.0
    #: Requests per second, where the users are not counted. [1/s]
    arrival_rate: float | None = None
    #: Of the disk array; 0 if it is not looked at.
    drives: int = 0
    #: What they read and write together. [bytes/s]
    disk_rate: float = 0.0

    @property
    def throughput(self) -> float:
        """Requests per second, by Little's law where users are counted. [1/s]"""
        if self.arrival_rate is not None:
            return self.arrival_rate
        if self.users is None:
            raise InvalidInput("give the number of users, or the requests per second")
        return self.users / (self.response_time + self.think_time)

    @property
    def demand(self) -> float:
        """Processor time of one request, by the utilization law. [s]"""
        return laws.demand(self.utilization, self.throughput, self.cores)

    @property
    def delay(self) -> float:
        """What the processor does not explain of the response time, found by bisection. [s]"""
        low, high = 0.0, self.response_time
        if self.least_time >= self.response_time:
            return 0.0
        for _ in range(50):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self._time(middle) < self.response_time else (low, middle)
        return high

    @property
    def least_time(self) -> float:
        """Response time with no delay elsewhere, infinite without a steady state. [s]"""
        return self._time(0.0)

    def _time(self, delay: float) -> float:
        customers: qm.ClosedClass | qm.OpenClass = qm.OpenClass("requests", self.throughput)
        if self.users is not None:
            customers = qm.ClosedClass("users", self.users, self.think_time)
        stations: list[qm.Station] = [
            qm.QueueingStation("cpu", self.cores),
            qm.DelayStation("elsewhere"),
        ]
        network = qm.Network(stations, [customers], [[self.demand, delay]])
        try:
            return qm.solve(network).response_times[0]
        except qm.Unstable:
            return inf


def asked_text(asked: AskedServer) -> str:
    """The configuration as a file; InvalidInput if the numbers contradict each other."""
    if asked.demand > asked.response_time:
        raise InvalidInput(
            f"{100 * asked.utilization:.3g} % of {asked.cores} cores at {asked.throughput:.4g} "
            f"requests/s is {asked.demand * 1e3:.4g} ms of processor a request, more than the "
            f"response time of {asked.response_time * 1e3:.4g} ms; is that the mean of all "
            "requests, at the same time?"
        )
    if asked.least_time > CONTRADICTED * asked.response_time:
        least = asked.least_time * 1e3
        means = f"{least:.4g} ms" if least < inf else "queues without end"
        raise InvalidInput(
            f"{100 * asked.utilization:.3g} % busy at {asked.throughput:.4g} requests/s means "
            f"{means} where requests come at random; {asked.response_time * 1e3:.4g} ms were "
            "measured: are all numbers of the same hour?"
        )
    if asked.users is not None:
        load = f"{asked.users} users"
        workload = f'users = {asked.users}\nthink_time = "{asked.think_time:.6g} s"\n'
    else:
        load = f"{asked.throughput:.6g} requests/s"
        workload = f'arrival_rate = "{asked.throughput:.6g} /s"\n'
    written: dict[str, str] = tomllib.loads(_TEMPLATES.read_text(encoding="utf-8"))["asked"]
    each = asked.disk_rate / asked.throughput / 1e3
    level = RAID[min(asked.drives, 3)]
    return written["text"].format(
        load=load, time=asked.response_time * 1e3, busy=asked.utilization * 100,
        title=json.dumps(asked.title, ensure_ascii=False), cores=asked.cores, workload=workload,
        disk=written["disk"].format(asked.drives, level) if asked.drives else "",
        disk_kb=f"disk_kb = {each:.4g}\n" if asked.drives else "", cpu=asked.demand * 1e3,
        delay=asked.delay * 1e3, target=asked.target * 1e3,
    )  # fmt: skip
