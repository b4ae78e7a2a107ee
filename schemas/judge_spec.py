"""The judge of a run: which model grades open answers, by which rubric."""

from typing import Annotated, Self

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt, model_validator
from pydantic_core import PydanticCustomError

from schemas.field_types import EnvironmentName, Name, Text
from schemas.subject_specs import PriceSpec
from schemas.yaml_records import Record

__all__ = ["JudgeSpec"]


class JudgeSpec(Record):
    """A model behind an endpoint that grades open answers.

    Every answer gets `first_repeats` judgements, and `most_repeats` where those disagree.
    """

    model: Text
    revision: Text
    rubric: Name = "open-answer-0-5"
    base_url: Text | None = None
    api_key_name: EnvironmentName | None = None
    temperature: Annotated[NonNegativeFloat, Field(le=2)] = 0.0
    max_output_tokens: PositiveInt = 64
    first_repeats: PositiveInt = 2
    most_repeats: PositiveInt = 5
    price: PriceSpec | None = None
    budget_usd: PositiveFloat | None = None
    timeout_s: PositiveFloat = 120.0
    attempts: PositiveInt = 5
    most_calls: Annotated[int, Field(gt=0, le=256)] = 8

    @model_validator(mode="after")
    def _repeats_grow(self) -> Self:
        if self.most_repeats < self.first_repeats:
            raise PydanticCustomError("repeats", "most_repeats of at least first_repeats")
        return self
