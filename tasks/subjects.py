"""What a run file means: its subjects and its policy as values of the library."""

from firsthand.core.time import s_to_us
from firsthand.protocols import Overlap, StreamingPolicy
from firsthand.subjects import SubjectConfiguration, subject_from_json
from schemas.run_spec import RunSpec

__all__ = ["configured_subjects", "streaming_policy"]


def configured_subjects(spec: RunSpec) -> tuple[SubjectConfiguration, ...]:
    """Return the subjects that a run file names."""
    return tuple(
        subject_from_json(
            {
                "subject": subject.kind,
                "subject_id": subject.name,
                "latency_us": subject.declared_latency_us,
                **({} if subject.seed is None else {"seed": subject.seed}),
            }
        )
        for subject in spec.subjects
    )


def streaming_policy(spec: RunSpec) -> StreamingPolicy:
    """Return the protocol's policy that a run file states."""
    policy = spec.policy
    return StreamingPolicy(
        window_us=s_to_us(policy.window_s),
        probe_step_us=s_to_us(policy.probe_step_s),
        probes=policy.probes,
        unit_us=s_to_us(policy.unit_s),
        overlap=Overlap(policy.overlap),
        rule_sets=spec.rule_sets,
    )
