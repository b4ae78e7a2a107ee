"""What a subject behind an endpoint is told: the stream so far, then the question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firsthand.core.time import SECOND_US
from firsthand.endpoints.calls import Call, Generation, Media, Turn
from firsthand.subjects.passages import TextPassage
from firsthand.subjects.subject import SeenPicture, SubjectQuestion

__all__ = ["PROMPT_VERSION", "Told", "call_of", "newest_within", "stream_clock"]

PROMPT_VERSION = 1
"""Raised when the same stream and question would be put otherwise."""

_SYSTEM = (
    "You follow a person's day, filmed from their own eyes; that person is the wearer. You "
    "are given what was seen, said and told until now, each with its time since the start, "
    "and then a question. Answer it from what you were given, in the form it asks for."
)


@dataclass(frozen=True, slots=True)
class Told:
    """What of a stream a model is told.

    Args:
        passages: What was said and told, in order.
        pictures: What was seen, in order.
        sounds: What was heard, in order.
    """

    passages: Sequence[TextPassage] = ()
    pictures: Sequence[SeenPicture] = ()
    sounds: Sequence[Media] = ()

    @property
    def media(self) -> tuple[Media, ...]:
        """Pictures and then sounds."""
        return (*(picture.media for picture in self.pictures), *self.sounds)

    def lines(self, wearer: str) -> Iterable[str]:
        """Yield when the pictures were seen, and what was said and told, where there are any."""
        yield from _seen(self.pictures)
        yield from _said(self.passages, wearer)


def call_of(
    question: SubjectQuestion,
    generation: Generation,
    told: Told,
    *,
    wearer: str,
    noted: str = "",
) -> Call:
    """Return the call that puts a question after what was seen and heard.

    Args:
        question: The question.
        generation: How to reply.
        told: What was seen and heard.
        wearer: Speaker name of the wearer.
        noted: What the model itself has noted of what came before; empty for nothing.
    """
    earlier = [f"What you noted of the time before:\n{noted}"] if noted else []
    parts = [*earlier, *told.lines(wearer)]
    parts.append(
        f"It is now {stream_clock(question.asked_at_us)}. The question:\n{question.prompt}"
    )
    turns = (Turn("system", _SYSTEM), Turn("user", "\n\n".join(parts), told.media))
    return Call(turns, generation)


def newest_within(passages: Sequence[TextPassage], most_characters: int) -> list[TextPassage]:
    """Return the latest passages that together are no longer than `most_characters`."""
    kept: list[TextPassage] = []
    for passage in reversed(passages):
        most_characters -= len(passage.text)
        if most_characters < 0:
            break
        kept.append(passage)
    return kept[::-1]


def _seen(pictures: Sequence[SeenPicture]) -> Iterable[str]:
    if pictures:
        times = ", ".join(stream_clock(picture.shown_us) for picture in pictures)
        yield f"The pictures were seen at {times}."


def _said(passages: Sequence[TextPassage], wearer: str) -> Iterable[str]:
    if passages:
        lines = [
            f"[{stream_clock(passage.begin_us)}] "
            f"{'the wearer' if passage.speaker == wearer else passage.speaker}: {passage.text}"
            for passage in passages
        ]
        yield "\n".join(["What was said and told:", *lines])


def stream_clock(moment_us: int) -> str:
    """Return the time since the start of the stream as `HH:MM:SS`."""
    minutes, seconds = divmod(moment_us // SECOND_US, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}"
