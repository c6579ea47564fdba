"""Lengths of time in words."""


def duration(minutes: int) -> str:
    """Minutes as hours and minutes.

    Examples
    --------
    >>> duration(45), duration(120), duration(150)
    ('45 min', '2 h', '2 h 30 min')
    """
    hours, rest = divmod(minutes, 60)
    parts = [f"{hours} h"] if hours else []
    return " ".join([*parts, *([f"{rest} min"] if rest or not hours else [])])
