"""A sample of the answers that a run's judge graded, for people to grade blindly."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from firsthand.core.identity import digest_json
from firsthand.curation.judgement_items import judgement_item, person_grades
from firsthand.curation.reviewing import ReviewDecision, Stander, single_state
from firsthand.curation.revisions import ReviewItem
from firsthand.judging import AuditAgreement, audit_agreement, load_rubric
from firsthand.store import Store, read_table
from firsthand.store.releases import ReleaseCheck, read_release
from firsthand.store.tables import ASKS, JUDGEMENTS, REPLIES, RUNS
from firsthand.subjects.material import questions_of

__all__ = ["SAMPLE_SIZE", "JudgedAnswer", "JudgedRun", "judged_run", "release_name"]

SAMPLE_SIZE: Final = 50
"""Most answers of a run and rubric that people are asked about."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An open answer that a judge graded, without what the judge said of it.

    Args:
        participant_id: Whose stream the question is about.
        run_id: The run.
        ask_id: The ask.
        rubric: Name and version of the rubric.
        question: The question.
        reference: The right answer.
        answer: What the subject said.
    """

    participant_id: str
    run_id: str
    ask_id: str
    rubric: str
    question: str
    reference: str
    answer: str

    @property
    def item(self) -> ReviewItem:
        """The answer as it is put before people."""
        row = {name: getattr(self, name) for name in ("rubric", "question", "reference", "answer")}
        return judgement_item(self.run_id, self.ask_id, row)


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run whose open answers a judge graded.

    Args:
        subject_id: Who was asked.
        answers: Those that people are asked about.
        judgements: Rows of table `judgements`.
    """

    subject_id: str
    answers: tuple[JudgedAnswer, ...]
    judgements: Sequence[Row]

    def figures(
        self, decisions: Sequence[ReviewDecision], stander: Stander = single_state
    ) -> dict[tuple[str, str], AuditAgreement]:
        """Return how far each judge agrees with the people who graded, by judge and rubric.

        Args:
            decisions: In order of arrival; those on other items do not count.
            stander: How states follow from the decisions on an item.
        """
        own = {one.item.item_id: one for one in self.answers}
        graded = person_grades([one.item for one in own.values()], decisions, stander)
        found = {}
        for judge, rubric in sorted({(row["judge"], row["rubric"]) for row in self.judgements}):
            people = {
                own[name].ask_id: grade
                for name, grade in graded.items()
                if own[name].rubric == rubric
            }
            mine = [r for r in self.judgements if (r["judge"], r["rubric"]) == (judge, rubric)]
            highest = max(load_rubric(rubric.split("@")[0]).credit_of)
            found[judge, rubric] = audit_agreement(mine, people, highest)
        return found


def release_name(store: Store, scope: str) -> str:
    """Return the benchmark whose release a run was made over."""
    (run,) = read_table(store, scope, RUNS).to_pylist()
    return str(run["release_id"]).rsplit("-", 1)[0]


def judged_run(store: Store, scope: str, size: int = SAMPLE_SIZE) -> JudgedRun:
    """Return a run's judgements, and the answers that people are asked about.

    Which ones is decided by a digest of the ask, so that their order tells nothing, they are
    the same whenever it is asked, and a larger sample only adds answers.

    Args:
        store: The store.
        scope: The run's scope.
        size: Most answers of each rubric.

    Raises:
        ReleaseBrokenError: If the release is not what its checksums say.
    """
    (run,) = read_table(store, scope, RUNS).to_pylist()
    judgements = read_table(store, scope, JUDGEMENTS).to_pylist()
    drawn = list(_drawn(judgements, size))
    answers = tuple(_answers(store, scope, run, drawn)) if drawn else ()
    return JudgedRun(str(run["subject_id"]), answers, judgements)


def _drawn(judgements: Sequence[Row], size: int) -> Iterator[tuple[str, str]]:
    """Yield ask and rubric of the drawn judgements, in order of their draw."""
    judged = {
        (str(row["ask_id"]), str(row["rubric"])) for row in judgements if row["score"] is not None
    }
    taken: Counter[str] = Counter()
    for ask_id, rubric in sorted(judged, key=lambda one: digest_json(["judged sample", *one])):
        taken[rubric] += 1
        if taken[rubric] <= size:
            yield ask_id, rubric


def _answers(
    store: Store, scope: str, run: Row, drawn: Sequence[tuple[str, str]]
) -> Iterator[JudgedAnswer]:
    release = read_release(store.releases / str(run["release_id"]), ReleaseCheck.SIZES)
    streams = sorted({str(one) for one in release.table("questions")["stream_id"].to_pylist()})
    questions = {kept.question_id: kept for name in streams for kept in questions_of(release, name)}
    asks = {str(row["ask_id"]): row for row in read_table(store, scope, ASKS).to_pylist()}
    replies = {str(row["reply_key"]): row for row in read_table(store, scope, REPLIES).to_pylist()}
    for ask_id, rubric in drawn:
        question = questions[str(asks[ask_id]["question_id"])]
        yield JudgedAnswer(
            participant_id=question.participant_id,
            run_id=str(run["run_id"]),
            ask_id=ask_id,
            rubric=rubric,
            question=question.text,
            reference=" / ".join(question.answer),
            answer=str(replies[str(asks[ask_id]["reply_key"])]["text"]),
        )
