"""Firsthand: benchmarks from first-person recordings, and models evaluated on them.

The library knows no orchestrator. Import the room you need, for example
`firsthand.metrics`; nothing heavy is imported before it is used.
"""

from importlib.metadata import version

__all__ = ["__version__"]

__version__ = version("firsthand")
