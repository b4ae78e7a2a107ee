"""The part of a benchmark's file that says how it is reviewed."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from firsthand.curation.double_review import ReviewDemand
from schemas.field_types import Text
from schemas.yaml_records import ExistingPath, Record

__all__ = ["OverrideSpec", "ReviewSpec"]

_USUAL_KAPPA = 0.80


class OverrideSpec(Record):
    """Who releases without what a release demands, and why; both are published."""

    name: Text
    reason: Annotated[str, StringConstraints(min_length=20, strip_whitespace=True)]


Share = Annotated[float, Field(gt=0, le=1)]
ComparedKind = Literal["transcript", "narration", "click", "stroke"]


class ReviewSpec(Record):
    """How the drafted questions are reviewed, and what their review must reach.

    `decisions` holds earlier decisions, as JSON lines. With two annotators, `double_share`
    of the questions are decided on by two people who do not see each other's decisions, and
    of transcripts, narrations, clicks and strokes the share that `queues` names. A release
    demands a Cohen's kappa of the questions above `min_kappa` (null demands none), and of those
    others that at least the share `min_alike` of them is left alike; `agreement_override`
    releases without. With `sign_off`, a release also demands that somebody has signed the
    outcome of the review. `keep_voice_vectors` keeps, past a passed audit, the vectors by which
    strangers are recognised in recordings that come later; without it they are deleted.
    """

    decisions: ExistingPath | None = None
    annotators: Annotated[int, Field(ge=1, le=2)] = 1
    double_share: Share | None = None
    queues: dict[ComparedKind, Share] = Field(default_factory=dict)
    min_kappa: Annotated[float, Field(ge=-1, lt=1)] | None = None
    min_alike: dict[ComparedKind, Share] = Field(default_factory=dict)
    agreement_override: OverrideSpec | None = None
    sign_off: bool = False
    keep_voice_vectors: bool = False

    @property
    def demand(self) -> ReviewDemand:
        """What the review must reach; two annotators decide on every question by default."""
        if self.annotators == 1:
            return ReviewDemand()
        share = 1.0 if self.double_share is None else self.double_share
        unnamed = "min_kappa" not in self.model_fields_set
        least = _USUAL_KAPPA if unnamed else self.min_kappa
        return ReviewDemand(
            share,
            least,
            {str(kind): part for kind, part in self.queues.items()},
            {str(kind): part for kind, part in self.min_alike.items()},
        )

    @model_validator(mode="after")
    def _two_for_agreement(self) -> Self:
        asked = self.double_share or self.min_kappa is not None or self.queues
        if self.annotators == 1 and asked:
            raise PydanticCustomError(
                "annotators", "annotators: 2 where double_share, queues or min_kappa is given"
            )
        unshared = sorted(self.min_alike.keys() - self.queues.keys())
        if unshared:
            raise PydanticCustomError(
                "min_alike", f"{unshared[0]} in queues: of nothing else two decide on an item"
            )
        return self
