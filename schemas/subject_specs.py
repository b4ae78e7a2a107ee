"""Subjects in a run file: one record for each kind of subject, told apart by `kind`."""

from typing import Annotated, Literal, Self

from pydantic import (
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    model_validator,
)
from pydantic_core import PydanticCustomError

from firsthand.core.time import s_to_us
from schemas.field_types import EnvironmentName, Name, Text
from schemas.yaml_records import ExistingPath, Record, WeightsPath

__all__ = [
    "BaselineSpec",
    "BudgetSpec",
    "CalledModelSpec",
    "EndpointSpec",
    "HistorySpec",
    "HumanSpec",
    "PointsSpec",
    "PriceSpec",
    "RemaSpec",
    "ReplaySpec",
    "SubjectSpec",
    "TransformersSpec",
]


class BaselineSpec(Record):
    """A baseline by kind, with the latency it declares for every reply.

    A `random` subject needs a seed, and no other kind takes one.
    """

    name: Name
    kind: Literal["blind", "transcript", "oracle", "random"]
    declared_latency_s: NonNegativeFloat
    seed: NonNegativeInt | None = None

    @property
    def declared_latency_us(self) -> int:
        """The declared latency in microseconds."""
        return s_to_us(self.declared_latency_s)

    @model_validator(mode="after")
    def _seed_fits(self) -> Self:
        if (self.kind == "random") != (self.seed is not None):
            raise PydanticCustomError("seed", "a seed for kind 'random', and for no other kind")
        return self


class HistorySpec(Record):
    """What of the stream so far is sent with a question.

    `none` sends nothing; `last_units` the latest `units`; `full` everything, the oldest
    words left out beyond `most_characters`; `memory` the latest `units` and the `passages`
    before them that speak most of the question; `summary` the notes that the subject itself
    writes anew after every `units` or `most_characters`, and what came since.
    """

    kind: Literal["none", "last_units", "full", "memory", "summary"] = "full"
    units: PositiveInt = 60
    most_characters: PositiveInt = 24_000
    passages: PositiveInt = 8
    most_pictures: NonNegativeInt = 8
    most_summary_tokens: PositiveInt = 512


class PriceSpec(Record):
    """What a million tokens cost, in USD."""

    input_usd_per_million: NonNegativeFloat
    output_usd_per_million: NonNegativeFloat


class BudgetSpec(Record):
    """What a run may spend on a subject; what is left unasked then is asked by a later run.

    Money, tokens and calls count over resumed commands; `minutes` count from the beginning
    of each.
    """

    usd: PositiveFloat | None = None
    tokens: PositiveInt | None = None
    calls: PositiveInt | None = None
    minutes: PositiveFloat | None = None


class PointsSpec(Record):
    """How a model gives points in a picture: which coordinate first, and up to what number."""

    order: Literal["xy", "yx"] = "xy"
    scale: PositiveFloat = 1000.0


class CalledModelSpec(Record):
    """A model behind an endpoint that speaks OpenAI's chat protocol, hosted or local.

    `revision` names its version or weights: another one is asked anew. The key stays in the
    environment, under `api_key_name`. Latencies are measured unless one is declared.
    `receives` lists what it can take; with `sound`, speech reaches it as sound and not as
    words.
    """

    name: Name
    model: Text
    revision: Text
    base_url: Text | None = None
    api_key_name: EnvironmentName | None = None
    receives: Annotated[
        tuple[Literal["video", "speech", "narration", "sound"], ...], Field(strict=False)
    ] = ("speech", "narration")
    declared_latency_s: NonNegativeFloat | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    seed: NonNegativeInt | None = None
    max_output_tokens: PositiveInt = 256
    price: PriceSpec | None = None
    budget: BudgetSpec = BudgetSpec()
    timeout_s: PositiveFloat = 120.0
    attempts: PositiveInt = 5
    most_calls: Annotated[int, Field(gt=0, le=256)] = 8


class EndpointSpec(CalledModelSpec):
    """A model that is sent what `history` says with each question.

    For grounding: whether it `takes_films`, whole clips with their sound, and how it gives
    `points`. With `structured_replies` it is held to a JSON schema where a protocol has one.
    """

    kind: Literal["litellm"]
    history: HistorySpec = HistorySpec()
    takes_films: bool = False
    points: PointsSpec = PointsSpec()
    structured_replies: bool = False


class RemaSpec(CalledModelSpec):
    """The ReMA agent over a model: a memory of notes on clips, and answers by steps.

    A note of at most `most_note_tokens` is written on every `clip_s`, from at most
    `most_pictures` frames; above `most_notes` the oldest are condensed, `condensed` at once. A
    question takes at most `most_rounds` rounds of a search (`most_queries`, each finding
    `most_found` notes), an inspection (`most_ranges`) or the answer. A declared latency is
    that of each call.
    """

    kind: Literal["rema"]
    clip_s: PositiveFloat = 300.0
    most_pictures: NonNegativeInt = 16
    most_notes: Annotated[int, Field(ge=2)] = 256
    condensed: Annotated[int, Field(ge=2)] = 8
    most_note_tokens: PositiveInt = 512
    most_rounds: Annotated[int, Field(ge=1, le=64)] = 16
    most_queries: PositiveInt = 5
    most_found: PositiveInt = 10
    most_ranges: PositiveInt = 10


class TransformersSpec(Record):
    """A multimodal model on this machine, loaded from a folder with transformers.

    Nothing is downloaded, and code that comes with the model runs only with
    `trust_remote_code`. `gpus` are taken from a worker while the model is asked; 0 asks it
    on any worker's CPU. Latencies are measured unless one is declared.
    """

    name: Name
    kind: Literal["transformers"]
    folder: WeightsPath
    receives: Annotated[
        tuple[Literal["video", "speech", "narration", "sound"], ...], Field(strict=False)
    ] = ("video", "speech")
    history: HistorySpec = HistorySpec(kind="last_units", units=16, most_pictures=16)
    gpus: NonNegativeInt = 0
    device: Annotated[str, Field(pattern=r"^(auto|cpu|cuda(:\d+)?)$")] = "auto"
    dtype: Literal["auto", "float32", "float16", "bfloat16"] = "auto"
    trust_remote_code: bool = False
    most_memory_gib: PositiveFloat | None = None
    max_output_tokens: PositiveInt = 64
    points: PointsSpec = PointsSpec()
    declared_latency_s: NonNegativeFloat | None = None


class ReplaySpec(Record):
    """Replies recorded earlier: a run of this store by id, or a run in the official layout.

    `folder` is one model's folder in the layout of TeleEgo's released runners.
    """

    name: Name
    kind: Literal["replay"]
    run: Text | None = None
    folder: ExistingPath | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.run is None) == (self.folder is None):
            raise PydanticCustomError("source", "either `run` or `folder`, and not both")
        return self


class HumanSpec(Record):
    """A person who answered in the review pages; `name` is the reviewer's.

    Answers that are not there yet count as not asked; run again when there are more.
    """

    name: Name
    kind: Literal["human"]


SubjectSpec = Annotated[
    BaselineSpec | EndpointSpec | HumanSpec | RemaSpec | ReplaySpec | TransformersSpec,
    Field(discriminator="kind"),
]
"""Any kind of subject; `kind` says which record its keys belong to."""
