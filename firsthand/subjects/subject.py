"""What a subject is: the model under test, the units it is fed, the questions it is asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from firsthand.answers.grounding import CoordinateOrder, PointForm
from firsthand.answers.silence import SILENCE
from firsthand.core.errors import FirsthandError
from firsthand.core.identity import Json, digest_json
from firsthand.core.taxonomy import Modality, QuestionType
from firsthand.endpoints.calling import Calling
from firsthand.endpoints.calls import Media
from firsthand.endpoints.replies import LatencySource, Reply
from firsthand.subjects.kept_calls import KeptCalls

__all__ = [
    "ChoiceOption",
    "HeardWord",
    "NarrationLine",
    "NotRecordedError",
    "PictureSpan",
    "RemembersCalls",
    "SeenPicture",
    "Session",
    "SessionInputs",
    "Subject",
    "SubjectFacts",
    "SubjectMemoryError",
    "SubjectQuestion",
    "SubjectUnavailableError",
    "Unit",
    "UnitMedia",
]


class NotRecordedError(FirsthandError):
    """A recording of replies holds none for an ask; the ask ends as not asked."""


class SubjectUnavailableError(FirsthandError):
    """A subject could not be reached or run; its ask ends as an infrastructure error."""


class SubjectMemoryError(SubjectUnavailableError):
    """A local model has too little memory for a call; that ask ends as an infrastructure error."""


@dataclass(frozen=True, slots=True)
class HeardWord:
    """A spoken word on the stream's clock."""

    text: str
    begin_us: int
    end_us: int
    speaker: str


@dataclass(frozen=True, slots=True)
class NarrationLine:
    """A sentence of what happens, on the stream's clock."""

    text: str
    begin_us: int
    end_us: int


@dataclass(frozen=True, slots=True)
class PictureSpan:
    """Pictures of one clip, named and not decoded: a subject that looks opens the proxy.

    Args:
        clip_id: The clip.
        proxy_sha256: Digest of the clip's 640x360 proxy in the release.
        clip_start_us: Where the clip starts on the stream's clock.
        start_us: First visible moment on the stream's clock.
        end_us: Last visible moment on the stream's clock, inclusive.
    """

    clip_id: str
    proxy_sha256: str
    clip_start_us: int
    start_us: int
    end_us: int


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """A frame that a subject is shown.

    Args:
        shown_us: Its presentation time on the stream's clock.
        media: Its encoded bytes, addressed by their digest.
    """

    shown_us: int
    media: Media


@dataclass(frozen=True, slots=True)
class Unit:
    """One step of the stream: everything that ended in `(start_us, end_us]`.

    Args:
        start_us: End of the unit before it.
        end_us: Its end.
        words: Words that ended in it, in order.
        narrations: Narrations that ended in it, in order.
        pictures: Where its pictures are.
    """

    start_us: int
    end_us: int
    words: tuple[HeardWord, ...] = ()
    narrations: tuple[NarrationLine, ...] = ()
    pictures: tuple[PictureSpan, ...] = ()

    def seen_by(self, receives: frozenset[Modality], *, hears_sound: bool = False) -> "Unit":
        """Return the unit with only what a subject receives; sound comes with the clips."""
        return Unit(
            self.start_us,
            self.end_us,
            self.words if Modality.SPEECH in receives else (),
            self.narrations if Modality.NARRATION in receives else (),
            self.pictures if Modality.VIDEO in receives or hears_sound else (),
        )

    @property
    def digest(self) -> str:
        """Digest of all that it holds; a link of the history's digest."""
        words: Json = [[word.text, word.begin_us, word.end_us, word.speaker] for word in self.words]
        lines: Json = [[line.text, line.begin_us, line.end_us] for line in self.narrations]
        spans: Json = [[span.proxy_sha256, span.start_us, span.end_us] for span in self.pictures]
        return digest_json([self.end_us, words, lines, spans])


@dataclass(frozen=True, slots=True)
class ChoiceOption:
    """An answer option: its letter and its text without the letter."""

    letter: str
    text: str


