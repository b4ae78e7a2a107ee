"""The model drafter: questions that an endpoint proposes from the text of each recording.

Every reply is stored before it is read, under what it depends on; a run that was killed
asks only for what no log holds, and a better reader needs no new call.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from firsthand.core.taxonomy import Modality, QuestionType, Subcategory
from firsthand.core.time import SECOND_US, ClosedSpan
from firsthand.curation.drafts import Draft, whole_seconds
from firsthand.drafting.material import Event, HeardWord, Material
from firsthand.drafting.prompts import Prompt
from firsthand.drafting.proposals import Refusal, Source, read_proposals
from firsthand.drafting.windows import (
    Quotas,
    Shown,
    Slot,
    WindowPolicy,
    recordings_shown,
    windows_shown,
)
from firsthand.endpoints.budget import Budget
from firsthand.endpoints.calls import Generation
from firsthand.endpoints.endpoint import Endpoint
from firsthand.endpoints.privacy import DEIDENTIFIED
from firsthand.endpoints.prompted import Prompted, reply_once
from firsthand.endpoints.replies import Reply, ReplyLog, ReplyOwner

__all__ = ["LITELLM", "ModelDrafting", "ModelDrafts", "RefusedProposal", "draft_with_model"]

_PAUSE_US = 2 * SECOND_US

LITELLM = "litellm"
"""Name of the model drafter."""


@dataclass(frozen=True, slots=True)
class ModelDrafting:
    """How a model is asked for drafts.

    Args:
        endpoint: The model.
        prompt: What it is asked.
        replies: Where its replies are kept.
        revision: Version or weights of the model; another one is asked anew.
        generation: How it replies.
        questions: How many questions are asked for per recording, without windows.
        budget: What may be spent.
        windows: How the stream is divided; None to ask recording by recording.
    """

    endpoint: Endpoint
    prompt: Prompt
    replies: ReplyLog
    revision: str
    generation: Generation = field(
        default_factory=lambda: Generation(most_tokens=4_096, temperature=0.0, json_reply=True)
    )
    questions: int = 5
    budget: Budget = field(default_factory=Budget)
    windows: WindowPolicy | None = None


@dataclass(frozen=True, slots=True)
class RefusedProposal:
    """What a model proposed and no draft came of.

    Args:
        reply_key: The reply it stands in.
        position: Place in the reply, from 0; None for the whole reply.
        reason: Name of what was wrong.
    """

    reply_key: str
    position: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class ModelDrafts:
    """What came of asking.

    Args:
        drafts: Drafts in order of due time, not yet checked.
        refused: Proposals that could not become drafts.
        reply_keys: The replies they were read from, in order of asking.
    """

    drafts: tuple[Draft, ...]
    refused: tuple[RefusedProposal, ...]
    reply_keys: tuple[str, ...]


def draft_with_model(material: Material, drafting: ModelDrafting) -> ModelDrafts:
    """Return the drafts that a model proposes for a stream, window by window.

    Raises:
        FirsthandError: If a call fails; what was asked before is stored, so that running
            again goes on from there.
    """
    drafts: dict[str, Draft] = {}
    refused: list[RefusedProposal] = []
    keys: list[str] = []
    for shown in _plan(material, drafting):
        key, reply = _reply(material, shown, drafting)
        keys.append(key)
        quotas = Quotas(shown)
        for position, found in enumerate(_found(reply, _source(material, shown, drafting))):
            if isinstance(found, Refusal):
                refused.append(RefusedProposal(key, found.position, found.reason))
            elif reason := quotas.refusal(found):
                refused.append(RefusedProposal(key, position, reason))
            else:
                drafts.setdefault(found.draft_id, found)
    ordered = sorted(drafts.values(), key=lambda draft: (draft.due_us, draft.draft_id))
    return ModelDrafts(tuple(ordered), tuple(refused), tuple(keys))


def _plan(material: Material, drafting: ModelDrafting) -> list[Shown]:
    if drafting.windows is None:
        return recordings_shown(material)
    return windows_shown(material, drafting.windows)


def _reply(material: Material, shown: Shown, drafting: ModelDrafting) -> tuple[str, Reply]:
    asked = _asked(material, shown, drafting)
    prompted = Prompted(
        ReplyOwner(material.participant_id, f"{LITELLM}:{drafting.endpoint.model}"),
        f"{drafting.revision} {drafting.prompt.name}",
        drafting.prompt.system,
        asked,
        drafting.generation,
    )
    # The material holds no redacted word, which is what makes it fit to leave this machine.
    reply = reply_once(prompted, drafting.replies, drafting.endpoint, DEIDENTIFIED, drafting.budget)
    return prompted.identity.key, reply


def _found(reply: Reply, source: Source) -> Iterator[Draft | Refusal]:
    if reply.finish == "length":
        yield Refusal(None, "cut_by_length")
        return
    yield from read_proposals(reply.text, source)


def _source(material: Material, shown: Shown, drafting: ModelDrafting) -> Source:
    scenarios = {event.scenario for event in shown.events}
    (scenario,) = scenarios if len(scenarios) == 1 else (None,)
    return Source(
        material.participant_id,
        material.stream_id,
        shown.span,
        None if scenario is None else scenario.name,
        f"{LITELLM}:{drafting.endpoint.model}",
        drafting.prompt.name,
    )


def _asked(material: Material, shown: Shown, drafting: ModelDrafting) -> str:
    scenario, descriptions = shown.events[0].scenario, _descriptions(shown)
    return drafting.prompt.filled(
        scene="unnamed" if scenario is None else scenario.description,
        scenes="; ".join(descriptions) or "unnamed",
        day=str(shown.events[0].day),
        lines="\n".join(_lines(material, shown)),
        slots="\n".join(_slot_line(number, one) for number, one in enumerate(shown.slots, 1)),
        span=_span_words(shown),
        least_clues=str(shown.least_clues),
        count=str(drafting.questions),
        begin_s=str(shown.span.begin_us // SECOND_US),
        end_s=str(shown.span.end_us // SECOND_US),
        types=", ".join(QuestionType),
        subcategories="; ".join(Subcategory),
        modalities=", ".join(Modality),
    )


def _descriptions(shown: Shown) -> list[str]:
    described = [
        f"{event.scenario.description} (day {event.day})"
        for event in shown.events
        if event.scenario is not None
    ]
    return list(dict.fromkeys(described))


def _slot_line(number: int, slot: Slot) -> str:
    begin_s, end_s = slot.stretch.begin_us // SECOND_US, slot.stretch.end_us // SECOND_US
    return (
        f"{number}. subcategory {slot.subcategory}, type {slot.question_type}, "
        f"with evidence in {begin_s} to {end_s}"
    )


def _span_words(shown: Shown) -> str:
    if shown.least_span_us is None or shown.most_span_us is None:
        return ""
    least_s, most_s = shown.least_span_us // SECOND_US, shown.most_span_us // SECOND_US
    return f"; from the first to the last of them {least_s} to {most_s} seconds pass"


def _lines(material: Material, shown: Shown) -> list[str]:
    """Return what was told and said in order of time, times as whole seconds outward.

    In windows, which may hold several days, each line names its day.
    """
    told = [
        (event.exact, f"{_day(event, shown)}narrator: {event.sentence}") for event in shown.events
    ]
    heard = [word for word in material.words if word.exact.begin_us in shown.span]
    said: list[tuple[ClosedSpan, str]] = []
    for words in _sayings(heard):
        end_us = min(max(word.exact.end_us for word in words), shown.span.end_us)
        span = ClosedSpan(words[0].exact.begin_us, end_us)
        speaker = words[0].speaker
        who = "the wearer" if speaker == material.participant_id else speaker
        said.append((span, f"{who} says: {' '.join(word.text for word in words)}"))
    return [_line(whole_seconds(span), text) for span, text in sorted(told + said)]


def _sayings(words: Sequence[HeardWord]) -> Iterator[list[HeardWord]]:
    """Yield what one speaker says without a longer pause, so that its times say where it is."""
    run: list[HeardWord] = []
    for word in words:
        if run and (
            word.speaker != run[0].speaker
            or word.exact.begin_us - run[-1].exact.end_us >= _PAUSE_US
        ):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _day(event: Event, shown: Shown) -> str:
    return f"day {event.day}, " if shown.slots else ""


def _line(span: ClosedSpan, text: str) -> str:
    return f"[{span.begin_us // SECOND_US}-{span.end_us // SECOND_US}] {text}"
