"""A policy and its caveats, said in sentences."""

from collections.abc import Iterator, Mapping, Sequence

from firsthand.core.outcomes import RuleSet
from firsthand.core.time import us_to_s
from firsthand.metrics.intervals import FEW_CLUSTERS
from firsthand.protocols import Overlap, StreamingPolicy
from firsthand.protocols.lifelong_policy import AskedAt, LifelongPolicy
from firsthand.protocols.standing import ProactivePolicy
from firsthand.subjects import SubjectFacts

__all__ = [
    "RULE_SET_WORDS",
    "lifelong_sentences",
    "policy_sentences",
    "standing_sentences",
    "warning_sentences",
]

RULE_SET_WORDS: Mapping[RuleSet, tuple[str, str]] = {
    RuleSet.PAPER: (
        "Rule set “paper”",
        "What the benchmark's paper defines: late answers do not count, every planned question "
        "stays in the denominator, and what was never seen to fail is censored.",
    ),
    RuleSet.OFFICIAL: (
        "Rule set “official”",
        "What the benchmark's released code computes, so that published figures can be "
        "reproduced: answers count whenever they come, questions without a reply leave the "
        "denominator, and letters are read wherever they stand. Not comparable with “paper”.",
    ),
}

_PUBLISHED = StreamingPolicy()


def policy_sentences(policy: StreamingPolicy) -> tuple[str, ...]:
    """Return what a policy means, a sentence a rule."""
    return tuple(_policy_sentences(policy))


def _policy_sentences(policy: StreamingPolicy) -> Iterator[str]:
    yield (
        "A question is due when its evidence has ended, rounded up to a whole second. An answer "
        f"counts if its last token comes within {_seconds(policy.window_us)} of that."
    )
    if policy.probes:
        yield (
            "A question that was answered correctly is asked again every "
            f"{_seconds(policy.probe_step_us)}, at most {policy.probes} times, without its "
            "evidence, until it fails or the stream ends."
        )
        if policy.probe_step_us != _PUBLISHED.probe_step_us:
            short = policy.probe_step_us < _PUBLISHED.probe_step_us
            yield (
                f"{'The samples are short: probes' if short else 'Probes'} every "
                f"{_seconds(policy.probe_step_us)}, where the published protocol waits "
                f"{_seconds(_PUBLISHED.probe_step_us)}. Persistence times here are not comparable "
                "with published ones."
            )
    if policy.probe_all:
        yield "Every probe is asked, also after a failure, so that later readers miss none."
    yield (
        f"Subjects are fed in units of {_seconds(policy.unit_us)} and are given only units that "
        "end at or before the due time. Being asked teaches them nothing."
    )
    if policy.real_time is not None:
        yield (
            f"Streams ran in real time, {policy.real_time:g} s of the stream in a second; answers "
            "take what passed since they were due, whatever else was being answered."
        )
    elif policy.overlap is Overlap.INDEPENDENT:
        yield "Each answer is timed alone, as if nothing else had been asked."
    else:
        yield "Answers queue: one begins when the one before it has ended; windows do not wait."


def standing_sentences(policy: ProactivePolicy) -> tuple[str, ...]:
    """Return what a policy of standing questions means, a sentence a rule."""
    return (
        f"A question stands from {_seconds(policy.stands_us)} before it is due until "
        f"{_seconds(policy.listens_us)} after. Whenever a unit of {_seconds(policy.unit_us)} has "
        "ended, the subject may answer it or say nothing; while it speaks it has no further turn.",
        "The first right answer from due on counts if its last token comes within "
        f"{_seconds(policy.window_us)} of due. An answer before due is too early: it is counted "
        "and never scored, right or not.",
        "Each question stands alone, and every turn is rolled back.",
    )


def lifelong_sentences(policy: LifelongPolicy) -> tuple[str, ...]:
    """Return what a policy about whole lives means, a sentence a rule."""
    budget = policy.budget
    up_to = "its due time" if policy.asked_at is AskedAt.DUE else "the end of the stream"
    tokens = "" if budget.most_tokens is None else f", within {budget.most_tokens} tokens in all"
    return (
        f"Every question is put once, about everything up to {up_to}. A subject without a memory "
        f"of its own is given at most {budget.most_frames} frames and {budget.most_words} words, "
        f"spread evenly over the recorded time{tokens}; one with a memory follows the stream.",
        "Answers are scored whatever time they took. Evidence is named with them, and scored by "
        "Ref@N: the bins of N seconds that the named and the true intervals touch, shared over "
        "united.",
    )


def warning_sentences(
    facts: Sequence[SubjectFacts], incomplete: Sequence[str], clusters: int
) -> tuple[str, ...]:
    """Return what a reader must know before comparing scores.

    Args:
        facts: The subjects shown.
        incomplete: Subjects whose run lost asks to the infrastructure.
        clusters: Recordings that the questions of the whole leaderboard rest on.
    """
    return tuple(_warning_sentences(facts, incomplete, clusters))


def _warning_sentences(
    facts: Sequence[SubjectFacts], incomplete: Sequence[str], clusters: int
) -> Iterator[str]:
    if incomplete:
        yield (
            f"Incomplete: {_listed(incomplete)} lost asks to the infrastructure; they count as "
            "not answered until the run is repeated, which asks only those again."
        )
    if clusters < FEW_CLUSTERS:
        yield (
            f"The questions rest on {clusters} recording{'s' if clusters != 1 else ''} only: "
            "intervals are rough, and differences may be chance."
        )
    ceilings = [fact.subject_id for fact in facts if fact.reads_truth]
    if ceilings:
        yield (
            f"{_listed(ceilings)} reads the right answers. It is a ceiling that proves the "
            "scoring, not a model, and is not ranked."
        )
    people = [fact.subject_id for fact in facts if fact.is_person]
    if people:
        yield (
            f"{_listed(people)} answered as a person, timed from the moment at which each "
            "question was shown: a human baseline, which is not ranked among models."
        )
    declared = [fact.subject_id for fact in facts if fact.latency_source == "declared"]
    if declared:
        yield f"Answer times of {_listed(declared)} are declared, not measured."
    in_context = [fact.subject_id for fact in facts if not fact.can_fork]
    if in_context:
        yield (
            f"{_listed(in_context)} cannot be rolled back after an ask: earlier questions stay in "
            "its context (asks_in_context)."
        )


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _seconds(moment_us: int) -> str:
    return f"{us_to_s(moment_us):g} s"
