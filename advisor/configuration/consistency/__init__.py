"""What no single key of a configuration can show to be wrong."""

#: Key path, and what is wrong there.
Problem = tuple[tuple[str | int, ...], str]
