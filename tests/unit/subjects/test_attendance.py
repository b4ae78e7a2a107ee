"""Subjects that fail, that cannot forget an ask, and that look."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firsthand.core.taxonomy import Modality, QuestionType
from firsthand.endpoints.replies import Reply, ReplyLog
from firsthand.protocols import StreamingPolicy
from firsthand.subjects import (
    SUBJECTS,
    Access,
    BaselineSettings,
    ResultTables,
    SubjectConfiguration,
    SubjectFacts,
    SubjectUnavailableError,
    merge_shards,
    plan_asks,
    run_shard,
    run_table,
)
from firsthand.subjects.access import NOTHING
from firsthand.subjects.attendance import Attendance
from firsthand.subjects.material import stream_material
from firsthand.subjects.subject import Session, SessionInputs, SubjectQuestion, Unit
from tests.unit.subjects.kitchen import S, kitchen

POLICY = StreamingPolicy(probe_step_us=5 * S, probes=2)
BROKEN: set[str] = set()
"""Questions whose calls fail for now."""


@contextmanager
def broken(*question_ids: str) -> Iterator[None]:
    BROKEN.update(question_ids)
    yield
    BROKEN.clear()


@dataclass
class _Talker:
    """Answers "A", or "true", with the number of things it remembers as its tokens."""

    remembers: list[object] = field(default_factory=list)

    def feed(self, unit: Unit) -> None:
        self.remembers.append(unit)

    def fork(self) -> Session:
        return _Talker(list(self.remembers))

    def ask(self, question: SubjectQuestion) -> Reply:
        if question.question_id in BROKEN:
            raise SubjectUnavailableError("subject 'talker'", "a refused call", "a reply", "Wait.")
        self.remembers.append(question)
        text = "true" if question.question_type is QuestionType.BINARY else "A"
        return Reply(text, "stop", S, "declared", input_tokens=len(self.remembers))


@dataclass(frozen=True)
class _TalkerSubject:
    settings: BaselineSettings
    can_fork: bool = True
    receives: frozenset[Modality] = frozenset({Modality.SPEECH})

    @property
    def facts(self) -> SubjectFacts:
        return SubjectFacts(
            self.settings.subject_id,
            "1",
            "talks",
            receives=self.receives,
            stateful=True,
            can_fork=self.can_fork,
        )

    def open(self, _inputs: SessionInputs) -> Session:
        return _Talker()


SUBJECTS.register("talker")(_TalkerSubject)
SUBJECTS.register("rememberer")(lambda settings: _TalkerSubject(settings, can_fork=False))
SUBJECTS.register("looker")(
    lambda settings: _TalkerSubject(settings, receives=frozenset({Modality.VIDEO}))
)


def run(folder: Path, name: str, access: Access = NOTHING) -> ResultTables:
    release = kitchen()
    configured = SubjectConfiguration(name, BaselineSettings(name))
    log = ReplyLog(folder, "w")
    shards = plan_asks(release, [configured], POLICY)
    return merge_shards(run_shard(shard, release, log, access) for shard in shards)


def complete(result: ResultTables, name: str) -> bool:
    shards = plan_asks(kitchen(), [SubjectConfiguration(name, BaselineSettings(name))], POLICY)
    return bool(run_table("kitchen", shards, result).column("complete")[0].as_py())


def test_a_failed_call_is_an_infrastructure_error_and_mended_by_the_next_run(
    tmp_path: Path,
) -> None:
    undisturbed = run(tmp_path / "calm", "talker")
    with broken("qa2"):
        disturbed = run(tmp_path / "rough", "talker")
    outcome = {row["ask_id"]: row["outcome"] for row in disturbed.asks.to_pylist()}
    assert outcome["qa2@0"] == "infrastructure_error(SubjectUnavailableError)"
    assert "qa2@1" not in outcome
    verdict = {
        row["ask_id"]: row["outcome"]
        for row in disturbed.verdicts.to_pylist()
        if row["rule_set"] == "paper"
    }
    assert verdict["qa2@0"] == "infrastructure_error"
    assert not complete(disturbed, "talker")
    mended = run(tmp_path / "rough", "talker")
    assert mended == undisturbed
    assert complete(mended, "talker")


def test_a_fork_forgets_what_it_was_asked_and_a_subject_without_forks_does_not(
    tmp_path: Path,
) -> None:
    def remembered(name: str) -> dict[str, int]:
        result = run(tmp_path / name, name)
        tokens = {row["reply_key"]: row["input_tokens"] for row in result.replies.to_pylist()}
        asks = [row for row in result.asks.to_pylist() if row["reply_key"]]
        return {row["ask_id"]: tokens[row["reply_key"]] for row in asks}

    # Four units and the question; at 8 s eight units and the question, and for a subject
    # without forks the question before it.
    assert remembered("talker")["qa1@0"] == remembered("rememberer")["qa1@0"] == 5
    assert remembered("talker")["qa2@0"] == 9
    assert remembered("rememberer")["qa2@0"] == 10


def test_a_subject_without_forks_is_brought_back_to_where_it_was(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", "rememberer")
    lines = (tmp_path / "whole" / "w.jsonl").read_bytes().splitlines(keepends=True)
    for kept in range(len(lines)):
        folder = tmp_path / str(kept)
        folder.mkdir()
        (folder / "w.jsonl").write_bytes(b"".join(lines[:kept]))
        assert run(folder, "rememberer") == whole


def test_a_subject_that_looks_records_the_last_frame_it_could_see(tmp_path: Path) -> None:
    # Frames at 0.0, 0.4, 0.8, … s of each clip; the second recording begins at 12 s.
    frames_us = list(range(0, 12 * S, 400_000))
    access = Access(lambda clip_id: tmp_path / clip_id, lambda _: frames_us)
    result = run(tmp_path, "looker", access)
    seen = {row["ask_id"]: row["last_frame_us"] for row in result.asks.to_pylist()}
    assert seen["qa1@0"] == 4_000_000
    assert seen["qa1@1"] == 8_800_000
    assert seen["qa3@0"] == 12_000_000 + 2_800_000
    assert all(row["last_word_us"] is None for row in result.asks.to_pylist())


def test_a_subject_that_looks_needs_to_know_when_the_frames_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="frame times"):
        run(tmp_path, "looker")


def test_an_empty_reply_is_no_reply() -> None:
    class _Silent(_Talker):
        def ask(self, _question: SubjectQuestion) -> Reply:
            return Reply(" ", "stop", S, "declared")

        def fork(self) -> Session:
            return self

    class _SilentSubject(_TalkerSubject):
        def open(self, _inputs: SessionInputs) -> Session:
            return _Silent()

    material = stream_material(kitchen(), "sa")
    question = material.questions["qa1"].asked(4 * S, 0)
    attendance = Attendance(_SilentSubject(BaselineSettings("silent")), material)
    with pytest.raises(SubjectUnavailableError, match="empty reply"):
        attendance.ask(question)
