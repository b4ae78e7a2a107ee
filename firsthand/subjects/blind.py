"""The baseline that sees and hears nothing: it guesses from the question's own words."""

from dataclasses import dataclass

from firsthand.core.identity import digest_json
from firsthand.core.taxonomy import QuestionType
from firsthand.endpoints.replies import Reply
from firsthand.subjects.configuration import SUBJECTS, BaselineSettings
from firsthand.subjects.retrieval import terms_of
from firsthand.subjects.subject import (
    ChoiceOption,
    Session,
    SessionInputs,
    SubjectFacts,
    SubjectQuestion,
    Unit,
)

__all__ = ["BlindSubject", "blind_guess"]

_VERSION = 1


def blind_guess(question: SubjectQuestion) -> str:
    """Return an answer from the wording alone; the same question gets the same answer.

    Single choice takes the longest option, since writers spend words on the right one;
    multiple choice takes the options of at least mean length; a binary question is
    affirmed, unless it is phrased with a negation; an open one is declined.
    """
    match question.question_type:
        case QuestionType.MC_SINGLE:
            return max(question.options, key=lambda option: _preference(question, option)).letter
        case QuestionType.MC_MULTI:
            lengths = [len(option.text) for option in question.options]
            mean_length = sum(lengths) / len(lengths)
            chosen = [o.letter for o in question.options if len(o.text) >= mean_length]
            return ", ".join(chosen)
        case QuestionType.BINARY:
            return "false" if {"not", "never", "no"} & set(terms_of(question.text)) else "true"
        case QuestionType.OPEN_ENDED:
            return "It cannot be told from the question alone."


def _preference(question: SubjectQuestion, option: ChoiceOption) -> tuple[int, str]:
    # Options of one length are ordered by a digest of the content, so that no position
    # is favoured.
    return len(option.text), digest_json([question.text, option.text])


@dataclass(frozen=True, slots=True)
class _BlindSession:
    latency_us: int

    def feed(self, unit: Unit) -> None:
        """Pay no attention."""

    def fork(self) -> Session:
        return self

    def ask(self, question: SubjectQuestion) -> Reply:
        return Reply(blind_guess(question), "stop", self.latency_us, "declared")


@SUBJECTS.register("blind")
@dataclass(frozen=True, slots=True)
class BlindSubject:
    """Answers from the text of the question alone."""

    settings: BaselineSettings

    @property
    def facts(self) -> SubjectFacts:
        """Stateless and deterministic; receives nothing."""
        return SubjectFacts(
            self.settings.subject_id,
            f"blind-{_VERSION}-{self.settings.digest}",
            "baseline: the question's wording alone",
        )

    def open(self, inputs: SessionInputs) -> Session:  # noqa: ARG002 - it knows of no stream
        """Begin to follow a stream, unseen and unheard."""
        return _BlindSession(self.settings.latency_us)
