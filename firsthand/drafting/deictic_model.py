"""Deictic phrases by a model, where the rules find too few or too many; a person verifies."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from firsthand.core.identity import Json
from firsthand.core.spoken_text import join_words
from firsthand.core.time import us_to_s
from firsthand.curation.deictic import DeicticPhrase, SaidWord
from firsthand.drafting.prompts import Prompt
from firsthand.endpoints.budget import Budget
from firsthand.endpoints.calls import Generation
from firsthand.endpoints.endpoint import Endpoint
from firsthand.endpoints.privacy import DEIDENTIFIED
from firsthand.endpoints.prompted import Prompted, reply_once
from firsthand.endpoints.replies import ReplyLog, ReplyOwner

__all__ = ["ModelAlignment", "phrases_by_model"]

_MARKS = ".,;:!?…。，；：！？、"


@dataclass(frozen=True, slots=True)
class ModelAlignment:
    """How a model is asked which words point.

    Args:
        endpoint: The model.
        prompt: How it is asked, with the blanks `words`, `language`, `kinds` and `count`.
        replies: Where its replies are kept.
        revision: Version or weights of the model; another one is asked anew.
        budget: What may be spent.
        generation: How it replies.
    """

    endpoint: Endpoint
    prompt: Prompt
    replies: ReplyLog
    revision: str
    budget: Budget = field(default_factory=Budget)
    generation: Generation = field(
        default_factory=lambda: Generation(most_tokens=256, temperature=0.0, json_reply=True)
    )


def phrases_by_model(
    participant_id: str,
    words: Sequence[SaidWord],
    language: str,
    kinds: Sequence[str],
    alignment: ModelAlignment,
) -> tuple[DeicticPhrase, ...] | None:
    """Return one phrase for each referent in order of mention; None if the reply is no such.

    Args:
        participant_id: Whose recording it is.
        words: What was said, none redacted, in order of onset.
        language: BCP 47 tag.
        kinds: `object` or `space` for each referent.
        alignment: The model.

    Raises:
        FirsthandError: If a call fails.
    """
    if not words:
        return None
    asked = alignment.prompt.filled(
        words="\n".join(
            f"{number} [{us_to_s(word.begin_us):.2f}-{us_to_s(word.end_us):.2f}] {word.text}"
            for number, word in enumerate(words)
        ),
        language=language,
        kinds=", ".join(kinds),
        count=str(len(kinds)),
    )
    prompted = Prompted(
        ReplyOwner(participant_id, f"deictic:{alignment.endpoint.model}"),
        f"{alignment.revision} {alignment.prompt.name}",
        alignment.prompt.system,
        asked,
        alignment.generation,
    )
    # The words hold no redacted one, which is what makes them fit to leave this machine.
    reply = reply_once(
        prompted, alignment.replies, alignment.endpoint, DEIDENTIFIED, alignment.budget
    )
    pairs = None if reply.finish == "length" else _pairs(reply.text, len(words), len(kinds))
    if pairs is None:
        return None
    return tuple(
        _phrase(words[first : last + 1], kind, language)
        for (first, last), kind in zip(pairs, kinds, strict=True)
    )


def _pairs(text: str, words: int, count: int) -> list[tuple[int, int]] | None:
    try:
        found = json.loads(text.strip().removeprefix("```json").strip("`").strip())
    except (json.JSONDecodeError, RecursionError):
        return None
    listed = found.get("phrases") if isinstance(found, dict) else None
    if not isinstance(listed, list) or len(listed) != count:
        return None
    pairs: list[tuple[int, int]] = []
    for value in listed:
        pair = _pair(value)
        after = pairs[-1][1] if pairs else -1
        if pair is None or not after < pair[0] <= pair[1] < words:
            return None
        pairs.append(pair)
    return pairs


def _pair(value: Json) -> tuple[int, int] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    first, last = value
    if isinstance(first, bool) or isinstance(last, bool):
        return None
    return (first, last) if isinstance(first, int) and isinstance(last, int) else None


def _phrase(words: Sequence[SaidWord], kind: str, language: str) -> DeicticPhrase:
    text = join_words((word.text for word in words), language).rstrip(_MARKS)
    return DeicticPhrase(text, kind, words[0].begin_us, max(word.end_us for word in words))
