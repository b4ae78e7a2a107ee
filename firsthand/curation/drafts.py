"""A draft: a proposed question before review."""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from firsthand.core.identity import Json, digest_json
from firsthand.core.taxonomy import CATEGORY_OF, Modality, QuestionType, Subcategory
from firsthand.core.time import SECOND_US, ClosedSpan, ceil_to_second_us
from firsthand.curation.revisions import content_digest

__all__ = [
    "MOST_OPTIONS",
    "Draft",
    "arranged_options",
    "draft_row",
    "mint_draft_id",
    "whole_seconds",
]

MOST_OPTIONS = len(ascii_uppercase)


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposed question with its answer and what it rests on.

    Args:
        draft_id: Minted once by `mint_draft_id`; edits keep it.
        participant_id: Whose recordings it asks about.
        stream_id: The stream it asks about.
        question_type: How it is to be answered.
        subcategory: What it tests.
        text: The question.
        options: Option texts in order, without letters; empty for binary and open questions.
        answer: Letters in order, `true` or `false`, or reference texts.
        evidence: Closed intervals on the stream's clock, in order, at whole seconds.
        required_modalities: What a subject must receive to be able to answer, sorted.
        scenario: Name of the scenario, if one was given.
        drafter: Engine that proposed it.
        revision: Raised by each edit.
    """

    draft_id: str
    participant_id: str
    stream_id: str
    question_type: QuestionType
    subcategory: Subcategory
    text: str
    options: tuple[str, ...]
    answer: tuple[str, ...]
    evidence: tuple[ClosedSpan, ...]
    required_modalities: tuple[Modality, ...]
    scenario: str | None
    drafter: str
    revision: int = 0

    def __post_init__(self) -> None:
        if not self.evidence:
            raise ValueError(f"draft {self.draft_id!r} rests on no evidence")
        if any(span.begin_us % SECOND_US or span.end_us % SECOND_US for span in self.evidence):
            raise ValueError(f"draft {self.draft_id!r} has evidence off the whole seconds")
        if list(self.evidence) != sorted(self.evidence):
            raise ValueError(f"draft {self.draft_id!r} has evidence out of order")

    @property
    def due_us(self) -> int:
        """When it may be asked: the end of its evidence, rounded up to a second."""
        return ceil_to_second_us(max(span.end_us for span in self.evidence))

    @property
    def right_options(self) -> tuple[str, ...]:
        """Texts of the options that the answer names; letters without an option are left out."""
        letters = ascii_uppercase[: len(self.options)]
        return tuple(
            text
            for letter, text in zip(letters, self.options, strict=True)
            if letter in self.answer
        )

    @property
    def wrong_options(self) -> tuple[str, ...]:
        """Texts of the options that the answer does not name."""
        letters = ascii_uppercase[: len(self.options)]
        return tuple(
            text
            for letter, text in zip(letters, self.options, strict=True)
            if letter not in self.answer
        )

    @property
    def content_digest(self) -> str:
        """Digest of everything a reviewer sees; a review binds it, so an edit un-accepts."""
        return content_digest("draft", _reviewed_fields(self))


def mint_draft_id(
    stream_id: str, template: str, evidence: Sequence[ClosedSpan], variant: str
) -> str:
    """Return the identifier of what `template` makes of a stretch of a stream.

    Args:
        stream_id: The stream.
        template: Name of the rule, or of the prompt with its version.
        evidence: The intervals it rests on.
        variant: Tells apart what one rule makes of the same intervals.
    """
    digest = digest_json([stream_id, template, _pairs(evidence), variant])
    return f"draft-{digest[:20]}"


def arranged_options(
    draft_id: str, right: Sequence[str], wrong: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (options, letters of the right ones), in an order that only the id decides.

    Sorting by a digest of id and text is a shuffle whose seed is the id: every place is
    equally likely for the right option, and no generator's state is involved.

    Raises:
        ValueError: If there are more options than letters.
    """
    options = sorted([*right, *wrong], key=lambda text: digest_json([draft_id, text]))
    if len(options) > MOST_OPTIONS:
        raise ValueError(f"{len(options)} options, but {MOST_OPTIONS} letters")
    letters = (ascii_uppercase[options.index(text)] for text in right)
    return tuple(options), tuple(sorted(letters))


def whole_seconds(span: ClosedSpan) -> ClosedSpan:
    """Return the span widened outward to whole seconds.

    A recogniser that places a word some milliseconds differently then still gives the same
    evidence, so that the reviews of a draft outlive a better aligner.
    """
    begin_us = span.begin_us // SECOND_US * SECOND_US
    return ClosedSpan(begin_us, ceil_to_second_us(span.end_us))


def draft_row(draft: Draft, rejected_by: Sequence[str]) -> dict[str, object]:
    """Return the row of table `drafts`."""
    return {
        **_reviewed_fields(draft),
        "participant_id": draft.participant_id,
        "draft_id": draft.draft_id,
        "revision": draft.revision,
        "content_digest": draft.content_digest,
        "drafter": draft.drafter,
        "rejected_by": list(rejected_by),
    }


def _reviewed_fields(draft: Draft) -> dict[str, Json]:
    return {
        "stream_id": draft.stream_id,
        "question_type": draft.question_type.value,
        "category": CATEGORY_OF[draft.subcategory].value,
        "subcategory": draft.subcategory.value,
        "text": draft.text,
        "options": list(draft.options),
        "answer": list(draft.answer),
        "evidence": [{"begin_us": span.begin_us, "end_us": span.end_us} for span in draft.evidence],
        "required_modalities": [modality.value for modality in draft.required_modalities],
        "scenario": draft.scenario,
    }


def _pairs(evidence: Sequence[ClosedSpan]) -> list[Json]:
    return [[span.begin_us, span.end_us] for span in evidence]
