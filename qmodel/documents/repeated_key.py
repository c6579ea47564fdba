"""The error for a key that stands twice, which both syntaxes forbid."""

from __future__ import annotations

from qmodel.documents.wording import show_key, show_text
from qmodel.errors import FileError


def repeated_key(text: str, path: str, file_format: str) -> FileError | None:
    """An error for the first repeated key of a text, None if no key is repeated."""
    from qmodel.documents.key_lines import key_lines

    keys = key_lines(text, file_format).repeated
    if not keys:
        return None
    first = keys[0]
    what = (
        f"table [{show_key(first.path)}] declared twice"
        if first.is_table
        else f"duplicate key {show_text(str(first.path[-1]))}"
    )
    return FileError(
        path,
        f"{what} (first at line {first.first_line}); keep one",
        key=show_key(first.path),
        line=first.line,
        column=first.column,
    )
