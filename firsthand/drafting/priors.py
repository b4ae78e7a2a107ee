"""Semantic priors: a model that never saw the stream knows the answer from the world at large.

The model is asked without the stream and without the options, and may say that it does not
know; what it knows in one wording it must know in another, so that a lucky association is
not taken for knowledge. This differs from a shortcut, which options give away to whoever
guesses well.
"""

from collections.abc import Callable

from firsthand.answers.plain_text import plain_reply
from firsthand.answers.reader import read_reply
from firsthand.answers.readings import Answer, AskedQuestion
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import QuestionType
from firsthand.curation.drafts import Draft
from firsthand.curation.wording import content_words
from firsthand.drafting.prompts import Prompt

__all__ = ["SEMANTIC_PRIORS", "is_public_knowledge", "knows_answer"]

SEMANTIC_PRIORS = "semantic_priors"
_UNKNOWN = "unknown"
_SHARE_OF_REFERENCE = 0.8
_FORMS = {
    QuestionType.MC_SINGLE: "Reply with the one answer, or unknown.",
    QuestionType.MC_MULTI: "Reply with all answers, or unknown.",
    QuestionType.BINARY: "Reply with true, false or unknown.",
    QuestionType.OPEN_ENDED: "Reply with the answer, or unknown.",
}

Ask = Callable[[Prompt, dict[str, str]], str]
"""Puts a filled prompt to the model and returns its reply."""


def is_public_knowledge(draft: Draft, ask: Ask, priors: Prompt, rewording: Prompt) -> bool:
    """Whether the model answers a draft in its own wording and in another one.

    Args:
        draft: The draft.
        ask: The model; called once for most drafts, three times for one that it knows.
        priors: How it is asked, with the blanks `question` and `form`.
        rewording: How it is asked for another wording, with the blank `question`.
    """
    form = _FORMS[draft.question_type]
    if not knows_answer(draft, ask(priors, {"question": draft.text, "form": form})):
        return False
    reworded = ask(rewording, {"question": draft.text}).strip()
    return bool(reworded) and knows_answer(draft, ask(priors, {"question": reworded, "form": form}))


def knows_answer(draft: Draft, reply: str) -> bool:
    """Whether a reply that saw no options holds a draft's answer.

    A statement is known by its truth. A choice is known if every right option is named and
    no wrong one. A reference text is known if the reply has four fifths of its words that
    carry a subject and that the question does not tell already.
    """
    said = content_words(plain_reply(reply).text)
    if _UNKNOWN in said:
        return False
    if draft.question_type is QuestionType.BINARY:
        asked = AskedQuestion(draft.question_type, ())
        found = read_reply(reply, asked, rule_set=RuleSet.PAPER)
        return isinstance(found, Answer) and found.value == draft.answer
    if draft.question_type is QuestionType.OPEN_ENDED:
        told = content_words(draft.text)
        return any(_is_told(content_words(text) - told, said) for text in draft.answer)
    return _names_right_alone(draft, said)


def _names_right_alone(draft: Draft, said: frozenset[str]) -> bool:
    right = [content_words(text) for text in draft.right_options]
    # A wrong option that is a part of a right one ("pot", "tea pot") is named along with it.
    within = frozenset[str]().union(*right)
    wrong = [words for text in draft.wrong_options if not (words := content_words(text)) <= within]
    return all(words and words <= said for words in right) and not any(
        words <= said for words in wrong
    )


def _is_told(reference: frozenset[str], said: frozenset[str]) -> bool:
    return bool(reference) and len(reference & said) >= _SHARE_OF_REFERENCE * len(reference)
