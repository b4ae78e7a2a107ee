"""Grounding: one ask about one clip, under one of several stacks of input.

A person points and speaks; for each of K referents the subject says what is meant (an
option), where it is (a point on the last frame) and when the gesture was made. What varies
is how the clip reaches the subject: as a film with its sound, or as frames beside words,
with or without the times that tie the two together.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from firsthand.answers.grounding import CoordinateOrder, PointForm
from firsthand.core.identity import Json, digest_json
from firsthand.core.time import SECOND_US
from firsthand.protocols.grounding_policy import GroundingCell, StackContents

__all__ = [
    "GROUNDING_VERSION",
    "ClipOption",
    "ClipWord",
    "GroundingAsk",
    "GroundingClip",
    "closed_options",
    "grounding_ask",
    "sampled_frames_us",
]

GROUNDING_VERSION = 2
"""Raised when the same clip would be asked about otherwise."""

_MOST_OPTIONS = 8
_MS_US = 1_000
_XY_PERMILLE = PointForm()
_FIRST_OBJECT, _FIRST_PLACE = "A", "a"


@dataclass(frozen=True, slots=True)
class ClipWord:
    """A spoken word on the clip's clock."""

    text: str
    begin_us: int
    end_us: int


@dataclass(frozen=True, slots=True)
class ClipOption:
    """An option of a clip: a capital letter for an object, a small one for a place."""

    letter: str
    text: str


@dataclass(frozen=True, slots=True)
class GroundingClip:
    """A clip as the protocol needs it.

    Args:
        clip_id: Its identifier.
        referents: K, how many things are meant; at least 1.
        options: Its closed list, in order.
        words: Words in order of their end.
        frame_times_us: Times of its frames on the clip's own clock, sorted; needed where
            frames are given.
    """

    clip_id: str
    referents: int
    options: tuple[ClipOption, ...]
    words: tuple[ClipWord, ...] = ()
    frame_times_us: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class GroundingAsk:
    """What is put to a subject about a clip; two stacks that come to the same are one ask.

    Args:
        clip_id: The clip.
        referents: K.
        options: The closed list.
        film: Whether the film with its sound goes with it.
        frames_us: Times of the frames that go with it, in order, on the clip's own clock.
        words: The words that are told; empty with a film, which has its sound.
        word_times: Whether their times are told.
        points: How the subject gives points.
        prompt: Everything in words.
    """

    clip_id: str
    referents: int
    options: tuple[ClipOption, ...]
    film: bool
    frames_us: tuple[int, ...]
    words: tuple[ClipWord, ...]
    word_times: bool
    points: PointForm
    prompt: str

    def reply_schema(self) -> dict[str, Json]:
        """Return the JSON schema of a reply, for endpoints that can be held to one."""
        letters: list[Json] = [option.letter for option in self.options]
        pair: Json = {"type": "array", "items": {"type": "number"}}
        point: Json = {
            "type": "object",
            "properties": {"point": pair, "timestamp": {"type": "number"}},
            "required": ["point", "timestamp"],
            "additionalProperties": False,
        }
        return {
            "type": "object",
            "properties": {
                "selected_options": {
                    "type": "array",
                    "items": {"type": "string", "enum": letters},
                },
                "point_list": {"type": "array", "items": point},
            },
            "required": ["selected_options", "point_list"],
            "additionalProperties": False,
        }


def grounding_ask(
    clip: GroundingClip, cell: GroundingCell, points: PointForm = _XY_PERMILLE
) -> GroundingAsk:
    """Return what is put to a subject about a clip.

    Args:
        clip: The clip.
        cell: Stack and sampling rate.
        points: How the subject gives points: declared for it, said in the prompt.

    Raises:
        ValueError: If frames are to be given and the clip has none.
    """
    contents = cell.contents
    frames_us: tuple[int, ...] = ()
    if cell.frames_per_second is not None:
        frames_us = sampled_frames_us(clip.frame_times_us, cell.frames_per_second)
    words = () if contents.film else clip.words
    parts = [
        _shown(frames_us, contents),
        *_said(words, contents),
        "\n".join(["Options:", *(f"{one.letter}. {one.text}" for one in clip.options)]),
        _task(clip.referents, points),
    ]
    return GroundingAsk(
        clip.clip_id,
        clip.referents,
        clip.options,
        contents.film,
        frames_us,
        words,
        contents.word_times,
        points,
        "\n\n".join(parts),
    )


