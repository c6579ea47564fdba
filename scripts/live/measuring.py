"""One run: clients in a process of their own, and the kernel's counters over the counted part."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.live.counters import between, read_counters
from scripts.live.group import Group
from scripts.live.programs import CannotRecordError

ROOT = Path(__file__).parents[2]

#: Clients may be that late with their end. [s]
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Target:
    """A running server, and what its clients are told."""

    system: str
    address: Any
    group: Group

    def run(
        self, users: int, think: float, seconds: float, warm_up: float, seed: int
    ) -> dict[str, float]:
        """Let so many clients work; what they and the kernel saw.

        Raises
        ------
        CannotRecordError
            If the clients fail.
        """
        told = {
            "system": self.system, "address": self.address, "users": users, "think": think,
            "seconds": seconds, "warm_up": warm_up, "seed": seed,
        }  # fmt: skip
        client = subprocess.Popen(
            ["taskset", "-c", str((os.cpu_count() or 1) - 1), sys.executable, "-m",
             "scripts.live.client"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        assert client.stdin is not None
        assert client.stdout is not None
        assert client.stderr is not None
        try:
            client.stdin.write(json.dumps(told))
            client.stdin.close()
            begun = client.stdout.readline() == "begin\n"
            first, used, stopped = read_counters(), self.group.used(), self.group.throttled()
            said = client.stdout.readline()
            last = read_counters()
            server = None if used is None else (self.group.used() or 0.0) - used
            stopped = self.group.throttled() - stopped
            problem = client.stderr.read().strip().splitlines()
            client.wait(timeout=PATIENCE)
        finally:
            if client.poll() is None:
                client.kill()
        if not begun or not said:
            raise CannotRecordError(f"the clients failed: {(problem or ['nothing said'])[-1]}")
        found: dict[str, float] = json.loads(said)
        passed = last.at - first.at
        found |= between(first, last, self.group.cores)
        busy = found.pop("busy_seconds")
        if server is not None:
            found["server"] = server / passed
            others = busy - server - found["client"] * passed
            found["others"] = max(0.0, others / passed / len(last.cores) - found["stolen"])
        return found | {"throttled": stopped / passed}
