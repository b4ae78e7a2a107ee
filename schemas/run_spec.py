"""The run file: which subjects are asked, under which policy, scored by which rules."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, model_validator
from pydantic_core import PydanticCustomError

from firsthand.core.outcomes import RuleSet
from firsthand.core.time import s_to_us
from schemas.benchmark_spec import Name
from schemas.yaml_records import Record, load_record

__all__ = ["PolicySpec", "RunSpec", "SubjectSpec", "load_run_spec"]


class SubjectSpec(Record):
    """A subject: a baseline by kind, with the latency it declares for every reply.

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


class PolicySpec(Record):
    """The streaming protocol's policy; the defaults are TeleEgo's.

    An answer counts within `window_s` of its due time; after a right one, `probes` probes
    follow `probe_step_s` apart; subjects are fed units of `unit_s`.
    """

    window_s: PositiveFloat = 5.0
    probe_step_s: PositiveFloat = 60.0
    probes: Annotated[int, Field(ge=0, le=1000)] = 10
    unit_s: PositiveFloat = 1.0
    overlap: Literal["independent"] = "independent"


class RunSpec(Record):
    """A run: subjects, policy and rule sets; the benchmark may be left out if there is one."""

    schema_version: Literal[1]
    name: Name
    benchmark: Name | None = None
    subjects: Annotated[tuple[SubjectSpec, ...], Field(min_length=1, strict=False)]
    policy: PolicySpec = PolicySpec()
    rule_sets: Annotated[
        tuple[Annotated[RuleSet, Field(strict=False)], ...], Field(min_length=1, strict=False)
    ]

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        names = [subject.name for subject in self.subjects]
        if len(set(names)) < len(names) or len(set(self.rule_sets)) < len(self.rule_sets):
            raise PydanticCustomError("twice", "each subject's name and each rule set once")
        return self


def load_run_spec(path: Path) -> RunSpec:
    """Read a run file.

    Raises:
        UnknownKeyError: If it holds a key that nothing reads.
        ConfigurationError: If a value cannot be used.
    """
    return load_record(path, RunSpec)