def sampled_frames_us(times_us: Sequence[int], frames_per_second: float) -> tuple[int, ...]:
    """Return the frames shown at equal steps, and the last one, which points refer to.

    Of each step the last frame at or before its end is taken, by its own time: with a
    variable frame rate the frames are not equally far apart. None is taken twice.

    Args:
        times_us: Times of the frames, sorted; not empty.
        frames_per_second: Steps in a second.

    Raises:
        ValueError: If there is no frame.
    """
    if not times_us:
        raise ValueError("a clip without frames cannot be shown as frames")
    first_us, last_us = times_us[0], times_us[-1]
    steps = int((last_us - first_us) * frames_per_second / SECOND_US)
    ends_us = (first_us + round(n * SECOND_US / frames_per_second) for n in range(1, steps + 1))
    chosen = [times_us[bisect_right(times_us, end_us) - 1] for end_us in ends_us]
    return tuple(dict.fromkeys([*chosen, last_us]))


def closed_options(
    clip_id: str, own: Sequence[tuple[str, str]], others: Sequence[tuple[str, str]]
) -> tuple[ClipOption, ...]:
    """Return a closed list for a clip without one: what is meant in it, and in other clips.

    The list is as long as EcoG-Bench's, or shorter where a release names fewer things. It
    depends on the clip and the names alone, and its order tells nothing.

    Args:
        clip_id: The clip.
        own: (kind, label) of its referents; kind is `object` or `space`.
        others: (kind, label) of referents of other clips.
    """

    def place(entry: tuple[str, str]) -> str:
        return digest_json([clip_id, *entry])

    wanted = list(dict.fromkeys(own))
    further = sorted(set(others).difference(wanted), key=place)
    kept = sorted([*wanted, *further][: max(_MOST_OPTIONS, len(wanted))], key=place)
    return tuple(
        ClipOption(chr(ord(first) + number), label)
        for is_space, first in ((False, _FIRST_OBJECT), (True, _FIRST_PLACE))
        for number, (_, label) in enumerate(
            entry for entry in kept if (entry[0] == "space") is is_space
        )
    )


def _shown(frames_us: Sequence[int], contents: StackContents) -> str:
    if contents.film:
        return "The clip is a film with sound."
    count = f"{len(frames_us)} pictures of the clip, in order"
    if not contents.frame_times:
        return f"You see {count}."
    times = ", ".join(
        f"picture {number} at {time_us // _MS_US} ms"
        for number, time_us in enumerate(frames_us, start=1)
    )
    return f"You see {count}, with the time of each since the clip began: {times}."


def _said(words: Sequence[ClipWord], contents: StackContents) -> list[str]:
    if contents.film:
        return []
    if not words:
        return ["Nothing is said in the clip."]
    if not contents.word_times:
        return [f"What is said: {' '.join(word.text for word in words)}"]
    lines = [f"{word.begin_us // _MS_US}-{word.end_us // _MS_US} ms: {word.text}" for word in words]
    return ["\n".join(["What is said, each word with its begin and end:", *lines])]


def _task(referents: int, points: PointForm) -> str:
    things = "one thing" if referents == 1 else f"{referents} things, one after the other"
    first, second = ("x", "y") if points.order is CoordinateOrder.XY else ("y", "x")
    example = (
        f'{{"selected_options": ["A"], "point_list": [{{"point": [{first}, {second}], '
        '"timestamp": 0}]}'
    )
    return (
        f"The person points at {things}. For each, in the order in which they are meant, tell "
        "which option it is, one point on it in the last picture of the clip, and a moment at "
        "which the pointing hand holds still on it.\n"
        f"Points are [{first}, {second}]: x runs from 0 at the left edge to {points.scale:g} at "
        f"the right, y from 0 at the top to {points.scale:g} at the bottom. Moments are whole "
        "milliseconds since the clip began.\n"
        "Reply with one JSON object and nothing else, both lists with "
        f"{referents} {'entry' if referents == 1 else 'entries'}:\n{example}"
    )
