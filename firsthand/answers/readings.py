"""What a reader takes from a reply: an answer, or the named reason why there is none."""

from dataclasses import dataclass
from enum import StrEnum

from firsthand.core.taxonomy import QuestionType

__all__ = ["Answer", "AskedQuestion", "NoAnswer", "NoAnswerReason", "Reading"]


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What a reader must know of the question that a reply answers.

    Args:
        question_type: How the question is to be answered.
        options: Texts of the options without their letters, in order; their letters
            are A, B, … by position. Empty for binary and open-ended questions.
    """

    question_type: QuestionType
    options: tuple[str, ...] = ()

    @property
    def letters(self) -> str:
        """The letters on offer, as one string ("ABCD")."""
        return "".join(chr(ord("A") + place) for place in range(len(self.options)))


class NoAnswerReason(StrEnum):
    """Why a reply holds no answer; the values are those of `Outcome`."""

    UNPARSED = "unparsed"
    REFUSED = "refused"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that the reply commits to.

    Args:
        value: Letters in alphabetical order for choices, ("true",) or ("false",) for
            binary questions, the text for open-ended ones.
    """

    value: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A reply without an answer; it is counted and shown, and scored as wrong.

    Args:
        reason: Which kind of outcome this is.
        detail: What was missing or in conflict, in words; it never quotes the reply.
    """

    reason: NoAnswerReason
    detail: str


Reading = Answer | NoAnswer
