"""What is left of faces in the written pictures, and what was changed without need.

Both are read from the pixels that were written, not from what the pipeline says it did.

A face is recognised by its detail, which lies at about 8 to 16 cycles per face. `h` is
the original's detail inside the true box: brightness minus its own Gaussian blur with a
standard deviation of 1/32 of the box's height, which keeps what is above 5 cycles per face
(1 / (2 pi sigma)). What the output keeps of it is the projection `<h_out, h> / <h, h>`:
1 where the picture is untouched, 0 where the detail is gone, and in between the share that
is left. A face counts as visible when more than a tenth is left, which is what "not at
least 90 % covered" means for detail.

Detail alone would pass a bare part that has little of it, such as a cheek, and a whole face
without any. So the face's area is judged too: the true box is cut into 8 x 8 cells, whatever
its size, and a cell of the ellipse in it is left as it was when its brightness differs by at
most 5 of 255 levels on average. Encoding anew changes a cell by 2 levels (5 at most in 99 of
100), covering it by 24 (7 at least in 99 of 100), measured on the sample recordings. A face is
bare when more than a tenth of its cells is left as it was.

Private writing is judged by its detail like a face: the strokes of its letters are finer than
what is looked at, so where none of it is left nothing can be read.

A block of 8 x 8 pixels away from every face and all private writing counts as changed when
its brightness differs by more than 8 of 255 levels on average. Encoding anew at the
pipeline's quality stays well below: its error is under 2 levels on average.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from firsthand.media.frames import Picture, decoded_frames
from firsthand.media.planes import planes_of
from firsthand.report.quality_truth import TrueRecording

__all__ = [
    "PictureQuality",
    "detail_left",
    "measure_pictures",
    "merge_pictures",
    "unchanged_cells",
]

_VISIBLE_SHARE = 0.1
_BLUR_PER_HEIGHT = 32
# Detail of less than half a level is the rounding of 8-bit brightness.
_ROUNDING_LEVELS = 0.5
_BLOCK_PX = 8
_CELLS = 8
_UNCHANGED_LEVELS = 5.0
_CHANGED_LEVELS = 8.0
# Hair and neck around a tight box may be covered too: this far, relative to the box.
_MARGIN = 0.3

Plane = npt.NDArray[np.float32]
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """Sums over frames; adds up over recordings.

    Args:
        face_frames: True faces times the frames they are in.
        visible_face_frames: Those of which more than a tenth of the detail is left.
        longest_visible_run: Longest run of frames in which a face is visible.
        blocks: Blocks away from faces and private writing, over all frames.
        changed_blocks: Those that differ beyond encoding.
        frames: Frames compared.
        unmatched_frames: Frames of the original without one of the same time in the output.
        face_cells: Cells of faces, over all frames; each face counts alike.
        unchanged_cells: Those that the output leaves as they were.
        bare_face_frames: Face-frames of which more than a tenth of the cells is left.
        writing_frames: Private texts times the frames they are in.
        visible_writing_frames: Those of which more than a tenth of the detail is left.
    """

    face_frames: int = 0
    visible_face_frames: int = 0
    longest_visible_run: int = 0
    blocks: int = 0
    changed_blocks: int = 0
    frames: int = 0
    unmatched_frames: int = 0
    face_cells: int = 0
    unchanged_cells: int = 0
    bare_face_frames: int = 0
    writing_frames: int = 0
    visible_writing_frames: int = 0


def merge_pictures(parts: Iterable[PictureQuality]) -> PictureQuality:
    """Return the sums over recordings; the longest run is the longest of any."""
    kept = list(parts)
    return PictureQuality(
        face_frames=sum(part.face_frames for part in kept),
        visible_face_frames=sum(part.visible_face_frames for part in kept),
        longest_visible_run=max((part.longest_visible_run for part in kept), default=0),
        blocks=sum(part.blocks for part in kept),
        changed_blocks=sum(part.changed_blocks for part in kept),
        frames=sum(part.frames for part in kept),
        unmatched_frames=sum(part.unmatched_frames for part in kept),
        face_cells=sum(part.face_cells for part in kept),
        unchanged_cells=sum(part.unchanged_cells for part in kept),
        bare_face_frames=sum(part.bare_face_frames for part in kept),
        writing_frames=sum(part.writing_frames for part in kept),
        visible_writing_frames=sum(part.visible_writing_frames for part in kept),
    )


def measure_pictures(original: Path, output: Path, truth: TrueRecording) -> PictureQuality:
    """Compare a recording with its de-identified copy, frame by frame of the same time."""
    pairs = _pairs(decoded_frames(original), decoded_frames(output))
    quality = PictureQuality()
    run = 0
    for before, after in pairs:
        if after is None:
            quality = merge_pictures((quality, PictureQuality(unmatched_frames=1)))
            continue
        faces = truth.faces_by_pts_us.get(before.pts_us, ())
        writing = truth.writing_by_pts_us.get(before.pts_us, ())
        here = _frame_quality(_brightness(before), _brightness(after), faces, writing)
        run = run + 1 if here.visible_face_frames else 0
        quality = merge_pictures((quality, here, PictureQuality(longest_visible_run=run)))
    return quality


def detail_left(before: Plane, after: Plane, box: Box) -> float:
    """Return the share of a box's detail that the output keeps, about 0 to 1.

    A box without any detail keeps nothing that could be recognised: 0.
    """
    import cv2

    x0, y0, x1, y1 = box
    sigma = (y1 - y0) / _BLUR_PER_HEIGHT
    pieces = [plane[max(y0, 0) : y1, max(x0, 0) : x1] for plane in (before, after)]
    detail, kept = (piece - cv2.GaussianBlur(piece, (0, 0), sigma) for piece in pieces)
    energy = float((detail * detail).sum())
    if energy <= _ROUNDING_LEVELS**2 * detail.size:
        return 0.0
    return float((detail * kept).sum()) / energy


def unchanged_cells(before: Plane, after: Plane, box: Box) -> npt.NDArray[np.bool_]:
    """Return for each cell of a box's ellipse whether the output leaves it as it was."""
    import cv2

    x0, y0, x1, y1 = box
    change = np.abs(before - after)[max(y0, 0) : y1, max(x0, 0) : x1]
    means = cv2.resize(change, (_CELLS, _CELLS), interpolation=cv2.INTER_AREA)
    unchanged: npt.NDArray[np.bool_] = (means <= _UNCHANGED_LEVELS)[_in_ellipse()]
    return unchanged


