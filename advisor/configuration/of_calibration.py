"""The configuration of a calibrated server, ready to advise."""

import tomllib
from math import isclose
from pathlib import Path, PurePath

from calibration.fitting.fitted_model import Calibration
from calibration.hardware.hardware import is_tier, station_kind
from qmodel.documents.toml_text import toml_text

#: What is promised unless the site says otherwise: a convention.
USUAL = "80 %"

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
    texts += [server, "\n", toml_text({"workload": workload}), weights]
    texts.append("".join(f"\n[[workload.class]]\n{toml_text(each)}" for each in classes))
    texts.append(f'\n[targets]\nutilization = "{USUAL}"         # a convention; say what counts\n')
    texts.append('# response_time = "250 ms"\n')
    if "disk" in kinds.values():
        after += written["disk"]
    return "".join([*texts, after])
