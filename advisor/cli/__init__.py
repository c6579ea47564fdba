"""The command ``qmodel``: reads files, calls the packages, prints. No arithmetic."""

from advisor.cli.app import main

__all__ = ["main"]
