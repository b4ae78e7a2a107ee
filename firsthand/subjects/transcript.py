"""The baseline that listens: it looks its answer up in the words and narrations heard so far."""

from dataclasses import dataclass

from firsthand.core.taxonomy import Modality, QuestionType
from firsthand.core.time import SECOND_US
from firsthand.endpoints.replies import Reply
from firsthand.subjects.blind import blind_guess
from firsthand.subjects.configuration import SUBJECTS, BaselineSettings
from firsthand.subjects.retrieval import PassageIndex, terms_of
from firsthand.subjects.subject import (
    HeardWord,
    Session,
    SessionInputs,
    SubjectFacts,
    SubjectQuestion,
    Unit,
)

__all__ = ["TranscriptSubject"]

_VERSION = 1
_PAUSE_US = SECOND_US
_PASSAGE_WORDS = 30
_AFFIRMED_SHARE = 0.5
_NEARLY_BEST = 0.8


class _TranscriptSession:
    """Passages heard so far; the one still being spoken is kept apart until a pause."""

    def __init__(self, settings: BaselineSettings) -> None:
        self._settings = settings
        self._index = PassageIndex()
        self._heard_words = 0
        self._spoken: list[HeardWord] = []

    def feed(self, unit: Unit) -> None:
        for word in unit.words:
            if self._spoken and self._starts_anew(word):
                self._close()
            self._spoken.append(word)
        for line in unit.narrations:
            self._index.add(line.text)
        if self._spoken and unit.end_us - self._spoken[-1].end_us >= _PAUSE_US:
            self._close()
        self._heard_words += len(unit.words)
        self._heard_words += sum(len(line.text.split()) for line in unit.narrations)

    def fork(self) -> Session:
        # An ask leaves the session as it was, so the session is its own fork.
        return self

    def ask(self, question: SubjectQuestion) -> Reply:
        latency_us = (
            self._settings.latency_us + self._settings.latency_us_per_word * self._heard_words
        )
        with self._index.including(" ".join(word.text for word in self._spoken)):
            text = _answer(self._index, question)
        return Reply(text, "stop", latency_us, "declared")

    def _starts_anew(self, word: HeardWord) -> bool:
        last = self._spoken[-1]
        return (
            word.speaker != last.speaker
            or word.begin_us - last.end_us >= _PAUSE_US
            or len(self._spoken) >= _PASSAGE_WORDS
        )

    def _close(self) -> None:
        self._index.add(" ".join(word.text for word in self._spoken))
        self._spoken.clear()


def _answer(index: PassageIndex, question: SubjectQuestion) -> str:
    match question.question_type:
        case QuestionType.MC_SINGLE:
            return _nearly_best_options(index, question, share_of_best=1.0)[0]
        case QuestionType.MC_MULTI:
            return ", ".join(_nearly_best_options(index, question, share_of_best=_NEARLY_BEST))
        case QuestionType.BINARY:
            terms = terms_of(question.text)
            best = _best_passage(index, terms)
            affirmed = best is not None and index.covered(terms, best) >= _AFFIRMED_SHARE
            return "true" if affirmed else "false"
        case QuestionType.OPEN_ENDED:
            best = _best_passage(index, terms_of(question.text))
            return blind_guess(question) if best is None else index.texts[best]


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
