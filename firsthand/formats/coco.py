"""COCO annotation files: instance masks as run lengths, compressed or not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt

from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.core.rle import decode_rle
from firsthand.formats.problems import Problems
from firsthand.formats.textfile import read_json, write_json

__all__ = ["CocoMask", "coco_document", "coco_masks", "read_coco", "write_coco"]

_ENDS = 2


@dataclass(frozen=True, slots=True)
class CocoMask:
    """One instance's mask.

    Args:
        annotation_id: The annotation's identifier as text.
        image: File name of the picture.
        category: Name of the category.
        size_hw_px: Height and width of the whole picture.
        counts: Compressed run lengths, or the list of them; column by column.
    """

    annotation_id: str
    image: str
    category: str
    size_hw_px: tuple[int, int]
    counts: str | tuple[int, ...]

    def mask_hw(self) -> npt.NDArray[np.bool_]:
        """Return the mask, rows by columns."""
        return decode_rle(self.counts, self.size_hw_px)

    def area_and_box_px(self) -> tuple[int, tuple[int, int, int, int]]:
        """Return pixels set and the box [x, y, width, height] around them; zeros if none is."""
        rows, columns = np.nonzero(self.mask_hw())
        if not rows.size:
            return 0, (0, 0, 0, 0)
        left, top = int(columns.min()), int(rows.min())
        width, height = int(columns.max()) - left + 1, int(rows.max()) - top + 1
        return rows.size, (left, top, width, height)


def read_coco(path: Path) -> tuple[CocoMask, ...]:
    """Read the masks of a COCO annotation file, every run checked against its picture.

    Raises:
        DataFileError: If annotations break the format, refer to pictures or categories
            that are not there, hold polygons, or do not fill their picture; all are listed.
    """
    problems = Problems(path)
    masks = coco_masks(read_json(path), problems)
    problems.raise_if_any()
    return masks


def coco_masks(document: Json, problems: Problems) -> tuple[CocoMask, ...]:
    """Return the masks of a COCO document, noting what is wrong."""
    if not isinstance(document, Mapping):
        problems.add("", "", document, "an object with images, categories and annotations")
        return ()
    images = _by_id(document, "images", problems)
    categories = _by_id(document, "categories", problems)
    masks = []
    for position, item in enumerate(_list(document, "annotations", problems)):
        mask = _mask(item, f"annotation {position}", (images, categories), problems)
        if mask is not None:
            masks.append(mask)
    return tuple(masks)


def coco_document(masks: Iterable[CocoMask]) -> dict[str, Json]:
    """Return masks as a COCO document, pictures and categories numbered by first use."""
    images: dict[str, dict[str, Json]] = {}
    categories: dict[str, dict[str, Json]] = {}
    annotations: list[Json] = []
    for mask in masks:
        height, width = mask.size_hw_px
        image = images.setdefault(
            mask.image,
            {"id": len(images) + 1, "file_name": mask.image, "width": width, "height": height},
        )
        category = categories.setdefault(
            mask.category, {"id": len(categories) + 1, "name": mask.category}
        )
        area_px, box_xywh_px = mask.area_and_box_px()
        counts: Json = mask.counts if isinstance(mask.counts, str) else list(mask.counts)
        annotations.append(
            {
                "id": mask.annotation_id,
                "image_id": image["id"],
                "category_id": category["id"],
                "segmentation": {"size": [height, width], "counts": counts},
                "area": area_px,
                "bbox": list(box_xywh_px),
                "iscrowd": 1,
            }
        )
    return {
        "images": list(images.values()),
        "categories": list(categories.values()),
        "annotations": annotations,
    }


def write_coco(path: Path, masks: Iterable[CocoMask]) -> None:
    """Write masks as a COCO annotation file."""
    write_json(path, coco_document(masks))


def _mask(
    item: Json,
    name: str,
    known: tuple[Mapping[str, Mapping[str, Json]], Mapping[str, Mapping[str, Json]]],
    problems: Problems,
) -> CocoMask | None:
    if not isinstance(item, Mapping):
        problems.add(name, "", item, "an object")
        return None
    image, category = (
        table.get(str(item.get(key)))
        for table, key in zip(known, ("image_id", "category_id"), strict=True)
    )
    if image is None:
        problems.add(name, "image_id", item.get("image_id"), "an id among images")
    if category is None:
        problems.add(name, "category_id", item.get("category_id"), "an id among categories")
    runs = _runs(item.get("segmentation"), name, problems)
    if image is None or category is None or runs is None:
        return None
    size_hw_px, counts = runs
    if size_hw_px != (image.get("height"), image.get("width")):
        stated = [image.get("height"), image.get("width")]
        problems.add(name, "segmentation.size", list(size_hw_px), f"the picture's {stated}")
        return None
    mask = CocoMask(
        str(item.get("id", "")),
        str(image.get("file_name")),
        str(category.get("name")),
        size_hw_px,
        counts,
    )
    try:
        mask.mask_hw()
    except DataFileError as error:
        problems.add(name, "segmentation.counts", error.found, error.expected)
        return None
    return mask


def _runs(
    value: Json, name: str, problems: Problems
) -> tuple[tuple[int, int], str | tuple[int, ...]] | None:
    if not isinstance(value, Mapping):
        problems.add(name, "segmentation", value, "run lengths {size, counts}, not polygons")
        return None
    size, counts = value.get("size"), value.get("counts")
    whole_size = isinstance(size, list) and len(size) == _ENDS and all(map(_is_whole, size))
    whole_runs = isinstance(counts, str) or (
        isinstance(counts, list) and all(map(_is_whole, counts))
    )
    if not whole_size:
        problems.add(name, "segmentation.size", size, "[height, width]")
    if not whole_runs:
        problems.add(name, "segmentation.counts", counts, "text or a list of runs")
    if not (whole_size and whole_runs):
        return None
    height, width = cast("list[int]", size)
    return (height, width), counts if isinstance(counts, str) else tuple(cast("list[int]", counts))


def _by_id(
    document: Mapping[str, Json], key: str, problems: Problems
) -> dict[str, Mapping[str, Json]]:
    found: dict[str, Mapping[str, Json]] = {}
    for position, item in enumerate(_list(document, key, problems)):
        if not isinstance(item, Mapping) or not isinstance(item.get("id"), int | str):
            problems.add(f"{key}[{position}]", "id", item, "an object with an id")
        else:
            found[str(item["id"])] = item
    return found


def _list(document: Mapping[str, Json], key: str, problems: Problems) -> Sequence[Json]:
    value = document.get(key)
    if isinstance(value, list):
        return value
    problems.add("", key, value, "a list")
    return ()


def _is_whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
