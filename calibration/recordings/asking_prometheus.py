"""What a running Prometheus recorded, asked for over HTTP.

A fixed set of queries, of counters that `metric_names` understands, at the interval of its scrapes
or a multiple of it. Redirects and proxies are not followed, so that credentials reach the server
that was named and no other; they are read from the environment and kept nowhere. Source:
Prometheus documentation, HTTP API.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import urllib.error
import urllib.request
from time import monotonic, time
from typing import Any
from urllib.parse import urlencode, urlsplit

import numpy as np

from calibration.recordings.counters import Metrics
from calibration.recordings.readers.prometheus_json import KIND, add_answer
from calibration.recordings.source import METRICS_LIMIT, Progress, parsed
from qmodel.errors import FileError, InvalidInput

#: Variables of the environment that hold a bearer token, or a name and a password.
TOKEN, USER, PASSWORD = (f"QMODEL_PROMETHEUS_{name}" for name in ("TOKEN", "USER", "PASSWORD"))
#: Longest silence, and longest answer. [s]
SILENCE, LONGEST = 10.0, 60.0
#: Most samples of a series.
SAMPLES = 1000

_NOT_ITS_OWN = '__name__!~"(prom|node_|net_conntrack|scrape_).*"'
#: What is asked; of alternatives the first that has samples.
QUERIES = (
    (
        'node_cpu_seconds_total{mode=~"idle|iowait"}',
        '{__name__=~"container_cpu_usage_seconds_total|process_cpu_seconds_total|'
        'machine_cpu_cores|instance:node_num_cpu:sum",job!~"prometheus|node.*"}',
    ),
    (
        '{__name__=~"node_disk_(io_time_seconds|(reads|writes)_completed|(read|written)_bytes)'
        '_total"}',
    ),
    (
        '{__name__=~"node_network_(receive|transmit)_bytes_total",'
        'device!~"lo|veth.*|docker.*|br-.*|ifb.*|sit.*"}',
    ),
    (
        f'{{__name__=~".*request.*(duration|latency|time).*_(count|sum)",{_NOT_ITS_OWN}}}',
        f'{{__name__=~".*requests_total",{_NOT_ITS_OWN}}}',
    ),
)  # fmt: skip
_UNITS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 604800}


def ask_prometheus(url: str, text: str, progress: Progress | None = None) -> Metrics:
    """The metrics of the last so long that a server kept.

    Parameters
    ----------
    url : str
        Of the server, as ``http://127.0.0.1:9090``.
    text : str
        How long, as ``24h``.
    progress : callable, optional
        Takes how many queries were answered, and of how many.

    Raises
    ------
    InvalidInput
        If the address or the time is none.
    FileError
        If the server does not answer, refuses, is no Prometheus, or kept nothing.
    """
    seconds, server = _seconds(text), _Server(url)
    up = Metrics(KIND, server.url)
    server.add_to(up, "query", query="up[5m]")
    gaps = [gap for times, _ in up.samples.values() for gap in np.diff(times)]
    if not gaps:
        raise FileError(server.url, "no data: nothing was scraped in the last five minutes")
    scrape = max(1.0, float(np.round(np.median(gaps))))
    step = scrape * np.ceil(seconds / SAMPLES / scrape)
    now, metrics = time(), Metrics(KIND, server.url)
    for number, alternatives in enumerate(QUERIES, 1):
        for query in alternatives:
            limits = {"start": f"{now - seconds:.3f}", "end": f"{now:.3f}", "step": f"{step:.0f}"}
            before = len(metrics.samples)
            server.add_to(metrics, "query_range", query=query, **limits)
            if len(metrics.samples) > before:
                break
        if progress is not None:
            progress(number, len(QUERIES))
    if not metrics.samples:
        problem = "no data: neither node_exporter's or containers' metrics nor requests in the last"
        raise FileError(server.url, f"{problem} {text}")
    return metrics


def _seconds(text: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?(s|m|min|h|d|w)", text.strip())
    if found is None or not float(found[1]):
        raise InvalidInput(f"--range {text}: expected a time such as 30m, 24h or 7d")
    return float(found[1]) * _UNITS[found[2]]


class _Refused(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """None: a redirect is an error of its code."""


class _Server:
    """A server that is asked, with the credentials for it."""

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url.strip())
            named = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or True)
        except ValueError:
            named = False
        if not named or parts.query or parts.fragment:
            raise InvalidInput("--url: expected an address such as http://127.0.0.1:9090")
        if parts.username is not None or parts.password is not None:
            problem = f"--url: no name or password in it; set {USER} and {PASSWORD}, or {TOKEN}"
            raise InvalidInput(problem)
        self.url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self._opener = urllib.request.build_opener(_Refused, urllib.request.ProxyHandler({}))

    def add_to(self, metrics: Metrics, path: str, **words: str) -> None:
        """What its interface answers; FileError in one line."""
        request = urllib.request.Request(  # noqa: S310, http or https
            f"{self.url}/api/v1/{path}?{urlencode(words)}", headers=_credentials()
        )
        try:
            with self._opener.open(request, timeout=SILENCE) as reply:
                content = self._content(reply)
        except urllib.error.HTTPError as error:
            raise FileError(self.url, _refusal(error)) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            said = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
            raise FileError(self.url, f"no answer: {' '.join(said.split())}") from None
        if not content.lstrip().startswith(b'{"status"'):
            raise FileError(self.url, "answers, but not as Prometheus does; is it the right port?")
        try:
            add_answer(metrics, parsed(content.decode(errors="replace"), self.url))
        except FileError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError):
            raise FileError(self.url, f"not what {KIND} answers") from None

    def _content(self, reply: Any) -> bytes:
        content, until = bytearray(), monotonic() + LONGEST
        while block := reply.read1(2**16):
            content += block
            if len(content) > METRICS_LIMIT:
                problem = f"more than {METRICS_LIMIT // 2**20} MB of an answer"
                raise FileError(self.url, f"{problem}; ask for a shorter --range")
            if monotonic() > until:
                raise FileError(self.url, f"no whole answer within {LONGEST:.0f} s")
        return bytes(content)


def _credentials() -> dict[str, str]:
    token, user = os.environ.get(TOKEN), os.environ.get(USER)
    if token:
        return {"Authorization": f"Bearer {token}"}
    if user:
        pair = f"{user}:{os.environ.get(PASSWORD, '')}".encode()
        return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}
    return {}


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
