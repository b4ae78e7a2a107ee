"""The `firsthand` command."""

from firsthand.cli.main import main

__all__ = ["main"]
