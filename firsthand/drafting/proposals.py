"""Reading a model's proposals strictly: each becomes a draft or keeps a named reason."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar, cast

from firsthand.core.identity import Json
from firsthand.core.taxonomy import Modality, QuestionType, Subcategory
from firsthand.core.time import ClosedSpan, s_to_us
from firsthand.curation.drafts import (
    MOST_OPTIONS,
    Draft,
    arranged_options,
    mint_draft_id,
    whole_seconds,
)
from firsthand.curation.wording import normal_text

__all__ = ["Refusal", "Source", "read_proposals"]

Member = TypeVar("Member", bound=StrEnum)

_FIELDS = {"type", "subcategory", "text", "right", "wrong", "evidence_s", "modalities"}
_CHOICES = (QuestionType.MC_SINGLE, QuestionType.MC_MULTI)


@dataclass(frozen=True, slots=True)
class Source:
    """Where proposals come from and what they are about.

    Args:
        participant_id: Whose stream it is.
        stream_id: The stream.
        window: The stretch of the stream that was shown, at whole seconds.
        scenario: Name of its scenario, if one was given.
        drafter: Engine that proposes.
        prompt: Id and version of the prompt.
    """

    participant_id: str
    stream_id: str
    window: ClosedSpan
    scenario: str | None
    drafter: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A proposal, or a whole reply, that could not become a draft.

    Args:
        position: Place of the proposal in its reply, from 0; None for the whole reply.
        reason: Name of what was wrong; never the text itself.
    """

    position: int | None
    reason: str


class _RefusedError(Exception):
    """Carries a refusal's reason out of the reading of one proposal."""


def read_proposals(text: str, source: Source) -> Iterator[Draft | Refusal]:
    """Yield a draft or a refusal for each proposal of a reply, in order.

    Reasons: `not_json`, `no_questions` (of the whole reply); `not_an_object`,
    `missing_field:NAME`, `surplus_field`, `unknown_type`, `unknown_subcategory`,
    `unknown_modality`, `no_modality`, `text_unreadable`, `options_unreadable`,
    `wrong_option_count`, `not_true_or_false`, `evidence_unreadable`,
    `evidence_outside_window`, `repeated` (of one). What a proposal asks is judged by the
    checks of `firsthand.curation`, not here.
    """
    found = _json_object(text)
    if found is None:
        yield Refusal(None, "not_json")
        return
    proposals = found.get("questions")
    if not isinstance(proposals, list) or not proposals:
        yield Refusal(None, "no_questions")
        return
    seen: set[str] = set()
    for position, proposal in enumerate(proposals):
        try:
            draft = _draft(proposal, source)
        except _RefusedError as refused:
            yield Refusal(position, str(refused))
            continue
        yield Refusal(position, "repeated") if draft.draft_id in seen else draft
        seen.add(draft.draft_id)


def _json_object(text: str) -> Mapping[str, Json] | None:
    """Return the object that a reply holds; models like to put it into a fenced block."""
    body = text.strip()
    if body.startswith("```") and body.endswith("```"):
        body = body.removeprefix("```json").strip("`").strip()
    try:
        value = json.loads(body)
    except (json.JSONDecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _draft(proposal: Json, source: Source) -> Draft:
    if not isinstance(proposal, dict):
        raise _RefusedError("not_an_object")
    for name in sorted(_FIELDS.difference(proposal)):
        raise _RefusedError(f"missing_field:{name}")
    if set(proposal) - _FIELDS:
        raise _RefusedError("surplus_field")
    kind = _member(QuestionType, proposal["type"], "unknown_type")
    text = proposal["text"]
    if not isinstance(text, str) or not text.strip():
        raise _RefusedError("text_unreadable")
    evidence = _evidence(proposal["evidence_s"], source.window)
    draft_id = mint_draft_id(source.stream_id, source.prompt, evidence, normal_text(text))
    options, answer = _answer(kind, draft_id, proposal)
    return Draft(
        draft_id=draft_id,
        participant_id=source.participant_id,
        stream_id=source.stream_id,
        question_type=kind,
        subcategory=_member(Subcategory, proposal["subcategory"], "unknown_subcategory"),
        text=text.strip(),
        options=options,
        answer=answer,
        evidence=evidence,
        required_modalities=_modalities(proposal["modalities"]),
        scenario=source.scenario,
        drafter=source.drafter,
    )


def _member(kind: type[Member], value: Json, reason: str) -> Member:
    if not isinstance(value, str) or value not in [member.value for member in kind]:
        raise _RefusedError(reason)
    return kind(value)


def _answer(
    kind: QuestionType, draft_id: str, proposal: Mapping[str, Json]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    right, wrong = _texts(proposal["right"]), _texts(proposal["wrong"])
    if kind in _CHOICES:
        several = kind is QuestionType.MC_MULTI
        if not right or not wrong or (len(right) > 1) is not several:
            raise _RefusedError("wrong_option_count")
        if len(right) + len(wrong) > MOST_OPTIONS:
            raise _RefusedError("wrong_option_count")
        return arranged_options(draft_id, right, wrong)
    if wrong or len(right) != 1:
        raise _RefusedError("wrong_option_count")
    if kind is QuestionType.BINARY and right[0].lower() not in ("true", "false"):
        raise _RefusedError("not_true_or_false")
    return (), (right[0].lower() if kind is QuestionType.BINARY else right[0],)


def _texts(value: Json) -> list[str]:
    if not isinstance(value, list):
        raise _RefusedError("options_unreadable")
    texts = [text.strip() for text in value if isinstance(text, str) and text.strip()]
    if len(texts) != len(value):
        raise _RefusedError("options_unreadable")
    return texts


def _modalities(value: Json) -> tuple[Modality, ...]:
    if not isinstance(value, list) or not value:
        raise _RefusedError("no_modality")
    found = {_member(Modality, name, "unknown_modality") for name in value}
    return tuple(sorted(found))


def _evidence(value: Json, window: ClosedSpan) -> tuple[ClosedSpan, ...]:
    if not isinstance(value, list) or not value:
        raise _RefusedError("evidence_unreadable")
    spans = sorted({whole_seconds(_span(pair)) for pair in value})
    if spans[0].begin_us < window.begin_us or max(s.end_us for s in spans) > window.end_us:
        raise _RefusedError("evidence_outside_window")
    return tuple(spans)


def _span(pair: Json) -> ClosedSpan:
    if not isinstance(pair, list) or len(pair) != 2:
        raise _RefusedError("evidence_unreadable")
    ends = [end for end in pair if isinstance(end, int | float) and not isinstance(end, bool)]
    if len(ends) != 2 or not 0 <= ends[0] <= ends[1] < float("inf"):
        raise _RefusedError("evidence_unreadable")
    begin_s, end_s = cast("list[float]", ends)
    return ClosedSpan(s_to_us(begin_s), s_to_us(end_s))
