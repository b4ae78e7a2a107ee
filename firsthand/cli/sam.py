"""`firsthand export sam`: a Segment Anything checkpoint as the two files of `sam_onnx`."""

from pathlib import Path
from typing import Annotated

import typer

from firsthand.masks import export_sam

__all__ = ["export_sam_checkpoint"]


def export_sam_checkpoint(
    checkpoint: Annotated[Path, typer.Argument(help="The checkpoint: vit_b, vit_l or vit_h.")],
    out: Annotated[Path, typer.Option("--out", help="Folder to write to.")],
) -> None:
    """Export Segment Anything to ONNX, for machines without torch."""
    for path in export_sam(checkpoint, out):
        typer.echo(str(path))
