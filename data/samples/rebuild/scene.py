"""One clip's picture at any time: camera, room, things, visitor, hand, and their true places."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
from hand import TIP_XY_PX, pointing_hand
from objects import object_named
from portrait import FACE_CENTRE_PX, FACE_HEIGHT_PX, FACE_OUTLINE_PX, visitor
from raster import (
    Affine,
    Floats,
    Sprite,
    after,
    corners,
    cover_of,
    hull_xyxy_px,
    lay,
    mapped,
    placed,
)
from rooms import room_named

if TYPE_CHECKING:
    from collections.abc import Sequence

Box = tuple[float, float, float, float]
Key = tuple[float, ...]


@dataclass(frozen=True)
class Thing:
    """An object at its centre in the world; after the last key (t_s, x, y) of `path` it is gone."""

    name: str
    x: float
    y: float
    scale: float = 1.0
    angle_deg: float = 0.0
    on_wall: bool = False
    path: tuple[Key, ...] = ()
    referent_id: str = ""
    label: str = ""


@dataclass(frozen=True)
class Reach:
    """A stroke: the finger tip arrives at `begin_s`, follows `path` until `end_s` and goes back.

    `path` are keys (t_s, x, y) in the world; one key means that the tip holds still.
    """

    begin_s: float
    end_s: float
    path: tuple[Key, ...]
    from_left: bool = False


@dataclass(frozen=True)
class Visit:
    """The visitor's way: keys (t_s, x, y, face height, angle) of the face centre in the world."""

    keys: tuple[Key, ...]
    window_xyxy_px: Box | None = None
    light_rgb: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Setting:
    """All that a picture of the clip is made of."""

    room: str
    size_wh_px: tuple[int, int]
    seed: int
    things: tuple[Thing, ...]
    visits: tuple[Visit, ...] = ()
    sleeve_rgb: tuple[int, int, int] = (52, 84, 138)
    walking: bool = False


@dataclass
class Picture:
    """A frame and what is truly in it, in display pixels."""

    rgb: np.ndarray
    faces: list[Box]
    texts: list[tuple[str, str, Box]]


@dataclass
class _Layer:
    sprite: Sprite
    affine: Affine
    window: Floats | None = None
    referent_id: str = ""


REACH_S = 0.56


