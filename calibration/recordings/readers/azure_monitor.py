"""Azure Monitor: what ``az monitor metrics list -o json`` prints, as its REST interface answers.

Times are those at which intervals begin. Units stand in the file; a metric is the name and the
aggregation (average, total, count). Sources: Microsoft Learn, Metrics - List (REST), and supported
metrics of virtual machines, web apps, server farms, SQL, Application Insights. None was recorded.
"""

import re

from calibration.recordings.cloud_metrics import add
from calibration.recordings.counters import Metrics
from calibration.recordings.reader import Reader, moment
from calibration.recordings.source import METRICS_LIMIT, Source

KIND = "Azure Monitor"


def read(source: Source) -> Metrics:
    """All series, by metric and aggregation, each of its resource or instance."""
    metrics, data = Metrics(KIND, source.path, headings=False), source.json(METRICS_LIMIT)
    answers = data if isinstance(data, list) else data.get("values", [data])
    for metric in (each for answer in answers for each in answer["value"]):
        name, unit = metric["name"]["value"], metric.get("unit", "")
        path = re.split("(?i)/providers/microsoft.insights/metrics/", metric.get("id", ""))
        resource = path[0].rpartition("/")[2]
        for series in metric["timeseries"]:
            labels = {"host": resource, "service": resource} if resource else {}
            for each in series.get("metadatavalues") or ():
                labels[each["name"]["value"].lower()] = str(each["value"])
            columns: dict[str, tuple[list[float], list[float]]] = {}
            for point in series["data"]:
                for key, value in point.items():
                    if key not in {"timeStamp", "minimum", "maximum"} and value is not None:
                        column = columns.setdefault(key, ([], []))
                        column[0].append(moment(point["timeStamp"])[0])
                        column[1].append(float(value))
            for key, (times, values) in columns.items():
                said = "Count" if key == "count" else unit
                full, total = f"{name} {key}", key in {"total", "count"}
                add(metrics, full, labels, times, values, said, total=total)
    return metrics


READER = Reader(
    KIND, r'\A\s*[\[{](?=[\s\S]*"timeseries"\s*:)(?=[\s\S]*("timeStamp"|microsoft\.insights))', read
)
