"""The configuration of a calibrated server, ready to advise."""

import re
import tomllib
from math import isclose
from pathlib import Path, PurePath
from statistics import fmean

from calibration.fitting.fitted_model import Calibration
from calibration.hardware.hardware import is_tier, station_kind
from qmodel.documents.toml_text import toml_text

#: What is promised unless the site says otherwise: a convention.
USUAL = "80 %"

#: Hours in which so much of the most is asked are the peak: a convention. [1]
PEAK = 0.8
#: The start of a run that has the hour to itself.
_HOURLY = re.compile(r"\d{4}-\d\d-\d\d[ T](\d\d):00(?::00)?")
_TEMPLATES = Path(__file__).with_name("templates.toml")


def configuration_text(calibration: Calibration, file: str) -> str:
    """A configuration as a file, which refers to a calibration beside it by its name.

    ``file`` is the calibration's own, told from the folder of the configuration.
    """
    data = calibration.data
    run = max(data.runs, key=lambda each: sum(each.population or each.arrival_rate or ()))
    files = [PurePath(each) for each in data.source.split(" + ")]
    source = " + ".join(each.name for each in files)
    title = " + ".join(each.stem for each in files).replace("_", " ")
    written: dict[str, str] = tomllib.loads(_TEMPLATES.read_text(encoding="utf-8"))["calibrated"]
    texts = [written["head"].format(source=source), toml_text({"schema": 1, "title": title})]
    kinds = {name: station_kind(name) for name in data.stations}
    server = after = ""
    for name, servers in zip(data.stations, run.servers, strict=True):
        if is_tier(name) and name not in data.assumed:
            server += f"\n[[tier]]\n{toml_text({'name': name, 'cores': servers})}"
        elif kinds[name] != "cpu":
            continue
        elif name in data.assumed:
            after += written["assumed"].format(station=name)
        else:
            server += written["server"].format(cores=servers)
    workload: dict[str, object] = {"calibration": file}
    if run.population is not None:
        parts = [float(n) for n in run.population]
        workload["users"] = sum(run.population)
    else:
        parts = list(run.arrival_rate or ())
        workload["arrival_rate"] = f"{sum(parts):.6g} /s"
    shares = {n: part / sum(parts) for n, part in zip(data.classes, parts, strict=True) if part}
    short = {name: round(share, 4) for name, share in shares.items()}
    near = all(isclose(short[name], share, rel_tol=1e-3) for name, share in shares.items())
    if near and isclose(sum(short.values()), 1.0):
        shares = short
    classes = [{"name": n, **({"share": s} if len(parts) > 1 else {})} for n, s in shares.items()]
    weights = "weights = true              # shares need not add up to 1\n" * (len(classes) > 1)
    peak, profile = _measured_day(calibration)
    texts += [server, "\n", toml_text({"workload": workload | peak}), weights, profile]
    texts.append("".join(f"\n[[workload.class]]\n{toml_text(each)}" for each in classes))
    texts.append(f'\n[targets]\nutilization = "{USUAL}"         # a convention; say what counts\n')
    texts.append('# response_time = "250 ms"\n')
    if "disk" in kinds.values():
        after += written["disk"]
    return "".join([*texts, after])


def _measured_day(calibration: Calibration) -> tuple[dict[str, list[str]], str]:
    """The hours of the peak and the shares of each hour, where a whole day was measured."""
    by_hour: dict[int, list[float]] = {}
    for run in calibration.data.runs:
        if (starts := _HOURLY.fullmatch(run.name)) and run.arrival_rate:
            by_hour.setdefault(int(starts[1]), []).append(sum(run.arrival_rate))
    if len(by_hour) < 24:
        return {}, ""
    means = [fmean(by_hour[hour]) for hour in range(24)]
    shares = [round(mean / max(means), 2) for mean in means]
    high = [hour for hour, share in enumerate(shares) if share >= PEAK]
    # The peak is the day without the longest time between two of these hours.
    _, begins, last = max(
        ((b - a) % 24 or 24, b, a) for a, b in zip(high, [*high[1:], high[0]], strict=True)
    )
    told = {
        f"{hour:02d}:00": f"{100.0 * share:.0f} %"
        for hour, share in enumerate(shares)
        if not hour or share != shares[hour - 1]
    }
    peak = {"peak": [f"{begins:02d}:00", f"{(last + 1) % 24:02d}:00"]}
    head = "\n# As measured, by the clock of the monitor: parts of the load from each hour on.\n"
    return peak, f"{head}[workload.profile]\n{toml_text(told)}"
