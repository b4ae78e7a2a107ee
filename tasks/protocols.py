"""What a run file says of its protocol, as the policy of the library."""

from firsthand.core.outcomes import RuleSet
from firsthand.core.time import s_to_us
from firsthand.protocols import GroundingPolicy, Overlap, StreamingPolicy
from firsthand.protocols.lifelong_policy import AskedAt, LifelongPolicy, SampleBudget
from firsthand.protocols.standing import ProactivePolicy
from firsthand.subjects import RunPolicy
from schemas.protocol_specs import GroundingSpec, LifelongSpec, ProactiveSpec, StreamingSpec
from schemas.run_spec import RunSpec

__all__ = ["policy_of"]


def policy_of(spec: RunSpec) -> RunPolicy:
    """Return the policy under which a run file has its subjects asked."""
    match spec.protocol:
        case StreamingSpec():
            return _streaming(spec)
        case ProactiveSpec() as standing:
            return ProactivePolicy(
                window_us=s_to_us(standing.window_s),
                unit_us=s_to_us(standing.unit_s),
                stands_us=s_to_us(standing.stands_s),
                listens_us=s_to_us(standing.listens_s),
                rule_sets=spec.rule_sets,
            )
        case LifelongSpec():
            return _lifelong(spec.protocol, spec.rule_sets)
        case GroundingSpec() as grid:
            return _grounding(grid, spec)


def _grounding(grid: GroundingSpec, spec: RunSpec) -> GroundingPolicy:
    reference = grid.reference or grid.stacks[0]
    return GroundingPolicy(grid.stacks, grid.fps, reference, spec.rule_sets)


def _streaming(spec: RunSpec) -> StreamingPolicy:
    policy = spec.policy
    return StreamingPolicy(
        window_us=s_to_us(policy.window_s),
        probe_step_us=s_to_us(policy.probe_step_s),
        probes=policy.probes,
        unit_us=s_to_us(policy.unit_s),
        overlap=Overlap(policy.overlap),
        probe_all=policy.probe_all,
        rule_sets=spec.rule_sets,
        real_time=policy.real_time,
    )


def _lifelong(spec: LifelongSpec, rule_sets: tuple[RuleSet, ...]) -> LifelongPolicy:
    return LifelongPolicy(
        budget=SampleBudget(**spec.budget.model_dump()),
        asked_at=AskedAt(spec.asked_at),
        least_step_us=s_to_us(spec.least_step_s),
        sound_us=s_to_us(spec.sound_s),
        unit_us=s_to_us(spec.unit_s),
        ref_bins_s=spec.ref_bins_s,
        rule_sets=rule_sets,
    )
