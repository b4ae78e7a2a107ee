"""The floor: it draws an answer from those on offer."""

from dataclasses import dataclass

import numpy as np

from firsthand.core.identity import digest_json
from firsthand.core.taxonomy import QuestionType
from firsthand.endpoints.replies import Reply
from firsthand.subjects.configuration import SUBJECTS, BaselineSettings
from firsthand.subjects.subject import (
    Session,
    SessionInputs,
    SubjectFacts,
    SubjectQuestion,
    Unit,
)

__all__ = ["ChanceSubject"]

_VERSION = 1


@dataclass(frozen=True, slots=True)
class _ChanceSession:
    stream_id: str
    settings: BaselineSettings

    def feed(self, unit: Unit) -> None:
        """Pay no attention."""

    def fork(self) -> Session:
        return self

    def ask(self, question: SubjectQuestion) -> Reply:
        drawn = digest_json(
            [self.settings.seed, self.stream_id, question.prompt, question.sample_index]
        )
        text = _draw(question, np.random.default_rng(int(drawn, 16)))
        return Reply(text, "stop", self.settings.latency_us, "declared")


def _draw(question: SubjectQuestion, rng: np.random.Generator) -> str:
    letters = [option.letter for option in question.options]
    match question.question_type:
        case QuestionType.MC_SINGLE:
            return letters[rng.integers(len(letters))]
        case QuestionType.MC_MULTI:
            # Every non-empty set of options is equally likely.
            chosen = int(rng.integers(1, 2 ** len(letters)))
            return ", ".join(letter for n, letter in enumerate(letters) if chosen >> n & 1)
        case QuestionType.BINARY:
            return ("true", "false")[rng.integers(2)]
        case QuestionType.OPEN_ENDED:
            return "It is a matter of chance."


@SUBJECTS.register("random")
@dataclass(frozen=True, slots=True)
class ChanceSubject:
    """Draws anew for every ask from a seed and the question's content."""

    settings: BaselineSettings

    @property
    def facts(self) -> SubjectFacts:
        """Stateless; two asks of one question are two samples."""
        return SubjectFacts(
            self.settings.subject_id,
            f"random-{_VERSION}-{self.settings.digest}",
            "floor: a seeded draw among the options",
            samples=True,
        )

    def open(self, inputs: SessionInputs) -> Session:
        """Begin to draw for a stream."""
        return _ChanceSession(inputs.stream_id, self.settings)