@dataclass
class Scene:
    """Draws the frames of one clip."""

    setting: Setting
    reaches: Sequence[Reach]
    _hand: Sprite = field(init=False)

    def __post_init__(self) -> None:
        self._hand = pointing_hand(self.setting.sleeve_rgb)

    def picture(self, at_s: float) -> Picture:
        """Return the frame at a time, with face and text boxes."""
        width, height = self.setting.size_wh_px
        camera = self._camera(at_s)
        canvas: Floats = np.zeros((height, width, 3), np.float32)
        for layer in self._layers(at_s, camera):
            lay(canvas, layer.sprite, layer.affine, layer.window)
        rgb = (np.clip(canvas, 0, 1) * 255 + 0.5).astype(np.uint8)
        return Picture(rgb, self._faces(at_s, camera), self._texts(at_s, camera))

    def covers(self, at_s: float) -> dict[str, Floats]:
        """Return the visible cover of every referent at a time, in [0, 1]."""
        size = self.setting.size_wh_px
        found: dict[str, Floats] = {}
        for layer in self._layers(at_s, self._camera(at_s)):
            cover = cover_of(layer.sprite, layer.affine, size)
            if layer.window is not None:
                cover = cover * layer.window
            found = {name: below * (1 - cover) for name, below in found.items()}
            if layer.referent_id:
                found[layer.referent_id] = cover
        return found

    def _layers(self, at_s: float, camera: Affine) -> list[_Layer]:
        room = room_named(self.setting.room)
        layers = [_Layer(room.back, camera)]
        layers += [
            self._thing(thing, at_s, camera) for thing in self._things(at_s) if thing.on_wall
        ]
        layers += [
            self._visitor(visit, at_s, camera)
            for visit in self.setting.visits
            if visit.window_xyxy_px is None
        ]
        layers.append(_Layer(room.front, camera))
        layers += [
            self._thing(thing, at_s, camera) for thing in self._things(at_s) if not thing.on_wall
        ]
        layers += [
            self._visitor(visit, at_s, camera)
            for visit in self.setting.visits
            if visit.window_xyxy_px
        ]
        return layers + [_Layer(self._hand, affine) for affine in self._hand_affines(at_s, camera)]

    def _things(self, at_s: float) -> list[Thing]:
        return [
            thing for thing in self.setting.things if not thing.path or at_s <= thing.path[-1][0]
        ]

    def _thing(self, thing: Thing, at_s: float, camera: Affine) -> _Layer:
        return _Layer(
            object_named(thing.name),
            after(camera, thing_affine(thing, at_s)),
            None,
            thing.referent_id,
        )

    def _visitor(self, visit: Visit, at_s: float, camera: Affine) -> _Layer:
        window = (
            None if visit.window_xyxy_px is None else self._window(visit.window_xyxy_px, camera)
        )
        return _Layer(
            _visitor_in(visit.light_rgb), after(camera, visit_affine(visit, at_s)), window
        )

    def _window(self, box_xyxy_px: Box, camera: Affine) -> Floats:
        width, height = self.setting.size_wh_px
        plane: Floats = np.zeros((height, width), np.float32)
        points = (mapped(camera, corners(box_xyxy_px)) * 16).round().astype(np.int32)
        cv2.fillConvexPoly(plane, points, 1.0, cv2.LINE_AA, 4)
        return plane

    def _faces(self, at_s: float, camera: Affine) -> list[Box]:
        affines = [after(camera, visit_affine(visit, at_s)) for visit in self.setting.visits]
        return [hull_xyxy_px(affine, FACE_OUTLINE_PX) for affine in affines]

    def _texts(self, at_s: float, camera: Affine) -> list[tuple[str, str, Box]]:
        found = []
        for thing in self._things(at_s):
            affine = after(camera, thing_affine(thing, at_s))
            for mark in object_named(thing.name).texts:
                found.append(
                    (mark.text, mark.kind, hull_xyxy_px(affine, corners(mark.box_xyxy_px)))
                )
        return found

    def _camera(self, at_s: float) -> Affine:
        """Return the world-to-picture map of a head that is never quite still."""
        room = room_named(self.setting.room).back
        phase = np.random.default_rng(self.setting.seed).uniform(0, 2 * math.pi, 5)
        swing = [
            math.sin(2 * math.pi * rate * at_s + phase[i])
            for i, rate in enumerate((0.11, 0.37, 0.14, 0.43, 0.09))
        ]
        step = 4 * abs(math.sin(math.pi * 1.8 * at_s)) if self.setting.walking else 0.0
        centre = (
            room.width_px / 2 + 9 * swing[0] + 3 * swing[1],
            room.height_px / 2 + 7 * swing[2] + 2 * swing[3] + step,
        )
        width, height = self.setting.size_wh_px
        return placed(centre, (width / 2, height / 2), 1.0, 0.9 * swing[4])

    def _hand_affines(self, at_s: float, camera: Affine) -> list[Affine]:
        height = self.setting.size_wh_px[1]
        affines = []
        for reach in self.reaches:
            if not reach.begin_s - REACH_S < at_s < reach.end_s + REACH_S:
                continue
            ahead = min(
                1.0, (at_s - reach.begin_s) / REACH_S + 1, 1 - (at_s - reach.end_s) / REACH_S
            )
            tip = mapped(camera, [_between(reach.path, at_s)])[0]
            away = (-90 if reach.from_left else 90, height + 60 - tip[1])
            rest = 1 - _eased(ahead)
            target = (float(tip[0] + rest * away[0]), float(tip[1] + rest * away[1]))
            affines.append(placed(TIP_XY_PX, target, 0.8, -24 if reach.from_left else 24))
        return affines


@cache
def _visitor_in(light_rgb: tuple[float, float, float]) -> Sprite:
    figure = visitor()
    return Sprite(figure.rgba * np.array([*light_rgb, 1], np.float32), figure.solid)


def thing_affine(thing: Thing, at_s: float) -> Affine:
    """Return the map from the object's pixels to the world."""
    sprite = object_named(thing.name)
    x, y = (thing.x, thing.y) if not thing.path else _between(thing.path, at_s)
    return placed((sprite.width_px / 2, sprite.height_px / 2), (x, y), thing.scale, thing.angle_deg)


def visit_affine(visit: Visit, at_s: float) -> Affine:
    """Return the map from the portrait's pixels to the world."""
    x, y, height, angle = _between(visit.keys, at_s)
    return placed(FACE_CENTRE_PX, (x, y), height / FACE_HEIGHT_PX, angle)


def _between(keys: Sequence[Key], at_s: float) -> tuple[float, ...]:
    times = [key[0] for key in keys]
    later = next((i for i, time in enumerate(times) if time > at_s), len(keys))
    if later == 0 or later == len(keys):
        return keys[min(later, len(keys) - 1)][1:]
    first, second = keys[later - 1], keys[later]
    share = _eased((at_s - first[0]) / (second[0] - first[0]))
    return tuple(a + share * (b - a) for a, b in zip(first[1:], second[1:], strict=True))


def _eased(share: float) -> float:
    return 0.5 - 0.5 * math.cos(math.pi * min(1.0, max(0.0, share)))
