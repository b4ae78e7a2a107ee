"""Telling a refusal from not knowing: a refusal declines the task itself.

"I cannot see the video" or "cannot be determined" is no refusal: the subject tried and
has no answer, which is `unparsed`.
"""

import re

from firsthand.answers.readings import NoAnswer, NoAnswerReason

__all__ = ["CUT_FINISHES", "REFUSAL_FINISHES", "no_answer"]

CUT_FINISHES = frozenset({"length", "max_tokens", "truncated", "incomplete", "model_length"})
"""Finish reasons of a reply that its length limit cut off."""

REFUSAL_FINISHES = frozenset({"content_filter", "refusal", "safety", "blocked", "recitation"})
"""Finish reasons of a reply that was withheld."""

_REFUSAL = re.compile(
    r"\b(?:can(?:'|no)?t|cannot|can not|won't|will not|unable to|not able to|not allowed to"
    r"|must decline to|decline to|refuse to)\s+"
    r"(?:\w+\s+){0,2}?(?:help|assist|comply|fulfil?l?|engage|support|participate|provide|share"
    r"|discuss|continue|identify (?:people|individuals|persons|real people))\b"
    r"|\bi (?:must )?(?:decline|refuse)\b"
    r"|\bagainst my (?:\w+ )?(?:guidelines|policy|policies|principles)"
    r"|\b(?:violates?|violating) (?:\w+ ){0,3}(?:guidelines|policy|policies)"
    r"|(?:无法|不能|不便|没办法|拒绝)(?:为您|为你|给您|给你|向您|对此)?"
    r"(?:提供|协助|帮助|回答(?:这|该|此|您的|你的)|满足|完成(?:这|该|此|您的|你的)|处理)"
    r"|(?:拒绝|恕不|恕难)(?:回答|从命|作答)|违反(?:了)?.{0,8}(?:政策|规定|准则)",
    re.IGNORECASE,
)


def no_answer(text: str, detail: str, *, finish: str) -> NoAnswer:
    """Name the reason why a reply without an answer has none.

    Args:
        text: What the reply says, in plain text.
        detail: What the reader missed.
        finish: The endpoint's finish reason.
    """
    if finish in REFUSAL_FINISHES or _REFUSAL.search(text.replace("’", "'")):
        return NoAnswer(NoAnswerReason.REFUSED, "the reply declines the task")
    if finish in CUT_FINISHES:
        return NoAnswer(NoAnswerReason.TRUNCATED, f"cut off at its length limit: {detail}")
    return NoAnswer(NoAnswerReason.UNPARSED, detail)
