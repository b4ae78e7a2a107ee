"""Options that many commands take, each with the same words."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["USUAL_STORE", "ScopeOption", "StoreOption"]

USUAL_STORE = Path("data/store")
"""Where a store lies if nobody says otherwise."""

StoreOption = Annotated[Path, typer.Option("--store", help="Folder of the store.")]
ScopeOption = Annotated[str, typer.Option("--scope", help="Name of the benchmark in the store.")]