def _in_ellipse() -> npt.NDArray[np.bool_]:
    """Return which cells of a box have their middle in its ellipse: 52 of 64."""
    across = (np.arange(_CELLS) + 0.5) * 2 / _CELLS - 1
    inside: npt.NDArray[np.bool_] = across[None, :] ** 2 + across[:, None] ** 2 <= 1
    return inside


def _frame_quality(
    before: Plane, after: Plane, faces: Sequence[Box], writing: Sequence[Box] = ()
) -> PictureQuality:
    def visible(boxes: Sequence[Box]) -> int:
        return sum(detail_left(before, after, box) > _VISIBLE_SHARE for box in boxes)

    cells = [unchanged_cells(before, after, box) for box in faces]
    changed = _block_means(np.abs(before - after)) > _CHANGED_LEVELS
    away = np.ones(changed.shape, np.bool_)
    for x0, y0, x1, y1 in (*faces, *writing):
        dx, dy = round(_MARGIN * (x1 - x0)), round(_MARGIN * (y1 - y0))
        rows = slice(max(y0 - dy, 0) // _BLOCK_PX, -(-(y1 + dy) // _BLOCK_PX))
        columns = slice(max(x0 - dx, 0) // _BLOCK_PX, -(-(x1 + dx) // _BLOCK_PX))
        away[rows, columns] = False
    return PictureQuality(
        face_frames=len(faces),
        visible_face_frames=visible(faces),
        blocks=int(away.sum()),
        changed_blocks=int((changed & away).sum()),
        frames=1,
        face_cells=sum(one.size for one in cells),
        unchanged_cells=sum(int(one.sum()) for one in cells),
        bare_face_frames=sum(one.mean() > _VISIBLE_SHARE for one in cells),
        writing_frames=len(writing),
        visible_writing_frames=visible(writing),
    )


def _block_means(plane: Plane) -> Plane:
    rows, columns = (side // _BLOCK_PX for side in plane.shape)
    whole = plane[: rows * _BLOCK_PX, : columns * _BLOCK_PX]
    means: Plane = whole.reshape(rows, _BLOCK_PX, columns, _BLOCK_PX).mean(axis=(1, 3))
    return means


def _brightness(picture: Picture) -> Plane:
    return planes_of(picture).y.astype(np.float32)


def _pairs(
    originals: Iterator[Picture], outputs: Iterator[Picture]
) -> Iterator[tuple[Picture, Picture | None]]:
    after = next(outputs, None)
    for before in originals:
        while after is not None and after.pts_us < before.pts_us:
            after = next(outputs, None)
        matches = after is not None and after.pts_us == before.pts_us
        yield before, after if matches else None
