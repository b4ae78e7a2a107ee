"""Reading EcoG grounding replies: one JSON object with options and points in order."""

import math
from dataclasses import dataclass
from enum import StrEnum

from firsthand.answers.json_values import last_json_value
from firsthand.answers.readings import NoAnswer
from firsthand.answers.refusals import no_answer

__all__ = [
    "CoordinateOrder",
    "GroundingAnswer",
    "GroundingReading",
    "PointForm",
    "PointedReferent",
    "grounding_answer",
    "grounding_object",
    "read_grounding_reply",
]

_PAIR = 2
_HUGE = 1e300  # beyond it, whole numbers do not fit a float


class CoordinateOrder(StrEnum):
    """Order of a model family's coordinates: declared for the subject, never guessed."""

    XY = "xy"
    YX = "yx"


@dataclass(frozen=True, slots=True)
class PointForm:
    """How a subject gives points: declared for it, said in its prompt, kept in the result.

    Args:
        order: Which coordinate comes first; what is declared is believed, hit or miss.
        scale: What the far edge of the picture counts as, in both directions; positive.
    """

    order: CoordinateOrder = CoordinateOrder.XY
    scale: float = 1000.0

    def __post_init__(self) -> None:
        if not 0 < self.scale < _HUGE:
            raise ValueError(f"a scale of coordinates is positive, got {self.scale}")

    def permille(self, point_xy: tuple[float, float]) -> tuple[float, float]:
        """Return a point, its order mended already, in thousandths of the picture."""
        return point_xy[0] * 1000.0 / self.scale, point_xy[1] * 1000.0 / self.scale

    def spelled(self, point_xy_permille: tuple[float, float]) -> tuple[float, float]:
        """Return a point as such a subject writes it."""
        x, y = (value * self.scale / 1000.0 for value in point_xy_permille)
        return (x, y) if self.order is CoordinateOrder.XY else (y, x)


@dataclass(frozen=True, slots=True)
class PointedReferent:
    """What a reply says of one referent; a malformed part is None and spoils no other.

    Args:
        point_xy_permille: Position on the last frame in thousandths of its width and
            height; several points are their mean.
        moment_ms: When the gesture was made, unrounded.
    """

    point_xy_permille: tuple[float, float] | None
    moment_ms: float | None


@dataclass(frozen=True, slots=True)
class GroundingAnswer:
    """What a reply says of all referents, by position.

    Args:
        options: Option letters in order, without white space; capital and small differ.
            None stands for an entry that is no text.
        referents: Points and times in order.
    """

    options: tuple[str | None, ...]
    referents: tuple[PointedReferent, ...]


GroundingReading = GroundingAnswer | NoAnswer


def read_grounding_reply(
    reply: str, *, order: CoordinateOrder = CoordinateOrder.XY, finish: str = "stop"
) -> GroundingReading:
    """Read a grounding reply under `paper`.

    The object may stand in a code fence or in prose, and after a reasoning block; the last
    one that has the expected fields counts.
    """
    found = grounding_object(reply)
    if found is None:
        return no_answer(reply, "no JSON object with options or points", finish=finish)
    return grounding_answer(found, order=order)


def grounding_object(reply: str) -> object | None:
    """Return the last JSON value of a reply that could be a prediction, or None."""
    return last_json_value(reply, _is_prediction)


def grounding_answer(
    prediction: object, *, order: CoordinateOrder = CoordinateOrder.XY
) -> GroundingAnswer:
    """Return what a parsed prediction says; anything that is no prediction says nothing.

    A list whose first element has `selected_options` counts as that element. A lone text
    for the options counts as one option.
    """
    if isinstance(prediction, list) and prediction:
        first = prediction[0]
        prediction = first if isinstance(first, dict) and "selected_options" in first else None
    if not isinstance(prediction, dict):
        return GroundingAnswer((), ())
    options, points = prediction.get("selected_options"), prediction.get("point_list")
    if isinstance(options, str):
        options = [options]
    return GroundingAnswer(
        tuple(
            option.strip() if isinstance(option, str) else None
            for option in (options if isinstance(options, list) else [])
        ),
        tuple(_referent(item, order) for item in (points if isinstance(points, list) else [])),
    )


def _referent(item: object, order: CoordinateOrder) -> PointedReferent:
    if not isinstance(item, dict):
        return PointedReferent(None, None)
    point = _mean_point(item.get("point"))
    if point is not None and order is CoordinateOrder.YX:
        point = (point[1], point[0])
    return PointedReferent(point, _number(item.get("timestamp")))


def _mean_point(value: object) -> tuple[float, float] | None:
    """Return a pair of numbers, or the mean of a list of such pairs, else None."""
    if not isinstance(value, list | tuple) or not value:
        return None
    pairs = [value] if not isinstance(value[0], list | tuple) else list(value)
    known = [found for pair in pairs if (found := _pair(pair)) is not None]
    if len(known) < len(pairs):
        return None
    first, second = (math.fsum(pair[axis] for pair in known) / len(known) for axis in (0, 1))
    return first, second


def _pair(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list | tuple) or len(value) != _PAIR:
        return None
    first, second = _number(value[0]), _number(value[1])
    return None if first is None or second is None else (first, second)


def _number(value: object) -> float | None:
    """Return a finite number; a truth value and a text are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < _HUGE and math.isfinite(value) else None


def _is_prediction(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and _is_prediction(value[0])
    return isinstance(value, dict) and bool({"selected_options", "point_list"} & value.keys())
