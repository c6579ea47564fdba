"""A small web application to be measured: two classes of requests, metrics and traces.

Two processes answer one request at a time each; ``/metrics`` is what prometheus-client exposes,
spans and OpenTelemetry's metrics go to files as OTLP JSON.
"""

import hashlib
import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from time import perf_counter

from opentelemetry.exporter.otlp.json.file.metric_exporter import FileMetricExporter
from opentelemetry.exporter.otlp.json.file.trace_exporter import FileSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind
from prometheus_client import generate_latest

#: Rounds of hashing that each class of requests takes.
WORK = {"/search": 60_000, "/checkout": 150_000}


def serve(port, folder):
    """Answer requests until killed."""
    resource = Resource.create({"service.name": "shop"})
    traces = TracerProvider(resource=resource)
    traces.add_span_processor(BatchSpanProcessor(FileSpanExporter(str(folder / "traces.json"))))
    reader = PeriodicExportingMetricReader(
        FileMetricExporter(str(folder / "metrics.json")), export_interval_millis=4000
    )
    metrics = MeterProvider(resource=resource, metric_readers=[reader])
    tracer = traces.get_tracer("shop")
    duration = metrics.get_meter("shop").create_histogram("http.server.request.duration", unit="s")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            began = perf_counter()
            route = self.path.partition("?")[0]
            with tracer.start_as_current_span(f"GET {route}", kind=SpanKind.SERVER):
                value = b"qmodel"
                with tracer.start_as_current_span("hash"):
                    for _ in range(WORK.get(route, 100)):
                        value = hashlib.sha256(value).digest()
            text = generate_latest() if route == "/metrics" else value.hex().encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self._headers_buffer.append(b"\r\n" + text)  # one write: no delayed acknowledgement
            self.flush_headers()
            if route in WORK:
                duration.record(perf_counter() - began, {"http.route": route})

        def log_message(self, *_):
            pass

    HTTPServer.request_queue_size = 256
    server = HTTPServer(("127.0.0.1", port), Handler)
    server.serve_forever()


if __name__ == "__main__":
    home = Path(sys.argv[2])
    os.chdir(home)
    serve(int(sys.argv[1]), home)
