"""Firsthand: benchmarks from first-person recordings, and models evaluated on them.

The library knows no orchestrator. Import the room you need, for example
`firsthand.metrics`; nothing heavy is imported before it is used.
"""

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    # Reading the installed version costs a quarter of the time that metrics take to import.
    if name == "__version__":
        from importlib.metadata import version

        return version("firsthand")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
