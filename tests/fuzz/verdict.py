"""What a run may not do, whatever it was given."""

from tests.fuzz.forked import Run

MEGABYTES = 300.0


def wrong(run: Run, seconds: float = 2.0) -> str | None:
    """What is wrong with a run that may take so many seconds, or None.

    Exit codes are 0 to 3; an error is said in lines that a terminal can show; nothing is printed
    as a result beside it.
    """
    if not 0 <= run.code <= 3:
        return f"exit code {run.code}: {run.err[-400:]}"
    for word in ("Traceback", "internal error"):
        if word in run.err or word in run.out:
            return f"{word}: {run.err[-600:]}"
    if any(not character.isprintable() for character in run.err if character != "\n"):
        return f"control characters on standard error: {run.err!r}"
    if run.code == 2 and not run.err.strip():
        return "exit code 2 without a word"
    if "nan" in run.out.lower().replace("dominance", "").split():
        return "nan in the output"
    if run.seconds > seconds:
        return f"{run.seconds:.2f} s of the processor"
    if run.megabytes > MEGABYTES:
        return f"{run.megabytes:.0f} MB"
    return None
