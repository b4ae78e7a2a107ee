"""Generated clips with faces whose place is known: what `bench_deid` measures on.

A clip is a room that a swaying camera looks at, photographed people in it (cut out, with
alpha, in `portraits/`) and pillars in front of them. A person's face is an ellipse drawn
by eye on the portrait; where it is in a frame follows from the composition, and what
stands before it or lies outside the picture is not visible. No detector had a part in it.

The clips of `TUNING` are for choosing settings; those of `REPORT` show other people in
other rooms and are for reporting only.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["FRAMES_PER_S", "REPORT", "SIZE_PX", "TUNING", "Clip", "TrueFace", "drawn", "faces"]

SIZE_PX = (1280, 720)
FRAMES_PER_S = 30
_ROOM_PX = (2560, 1080)
_PORTRAITS = Path(__file__).parent / "portraits"
# The face as (centre x, centre y, half width, half height) on the cut-out: from the hairline
# (or the cap) to the chin, from ear to ear.
_FACE_PX = {
    "portrait_1": (158.0, 205.4, 76.7, 88.6),
    "portrait_2": (170.2, 183.8, 88.5, 129.0),
    "portrait_3": (168.6, 197.6, 92.6, 126.6),
    "tuning_1": (116.0, 131.0, 51.0, 58.0),
}
_GRAIN_LEVELS = 2.0
# With less of a face to see than this, nobody asks for it to be covered.
_LEAST_VISIBLE = 1 / 3
_SHUTTER = 0.5

Picture = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Pose:
    """Where a face is in the room, how high, and how far it is turned clockwise."""

    x_px: float
    y_px: float
    height_px: float
    turn_deg: float = 0.0


@dataclass(frozen=True)
class Person:
    """A portrait and its way through the room by frame; None while absent."""

    portrait: str
    pose: Callable[[int], Pose | None]


@dataclass(frozen=True)
class Clip:
    """A clip; what comes later in `people` stands in front, pillars before all.

    Args:
        name: What is hard about it.
        frames: How many.
        room: Seed of its background.
        camera: Upper left of the view in the room by frame.
        people: Who is there.
        pillars: Left and right edges in the room.
    """

    name: str
    frames: int
    room: int
    camera: Callable[[int], tuple[float, float]]
    people: tuple[Person, ...]
    pillars: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class TrueFace:
    """A face that can be seen in a frame: whose, and which pixels."""

    person: int
    visible: Mask


def drawn(clip: Clip) -> Iterator[Picture]:
    """Yield the clip's frames, rows x columns x RGB."""
    for number in range(clip.frames):
        grain = np.random.default_rng((clip.room, number))
        picture = _view(clip, number)
        for person in clip.people:
            picture = _with_person(picture, clip, person, number)
        for edges in clip.pillars:
            picture = _with_pillar(picture, clip, edges, number)
        picture = _panned(picture, clip, number)
        noise = grain.normal(0, _GRAIN_LEVELS, picture.shape[:2])[..., None]
        yield np.clip(picture + noise, 0, 255).astype(np.uint8)


def faces(clip: Clip, number: int) -> list[TrueFace]:
    """Return the faces of which at least a third can be seen in a frame."""
    found = []
    for index, person in enumerate(clip.people):
        whole = _face_mask(clip, person, number)
        if whole is None:
            continue
        visible = whole.copy()
        for before in clip.people[index + 1 :]:
            cover = _placed(clip, before, number)
            visible &= cover[..., 3] < 128 if cover is not None else True
        for edges in clip.pillars:
            left, right = (round(edge - clip.camera(number)[0]) for edge in edges)
            visible[:, max(left, 0) : max(right, 0)] = False
        if visible.sum() >= _LEAST_VISIBLE * _face_area_px(person, number):
            found.append(TrueFace(index, visible))
    return found


def _view(clip: Clip, number: int) -> npt.NDArray[np.float32]:
    x, y = clip.camera(number)
    shift = np.array([[1, 0, -x], [0, 1, -y]], np.float32)
    return np.asarray(
        cv2.warpAffine(_room(clip.room), shift, SIZE_PX, borderMode=cv2.BORDER_REFLECT), np.float32
    )


def _with_person(
    picture: npt.NDArray[np.float32], clip: Clip, person: Person, number: int
) -> npt.NDArray[np.float32]:
    cover = _placed(clip, person, number)
    if cover is None:
        return picture
    alpha = cover[..., 3:].astype(np.float32) / np.float32(255)
    mixed = picture * (1 - alpha) + cover[..., :3] * alpha
    return np.asarray(mixed, np.float32)


