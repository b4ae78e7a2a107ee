"""The baseline that listens: it looks its answer up in the words and narrations heard so far."""

from dataclasses import dataclass

from firsthand.answers.silence import SILENCE
from firsthand.core.taxonomy import Modality, QuestionType
from firsthand.endpoints.replies import Reply
from firsthand.subjects.blind import blind_guess
from firsthand.subjects.configuration import SUBJECTS, BaselineSettings
from firsthand.subjects.passages import Hearing
from firsthand.subjects.retrieval import PassageIndex, terms_of
from firsthand.subjects.subject import (
    Session,
    SessionInputs,
    SubjectFacts,
    SubjectQuestion,
    Unit,
)

__all__ = ["TranscriptSubject"]

_VERSION = 1
_AFFIRMED_SHARE = 0.5
_NEARLY_BEST = 0.8


class _TranscriptSession:
    """What was heard so far; the passage still being spoken is found only while asking."""

    def __init__(self, settings: BaselineSettings) -> None:
        self._settings = settings
        self._index = PassageIndex()
        self._heard = Hearing()
        self._heard_words = 0

    def feed(self, unit: Unit) -> None:
        for passage in self._heard.take(unit):
            self._index.add(passage.text)
        self._heard_words += len(unit.words)
        self._heard_words += sum(len(line.text.split()) for line in unit.narrations)

    def fork(self) -> Session:
        # An ask leaves the session as it was, so the session is its own fork.
        return self

    def ask(self, question: SubjectQuestion) -> Reply:
        latency_us = (
            self._settings.latency_us + self._settings.latency_us_per_word * self._heard_words
        )
        unfinished = self._heard.unfinished
        with self._index.including("" if unfinished is None else unfinished.text):
            text = _answer(self._index, question)
        return Reply(text, "stop", latency_us, "declared")


def _answer(index: PassageIndex, question: SubjectQuestion) -> str:
    if question.standing and not _is_spoken_for(index, question):
        return SILENCE
    match question.question_type:
        case QuestionType.MC_SINGLE:
            return _nearly_best_options(index, question, share_of_best=1.0)[0]
        case QuestionType.MC_MULTI:
            return ", ".join(_nearly_best_options(index, question, share_of_best=_NEARLY_BEST))
        case QuestionType.BINARY:
            return "true" if _is_affirmed(index, question) else "false"
        case QuestionType.OPEN_ENDED:
            best = _best_passage(index, terms_of(question.text))
            return blind_guess(question) if best is None else index.texts[best]


def _is_spoken_for(index: PassageIndex, question: SubjectQuestion) -> bool:
    """Whether something heard speaks for an answer; of what is false nothing ever does."""
    if question.question_type is QuestionType.BINARY:
        return _is_affirmed(index, question)
    if question.options:
        return any(_option_score(index, question.text, one.text) for one in question.options)
    return _best_passage(index, terms_of(question.text)) is not None


def _is_affirmed(index: PassageIndex, question: SubjectQuestion) -> bool:
    terms = terms_of(question.text)
    best = _best_passage(index, terms)
    return best is not None and index.covered(terms, best) >= _AFFIRMED_SHARE


def _nearly_best_options(
    index: PassageIndex, question: SubjectQuestion, *, share_of_best: float
) -> list[str]:
    scores = [_option_score(index, question.text, option.text) for option in question.options]
    best = max(scores)
    if best == 0:
        # Nothing heard speaks for any option: guess as one who heard nothing.
        return blind_guess(question).split(", ")
    return [
        option.letter
        for option, score in zip(question.options, scores, strict=True)
        if score >= share_of_best * best
    ]


def _option_score(index: PassageIndex, question_text: str, option_text: str) -> float:
    # A passage speaks for an option if it holds the option's own terms; the question's
    # terms then say whether it is the passage that was meant.
    asked = terms_of(question_text)
    own = [term for term in terms_of(option_text) if term not in asked]
    spoken_for = index.scores(own)
    if not spoken_for:
        return 0.0
    meant = index.scores(asked)
    return max(
        index.covered(own, number) * (score + meant.get(number, 0.0))
        for number, score in spoken_for.items()
    )


def _best_passage(index: PassageIndex, terms: list[str]) -> int | None:
    scores = index.scores(terms)
    # The latest of equally good passages: what was said last holds.
    return max(scores, key=lambda number: (scores[number], number)) if scores else None


@SUBJECTS.register("transcript")
@dataclass(frozen=True, slots=True)
class TranscriptSubject:
    """Retrieves from words and narrations heard so far and answers what they speak for."""

    settings: BaselineSettings

    @property
    def facts(self) -> SubjectFacts:
        """Stateful and deterministic; receives speech and narrations."""
        return SubjectFacts(
            self.settings.subject_id,
            f"transcript-{_VERSION}-{self.settings.digest}",
            "baseline: retrieval from words and narrations heard so far",
            receives=frozenset({Modality.SPEECH, Modality.NARRATION}),
            stateful=True,
        )

    def open(self, inputs: SessionInputs) -> Session:  # noqa: ARG002 - it hears all it needs
        """Begin to listen to a stream."""
        return _TranscriptSession(self.settings)
