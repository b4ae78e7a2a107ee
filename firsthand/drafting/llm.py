"""The model drafter: questions that an endpoint proposes from the text of each recording.

Every reply is stored before it is read, under what it depends on; a run that was killed
asks only for what no log holds, and a better reader needs no new call.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from firsthand.core.taxonomy import Modality, QuestionType, Subcategory
from firsthand.core.time import SECOND_US, ClosedSpan
from firsthand.curation.drafts import Draft, whole_seconds
from firsthand.drafting.material import Event, Material
from firsthand.drafting.prompts import Prompt
from firsthand.drafting.proposals import Refusal, Source, read_proposals
from firsthand.endpoints.budget import Budget
from firsthand.endpoints.calls import Call, Generation, Turn
from firsthand.endpoints.endpoint import Endpoint
from firsthand.endpoints.privacy import DEIDENTIFIED
from firsthand.endpoints.replies import Reply, ReplyIdentity, ReplyLog, ReplyOwner

__all__ = ["LITELLM", "ModelDrafting", "ModelDrafts", "RefusedProposal", "draft_with_model"]

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
        questions: How many questions are asked for per recording.
        budget: What may be spent.
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
    """Return the drafts that a model proposes for a stream, recording by recording.

    Raises:
        FirsthandError: If a call fails; what was asked before is stored, so that running
            again goes on from there.
    """
    drafts: dict[str, Draft] = {}
    refused: list[RefusedProposal] = []
    keys: list[str] = []
    for events in _recordings(material):
        key, reply = _reply(material, events, drafting)
        keys.append(key)
        for found in _found(reply, _source(material, events, drafting)):
            if isinstance(found, Draft):
                drafts.setdefault(found.draft_id, found)
            else:
                refused.append(RefusedProposal(key, found.position, found.reason))
    ordered = sorted(drafts.values(), key=lambda draft: (draft.due_us, draft.draft_id))
    return ModelDrafts(tuple(ordered), tuple(refused), tuple(keys))


def _recordings(material: Material) -> Iterator[tuple[Event, ...]]:
    for _, events in groupby(material.events, key=lambda event: event.recording_id):
        yield tuple(events)


def _reply(
    material: Material, events: tuple[Event, ...], drafting: ModelDrafting
) -> tuple[str, Reply]:
    asked = _asked(material, events, drafting)
    owner = ReplyOwner(material.participant_id, f"{LITELLM}:{drafting.endpoint.model}")
    identity = ReplyIdentity(
        owner.subject_id,
        f"{drafting.revision} {drafting.prompt.name}",
        f"{drafting.prompt.system}\n\n{asked}",
        arguments=drafting.generation.arguments,
    )
    stored = drafting.replies.get(identity.key)
    if stored is not None:
        return identity.key, stored
    turns = (Turn("system", drafting.prompt.system), Turn("user", asked))
    # The material holds no redacted word, which is what makes it fit to leave this machine.
    reply = drafting.endpoint.complete(
        Call(turns, drafting.generation), DEIDENTIFIED, drafting.budget
    )
    drafting.replies.put(identity.key, reply, owner)
    return identity.key, reply


def _found(reply: Reply, source: Source) -> Iterator[Draft | Refusal]:
    if reply.finish == "length":
        yield Refusal(None, "cut_by_length")
        return
    yield from read_proposals(reply.text, source)


def _source(material: Material, events: tuple[Event, ...], drafting: ModelDrafting) -> Source:
    scenario = events[0].scenario
    return Source(
        material.participant_id,
        material.stream_id,
        _window(events),
        None if scenario is None else scenario.name,
        f"{LITELLM}:{drafting.endpoint.model}",
        drafting.prompt.name,
    )


def _window(events: tuple[Event, ...]) -> ClosedSpan:
    return whole_seconds(
        ClosedSpan(events[0].exact.begin_us, max(event.exact.end_us for event in events))
    )


def _asked(material: Material, events: tuple[Event, ...], drafting: ModelDrafting) -> str:
    window, scenario = _window(events), events[0].scenario
    return drafting.prompt.filled(
        scene="unnamed" if scenario is None else scenario.description,
        day=str(events[0].day),
        lines="\n".join(_lines(material, events)),
        count=str(drafting.questions),
        begin_s=str(window.begin_us // SECOND_US),
        end_s=str(window.end_us // SECOND_US),
        types=", ".join(QuestionType),
        subcategories="; ".join(Subcategory),
        modalities=", ".join(Modality),
    )


def _lines(material: Material, events: tuple[Event, ...]) -> list[str]:
    """Return what was told and said in order of time, times as whole seconds outward."""
    window = _window(events)
    told = [(event.exact, f"narrator: {event.sentence}") for event in events]
    heard = [word for word in material.words if word.exact.begin_us in window]
    said: list[tuple[ClosedSpan, str]] = []
    for speaker, run in groupby(heard, key=lambda word: word.speaker):
        words = list(run)
        end_us = min(max(word.exact.end_us for word in words), window.end_us)
        span = ClosedSpan(words[0].exact.begin_us, end_us)
        who = "the wearer" if speaker == material.participant_id else speaker
        said.append((span, f"{who} says: {' '.join(word.text for word in words)}"))
    return [_line(whole_seconds(span), text) for span, text in sorted(told + said)]


def _line(span: ClosedSpan, text: str) -> str:
    return f"[{span.begin_us // SECOND_US}-{span.end_us // SECOND_US}] {text}"