def _with_pillar(
    picture: npt.NDArray[np.float32], clip: Clip, edges: tuple[float, float], number: int
) -> npt.NDArray[np.float32]:
    left, right = (round(edge - clip.camera(number)[0]) for edge in edges)
    seen = slice(max(left, 0), max(right, 0))
    across = np.linspace(-1, 1, max(right - left, 1), dtype=np.float32)
    shade = (150 - 70 * across**2).astype(np.float32)[
        max(-left, 0) : max(-left, 0) + SIZE_PX[0] - seen.start
    ]
    grain = np.random.default_rng(7).normal(0, 6, (SIZE_PX[1], shade.size)).astype(np.float32)
    width = picture[:, seen].shape[1]
    tone = np.array([1.0, 0.93, 0.85], np.float32)
    picture[:, seen] = ((shade + grain)[:, :width, None] * tone).astype(np.float32)
    return picture


def _panned(picture: npt.NDArray[np.float32], clip: Clip, number: int) -> npt.NDArray[np.float32]:
    """Smear a frame along the camera's way while the shutter is open."""
    (x, y), (later_x, later_y) = clip.camera(number), clip.camera(number + 1)
    length = round(_SHUTTER * float(np.hypot(later_x - x, later_y - y)))
    if length < 2:
        return picture
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    way = np.array([later_x - x, later_y - y]) / max(1e-6, np.hypot(later_x - x, later_y - y))
    ends = [tuple(int(v) for v in np.round(length + sign * way * length / 2)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)


def _placed(clip: Clip, person: Person, number: int) -> Picture | None:
    """Return the person alone in the view, red, green, blue and alpha."""
    turn = _turn(clip, person, number)
    if turn is None:
        return None
    return np.asarray(cv2.warpAffine(_portrait(person.portrait), turn, SIZE_PX), np.uint8)


def _face_mask(clip: Clip, person: Person, number: int) -> Mask | None:
    turn = _turn(clip, person, number)
    if turn is None:
        return None
    x, y, half_width, half_height = _FACE_PX[person.portrait]
    angles = np.linspace(0, 2 * pi, 90, endpoint=False)
    outline = np.stack([x + half_width * np.cos(angles), y + half_height * np.sin(angles)], axis=1)
    seen = outline @ turn[:, :2].T + turn[:, 2]
    mask = np.zeros(SIZE_PX[::-1], np.uint8)
    cv2.fillPoly(mask, [np.round(seen * 16).astype(np.int32)], 1, shift=4)
    return mask.astype(np.bool_)


def _face_area_px(person: Person, number: int) -> float:
    pose = person.pose(number)
    if pose is None:
        return 0.0
    _, _, half_width, half_height = _FACE_PX[person.portrait]
    return pi * half_width * half_height * (pose.height_px / (2 * half_height)) ** 2


def _turn(clip: Clip, person: Person, number: int) -> npt.NDArray[np.float64] | None:
    pose = person.pose(number)
    if pose is None:
        return None
    x, y, _, half_height = _FACE_PX[person.portrait]
    turn = cv2.getRotationMatrix2D((x, y), -pose.turn_deg, pose.height_px / (2 * half_height))
    camera = clip.camera(number)
    turn[:, 2] += np.array([pose.x_px - x - camera[0], pose.y_px - y - camera[1]])
    return np.asarray(turn, np.float64)


@cache
def _portrait(name: str) -> Picture:
    path = _PORTRAITS / f"{name}.webp"
    read = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if read is None:
        raise FileNotFoundError(path)
    return np.asarray(cv2.cvtColor(read, cv2.COLOR_BGRA2RGBA), np.uint8)


@cache
def _room(seed: int) -> Picture:
    """Return a wall with clutter: soft light, and framed, striped and mottled things on it."""
    rng = np.random.default_rng(seed)
    width, height = _ROOM_PX
    light = cv2.resize(rng.uniform(0.75, 1.1, (3, 6)).astype(np.float32), _ROOM_PX)
    room = np.ones((height, width, 3), np.float32) * rng.uniform(90, 190, 3)
    for _ in range(60):
        w, h = (int(v) for v in rng.uniform((30, 30), (330, 260)))
        x, y = int(rng.uniform(0, width - w)), int(rng.uniform(0, height - h))
        thing = np.ones((h, w, 3), np.float32) * rng.uniform(20, 235, 3)
        kind = rng.integers(3)
        if kind == 0:
            period = int(rng.integers(6, 30))
            thing[:, (np.arange(w) // period) % 2 == 0] *= rng.uniform(0.6, 0.95)
        elif kind == 1:
            spots = rng.normal(0, 30, (max(2, h // 16), max(2, w // 16), 3)).astype(np.float32)
            thing += cv2.resize(spots, (w, h), interpolation=cv2.INTER_CUBIC)
        else:
            cv2.circle(
                thing, (w // 2, h // 2), min(w, h) // 3, rng.uniform(20, 235, 3).tolist(), -1
            )
        room[y : y + h, x : x + w] = thing
    mottle = cv2.resize(rng.normal(0, 5, (height // 2, width // 2)).astype(np.float32), _ROOM_PX)
    room = 0.4 * room + 0.6 * room.mean(axis=2, keepdims=True)
    lit = room * light[..., None] + mottle[..., None]
    soft = np.asarray(cv2.GaussianBlur(lit, (0, 0), 0.8), np.float32)
    return np.clip(soft, 0, 255).astype(np.uint8)


def _swaying(x_px: float, reach_px: float = 14.0) -> Callable[[int], tuple[float, float]]:
    """Return the way of a head that looks at one place: a slow sway and a little tremble."""

    def camera(number: int) -> tuple[float, float]:
        second = number / FRAMES_PER_S
        sway = reach_px * sin(2 * pi * 0.35 * second) + 2 * sin(2 * pi * 2.7 * second)
        return x_px + sway, 180 + 0.5 * reach_px * cos(2 * pi * 0.5 * second)

    return camera


def _panning(number: int) -> tuple[float, float]:
    """Look right and back within two seconds, at up to 44 pixels a frame."""
    return 620 - 560 * cos(2 * pi * number / 80), 180.0


def _walk(start: Pose, end: Pose, first: int, frames: int) -> Callable[[int], Pose | None]:
    def pose(number: int) -> Pose | None:
        if not first <= number < first + frames:
            return None
        part = (number - first) / max(1, frames - 1)
        # Equal ratios of height in equal times: that is how something comes nearer.
        height_px = start.height_px * (end.height_px / start.height_px) ** part
        return Pose(
            start.x_px + (end.x_px - start.x_px) * part,
            start.y_px + (end.y_px - start.y_px) * part,
            height_px,
            start.turn_deg + (end.turn_deg - start.turn_deg) * part,
        )

    return pose


def _brief(portraits: tuple[str, str, str], flip: int) -> tuple[Person, ...]:
    """Return appearances of 5 to 9 frames, each somewhere else."""
    shown = [(5, 7, 150, 90), (6, 22, 700, 70), (7, 39, 1050, 130), (8, 58, 380, 60),
             (9, 78, 860, 100), (5, 101, 560, 120), (6, 114, 1130, 80)]  # fmt: skip
    return tuple(
        Person(
            portraits[(index + flip) % 3],
            _walk(
                Pose(640 + x, 520 - height, height), Pose(670 + x, 500 - height, height), first, n
            ),
        )
        for index, (n, first, x, height) in enumerate(shown)
    )


def _clips(portraits: tuple[str, str, str], room: int, flip: int) -> tuple[Clip, ...]:
    one, two, three = portraits
    away = Person(one, _walk(Pose(1150, 520, 300), Pose(1420, 500, 26), 0, 90))
    turning = Person(two, _walk(Pose(1250, 540, 130, -55), Pose(1330, 520, 130, 55), 0, 90))
    far = Person(three, _walk(Pose(900, 560, 24), Pose(1700, 540, 31), 0, 90))
    passed = Person(two, _walk(Pose(1050, 520, 95), Pose(1090, 520, 95), 0, 90))
    other = Person(one, _walk(Pose(1500, 500, 80), Pose(1480, 500, 84), 0, 90))
    hidden = Person(one, _walk(Pose(960, 520, 105), Pose(1660, 520, 105), 0, 90))
    right = Person(two, _walk(Pose(900, 530, 100), Pose(1640, 530, 110), 0, 90))
    left = Person(three, _walk(Pose(1640, 545, 120), Pose(920, 545, 116), 0, 90))
    enters = Person(three, _walk(Pose(560, 560, 120), Pose(900, 540, 120), 8, 50))
    leaves = Person(two, _walk(Pose(1700, 560, 100), Pose(2060, 1040, 100), 20, 66))
    still = _swaying(640)
    return (
        Clip("scale", 90, room, still, (away,)),
        Clip("rotation", 90, room + 1, still, (turning,)),
        Clip("small face", 90, room + 2, still, (far,)),
        Clip("fast pan", 90, room + 3, _panning, (passed, other)),
        Clip("occlusion and return", 90, room + 4, still, (hidden,), ((1180, 1370),)),
        Clip("two faces crossing", 90, room + 5, still, (right, left)),
        Clip("entering at the border", 90, room + 6, still, (enters, leaves)),
        Clip("brief appearances", 126, room + 7, still, _brief(portraits, flip)),
    )


TUNING = _clips(("tuning_1", "tuning_1", "tuning_1"), 100, 0)
REPORT = _clips(("portrait_1", "portrait_2", "portrait_3"), 900, 1)
