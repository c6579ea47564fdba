"""Services of a distributed trace: their own time, and calls between them; see THEORY.md."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

#: Spans that are kept; they need not be in order, so none can be let go before the end.
KEPT = 200_000
_CLIENTS = {3, 4, "SPAN_KIND_CLIENT", "SPAN_KIND_PRODUCER"}
#: Attributes that name what a client calls, the most telling first.
_CALLED = ("peer.service", "db.system.name", "db.system", "messaging.system", "server.address")


class Span(NamedTuple):
    """A span: who did it, when, and on whose behalf. [s]"""

    service: str
    parent: str
    start: float
    end: float
    is_client: bool
    called: str


class Service(NamedTuple):
    """A service, for one request of the whole system."""

    name: str
    #: Upper bound of what it does itself. [s]
    self_time: float
    #: Mean numbers of calls, by the service that is called.
    calls: dict[str, float]


@dataclass(slots=True)
class SpanTrees:
    """Spans as they are read."""

    spans: dict[str, Span] = field(default_factory=dict)

    def add(self, entry: dict[str, object], service: str, attributes: dict[str, str]) -> None:
        """A span of OTLP."""
        if len(self.spans) < KEPT:
            trace = entry.get("traceId", "")
            parent = entry.get("parentSpanId")
            self.spans[f"{trace}/{entry.get('spanId')}"] = Span(
                service, f"{trace}/{parent}" if parent else "",
                int(str(entry["startTimeUnixNano"])) / 1e9,
                int(str(entry["endTimeUnixNano"])) / 1e9, entry.get("kind") in _CLIENTS,
                next((attributes[name] for name in _CALLED if name in attributes), ""),
            )  # fmt: skip

    def services(self) -> tuple[Service, ...]:
        """Each service, in the order of its first span."""
        children: dict[str, list[Span]] = {}
        requests, own = 0, dict.fromkeys((s.service for s in self.spans.values()), 0.0)
        calls: dict[str, Counter[str]] = {name: Counter() for name in own}
        for span in self.spans.values():
            parent = self.spans.get(span.parent)
            if parent is None:
                requests += 1
                continue
            children.setdefault(span.parent, []).append(span)
            if parent.service != span.service:
                calls[parent.service][span.service] += 1
        for name, span in self.spans.items():
            below = children.get(name, ())
            if not span.is_client:
                own[span.service] += span.end - span.start - _covered(span, below)
            elif span.called and all(child.service == span.service for child in below):
                calls[span.service][span.called] += 1
        return tuple(
            Service(name, time / requests, {to: n / requests for to, n in calls[name].items()})
            for name, time in own.items()
        )


def _covered(span: Span, below: Iterable[Span]) -> float:
    """Length of the union of the children's times, within the span."""
    covered, until = 0.0, span.start
    for child in sorted(below, key=lambda each: each.start):
        start, end = max(child.start, until), min(child.end, span.end)
        if end > start:
            covered, until = covered + end - start, end
    return covered


def sentence(services: Iterable[Service]) -> str:
    """What traces say of services, in a line."""
    services = list(services)
    times = ", ".join(f"{1e3 * each.self_time:.3g} ms in {each.name}" for each in services)
    calls = ", ".join(
        f"{each.name} calls {to} {number:.3g} times"
        for each in services
        for to, number in each.calls.items()
    )
    text = f"a request takes at most {times} (self-time of spans, waiting included)"
    return f"{text}; {calls}" if calls else text
