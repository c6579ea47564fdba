"""What a running Prometheus recorded, asked for over HTTP.

A fixed set of queries for counters that `metric_names` knows, at the interval of its scrapes or a
multiple of it. Redirects and proxies are not followed, so that credentials, which are read from the
environment and kept nowhere, reach the server that was named alone. Source: Prometheus, HTTP API.
"""

import base64
import http.client
import json
import os
import re
import urllib.error
import urllib.request
from time import time
from typing import Any
from urllib.parse import urlencode, urlsplit

import numpy as np

from calibration.recordings.counted_once import OTHERS, SERVICES, TIMED
from calibration.recordings.counters import Metrics
from calibration.recordings.readers.prometheus_json import KIND, add_answer
from calibration.recordings.source import METRICS_LIMIT, parsed
from qmodel.errors import FileError, InvalidInput

#: Variables of the environment that hold a bearer token, or a name and a password.
TOKEN, USER, PASSWORD = (f"QMODEL_PROMETHEUS_{name}" for name in ("TOKEN", "USER", "PASSWORD"))
#: Longest silence [s], and most samples of a series.
SILENCE, SAMPLES = 10.0, 1000

_OTHERS = f'__name__!~"({OTHERS}).*"'
#: What is asked; of alternatives the first that has samples.
QUERIES = (
    (
        '{__name__=~"node_cpu_seconds_total|windows_cpu_time_total",mode=~"idle|iowait"}',
        '{__name__=~"container_cpu_usage_seconds_total|process_cpu_seconds_total|'
        'container_spec_cpu_quota|kube_pod_container_resource_limits|machine_cpu_cores|'
        'instance:node_num_cpu:sum",job!~"prometheus|node.*"}',
    ),
    ('{__name__=~"node_disk_(io_time_seconds|(reads|writes)_completed|(read|written)_bytes)'
     '_total|hikaricp_connections_(active|max)"}',),
    ('{__name__=~"node_network_(receive|transmit)_bytes_total",device!~"lo|veth.*|docker.*"}',),
    (
        f'{{__name__=~"({TIMED}).*_(count|sum)",{_OTHERS}}}',
        f'{{__name__=~".*requests_total",{_OTHERS}}}',
    ),
    (f"sum by (__name__, instance, {', '.join(SERVICES)}, le) "
     f'({{__name__=~"({TIMED}).*_bucket",{_OTHERS}}})',),
)  # fmt: skip
_UNITS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 604800}


def ask_prometheus(url: str, text: str) -> Metrics:
    """The metrics that a server at an address kept of the last so long, as "24h".

    InvalidInput if the address or the time is none; FileError if the server does not answer,
    refuses, is no Prometheus, or kept nothing.
    """
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?) ?(s|m|min|h|d|w)", text.strip())
    if found is None or not float(found[1]):
        raise InvalidInput(f"--range {text}: expected a time such as 30m, 24h or 7d")
    address, seconds, now = _address(url), float(found[1]) * _UNITS[found[2]], time()
    up, metrics = Metrics(KIND, address), Metrics(KIND, address)
    _ask(up, "query", query="up[5m]")
    if not (parts := _parts(up)):
        raise FileError(address, "no data: nothing was scraped in the last five minutes")
    limits = {"start": f"{now - seconds:.3f}", "end": f"{now:.3f}"}
    for alternatives in QUERIES:
        before = len(metrics.samples)
        for query in alternatives:
            for jobs, scrape in parts if len(metrics.samples) == before else ():
                step = f"{scrape * np.ceil(seconds / SAMPLES / scrape):.0f}"
                part = query.replace("}", f"{jobs}}}")
                _ask(metrics, "query_range", query=part, **limits, step=step)
    if not metrics.samples:
        problem = "no data: neither node_exporter's or containers' metrics nor requests in the last"
        raise FileError(address, f"{problem} {text}")
    return metrics


def _parts(up: Metrics) -> list[tuple[str, float]]:
    """Conditions for the jobs of each interval of scrapes, others as most are, and that. [s]"""
    gaps: dict[str, list[float]] = {}
    for (_, labels), (times, _) in up.samples.items():
        gaps.setdefault(dict(labels).get("job", ""), []).extend(np.diff(times).tolist())
    scrapes = {job: max(1.0, float(round(np.median(some)))) for job, some in gaps.items() if some}
    usual = max(scrapes.items(), key=lambda item: len(gaps[item[0]]), default=("", 0.0))[1]
    found = []
    for scrape in sorted(set(scrapes.values())):
        jobs = [re.escape(j) for j, s in scrapes.items() if (s == scrape) != (scrape == usual)]
        sign = "!~" if scrape == usual else "=~"
        found.append((f",job{sign}{json.dumps('|'.join(jobs))}" if jobs else "", scrape))
    return found


def _address(url: str) -> str:
    """The address of a server, without what may be secret in it."""
    try:
        parts = urlsplit(url.strip())
        named = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or True)
    except ValueError:
        named = False
    if not named or parts.query or parts.fragment:
        raise InvalidInput("--url: expected an address such as http://127.0.0.1:9090")
    if "@" in parts.netloc:
        problem = f"--url: no name or password in it; set {USER} and {PASSWORD}, or {TOKEN}"
        raise InvalidInput(problem)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


class _Refused(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """None: a redirect is an error of its code."""


def _ask(metrics: Metrics, path: str, **words: str) -> None:
    """Add what a server answers; FileError in one line."""
    address = metrics.path
    request = urllib.request.Request(  # noqa: S310, http or https
        f"{address}/api/v1/{path}?{urlencode(words)}", headers=_credentials()
    )
    opener = urllib.request.build_opener(_Refused, urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=SILENCE) as reply:
            content = reply.read(METRICS_LIMIT + 1)
    except urllib.error.HTTPError as error:
        with error:
            raise FileError(address, _refusal(error)) from None
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        said = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        raise FileError(address, f"no answer: {' '.join(said.split())}; does it run?") from None
    if len(content) > METRICS_LIMIT:
        size = f"more than {METRICS_LIMIT // 2**20} MB"
        raise FileError(address, f"an answer of {size}; ask for a shorter --range")
    if not content.lstrip().startswith(b'{"status"'):
        raise FileError(address, "answers, but not as Prometheus does; is it the right port?")
    try:
        add_answer(metrics, parsed(content.decode(errors="replace"), address))
    except FileError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError):
        raise FileError(address, f"not what {KIND} answers") from None


def _credentials() -> dict[str, str]:
    token, user = os.environ.get(TOKEN), os.environ.get(USER)
    if user and not token:
        pair = f"{user}:{os.environ.get(PASSWORD, '')}".encode()
        return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}
    return {"Authorization": f"Bearer {token}"} if token else {}


def _refusal(error: urllib.error.HTTPError) -> str:
    """What an error code says, and Prometheus's own words where it has some."""
    if error.code in {401, 403}:
        return f"refused ({error.code}); set {TOKEN}, or {USER} and {PASSWORD}, in the environment"
    if 300 <= error.code < 400:
        target = urlsplit(error.headers.get("Location", ""))
        where = f"{target.scheme}://{target.hostname}" if target.hostname else "another page"
        return f"redirects to {where}, which is not followed; give the server's own address"
    try:
        said = str(json.loads(error.read(2**16))["error"])
    except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException):
        said = "is it the address of a Prometheus?"
    return f"answered with {error.code}: {' '.join(said.split())[:200]}"
