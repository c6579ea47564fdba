"""Frames: a message on the wire, with headers, preambles and gaps; see THEORY.md."""

from math import ceil

from qmodel.devices.ranges import not_negative, positive
from qmodel.errors import InvalidInput

#: Bytes of a frame beside its payload: preamble, header, checksum, gap. [bytes]
FRAME_OVERHEAD = 38.0
#: Least and, unless jumbo frames are used, largest payload. [bytes]
LEAST_PAYLOAD, PAYLOAD = 46.0, 1500.0
#: Headers of TCP over IPv4 without options. [bytes]
TCP_IP = 40.0


def wire_bytes(
    message: float, header: float = TCP_IP, payload: float = PAYLOAD, replies: float = 0.0
) -> float:
    """Bytes that a message occupies on an Ethernet. [bytes]

    ``message`` are the bytes an application sends at once; none is still a frame. ``header`` are
    those of each frame's payload that protocols use, ``payload`` is the largest payload.
    ``replies`` are the empty frames that answer each frame: 0.5 where every second is acknowledged,
    0 on a full duplex link, where they go the other way.
    """
    frames = frame_count(message, header, payload)
    whole = (frames - 1) * payload
    last = max(LEAST_PAYLOAD, message - (frames - 1) * (payload - header) + header)
    acknowledged = replies * frames * (FRAME_OVERHEAD + max(LEAST_PAYLOAD, header))
    return whole + last + frames * FRAME_OVERHEAD + not_negative(acknowledged, "replies")


def frame_count(message: float, header: float = TCP_IP, payload: float = PAYLOAD) -> int:
    """Frames that a message takes, at least one."""
    not_negative(message, "message", "bytes")
    room = positive(payload, "payload", "bytes") - not_negative(header, "header", "bytes")
    if not room > 0:
        raise InvalidInput(f"headers of {header:g} bytes leave no room, expected < {payload:g}")
    return max(1, ceil(message / room))
