"""What the page of clicks asks for while a person clicks: a frame, and the mask of the clicks."""

import base64
import io
from pathlib import Path

import numpy as np
from fastapi import APIRouter
from PIL import Image
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, PlainTextResponse, Response

from firsthand.core.errors import FirsthandError
from firsthand.masks import Click, Mask, mask_flags
from firsthand.review_app.clicks import FLAG_WORDS
from firsthand.review_app.cutting_out import cut_out, first_look
from firsthand.review_app.pictures import frame_index, frame_rgb
from firsthand.review_app.visit import AForm, AVisit, Visit
from firsthand.store.review_engines import read_mask_choice

__all__ = ["click_pages"]

click_pages = APIRouter()

_MOST_CLICKS = 100
_QUALITY = 92
_INSIDE_RGBA = (31, 138, 255, 96)
_RIM_RGBA = (31, 138, 255, 255)


@click_pages.get("/frame/{benchmark}/{recording_id}/{pts_us}.jpg")
def frame(visit: AVisit, benchmark: str, recording_id: str, pts_us: int) -> Response:
    """A frame of the copy by its own time."""
    path = _copy(visit, benchmark, recording_id)
    if path is None or pts_us not in frame_index(path).times_us:
        return PlainTextResponse("No such frame.", 404)
    encoded = io.BytesIO()
    Image.fromarray(frame_rgb(path, pts_us)).save(encoded, "JPEG", quality=_QUALITY)
    return Response(encoded.getvalue(), media_type="image/jpeg")


@click_pages.get("/frames/{benchmark}/{recording_id}.json")
def frames(visit: AVisit, benchmark: str, recording_id: str, from_us: int, to_us: int) -> Response:
    """When the frames of a stretch are shown, on the recording's clock."""
    path = _copy(visit, benchmark, recording_id)
    if path is None:
        return PlainTextResponse("No such recording.", 404)
    times_us = [one for one in frame_index(path).times_us if from_us <= one <= to_us]
    return JSONResponse({"times_us": times_us})


@click_pages.post("/mask/{benchmark}/{recording_id}/{pts_us}")
def mask(visit: AVisit, form: AForm, benchmark: str, recording_id: str, pts_us: int) -> Response:
    """The pixels that the benchmark's engine cuts out of a frame for the clicks of a form.

    A form with `first_look` asks for what can be shown at once; the answer says whether it
    is only that, and the page then asks again.
    """
    path = _copy(visit, benchmark, recording_id)
    if path is None or pts_us not in frame_index(path).times_us:
        return JSONResponse({"problem": "There is no such frame."}, 404)
    try:
        clicks = _clicks(form)
    except ValueError:
        return JSONResponse({"problem": "Each click needs two numbers, in pixels."}, 422)
    try:
        store = visit.office.archive.store
        rough = None
        if form.get("first_look"):
            rough = first_look(read_mask_choice(store, benchmark), path, pts_us, clicks)
        cut = cut_out(store, benchmark, path, pts_us, clicks) if rough is None else rough
    except FirsthandError as error:
        return JSONResponse({"problem": str(error)}, 422)
    return JSONResponse(
        {
            "picture": f"data:image/png;base64,{base64.b64encode(_overlay(cut)).decode()}",
            "is_first_look": rough is not None,
            "area_share": float(cut.mean()),
            "flags": [FLAG_WORDS.get(flag, flag) for flag in mask_flags(cut)],
        }
    )


def _copy(visit: Visit, benchmark: str, recording_id: str) -> Path | None:
    return visit.office.archive.benchmark(benchmark).footage.copy_of(recording_id)


def _clicks(form: FormData) -> list[Click]:
    names = ("point_x", "point_y", "point_on")
    columns = [[str(value).strip() for value in form.getlist(name)] for name in names]
    if len(columns[0]) > _MOST_CLICKS:
        raise ValueError("too many clicks")
    return [
        Click(float(x_px), float(y_px), positive=where == "on")
        for x_px, y_px, where in zip(*columns, strict=True)
        if x_px or y_px
    ]


def _overlay(cut: Mask) -> bytes:
    """Return a picture that is clear beside the object, tinted on it, with a plain rim."""
    from scipy import ndimage

    rim = cut & ~ndimage.binary_erosion(cut, iterations=2)
    pixels = np.zeros((*cut.shape, 4), np.uint8)
    pixels[cut] = _INSIDE_RGBA
    pixels[rim] = _RIM_RGBA
    encoded = io.BytesIO()
    # It travels over loopback: time counts, and size does not.
    Image.fromarray(pixels, "RGBA").save(encoded, "PNG", compress_level=1)
    return encoded.getvalue()
