"""The mask engine `sam_onnx`: Segment Anything exported to ONNX, without torch."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from firsthand.core.errors import ConfigurationError, MissingEngineError, UnfitWeightsError
from firsthand.core.identity import digest_json
from firsthand.core.metering import count_engine_call
from firsthand.masks.engines import (
    MASK_ENGINES,
    Click,
    Mask,
    MaskWeights,
    PictureRgb,
    checked_clicks,
)
from firsthand.masks.memory import check_memory, explained_memory
from firsthand.masks.sam_prompts import (
    CHANNEL_MEAN,
    CHANNEL_SPREAD,
    Embedding,
    EmbeddingCache,
    Logits,
    chosen_mask,
    click_arrays,
    fitted_size_hw,
    scaled_picture,
)
from firsthand.store.engine_identity import package_version
from firsthand.store.user_weights import UserWeights, user_weights

__all__ = ["SegmentAnythingOnnx"]

_NAME = "sam_onnx"
_EMBED = f"{_NAME}_embed"
_ENCODER_KEY, _DECODER_KEY = "segment_anything.encoder", "segment_anything.decoder"
_DECODER_INPUTS = frozenset(
    {
        "image_embeddings",
        "point_coords",
        "point_labels",
        "mask_input",
        "has_mask_input",
        "orig_im_size",
    }
)
_DECODER_OUTPUTS = frozenset({"low_res_masks", "iou_predictions"})
_PADDING_LABEL = -1.0
_CACHE = EmbeddingCache()


class SegmentAnythingOnnx:
    """An exported encoder and decoder in onnxruntime.

    Args:
        encoder: Embeds a picture: one input 1 x 3 x side x side, channels normalised.
        decoder: Masks from clicks, with the names that the package's own export gives.
    """

    def __init__(self, encoder: Path, decoder: Path) -> None:
        self._encoder, self._decoder = encoder, decoder

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, the runtime's version and the digest of both files."""
        encoder, decoder = self._weights()
        return {
            "name": _NAME,
            "version": f"onnxruntime-{package_version('onnxruntime')}",
            "weights": digest_json([encoder.sha256, decoder.sha256]),
        }

    def mask(self, picture_rgb: PictureRgb, clicks: Sequence[Click]) -> Mask:
        """Return the pixels of the object; the same input gives the same mask.

        Args:
            picture_rgb: The frame as displayed.
            clicks: One or more, at least one of them positive.

        Raises:
            ClickError: If no click is positive or one lies outside the picture.
            MissingWeightsError: If one of the files is absent.
            UnfitWeightsError: If one of them is not such a model.
            ModelMemoryError: If the model does not fit into memory.
            MissingEngineError: If onnxruntime is not installed.
        """
        logits, scores = self.logits(picture_rgb, clicks)
        return chosen_mask(logits, scores, len(clicks))

    def logits(
        self, picture_rgb: PictureRgb, clicks: Sequence[Click]
    ) -> tuple[Logits, list[float]]:
        """Return the decoder's masks at display size, before the threshold, with its scores."""
        checked_clicks(picture_rgb, clicks)
        encoder_file, decoder_file = self._weights()
        with explained_memory(_NAME):
            encoder = _encoder(encoder_file)
            decoder = _decoder(decoder_file)
            embedding = _CACHE.get(
                encoder_file.sha256, picture_rgb, lambda: _embedded(encoder, picture_rgb)
            )
            count_engine_call(_NAME)
            return _decoded(decoder, embedding, picture_rgb, clicks, _side_px(encoder))

    def _weights(self) -> tuple[UserWeights, UserWeights]:
        encoder = user_weights(_ENCODER_KEY, self._encoder)
        return encoder, user_weights(_DECODER_KEY, self._decoder)


@MASK_ENGINES.register(_NAME)
def _sam_onnx(weights: MaskWeights) -> SegmentAnythingOnnx:
    if weights.encoder is None or weights.decoder is None:
        raise ConfigurationError(
            f"mask engine {_NAME!r}",
            "no pair of exported files",
            f"their paths under `{_ENCODER_KEY}` and `{_DECODER_KEY}`",
            "Name both files; `firsthand export sam` makes them from a checkpoint.",
        )
    return SegmentAnythingOnnx(weights.encoder, weights.decoder)


@functools.lru_cache(maxsize=1)
def _encoder(file: UserWeights) -> Any:  # noqa: ANN401 - the runtime declares no types
    session = _session(file)
    inputs = session.get_inputs()
    if len(inputs) != 1 or len(inputs[0].shape) != 4 or not _is_square(inputs[0].shape):
        raise _unfit(file, f"{len(inputs)} inputs", "one picture of 1 x 3 x side x side")
    return session