@dataclass(frozen=True, slots=True)
class SubjectQuestion:
    """A question as a subject hears it.

    Args:
        question_id: For a subject that reads the truth or a recording; never in the prompt.
        question_type: How it is to be answered.
        text: The question.
        options: Its options; empty unless it is a choice.
        asked_at_us: The due time on the stream's clock.
        sample_index: Number of the sample, for subjects whose replies are drawn; 0 for
            all others.
        standing: Whether it stands until it can be answered: `SILENCE` is then a reply.
        names_clues: Whether the answer is to name the intervals that it rests on.
    """

    question_id: str
    question_type: QuestionType
    text: str
    options: tuple[ChoiceOption, ...]
    asked_at_us: int
    sample_index: int = 0
    standing: bool = False
    names_clues: bool = False

    @property
    def prompt(self) -> str:
        """The question, its options and the form of the answer, as one text."""
        options = [f"{option.letter}. {option.text}" for option in self.options]
        form = [_FORM_OF_ANSWER[self.question_type]]
        form += [_FORM_OF_CLUES] if self.names_clues else []
        form += [_LEAVE_TO_WAIT] if self.standing else []
        return "\n".join([self.text, *options, *form])


_LEAVE_TO_WAIT = (
    "The question stands: if what it asks about has not happened yet, or not all of it, reply "
    f"with the one word {SILENCE}; you will be asked again."
)
_FORM_OF_ANSWER: Mapping[QuestionType, str] = {
    QuestionType.MC_SINGLE: "Answer with the letter of the one right option.",
    QuestionType.MC_MULTI: "Answer with the letters of all right options.",
    QuestionType.BINARY: "Answer with true or false.",
    QuestionType.OPEN_ENDED: "Answer in one sentence.",
}
_FORM_OF_CLUES = (
    "Name also when in the recording the evidence is. Reply with one JSON object and nothing "
    'else: {"answer": "…", "intervals": [["HH:MM:SS", "HH:MM:SS"], …]}, where each interval is '
    "the begin and the end of a piece of evidence, in times since the start as they are given "
    "above; the list is empty if there is no evidence."
)


