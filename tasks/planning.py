"""Planning an evaluation: the release, the subjects, and every ask before the first is put."""

from dataclasses import dataclass, replace

from firsthand.core.errors import FirsthandError
from firsthand.store.release_index import newest_release
from firsthand.store.releases import read_release
from firsthand.subjects import PROTOCOLS
from schemas.run_spec import load_run_spec
from tasks.evaluation import AskedQuestions
from tasks.job import Job
from tasks.judges import judge_settings
from tasks.protocols import policy_of
from tasks.results import Results, receipt_of
from tasks.subjects import configured_subjects

__all__ = ["NoQuestionError", "Plan", "plan_evaluation"]


class NoQuestionError(FirsthandError):
    """A release holds no question, so there is nothing to ask."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An evaluation as planned, and as far as it has come.

    Args:
        job: The job.
        release_id: The release asked about.
        subjects: Subject ids.
        shards: All shards.
    """

    job: Job
    release_id: str
    subjects: tuple[str, ...]
    shards: tuple[AskedQuestions, ...]

    @property
    def stages_after_asking(self) -> tuple[str, ...]:
        """Stages that make scores of replies, in order; no subject is asked in any."""
        judged = any(shard.judge for shard in self.shards)
        return ("read", "judge", "score") if judged else ("read", "score")

    def after(self, stage: str, results: Results) -> "Plan":
        """Return the plan with what a stage made of each shard.

        Raises:
            StageFailedError: If a shard failed: a run with a hole is no run.
        """
        shards = tuple(
            shard.after(stage, receipt_of(results[shard.item_id])) for shard in self.shards
        )
        return replace(self, shards=shards)


def plan_evaluation(job: Job, began_unix_s: float, limit: int | None = None) -> Plan:
    """Plan the run of each subject that the run file names, over the newest release.

    Args:
        job: The job.
        began_unix_s: When the command began.
        limit: How many questions of each stream are asked; None for all.

    Raises:
        ConfigurationError: If a judge is named and the protocol has nothing to judge.
        NoQuestionError: If the release holds no question.
        NoReleaseError: If there is no release to evaluate on.
        ReleaseBrokenError: If the release is not what its checksums say.
    """
    spec = load_run_spec(job.spec_path)
    release = read_release(newest_release(job.store, spec.benchmark))
    subjects = configured_subjects(spec, job.store)
    judge = judge_settings(spec.judge)
    shards = tuple(
        AskedQuestions(shard, release.path, release.release_id, release.digest, began_unix_s, judge)
        for shard in PROTOCOLS[spec.protocol.name].plan(
            release, subjects, policy_of(spec), limit=limit
        )
    )
    if not shards:
        raise NoQuestionError(
            f"release {release.release_id!r}",
            "no question",
            "at least one accepted question",
            "Review its drafts (`firsthand review list`) and build the benchmark again.",
        )
    if judge is not None:
        # A judge of nothing is told before the first subject is asked.
        _ = shards[0].judged
    names = tuple(subject.settings.subject_id for subject in subjects)
    return Plan(job, release.release_id, names, shards)
