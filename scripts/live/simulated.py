"""Systems whose mechanism is known, simulated at the levels of a recording.

    python -m scripts.live.simulated FOLDER [--systems 20] [--seed 1]

Writes tables and cards as `scripts.live.ship` does, to be judged like real ones:
``qmodel agreement --live --folder FOLDER``. Processor sharing with a mechanism each: waking, a
clock that follows the load, coherency, a lock, a delay, a pool, a quota of 100 ms periods, a job by
the clock, threads of a core.
"""

from __future__ import annotations

import argparse
import heapq
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from random import Random
from typing import Any

from scripts.live.plan import SATURATION, Plan
from scripts.live.ship import card, table

PERIOD, TICK = 0.1, 0.01


@dataclass(frozen=True, slots=True)
class Truth:
    """A system of one processor station, and its mechanism. Times in s."""

    mechanism: str
    servers: int = 1
    work: float = 0.004
    delay: float = 0.0
    lock: float = 0.0
    waking: float = 0.0
    clock: float = 1.0
    coherency: float = 0.0
    thread: float = 0.0
    pool: float = inf
    quota: float = inf
    job: float = 0.0


def draw(random: Random, mechanism: str) -> tuple[Truth, Truth, dict[str, float], dict[str, float]]:
    """A system, the same after its change, that change, and known limits."""
    servers = random.choice((1, 1, 2))
    made = Truth(mechanism, servers, random.uniform(0.002, 0.006))
    more: dict[str, Any] = {
        "waking": {"waking": random.uniform(0.05, 0.4)},
        "clock": {"clock": random.uniform(0.7, 0.95)},
        "coherency": {"coherency": random.uniform(0.002, 0.01)},
        "lock": {"lock": made.work / servers * random.uniform(0.3, 1.2)},
        "delay": {"delay": made.work * random.uniform(0.5, 6.0)},
        "pool": {"delay": made.work * random.uniform(2.0, 6.0)},
        "job": {"job": 0.1},
        "thread": {"servers": 2, "thread": random.uniform(0.3, 0.6)},
    }
    made = replace(made, **more.get(mechanism, {}))
    if mechanism == "pool":
        pool = random.choice((8, 16))
        return replace(made, pool=pool), replace(made, pool=4), {"pool": 4.0}, {"pool": pool}
    if mechanism == "quota":
        one, other = 0.6 * made.servers, 0.3 * made.servers
        return (replace(made, quota=one), replace(made, quota=other), {"quota:cpu": other},
                {"quota:cpu": one})  # fmt: skip
    if mechanism == "job":
        return made, replace(made, job=0.0), {"background:cpu": 0.0}, {}
    to = 1 if made.servers == 2 else 2
    return made, replace(made, servers=to), {"servers:cpu": to}, {}


