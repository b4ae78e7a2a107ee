"""The ceiling: it is given the right answers and shows that a perfect subject scores full."""

import json
from dataclasses import dataclass

from firsthand.answers.silence import SILENCE
from firsthand.core.time import us_to_s
from firsthand.endpoints.replies import Reply
from firsthand.subjects.configuration import SUBJECTS, BaselineSettings
from firsthand.subjects.subject import (
    Session,
    SessionInputs,
    SubjectFacts,
    SubjectQuestion,
    Unit,
)

__all__ = ["OracleSubject"]

_VERSION = 1


@dataclass(frozen=True, slots=True)
class _OracleSession:
    inputs: SessionInputs
    latency_us: int

    def feed(self, unit: Unit) -> None:
        """Pay no attention: everything is known already."""

    def fork(self) -> Session:
        return self

    def ask(self, question: SubjectQuestion) -> Reply:
        due_us = self.inputs.due_us[question.question_id]
        answer = self.inputs.truth[question.question_id]
        # Before due its evidence is incomplete, so even a perfect subject cannot know.
        too_early = SILENCE if question.standing else "It is too early to tell."
        text = ", ".join(answer) if question.asked_at_us >= due_us else too_early
        if question.names_clues:
            clues_s = [
                [us_to_s(begin_us), us_to_s(end_us)]
                for begin_us, end_us in self.inputs.clues_us[question.question_id]
            ]
            text = json.dumps({"answer": text, "intervals": clues_s}, ensure_ascii=False)
        return Reply(text, "stop", self.latency_us, "declared")


@SUBJECTS.register("oracle")
@dataclass(frozen=True, slots=True)
class OracleSubject:
    """Reads the truth and reveals it from the due time on; never a model."""

    settings: BaselineSettings

    @property
    def facts(self) -> SubjectFacts:
        """Stateless and deterministic; receives the truth and nothing else."""
        return SubjectFacts(
            self.settings.subject_id,
            f"oracle-{_VERSION}-{self.settings.digest}",
            "ceiling: reads the right answers",
            reads_truth=True,
        )

    def open(self, inputs: SessionInputs) -> Session:
        """Begin with the truth of a stream."""
        return _OracleSession(inputs, self.settings.latency_us)
