"""Telling one face from another: the protocol that every embedder keeps, and the embedders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from firsthand.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from firsthand.deid.faces import BoxPx

__all__ = ["FACE_EMBEDDERS", "FaceEmbedder", "FacePrint", "distance"]

FacePrint: TypeAlias = "npt.NDArray[np.float32]"
"""A face as a vector; two of one person lie near each other."""


class FaceEmbedder(Protocol):
    """An engine that says what a face looks like."""

    name: str

    def embed(self, picture_rgb: npt.NDArray[np.uint8], box: BoxPx) -> FacePrint:
        """Return the face in a box.

        Args:
            picture_rgb: Rows x columns x RGB.
            box: The face as a detector draws it, pixels of the picture.
        """
        ...


FACE_EMBEDDERS: Registry[Callable[[], FaceEmbedder]] = Registry("face embedder")


def distance(one: FacePrint, other: FacePrint) -> float:
    """Return how far two faces are apart; 0 for the same picture."""
    return float(((one - other) ** 2).sum() ** 0.5)