def run(truth: Truth, users: int, think: float, seconds: float, random: Random) -> dict[str, float]:
    """One run by events; speeds are constant between them."""
    now, begin, end = 0.0, 1.0, 1.0 + seconds
    away = [(random.uniform(0.0, think), i) for i in range(users)]
    heapq.heapify(away)
    asked, pauses = [0.0] * users, 0.0
    waiting: list[int] = []
    processor: list[tuple[float, int]] = []  # by the served time at which each is done
    later: list[tuple[float, int]] = []  # done with the processor: behind the lock and the delay
    served = busy = recent = used = left = 0.0
    inside, tick, period, lock, ended, job = 0, TICK, 0.0, 0.0, 0, 0.0
    clock = truth.clock
    times: list[float] = []

    def enter(i: int) -> None:
        work = truth.work * random.uniform(0.4, 1.6)
        if len(processor) < truth.servers:
            work += truth.work * truth.waking
        work *= 1.0 + truth.coherency * len(processor)
        heapq.heappush(processor, (served + work, i))

    while now < end:
        # The job and the server are two processes, which share one processor by halves.
        count = len(processor) + (max(1, len(processor)) if job > 0.0 else 0)
        working = min(count, truth.servers)
        stopped = used >= truth.quota * PERIOD - 1e-9
        speed = 0.0
        if count and not stopped:
            both = max(0, 2 * working - truth.servers) / working if truth.servers > 1 else 0.0
            speed = clock * min(1.0, truth.servers / count) / (1.0 + truth.thread * both)
        done = now + (processor[0][0] - served) / speed if processor and speed else inf
        own = speed * max(1, len(processor)) if job > 0.0 else 0.0
        own = min(own, clock)
        job_end = now + job / own if own else inf
        full = now + (truth.quota * PERIOD - used) / working if working and not stopped else inf
        following = min(done, job_end, full, tick, period, away[0][0] if away else inf,
                        later[0][0] if later else inf)  # fmt: skip
        passed, now = following - now, following
        served += speed * passed
        if not stopped:
            used += working * passed
            recent += working * passed / truth.servers
            busy += working * passed / truth.servers if now > begin else 0.0
        job = max(0.0, job - own * passed) if job - own * passed > 1e-9 else 0.0
        if following == period:
            used, period = 0.0, period + PERIOD
        if following == tick:
            left += TICK
            tick += TICK
            clock += 0.3 * (truth.clock + (1.0 - truth.clock) * min(1.0, recent / TICK) - clock)
            recent = 0.0
            if truth.job and left >= 4 * truth.job:
                left, job = 0.0, job + truth.job
        while away and away[0][0] <= now:
            i = heapq.heappop(away)[1]
            pauses += now - asked[i] if now > begin else 0.0
            ended += now > begin
            asked[i] = now
            if inside < truth.pool:
                inside += 1
                enter(i)
            else:
                waiting.append(i)
        while processor and processor[0][0] <= served + 1e-12:
            i = heapq.heappop(processor)[1]
            at = now
            if truth.lock:
                lock = at = max(lock, now) + random.expovariate(1.0 / truth.lock)
            if truth.delay:
                at += truth.delay * random.uniform(0.5, 1.5)
            heapq.heappush(later, (at, i))
        while later and later[0][0] <= now:
            i = heapq.heappop(later)[1]
            if now > begin:
                times.append(now - asked[i])
            asked[i] = now
            heapq.heappush(away, (now + random.uniform(0.5 * think, 1.5 * think), i))
            inside -= 1
            if waiting:
                inside += 1
                enter(waiting.pop(0))
    return {
        "users": users, "throughput": len(times) / seconds, "think_time": pauses / max(1, ended),
        "response_time": sum(times) / len(times), "cpu": min(1.0, busy / seconds), "disk": 0.0,
        "stolen": 0.0, "seconds": seconds, "errors": 0,
    }  # fmt: skip


MECHANISMS = ("none", "waking", "clock", "coherency", "lock", "delay", "pool", "quota", "job",
              "thread")  # fmt: skip


def recording(name: str, seed: int, folder: Path, plan: Plan) -> None:
    """One system, before and after its change."""
    random = Random(seed)  # noqa: S311 - of a simulation
    mechanism = MECHANISMS[seed % len(MECHANISMS)]
    before, after, change, known = draw(random, mechanism)
    most = run(before, 32, 0.0, 4.0, random)["throughput"]
    think = max(0.02, SATURATION / most - run(before, 1, 0.05, 4.0, random)["response_time"])
    variants = [
        {"name": "before", "says": mechanism, "cores": before.servers, "change": {}},
        {"name": "after", "says": "changed", "cores": after.servers, "change": change},
    ]
    runs = [
        run((before, after)[each.variant], each.users, think, plan.seconds, random)
        | {"variant": each.variant, "round": each.round}
        for each in plan.runs(2)
    ]
    told = {"title": f"simulated: {mechanism}", "workload": "", "version": "", "known": known,
            "machine": {}, "variants": variants}  # fmt: skip
    (folder / f"{name}.csv").write_text(table(runs, variants), encoding="utf-8")
    (folder / f"{name}.toml").write_text(card(told, runs, datetime.now(UTC)), encoding="utf-8")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.live.simulated", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    asked.folder.mkdir(parents=True, exist_ok=True)
    for i in range(asked.systems):
        seed = asked.seed * 1000 + i
        name = f"{MECHANISMS[seed % len(MECHANISMS)]}_{seed}"
        recording(name, seed, asked.folder, Plan())
        print(name, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
