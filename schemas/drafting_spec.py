"""How a benchmark's questions are drafted: the models that propose and try them, and the quotas."""

from typing import Annotated, Literal, Self

from pydantic import Field, PositiveFloat, model_validator
from pydantic_core import PydanticCustomError

from firsthand.core.taxonomy import QuestionType, Subcategory
from schemas.field_types import EnvironmentName, Text
from schemas.yaml_records import Record

__all__ = ["DeicticModelSpec", "DrafterSpec", "EnvironmentName", "ProbeSpec", "QuotaSpec", "Text"]


class PromptedModelSpec(Record):
    """A model that is asked prompts of ours; the key itself stays in the environment.

    `revision` names its version or weights: another one is asked anew.
    """

    model: Text
    revision: Text
    base_url: Text | None = None
    api_key_name: EnvironmentName | None = None
    timeout_s: PositiveFloat = 60.0
    most_calls: Annotated[int, Field(gt=0)] | None = None
    budget_usd: PositiveFloat | None = None


class DeicticModelSpec(PromptedModelSpec):
    """A text-only model that says which words point, where the rules cannot tell."""


Share = Annotated[int, Field(gt=0, le=1_000)]
Subcategories = dict[Annotated[Subcategory, Field(strict=False)], Share]
Types = dict[Annotated[QuestionType, Field(strict=False)], Share]


class ProbeSpec(PromptedModelSpec):
    """A text-only model that drafts are tried on: without the stream, and with the evidence.

    A draft that it answers without the stream `blind_asks` times of as many is rejected, and so
    is one that it does not answer from the lines of its evidence.
    """

    blind_asks: Annotated[int, Field(gt=0)] = 3


class QuotaSpec(Record):
    """How many questions a model is asked for, and in which shares; what is left out is usual.

    `window_s` is shown at a time and `per_window` questions are asked for in it, in the
    shares of `subcategories` and `types`; `whole_stream` questions of Ultra-long Memory are
    asked for once. Each question rests on at least `least_clues` stretches of evidence.
    """

    window_s: Annotated[float, Field(ge=60, allow_inf_nan=False)] | None = None
    per_window: Annotated[int, Field(gt=0, le=100)] | None = None
    whole_stream: Annotated[int, Field(ge=0, le=100)] | None = None
    subcategories: Annotated[Subcategories, Field(min_length=1)] | None = None
    types: Annotated[Types, Field(min_length=1)] | None = None
    least_clues: Annotated[int, Field(gt=0, le=20)] | None = None

    @model_validator(mode="after")
    def _long_by_itself(self) -> Self:
        if self.subcategories and Subcategory.ULTRA_LONG_MEMORY in self.subcategories:
            raise PydanticCustomError(
                "quotas",
                "subcategories without 'Ultra-long Memory', whose number is `whole_stream`",
            )
        return self


class DrafterSpec(PromptedModelSpec):
    """The model behind a drafter that asks one.

    `plan` says what it is shown at a time: each recording by itself; `windows` of half an
    hour with quotas by subcategory and type, and the whole stream for Ultra-long Memory
    (TeleEgo); or `clues`, hours at a time with questions that rest on several stretches
    (MM-Lifelong).
    """

    plan: Literal["recordings", "windows", "clues"] = "recordings"
    quotas: QuotaSpec | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    max_output_tokens: Annotated[int, Field(gt=0)] = 1024

    @model_validator(mode="after")
    def _quotas_of_windows(self) -> Self:
        if self.quotas and self.plan == "recordings":
            raise PydanticCustomError("quotas", "quotas with plan `windows` or `clues` only")
        return self
