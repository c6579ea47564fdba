"""How a table writes numbers: decimal points or commas, marks between thousands."""

import re
from collections.abc import Iterable

_COMMA = re.compile(r"[-+]?\d+,\d+|[-+]?\d{1,3}(\.\d{3})+,\d+")
_POINT = re.compile(r"[-+]?\d[\d,']*\.\d+")
_EITHER = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
_GROUPED = re.compile(r"[-+]?[1-9]\d{0,2}(\.\d{3})+")
_SPACED = re.compile(r"(?<=\d)['\u2019\u00a0\u2009\u202f ](?=\d{3}(?!\d))")


def decimal_comma(cells: Iterable[str]) -> bool:
    """Whether the cells of a table have decimal commas.

    ValueError if only numbers as 1,234 say so, which may be a thousand or a little more than one.
    """
    commas, doubtful, grouped = False, "", 0
    for text in map(str.strip, cells):
        number = text.rstrip("% ")
        if _EITHER.fullmatch(number):
            doubtful = number
        elif _COMMA.fullmatch(number):
            commas = True
        elif _GROUPED.fullmatch(number):
            grouped += 1
            doubtful = number if grouped > 1 else doubtful
        elif _POINT.fullmatch(number):
            return False
    if doubtful and not commas:
        raise ValueError(doubtful)
    return commas


def has_decimal_comma(text: str) -> bool:
    """Whether the comma of a number can be no mark between thousands."""
    return bool(_COMMA.fullmatch(text) and not _EITHER.fullmatch(text))


def plain(text: str, *, commas: bool) -> str:
    """A number with a decimal point and nothing between thousands."""
    text = _SPACED.sub("", text.strip())
    return text.replace(".", "").replace(",", ".") if commas else text
