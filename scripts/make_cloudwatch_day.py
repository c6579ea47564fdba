"""The day of CloudWatch in ``examples/telemetry``: made up, with a known truth, not recorded.

Requests of a day's rate pass an EC2 instance of two processors behind a load balancer, event by
event: one queue, two servers, exponential demands of 60 ms, Poisson arrivals whose rate follows a
day. Five minutes a sample, newest first, as ``aws cloudwatch get-metric-data`` prints them.
"""

import gzip
import json
import random
import sys
from datetime import UTC, datetime, timedelta
from math import cos, pi
from pathlib import Path

DEMAND, SERVERS, PERIOD, SEED = 0.060, 2, 300, 20261123
BEGIN = datetime(2026, 11, 23, tzinfo=UTC)
INSTANCE, BALANCER = "i-0a1b2c3d4e5f60718", "app/shop/50dc6c495c0c9188"


def rate(time: float) -> float:
    """Requests a second: least at four in the morning, most at four in the afternoon."""
    return 4.0 + 22.0 * float((0.5 - 0.5 * cos(2.0 * pi * (time / 86400.0 - 1.0 / 6.0))) ** 1.5)


def day() -> tuple[list[float], list[int], list[float]]:
    """Busy time, requests and the sum of their times, of each period of a day."""
    choose, count = random.Random(SEED), 86400 // PERIOD  # noqa: S311
    busy, asked, took = [0.0] * count, [0] * count, [0.0] * count
    free, time = [0.0] * SERVERS, 0.0
    while (time := time + choose.expovariate(rate(time))) < 86400.0:
        first = min(range(SERVERS), key=free.__getitem__)
        begin, work = max(time, free[first]), choose.expovariate(1.0 / DEMAND)
        free[first] = begin + work
        place = min(int(free[first] / PERIOD), count - 1)  # counted when it is answered
        asked[place] += 1
        took[place] += free[first] - time
        busy[place] += work
    return busy, asked, took


def main() -> None:
    """Write the answer, packed."""
    busy, asked, took = day()
    times = [(BEGIN + timedelta(seconds=PERIOD * i)).isoformat() for i in range(len(busy))]
    columns = {
        f"CPUUtilization Average {INSTANCE}": [100.0 * b / PERIOD / SERVERS for b in busy],
        f"RequestCount Sum {BALANCER}": [float(n) for n in asked],
        f"TargetResponseTime Average {BALANCER}": [t / n for t, n in zip(took, asked, strict=True)],
    }
    results = [
        {"Id": f"m{i}", "Label": label, "Timestamps": times[::-1],
         "Values": [float(f"{v:.5g}") for v in values[::-1]], "StatusCode": "Complete"}
        for i, (label, values) in enumerate(columns.items(), 1)
    ]  # fmt: skip
    text = json.dumps({"MetricDataResults": results, "Messages": []}, indent=1)
    Path(sys.argv[1]).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
