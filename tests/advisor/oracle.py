"""The model again, from the file's own words: demands by hand and the plainest exact recursion.

Nothing here calls the advisor or a solver: what the product says an option brings is held against
this. Source of the recursion: M. Reiser and S. S. Lavenberg, JACM 27(2), 1980, pp. 313-322.
"""

from collections.abc import Sequence
from itertools import product
from math import e, prod

from calibration.hardware.task import Task
from calibration.systems import load_system

#: What a plain configuration may leave out: the drive of 1994.
SEEK, TURN, TRACK_RATE = 0.010, 60.0 / 5400.0, 4.0e6
WRITES = {"raid0": 1, "raid1": 2, "raid10": 2, "raid1e": 2, "raid4": 4, "raid5": 4, "raid6": 6}


def solve(
    populations: Sequence[int], think_times: Sequence[float], demands: Sequence[Sequence[float]]
) -> tuple[list[float], list[float]]:
    """Throughputs and response times of closed classes at single servers."""
    stations = range(len(demands[0]))
    queues = {}
    throughputs = residence = []
    for n in product(*(range(size + 1) for size in populations)):
        throughputs, residence = [], []
        for c, size in enumerate(n):
            fewer = queues.get((*n[:c], size - 1, *n[c + 1 :]), [0.0] * len(stations))
            times = [demands[c][k] * (1.0 + fewer[k]) if size else 0.0 for k in stations]
            residence.append(times)
            throughputs.append(size / (think_times[c] + sum(times)) if size else 0.0)
        queues[n] = [
            sum(x * times[k] for x, times in zip(throughputs, residence)) for k in stations
        ]
    assert len(queues) == prod(size + 1 for size in populations)
    return throughputs, [sum(times) for times in residence]


def demands(
    task: Task, data: dict, users: int, write_share: float = 0.5
) -> tuple[list[float], float]:
    """Demands at every station where customers queue, and the delay, from a file's words.

    ``users`` and batch tasks together are how many may contend for the LAN.
    """
    server, disk, lan = data["server"], data["disk"], data["lan"]
    figures = load_system("notes31").processors
    speed = figures[server["processor"]].value if "processor" in server else server["cpu_speed"]
    block = size(disk["stripe"])
    # Files are stored in whole blocks, and some programs move less than one at a time.
    volume = task.disk_volume * (block / task.block) ** task.block_exponent
    block = min(block, task.operation_size or block)
    time = SEEK + TURN / 2 + block / TRACK_RATE
    if task.pattern == "sequential":
        time = task.operation_time + block / (task.transfer_rate or TRACK_RATE)
    writes = write_share if task.write_share is None else task.write_share
    operations = volume / block * (1.0 - writes + WRITES[disk["raid"]] * writes)
    segments = lan.get("segments", 1)
    rate = float(lan["rate"].removesuffix(" Mb/s")) * 1e6
    occupied = task.lan_volume * 8.0 / (rate * shared_ethernet(-(-users // segments)))
    return (
        [
            task.cpu / speed,
            *[operations * time / disk["drives"]] * disk["drives"],
            *[occupied / segments] * segments,
            task.unseen,
        ],
        task.client,
    )


def users_times(data: dict) -> list[list[float]]:
    """Response times of the users' classes, by each calibration, at the busiest peak hour.

    For files that name the system of 1995, one or two classes, and batch tasks that all run
    together at the peak or do not run then at all.
    """
    return [_users_times(data, member.tasks()) for member in load_system("notes31").members]


def _users_times(data: dict, tasks: dict[str, Task]) -> list[float]:
    users = data["workload"]["class"]
    shares = [each.get("share", 1.0) for each in users]
    first = round(data["workload"]["users"] * shares[0])
    populations = [first, data["workload"]["users"] - first][: len(users)]
    names = [each.get("task", each["name"]) for each in users]
    for task in data.get("batch", []):
        if "08:00" <= task["window"][0] < "18:00":
            names.append(task["task"])
            populations.append(1)
    rows = [demands(tasks[name], data, sum(populations)) for name in names]
    _, times = solve(populations, [delay for _, delay in rows], [row for row, _ in rows])
    # Response time of the system includes what nobody queues for.
    return [t + delay for t, (_, delay) in zip(times, rows)][: len(users)]


def shared_ethernet(stations: int) -> float:
    """Share of the rate that so many leave, very many 70 %; Metcalfe and Boggs 1976, section 6."""
    lost = (1 - 1 / stations) ** -(stations - 1) - 1 if stations > 1 else 0.0
    frame = (e - 1) * 0.70 / (1 - 0.70)
    return frame / (frame + lost)


def size(text: str) -> float:
    return float(text.removesuffix(" KB")) * 1024.0
