"""Checks that ask a model: no draft is answered blind, each is answered from its evidence.

A text-only subject is asked without the stream, several times; a draft that it answers
every time has a shortcut. Asked without the options as well, it must not know the answer
from the world at large (`priors`). Asked with the lines of the evidence, it must be right;
else the evidence does not support the answer. Replies to open questions need a judge, so
those are tried for what is publicly known alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from firsthand.answers.reader import read_reply
from firsthand.answers.readings import Answer, AskedQuestion
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import QuestionType
from firsthand.curation.checks import CheckedDraft
from firsthand.curation.drafts import Draft
from firsthand.drafting.material import Material
from firsthand.drafting.priors import SEMANTIC_PRIORS, is_public_knowledge
from firsthand.drafting.prompts import Prompt
from firsthand.endpoints.budget import Budget
from firsthand.endpoints.calls import Generation
from firsthand.endpoints.endpoint import Endpoint
from firsthand.endpoints.privacy import DEIDENTIFIED
from firsthand.endpoints.prompted import Prompted, reply_once
from firsthand.endpoints.replies import Reply, ReplyLog, ReplyOwner

__all__ = ["SHORTCUT", "UNSUPPORTED", "Probing", "probed_drafts"]

SHORTCUT, UNSUPPORTED = "shortcut", "support"
_NOTHING = "(nothing)"


@dataclass(frozen=True, slots=True)
class Probing:
    """How drafts are tried on a model.

    Args:
        endpoint: The model; it is sent text only.
        prompt: How it is asked, with the blanks `lines`, `question` and `options`.
        priors: How it is asked for what is publicly known.
        rewording: How it is asked for another wording.
        replies: Where its replies are kept.
        revision: Version or weights of the model; another one is asked anew.
        blind_asks: How often a draft is asked without the stream; it is rejected if it is
            answered rightly every time.
        generation: How it replies; sampled, so that luck does not repeat itself.
        budget: What may be spent.
    """

    endpoint: Endpoint
    prompt: Prompt
    priors: Prompt
    rewording: Prompt
    replies: ReplyLog
    revision: str
    blind_asks: int = 3
    generation: Generation = field(
        default_factory=lambda: Generation(most_tokens=64, temperature=1.0)
    )
    budget: Budget = field(default_factory=Budget)


def probed_drafts(
    material: Material, checked: Iterable[CheckedDraft], probing: Probing
) -> tuple[CheckedDraft, ...]:
    """Return the drafts in order, those that fail on the model rejected as well.

    Only drafts that passed every other check are asked; replies are stored, so that asking
    again costs nothing.

    Raises:
        FirsthandError: If a call fails.
    """
    return tuple(
        one
        if one.rejected_by
        else replace(one, rejected_by=tuple(sorted(_failed(material, one.draft, probing))))
        for one in checked
    )


def _failed(material: Material, draft: Draft, probing: Probing) -> Iterator[str]:
    if draft.question_type is not QuestionType.OPEN_ENDED:
        yield from _failed_with_options(material, draft, probing)

    def ask(prompt: Prompt, blanks: dict[str, str]) -> str:
        return _reply(draft, prompt, blanks, 0, probing).text

    if is_public_knowledge(draft, ask, probing.priors, probing.rewording):
        yield SEMANTIC_PRIORS


def _failed_with_options(material: Material, draft: Draft, probing: Probing) -> Iterator[str]:
    blind = (
        _is_right(draft, _choice(draft, _NOTHING, number, probing))
        for number in range(probing.blind_asks)
    )
    if all(blind):
        yield SHORTCUT
    lines = "\n".join(_evidence_lines(material, draft)) or _NOTHING
    if not _is_right(draft, _choice(draft, lines, 0, probing)):
        yield UNSUPPORTED


def _is_right(draft: Draft, reply: Reply) -> bool:
    asked = AskedQuestion(draft.question_type, draft.options)
    found = read_reply(reply.text, asked, rule_set=RuleSet.PAPER, finish=reply.finish)
    return isinstance(found, Answer) and found.value == draft.answer


def _choice(draft: Draft, lines: str, sample: int, probing: Probing) -> Reply:
    options = "\n".join(
        f"{letter}. {text}" for letter, text in zip(_letters(draft), draft.options, strict=True)
    )
    blanks = {
        "lines": lines,
        "question": draft.text,
        "options": options or "Reply with true or false.",
    }
    return _reply(draft, probing.prompt, blanks, sample, probing)


def _reply(
    draft: Draft, prompt: Prompt, blanks: dict[str, str], sample: int, probing: Probing
) -> Reply:
    prompted = Prompted(
        ReplyOwner(draft.participant_id, f"probe:{probing.endpoint.model}"),
        f"{probing.revision} {prompt.name}",
        prompt.system,
        prompt.filled(**blanks),
        probing.generation,
        sample,
    )
    # The material holds no redacted word, which is what makes it fit to leave this machine.
    return reply_once(prompted, probing.replies, probing.endpoint, DEIDENTIFIED, probing.budget)


def _letters(draft: Draft) -> str:
    return AskedQuestion(draft.question_type, draft.options).letters


def _evidence_lines(material: Material, draft: Draft) -> list[str]:
    told = [
        event.sentence
        for event in material.events
        if any(
            event.exact.begin_us <= part.end_us and part.begin_us <= event.exact.end_us
            for part in draft.evidence
        )
    ]
    said = [
        word.text
        for word in material.words
        if any(word.exact.begin_us in part for part in draft.evidence)
    ]
    return [*told, *([f"Said: {' '.join(said)}"] if said else [])]