@functools.lru_cache(maxsize=1)
def _decoder(file: UserWeights) -> Any:  # noqa: ANN401 - as above
    session = _session(file)
    inputs = {entry.name for entry in session.get_inputs()}
    outputs = {entry.name for entry in session.get_outputs()}
    if inputs != _DECODER_INPUTS or not outputs >= _DECODER_OUTPUTS:
        found = f"the inputs {', '.join(sorted(inputs))}, outputs {', '.join(sorted(outputs))}"
        wanted = ", ".join(sorted(_DECODER_INPUTS | _DECODER_OUTPUTS))
        raise _unfit(file, found, f"the inputs and outputs {wanted}")
    return session


def _session(file: UserWeights) -> Any:  # noqa: ANN401 - as above
    check_memory(_NAME, 2 * file.size_bytes)
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise MissingEngineError(
            "package 'onnxruntime'",
            "not installed",
            "the package, which the extra `media` brings",
            "Run `make setup`, or `pip install 'firsthand[media]'`.",
        ) from error
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidGraph, InvalidProtobuf

    try:
        return onnxruntime.InferenceSession(str(file.path), providers=["CPUExecutionProvider"])
    except (Fail, InvalidGraph, InvalidProtobuf) as error:
        raise _unfit(
            file, f"a file that onnxruntime does not load ({type(error).__name__})", "an ONNX model"
        ) from None


def _embedded(session: Any, picture_rgb: PictureRgb) -> Embedding:  # noqa: ANN401 - as above
    count_engine_call(_EMBED)
    (entry,) = session.get_inputs()
    (found,) = session.run(None, {entry.name: _normalised(picture_rgb, _side_px(session))})
    return np.asarray(found, np.float32)


def _normalised(picture_rgb: PictureRgb, side_px: int) -> npt.NDArray[np.float32]:
    scaled = scaled_picture(picture_rgb, side_px).astype(np.float32)
    padded = np.zeros((1, 3, side_px, side_px), np.float32)
    planes = (scaled - np.array(CHANNEL_MEAN, np.float32)) / np.array(CHANNEL_SPREAD, np.float32)
    padded[0, :, : scaled.shape[0], : scaled.shape[1]] = planes.transpose(2, 0, 1)
    return padded


def _decoded(
    session: Any,  # noqa: ANN401 - as above
    embedding: Embedding,
    picture_rgb: PictureRgb,
    clicks: Sequence[Click],
    side_px: int,
) -> tuple[Logits, list[float]]:
    points, labels = click_arrays(picture_rgb, clicks, side_px)
    # Without a box the published model is given one point more, marked as no point.
    points = np.concatenate([points, np.zeros((1, 2), np.float32)])[None]
    labels = np.append(labels, np.float32(_PADDING_LABEL))[None]
    mask_hw = (4 * embedding.shape[2], 4 * embedding.shape[3])
    small, scores = session.run(
        ["low_res_masks", "iou_predictions"],
        {
            "image_embeddings": embedding,
            "point_coords": points,
            "point_labels": labels,
            "mask_input": np.zeros((1, 1, *mask_hw), np.float32),
            "has_mask_input": np.zeros(1, np.float32),
            "orig_im_size": np.array(picture_rgb.shape[:2], np.float32),
        },
    )
    return _at_display_size(small[0], picture_rgb, side_px), [float(score) for score in scores[0]]


def _at_display_size(small: Logits, picture_rgb: PictureRgb, side_px: int) -> Logits:
    """Return the decoder's small masks enlarged, without the padding.

    The decoder's output at full size is not used: exports of the package's release 1.0
    keep the padding of the picture that they were traced with.
    """
    import cv2

    (height, width), (display_height, display_width) = (
        fitted_size_hw(picture_rgb, side_px),
        picture_rgb.shape[:2],
    )
    shown = []
    for mask in small:
        whole = cv2.resize(mask, (side_px, side_px), interpolation=cv2.INTER_LINEAR)
        inside = np.ascontiguousarray(whole[:height, :width])
        size = (display_width, display_height)
        shown.append(cv2.resize(inside, size, interpolation=cv2.INTER_LINEAR))
    return np.stack(shown).astype(np.float32)


def _side_px(session: Any) -> int:  # noqa: ANN401 - as above
    (entry,) = session.get_inputs()
    return int(entry.shape[-1])


def _is_square(shape: Sequence[object]) -> bool:
    return isinstance(shape[-1], int) and shape[-1] == shape[-2]


def _unfit(file: UserWeights, found: str, expected: str) -> UnfitWeightsError:
    return UnfitWeightsError(
        f"exported model {file.path.name!r}",
        found,
        expected,
        "Export encoder and decoder from a checkpoint with `firsthand export sam`.",
    )
