"""Settings of a subject behind an endpoint."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum

from firsthand.answers.grounding import PointForm
from firsthand.core.identity import Json
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.calls import Generation
from firsthand.endpoints.endpoint import Price

__all__ = ["EndpointSettings", "History", "HistoryKind", "Limits"]


class HistoryKind(StrEnum):
    """Which part of the stream so far is sent with a question."""

    NONE = "none"
    """Nothing: the subject knows the question alone."""
    LAST_UNITS = "last_units"
    """The latest units."""
    FULL = "full"
    """Everything, as far as the budget of characters and pictures goes; the oldest words go
    first, pictures are spread evenly."""
    MEMORY = "memory"
    """The latest units, and the older passages that speak most of the question."""
    SUMMARY = "summary"
    """What the subject itself has condensed of earlier units, and the units since."""
    GIVEN = "given"
    """All that it was fed, uncut: a protocol has sampled it to a budget already."""


@dataclass(frozen=True, slots=True)
class History:
    """What of the stream is sent with a question.

    Args:
        kind: Which part.
        units: Latest units, for `last_units` and `memory`; for `summary`, after how many
            units the subject condenses them.
        most_characters: Longest text that is sent; the oldest passages are left out. For
            `summary`, so much new text is condensed at once, even before `units`.
        passages: Older passages that `memory` recalls.
        most_pictures: Most pictures that are sent.
        most_summary_tokens: Longest summary.
    """

    kind: HistoryKind = HistoryKind.FULL
    units: int = 60
    most_characters: int = 24_000
    passages: int = 8
    most_pictures: int = 8
    most_summary_tokens: int = 512

    @property
    def arguments(self) -> dict[str, Json]:
        """What of it a reply depends on."""
        fields = {**asdict(self), "kind": str(self.kind)}
        if self.kind is not HistoryKind.SUMMARY:
            del fields["most_summary_tokens"]
        return fields

    @property
    def keeps_memory(self) -> bool:
        """Whether the subject itself decides what it keeps of a stream it follows whole."""
        return self.kind in (HistoryKind.MEMORY, HistoryKind.SUMMARY)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may spend on a subject, resumed commands included but for time.

    Args:
        usd: Most money; None for no limit, as below.
        tokens: Most tokens, read and written.
        calls: Most attempts.
        seconds: Longest time after which no further call begins, for one command.
    """

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """A model behind an endpoint that speaks OpenAI's chat protocol.

    Args:
        subject_id: Its name on the leaderboard.
        model: Provider and model as LiteLLM names them.
        revision: Version or weights of the model; another one is asked anew.
        base_url: Address of the server; None for the provider's own.
        api_key_name: Environment variable that holds the key; None if none is needed.
        receives: What it can take: words, narrations, pictures.
        hears_sound: Whether speech is sent as sound instead of as words.
        history: What of the stream is sent.
        generation: How it replies.
        declared_latency_us: Time that every answer takes; None to measure it.
        price: What tokens cost; None to look it up in LiteLLM's packaged list.
        timeout_s: How long one attempt may take.
        attempts: Most attempts of one call.
        most_calls: Most calls at once from one worker process.
        limits: What may be spent.
        takes_films: Whether whole films with their sound can be sent.
        points: How it gives points in a picture.
        structured_replies: Whether it can be held to a JSON schema.
    """

    subject_id: str
    model: str
    revision: str
    base_url: str | None = None
    api_key_name: str | None = None
    receives: frozenset[Modality] = frozenset({Modality.SPEECH, Modality.NARRATION})
    hears_sound: bool = False
    history: History = field(default_factory=History)
    generation: Generation = field(default_factory=lambda: Generation(256, temperature=0.0))
    declared_latency_us: int | None = None
    price: Price | None = None
    timeout_s: float = 120.0
    attempts: int = 5
    most_calls: int = 8
    limits: Limits = field(default_factory=Limits)
    takes_films: bool = False
    points: PointForm = field(default_factory=PointForm)
    structured_replies: bool = False

    @property
    def given(self) -> frozenset[Modality]:
        """Modalities that reach the model."""
        return frozenset() if self.history.kind is HistoryKind.NONE else self.receives

    @property
    def arguments(self) -> dict[str, Json]:
        """Everything but the model that its replies depend on."""
        return {
            "generation": self.generation.arguments,
            "history": self.history.arguments,
            "hears_sound": self.hears_sound,
            # A declared latency is stored with the reply, so another one is another reply.
            "declared_latency_us": self.declared_latency_us,
        }
