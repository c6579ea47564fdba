"""The command ``qmodel``: reads files, calls the packages, prints. No arithmetic."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command; Ctrl-C ends it quietly, while it starts too."""
    try:
        from advisor.cli.app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
