"""What is fuzzed: a good file, and the command that reads it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.tables import asked, rows

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


@dataclass(frozen=True)
class Target:
    """A file that is spoilt, and what reads it.

    Attributes
    ----------
    name : str
        As reports call it.
    file : str
        What the spoilt file is called.
    good : callable
        The texts that are spoilt.
    arguments : tuple of str
        Of the command; the file by its name.
    beside : tuple of (str, callable)
        Other files of the folder, whole ones.
    seconds : float
        Of the processor, beyond which it takes too long. A timetable solves the network for each
        set of tasks that may run together, so it takes as long as these take.
    usual : int
        Exit code of the good files, where it is not 0 or 1.
    """

    name: str
    file: str
    good: Callable[[], tuple[str, ...]]
    arguments: tuple[str, ...]
    beside: tuple[tuple[str, Callable[[], str]], ...] = ()
    seconds: float = 2.0
    usual: int = 0

    @property
    def kind(self) -> str:
        return self.file.rpartition(".")[2]


def _examples(*names: str) -> Callable[[], tuple[str, ...]]:
    return cache(lambda: tuple((EXAMPLES / name).read_text(encoding="utf-8") for name in names))


def _example(name: str) -> Callable[[], str]:
    return lambda: _examples(name)()[0]


MODELS = ("two_tier.toml", "closed_many_servers.toml", "mixed.toml", "priority.toml",
          "memory_limit.toml", "open_ggm.toml", "closed_load_dependent.toml",
          "mirrored_disks.toml", "finite_buffer.toml", "fcfs_variable_service.toml")  # fmt: skip
CONFIGS = ("new_server.toml", "proliant2000_as_tested.toml", "domino5_raid.toml",
           "overloaded.toml")  # fmt: skip


@cache
def _config_as_json() -> tuple[str, ...]:
    import tomllib

    text = (EXAMPLES / "new_server.toml").read_text(encoding="utf-8")
    return (json.dumps(tomllib.loads(text)),)


@cache
def _jmva() -> tuple[str, ...]:
    folder = ROOT / "tests" / "qmodel" / "formats" / "jmt" / "jmva"
    return tuple(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.jmva")))


@cache
def _recording() -> tuple[str, ...]:
    path = ROOT / "tests" / "calibration" / "recordings" / "sysstat" / "two_levels.json"
    return (path.read_text(encoding="utf-8"),)


LEVELS = (
    "start,end,users,throughput [1/s],think_time [s]\n"
    "23:26:36,23:26:38,10,2.0,4.0\n23:26:38,23:26:39,20,3.5,4.0\n"
)
HISTORY = "month,users\n2025-01,100\n2025-02,108\n2025-03,117\n2025-04,121\n2025-05,133\n"
PRICES = (
    '[processor]\n"server 8 cores" = "1800 EUR 2026-11"\n[drive]\n"SATA SSD" = "200 EUR 2026-11"\n'
)
BASELINE = json.dumps(
    {"findings": [{"rule": "CPU001", "slug": "faster-processor", "level": "note",
                   "message": "busy", "fingerprint": "0123456789abcdef"}]}
)  # fmt: skip
MANIFEST = (
    '{"qmodel_sweep": 1, "request": "x", "points": 3, "chunk": 3, "done": 0, "without_answer": 0,'
    ' "problems": {}, "methods": [], "store": null}'
)


@cache
def _three_tasks() -> tuple[str, ...]:
    """A server of the usual size with three tasks at night."""
    tasks = "".join(
        f'\n[[batch]]\nname = "task {i}"\ncpu = "20 s"\ndisk_kb = 4000\nduration = "{i} h"\n'
        f'window = ["18:00", "08:00"]\nstart = "0{i}:00"\n' + ('after = ["task 1"]\n' * (i == 3))
        for i in (1, 2, 3)
    )
    return (_examples("new_server.toml")()[0] + tasks,)


TARGETS = tuple(asked(target, globals()) for (target,) in rows(__file__, "targets"))

#: Arguments that are text of their own: what is spoilt stands where ``{}`` does.
ARGUMENTS = (
    (("whatif", "c.toml", "--set", "{}"), "server.cpus=4", "new_server.toml"),
    (("sweep", "c.toml", "--vary", "{}"), "population.edit=10:40:10", "two_tier.toml"),
    (("predict", "c.toml", "--users", "{}"), "100:300:100", "new_server.toml"),
    (("solve", "c.toml", "--percentiles", "{}"), "50,90,95", "closed_many_servers.toml"),
    (("predict", "c.toml", "--growth", "{}", "--alternative", "x: disk.raid=raid10"),
     "3+-1%/month", "new_server.toml"),
    (("explain", "{}"), "CPU001", "new_server.toml"),
    (("advise", "c.toml", "--today", "{}"), "2026-12-31", "new_server.toml"),
)  # fmt: skip
