"""The run file: which subjects are asked, under which policy, scored by which rules."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, PositiveFloat, model_validator
from pydantic_core import PydanticCustomError

from firsthand.core.outcomes import RuleSet
from schemas.field_types import Name
from schemas.judge_spec import JudgeSpec
from schemas.protocol_specs import ProtocolSpec, StreamingSpec
from schemas.subject_specs import SubjectSpec
from schemas.yaml_records import Record, load_record

__all__ = ["PolicySpec", "RunSpec", "load_run_spec"]


class PolicySpec(Record):
    """The streaming protocol's policy; the defaults are TeleEgo's.

    An answer counts within `window_s` of its due time; after a right one, `probes` probes
    follow `probe_step_s` apart; subjects are fed units of `unit_s`. Answers are timed
    `independent` of each other; scores as if they had queued stand beside. `probe_all`
    asks every probe, also of questions that no rule set counts right, so that a later
    reader never misses one. With `real_time`, streams run at that many times the pace of the
    clock and answers take the time they take; such a run is never ranked.
    """

    window_s: PositiveFloat = 5.0
    probe_step_s: PositiveFloat = 60.0
    probes: Annotated[int, Field(ge=0, le=1000)] = 10
    unit_s: PositiveFloat = 1.0
    overlap: Literal["independent"] = "independent"
    probe_all: bool = False
    real_time: PositiveFloat | None = None


class RunSpec(Record):
    """A run: subjects, protocol and rule sets; the benchmark may be left out if there is one.

    Without a protocol, questions are asked along streams, under `policy`.

    Without a judge, open answers are kept and not scored.
    """

    schema_version: Literal[1]
    name: Name
    benchmark: Name | None = None
    subjects: Annotated[tuple[SubjectSpec, ...], Field(min_length=1, strict=False)]
    protocol: ProtocolSpec = StreamingSpec()
    policy: PolicySpec = PolicySpec()
    judge: JudgeSpec | None = None
    rule_sets: Annotated[
        tuple[Annotated[RuleSet, Field(strict=False)], ...], Field(min_length=1, strict=False)
    ]

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        names = [subject.name for subject in self.subjects]
        if len(set(names)) < len(names) or len(set(self.rule_sets)) < len(self.rule_sets):
            raise PydanticCustomError("twice", "each subject's name and each rule set once")
        return self

    @model_validator(mode="after")
    def _policy_has_its_protocol(self) -> Self:
        if "policy" in self.model_fields_set and not isinstance(self.protocol, StreamingSpec):
            raise PydanticCustomError(
                "policy", "`policy` with the streaming protocol alone; others take their own keys"
            )
        return self


def load_run_spec(path: Path) -> RunSpec:
    """Read a run file.

    Raises:
        UnknownKeyError: If it holds a key that nothing reads.
        ConfigurationError: If a value cannot be used.
    """
    return load_record(path, RunSpec)
