"""How a good file is spoilt: pieces of syntax, of text, of values, and of its structure."""

import json
from typing import Any

from hypothesis import strategies as st

PIECES = [
    "[", "]", "{", "}", "[[", "]]", '"', '"""', "'", "\\", "=", ":", ",", ";", "\t", ".", "#",
    "\n", "\r", "\r\n", "\0", "nan", "inf", "NaN", "-Infinity", "1e999", "-1", "0", "1e-320",
    "1.5", "true", "null", '"68 s"', '"5 MB"', '"s"', "\\ud800", "\\u0000", "\ufeff", "é", "name",
    "a.b.c", "2001-01-01", "99999999999999999999999", "_", " ", "\u2028", "\x1b[31m", "%", "1/s",
    "<", ">", "/>", "<!DOCTYPE x [<!ENTITY e 'x'>]>", "&e;", "&lt;", "<![CDATA[", "10^400",
    "1_000", "0x10", "1e308", "--", "../", "users", "utilization", "\u0660", "1,5", "∞",
]  # fmt: skip

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, 1, 2, -1, 10**6, 10**12, 10**400, 2**63, 1e308, 1e-308, 0.5, -0.0])
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["1 s", "1e300 s", "64 MB", "1e-300 s", "0 s", "-1 s", "1e6 /s", "110 %"])
)
values = st.recursive(
    scalars,
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=5), v, max_size=3),
    max_leaves=8,
)


def spoilt_text(draw: Any, text: str) -> str:
    """A text with a few pieces put in, taken out or put elsewhere."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 24)))
        copied = draw(st.integers(0, len(text)))
        piece = draw(st.sampled_from(PIECES) | st.just(text[copied : copied + 24]))
        text = text[:start] + piece + text[end:]
    return text


def spoilt_lines(draw: Any, text: str) -> str:
    """A text with lines doubled, lost or exchanged, or with a number replaced."""
    lines = text.splitlines()
    for _ in range(draw(st.integers(1, 3))):
        i, j = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        match draw(st.sampled_from(["double", "lose", "exchange", "number"])):
            case "double":
                lines.insert(j, lines[i])
            case "lose" if len(lines) > 1:
                del lines[i]
            case "exchange":
                lines[i], lines[j] = lines[j], lines[i]
            case _:
                lines[i] = _with_number(draw, lines[i])
    return "\n".join(lines) + "\n"


def _with_number(draw: Any, line: str) -> str:
    digits = [i for i, character in enumerate(line) if character.isdigit()]
    if not digits:
        return line
    start = digits[draw(st.integers(0, len(digits) - 1))]
    end = start
    while end < len(line) and (line[end].isdigit() or line[end] == "."):
        end += 1
    number = draw(st.sampled_from(["0", "-1", "1e308", "1e-300", "1000000000", "0.5", "1e9", "7"]))
    return line[:start] + number + line[end:]


def spoilt_json(draw: Any, text: str) -> str:
    """JSON with values of another kind in some places."""
    data = json.loads(text)
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(data))
        holder, key = places[draw(st.integers(0, len(places) - 1))]
        if draw(st.integers(0, 4)):
            holder[key] = draw(values)
        else:
            del holder[key]
        if not isinstance(data, dict | list) or not data:
            break
    return json.dumps(data)


def _places(data: Any) -> Any:
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in list(items):
        yield data, key
        if isinstance(value, dict | list):
            yield from _places(value)


@st.composite
def spoilt(draw: Any, text: str, kind: str) -> bytes:
    """The bytes of a spoilt file."""
    ways = [spoilt_text, spoilt_lines, *([spoilt_json] if kind == "json" else [])]
    found = draw(st.sampled_from(ways))(draw, text).encode("utf-8", "surrogatepass")
    match draw(st.integers(0, 30)):
        case 0:
            return b"\xef\xbb\xbf" + found
        case 1:
            return found.replace(b"\n", b"\r\n")
        case 2:
            return found.decode("utf-8", "replace").encode("utf-16")
        case 3:
            return found + draw(st.binary(max_size=8))
        case 4:
            return found[: len(found) // 2]
    return found