@dataclass(frozen=True, slots=True)
class SubjectFacts:
    """What the runner and the leaderboard must know of a subject.

    Args:
        subject_id: Its name on the leaderboard.
        revision: Changes whenever its replies could.
        title: What it is, in a few words for a reader of the leaderboard.
        receives: Modalities that it is fed.
        hears_sound: Whether speech reaches it as sound, from `UnitMedia`.
        stateful: Whether its replies depend on the units before the ask; stateful
            subjects are sharded by stream, the others by ask.
        can_fork: Whether an ask can be rolled back; if not, asks stay in its context.
        samples: Whether asking the same again may bring another reply; each probe is then
            a sample of its own.
        reads_truth: Whether it is given the right answers: a ceiling, not a model.
        is_person: Whether a person answered: the human baseline, not a model.
        answers_by_id: Whether it answers by a question's identifier, so that two questions
            of the same words are two.
        latency_source: `measured` or `declared`.
        arguments: Generation arguments; part of a reply's identity.
        keeps_memory: Whether it decides itself what it keeps of a stream that it follows
            whole; a protocol then hands it no sample, and a stream is one shard.
        asks_side_by_side: Whether forks are small values that may be held by the hundred
            and asked from several threads, while the session they were taken from is fed
            on; their asks then do not wait for each other.
        takes_films: Whether whole films with their sound can be put before it.
        points: How it gives points in a picture.
    """

    subject_id: str
    revision: str
    title: str
    receives: frozenset[Modality] = frozenset()
    hears_sound: bool = False
    stateful: bool = False
    can_fork: bool = True
    samples: bool = False
    reads_truth: bool = False
    is_person: bool = False
    answers_by_id: bool = False
    latency_source: LatencySource = "declared"
    arguments: Mapping[str, Json] = field(default_factory=dict)
    asks_side_by_side: bool = False
    keeps_memory: bool = False
    takes_films: bool = False
    points: PointForm = field(default_factory=PointForm)

    def __post_init__(self) -> None:
        if self.receives and not self.stateful:
            raise ValueError(f"subject {self.subject_id!r} receives units but is not stateful")
        if self.asks_side_by_side and not self.can_fork:
            raise ValueError(f"subject {self.subject_id!r} cannot fork, so its asks must queue")

    @property
    def is_ranked(self) -> bool:
        """Whether it takes a place among models."""
        return not (self.reads_truth or self.is_person)

    def to_json(self) -> dict[str, Json]:
        """Return every field under its name; `from_json` gives the same facts back."""
        return {
            "subject_id": self.subject_id,
            "revision": self.revision,
            "title": self.title,
            "receives": sorted(self.receives),
            "hears_sound": self.hears_sound,
            "stateful": self.stateful,
            "can_fork": self.can_fork,
            "samples": self.samples,
            "reads_truth": self.reads_truth,
            "is_person": self.is_person,
            "answers_by_id": self.answers_by_id,
            "latency_source": self.latency_source,
            "arguments": dict(self.arguments),
            "asks_side_by_side": self.asks_side_by_side,
            "keeps_memory": self.keeps_memory,
            "takes_films": self.takes_films,
            "points": {"order": str(self.points.order), "scale": self.points.scale},
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "SubjectFacts":
        """Return the facts that `to_json` spelled.

        Raises:
            TypeError: If a field is missing or unknown.
        """
        receives = frozenset(Modality(name) for name in value["receives"])
        known = {**value, "receives": receives}
        if "points" in value:
            points = value["points"]
            known["points"] = PointForm(CoordinateOrder(points["order"]), points["scale"])
        return cls(**known)


class UnitMedia(Protocol):
    """Pictures and sound of a stream's units, each frame decoded and encoded once.

    The subjects that run in one process share it, and sessions may call it from several
    threads. It never hands out what lies beyond the unit's end.
    """

    def pictures(self, unit: Unit) -> Sequence[SeenPicture]:
        """Return the frames that a subject is shown of a unit, in order."""
        ...

    def sound(self, unit: Unit) -> Media | None:
        """Return the unit's sound as a WAV file, or None if it has none."""
        ...


@dataclass(frozen=True, slots=True)
class SessionInputs:
    """What a session begins with.

    Args:
        stream_id: The stream.
        truth: Right answers by question, for subjects whose facts say `reads_truth`;
            empty for all others.
        due_us: When each question of `truth` is due.
        proxy_path: Where a clip's 640x360 proxy lies, by clip id; None where a run gives no
            pictures.
        media: Pictures and sound of units; None where a run gives none.
        wearer: How the wearer is named among speakers.
        calling: How endpoints are called, for subjects on other machines.
        clues_us: The clue intervals of each question of `truth`, begin and end.
        kept: Where calls go that a subject makes of its own accord, to keep a memory or on
            its way to an answer; None where a run keeps none.
    """

    stream_id: str
    truth: Mapping[str, Sequence[str]] = field(default_factory=dict)
    due_us: Mapping[str, int] = field(default_factory=dict)
    proxy_path: Callable[[str], Path] | None = None
    media: UnitMedia | None = None
    wearer: str = ""
    calling: Calling = field(default_factory=Calling)
    clues_us: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    kept: KeptCalls | None = None


class Session(Protocol):
    """A subject following one stream."""

    def feed(self, unit: Unit) -> None:
        """Take in the next unit of the stream."""
        ...

    def fork(self) -> "Session":
        """Return a session in the same state; what is asked of it leaves this one alone.

        A subject that cannot fork returns itself and says so in its facts.
        """
        ...

    def ask(self, question: SubjectQuestion) -> Reply:
        """Answer from what was fed so far.

        Raises:
            SubjectUnavailableError: If no reply could be had, for reasons outside the model.
        """
        ...


@runtime_checkable
class RemembersCalls(Protocol):
    """A session of a subject that makes calls of its own accord and has them kept."""

    def retrace(self, question: SubjectQuestion) -> None:
        """Go once more through the kept calls that led to a stored answer; none is new."""
        ...


class Subject(Protocol):
    """A model under test, configured and ready."""

    @property
    def facts(self) -> SubjectFacts:
        """What the runner must know of it."""
        ...

    def open(self, inputs: SessionInputs) -> Session:
        """Begin to follow a stream."""
        ...
