"""EcoG-Bench's released reading of parsed predictions, reproduced with its defects.

One malformed referent makes the whole clip zero; four numbers are read as a point; a truth
value is a time of one millisecond. Serves the rule set `official` alone.
"""

import math
from collections.abc import Sequence

from firsthand.answers.grounding import CoordinateOrder, GroundingAnswer, PointedReferent
from firsthand.core.errors import FirsthandError

__all__ = [
    "ReleasedCodeError",
    "official_grounding_answer",
    "official_prediction",
]

_PAIR = 2


class ReleasedCodeError(FirsthandError):
    """The released code stops here; `found` is the name of its exception."""


def official_prediction(value: object) -> object:
    """Return what the released engine scores: the first object of a list, or an empty one."""
    if isinstance(value, list):
        value = next((part for part in value if isinstance(part, dict)), {})
    return value if isinstance(value, dict) else {}


def official_grounding_answer(
    prediction: object, referents: int, *, order: CoordinateOrder = CoordinateOrder.XY
) -> GroundingAnswer:
    """Read a prediction for a clip of so many referents; further ones are ignored.

    Raises:
        ReleasedCodeError: Where the released code raises; its batch then scores the whole
            clip 0, or stops when the prediction itself is no object.
    """
    if not isinstance(prediction, dict):
        raise _stop("AttributeError", "an object")
    options = prediction.get("selected_options", [])
    if isinstance(options, str):
        options = [options]
    elif not isinstance(options, list):
        options = []
    points = prediction.get("point_list", [])
    if points is None or isinstance(points, bool | int | float):
        raise _stop("TypeError", "a list of points")
    items = [_item(points, place) for place in range(min(referents, len(points)))]
    return GroundingAnswer(
        tuple(str(option).strip() for option in options),
        tuple(_referent(item, order) for item in items),
    )


def _item(points: object, place: int) -> dict[str, object]:
    if isinstance(points, dict):
        raise _stop("KeyError", "a list of points")
    item = points[place] if isinstance(points, Sequence) else None
    if not isinstance(item, dict):
        raise _stop("AttributeError", "an object for each point")
    return item


def _referent(item: dict[str, object], order: CoordinateOrder) -> PointedReferent:
    point = _point(item.get("point"))
    if point is not None and order is CoordinateOrder.YX:
        point = (point[1], point[0])
    moment = item.get("timestamp")
    # A truth value passes for a number here, as it does in the released code.
    is_number = isinstance(moment, int | float)
    return PointedReferent(point, _finite(moment) if is_number else None)


def _point(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list | tuple) or not value:
        return None
    if not isinstance(value[0], list | tuple):
        return _coordinates(value)
    pairs = [_coordinates(pair) for pair in value]
    first, second = (math.fsum(pair[axis] for pair in pairs) / len(pairs) for axis in (0, 1))
    return first, second


def _coordinates(value: object) -> tuple[float, float]:
    if not isinstance(value, list | tuple):
        raise _stop("TypeError", "a pair of numbers")
    if len(value) < _PAIR:
        raise _stop("IndexError", "two coordinates")
    return _finite(value[0]), _finite(value[1])


def _finite(value: object) -> float:
    if not isinstance(value, int | float):
        raise _stop("TypeError", "numbers as coordinates")
    if not math.isfinite(value):
        raise _stop("OverflowError" if math.isinf(value) else "ValueError", "finite numbers")
    return float(value)


def _stop(exception: str, expected: str) -> ReleasedCodeError:
    return ReleasedCodeError(
        "prediction, rule set 'official'",
        exception,
        expected,
        "The released code scores this clip 0; score it under 'paper' for its sound parts.",
    )
