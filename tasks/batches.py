"""The batch of a build's reviewed questions, and the signature that a release may demand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from firsthand.core.identity import Json
from firsthand.curation.agreement import QUEUE_WORDS, Measure
from firsthand.curation.batches import Batch, require_signature, signature_on
from firsthand.curation.reviewing import DecisionKind, ReviewDecision, ReviewState
from firsthand.store.reviews import ReviewRow, ReviewStore
from tasks.items import Benchmark
from tasks.job import Job
from tasks.values import integer, text

__all__ = [
    "Signature",
    "draft_counts",
    "is_signed",
    "last_decision",
    "missing_decisions",
    "missing_signature",
    "question_batch",
    "record_signature",
    "require_sign_off",
    "sign_off_text",
    "signature_json",
]

_QUEUE = "draft"
_OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class Signature:
    """What a person entered under a finished review.

    Args:
        name: Who signs, or refuses to.
        decision: Accepted or rejected.
        reason: Why.
    """

    name: str
    decision: DecisionKind
    reason: str


def draft_counts(benchmark: Benchmark) -> dict[str, int]:
    """Return how many drafts there are, and how many in each state of review."""
    (accepted,) = benchmark.receipts("accept")
    return {name: integer(accepted, name) for name in accepted.values if name != _OUTCOME}


def question_batch(benchmark: Benchmark) -> Batch:
    """Return the drafted questions with what was decided, as this build has applied it."""
    (accepted,) = benchmark.receipts("accept")
    counts = draft_counts(benchmark)
    states = {state: counts[f"drafts_{state.value}"] for state in ReviewState}
    return Batch(benchmark.name, _QUEUE, states, text(accepted, _OUTCOME))


def is_signed(job: Job, benchmark: Benchmark) -> bool:
    """Return whether somebody has signed the outcome that this build has applied."""
    found = signature_on(question_batch(benchmark), _decisions(job))
    return found is not None and found.decision is DecisionKind.ACCEPT


def last_decision(job: Job) -> int:
    """Return the number of the latest decision in the review store; 0 without one."""
    rows = ReviewStore.open(job.store.reviews).rows()
    return rows[-1].sequence if rows else 0


def missing_decisions(benchmark: Benchmark) -> str | None:
    """Return how many questions wait for people, in words; None if none does."""
    batch = question_batch(benchmark)
    if batch.open:
        return f"{batch.open} of {sum(batch.states.values())} questions wait for a decision."
    return None


def missing_signature(job: Job, benchmark: Benchmark) -> str | None:
    """Return what a demanded signature waits for, in words; None if nothing is missing."""
    if not job.spec().review.sign_off or is_signed(job, benchmark):
        return None
    refused = signature_on(question_batch(benchmark), _decisions(job))
    if refused is not None:
        return f"{refused.reviewer} refused to sign; decide anew on the questions, or sign."
    return missing_decisions(benchmark) or (
        "nobody has signed. `make up` starts the run `release-reviewed`; fill in its form."
    )


def record_signature(
    job: Job, benchmark: Benchmark, signature: Signature, now_s: Callable[[], float]
) -> ReviewRow:
    """Record a decision on the batch; recording the latest one again adds no row."""
    item = question_batch(benchmark).item
    return ReviewStore.open(job.store.reviews, now_s).submit(
        ReviewDecision.on(item, signature.name, signature.decision, signature.reason),
        expected_revision=item.revision,
    )


def require_sign_off(job: Job, benchmark: Benchmark) -> None:
    """Check that the questions are signed off, if the benchmark's file demands it.

    Raises:
        NotSignedOffError: If they are not.
    """
    if job.spec().review.sign_off:
        require_signature(question_batch(benchmark), _decisions(job))


def sign_off_text(job: Job, benchmark: Benchmark) -> str:
    """Return, as Markdown, what is put before the person who signs: counts, never words.

    Args:
        job: The job.
        benchmark: With the receipts of the gate and of what was accepted.
    """
    (gate,) = benchmark.receipts("gate")
    found = cast("Mapping[str, Json]", gate.values["agreement"])
    batch = question_batch(benchmark)
    counts = draft_counts(benchmark)
    lines = [
        f"**Sign-off of the questions of {batch.benchmark}**",
        "",
        f"- {batch.states[ReviewState.ACCEPTED]} accepted and "
        f"{batch.states[ReviewState.REJECTED]} rejected of {sum(batch.states.values())} reviewed; "
        f"{counts['drafts_checked_out']} of {counts['drafts']} drafts failed a check before.",
        *_agreement_lines(found),
        f"- Outcome {batch.outcome[:16]}: one decision more, and this form counts for nothing.",
    ]
    earlier = signature_on(batch, _decisions(job))
    if earlier is not None:
        lines.append(f"- {earlier.reviewer} refused to sign it: {earlier.reason}")
    return "\n".join(lines)


def _agreement_lines(found: Mapping[str, Json]) -> list[str]:
    queues = cast("Mapping[str, Mapping[str, Json]]", found["queues"])
    chosen = {kind: one for kind, one in queues.items() if one["chosen"]}
    if not chosen:
        return ["- Each question was decided on by one person."]
    override = found["agreement_override"]
    return [
        *(_queue_line(QUEUE_WORDS[kind], one) for kind, one in chosen.items()),
        *(
            [f"- Released below what is demanded by {override['name']}."]
            if isinstance(override, Mapping)
            else []
        ),
    ]


def _queue_line(name: str, said: Mapping[str, Json]) -> str:
    least = said["least"]
    relation = "above" if said["measure"] == Measure.KAPPA else "at least"
    demanded = "nothing demanded" if least is None else f"{relation} {least} demanded"
    alpha = f", Krippendorff's alpha {_figure(said['alpha'])}" if "alpha" in said else ""
    return (
        f"- Two annotators decided on {said['decided_by_two']} of {said['chosen']} chosen {name}, "
        f"alike on {said['alike']}: {said['measure']} {_figure(said['value'])} ({demanded}){alpha}."
    )


def _figure(value: Json) -> str:
    return "not defined" if value is None else f"{float(str(value)):.3f}"


def signature_json(job: Job, benchmark: Benchmark) -> dict[str, Json] | None:
    """Return what a manifest says of the signature; None where none is demanded or there."""
    found = signature_on(question_batch(benchmark), _decisions(job))
    if not job.spec().review.sign_off or found is None:
        return None
    return {
        "name": found.reviewer,
        "decision": found.decision.value,
        "reason": found.reason,
        "signed_utc_us": found.decided_utc_us,
        "outcome": question_batch(benchmark).outcome,
    }


def _decisions(job: Job) -> list[ReviewDecision]:
    return ReviewStore.open(job.store.reviews).decisions()
