"""Putting single asks: a stored reply is used, a missing one is asked for and stored."""

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from firsthand.answers.silence import is_silence
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.endpoints.errors import (
    BudgetExceededError,
    EndpointAnswerError,
    EndpointBusyError,
    EndpointRefusedError,
    EndpointUnreachableError,
    ReplyWithheldError,
)
from firsthand.endpoints.replies import Reply, ReplyLog, ReplyOwner
from firsthand.protocols import Ask, Censor, Event, Failed, Replied, Skip
from firsthand.subjects.course import Given, reply_identity
from firsthand.subjects.grading import correct_under
from firsthand.subjects.material import StreamMaterial
from firsthand.subjects.planned_shard import PlannedShard
from firsthand.subjects.subject import (
    NotRecordedError,
    SubjectFacts,
    SubjectQuestion,
    SubjectUnavailableError,
)

__all__ = [
    "ANSWERED",
    "EXPECTED_FAILURES",
    "TURN",
    "UNFINISHED",
    "AskNotes",
    "Asker",
    "KeptReplies",
    "Manner",
    "Row",
    "ending_of",
]

ANSWERED = "answered"
"""Outcome of an ask that brought a reply; how good it is, scoring says."""

TURN = "turn"
"""Phase of an ask that is a turn at a standing question."""

UNFINISHED = (str(Outcome.INFRASTRUCTURE_ERROR), f"{Outcome.NOT_ASKED}(budget)")
"""How outcomes begin that another run can still mend."""

Row = Mapping[str, object]

# What can keep a reply away without ending the run; anything else is a mistake in the
# configuration, which no other ask would escape.
_ENDINGS: tuple[tuple[type[Exception], Outcome, str | None], ...] = (
    (ReplyWithheldError, Outcome.REFUSED, "withheld"),
    (BudgetExceededError, Outcome.NOT_ASKED, "budget"),
    (NotRecordedError, Outcome.NOT_ASKED, "not_recorded"),
    (SubjectUnavailableError, Outcome.INFRASTRUCTURE_ERROR, None),
    (EndpointBusyError, Outcome.INFRASTRUCTURE_ERROR, None),
    (EndpointUnreachableError, Outcome.INFRASTRUCTURE_ERROR, None),
    (EndpointAnswerError, Outcome.INFRASTRUCTURE_ERROR, None),
    (EndpointRefusedError, Outcome.INFRASTRUCTURE_ERROR, None),
)
EXPECTED_FAILURES = tuple(error for error, _, _ in _ENDINGS)
"""What ends one ask and no other; `ending_of` names its outcome."""


class AskNotes:
    """Rows of table `asks`, taken down in any order by any thread.

    Args:
        shard: The shard.
        material: Its stream.
        facts: Its subject.
        standing: Whether an ask is a turn at a question that stands.
    """

    def __init__(
        self,
        shard: PlannedShard,
        material: StreamMaterial,
        facts: SubjectFacts,
        *,
        standing: bool = False,
    ) -> None:
        self._standing = standing
        self._shared = {
            "participant_id": material.participant_id,
            "run_id": shard.run_id,
            "subject_id": facts.subject_id,
        }
        self._missing = {
            name: sorted(question.required_modalities - facts.receives)
            for name, question in material.questions.items()
        }
        self._rows: list[Row] = []

    def note(
        self, ask: Ask | Skip | Censor, given: Given, reply_key: str | None, outcome: str
    ) -> None:
        """Take down how an ask ended."""
        probe_round = ask.probe_round
        self._rows.append(
            {
                **self._shared,
                "ask_id": f"{ask.question_id}@{probe_round}",
                "question_id": ask.question_id,
                "phase": self._phase(probe_round),
                "probe_round": probe_round,
                "due_us": ask.due_us,
                "last_frame_us": given.last_frame_us,
                "last_word_us": given.last_word_us,
                "missing_modalities": self._missing[ask.question_id],
                "reply_key": reply_key,
                "outcome": outcome,
            }
        )

    def _phase(self, probe_round: int) -> str:
        if self._standing:
            return TURN
        return "probe" if probe_round else "initial"

    def note_unasked(self, instruction: Skip | Censor, given: Given) -> None:
        """Take down an ask that the protocol decided not to put."""
        outcome = str(Outcome.CENSORED_STREAM_END)
        if isinstance(instruction, Skip):
            outcome = f"{Outcome.NOT_ASKED}({instruction.reason})"
        self.note(instruction, given, None, outcome)

    @property
    def rows(self) -> Sequence[Row]:
        """The rows in order of due time, then as they are told apart."""
        return sorted(self._rows, key=lambda row: (row["due_us"], row["ask_id"]))


@dataclass(frozen=True, slots=True)
class Manner:
    """How questions are put.

    Args:
        standing: Whether an ask is a turn at a question that stands, which may be let pass.
        names_clues: Whether answers are to name the intervals that they rest on.
        context: What tells replies under this policy from those under others.
    """

    standing: bool = False
    names_clues: bool = False
    context: tuple[str, ...] = ()


_PLAIN = Manner()


class Asker:
    """Puts the asks of one shard; threads may share it.

    Args:
        shard: The shard.
        material: Its stream.
        facts: Its subject.
        log: Where replies are kept.
        manner: How its questions are put.
    """

    def __init__(
        self,
        shard: PlannedShard,
        material: StreamMaterial,
        facts: SubjectFacts,
        log: ReplyLog,
        manner: Manner = _PLAIN,
    ) -> None:
        self._shard = shard
        self._material = material
        self._facts = facts
        self._kept = KeptReplies(log, ReplyOwner(material.participant_id, facts.subject_id))
        self._manner = manner
        self.notes = AskNotes(shard, material, facts, standing=manner.standing)

    def question(self, ask: Ask) -> SubjectQuestion:
        """Return the question as the subject hears it now."""
        sample_index = ask.probe_round if self._facts.samples else 0
        question = self._material.questions[ask.question_id].asked(ask.due_us, sample_index)
        return replace(
            question, standing=self._manner.standing, names_clues=self._manner.names_clues
        )

    def put(
        self,
        ask: Ask,
        given: Given,
        reply: Callable[[SubjectQuestion, Reply | None], Reply],
    ) -> Event:
        """Put an ask and return what the protocol is told.

        Args:
            ask: The ask.
            given: What the subject has been given by now.
            reply: Returns the reply to a question, given the stored one if there is one.
        """
        question = self.question(ask)
        key = reply_identity(self._facts, self._material, given, question, self._manner.context).key
        try:
            found = self._kept.reply(key, lambda stored: reply(question, stored))
        except EXPECTED_FAILURES as failure:
            self.notes.note(ask, given, None, ending_of(failure))
            return Failed(ask.question_id, ask.probe_round)
        self.notes.note(ask, given, key, ANSWERED)
        return Replied(ask.question_id, ask.probe_round, found.latency_us, self._right(ask, found))

    def _right(self, ask: Ask, reply: Reply) -> frozenset[RuleSet]:
        if self._manner.standing and is_silence(reply.text):
            return frozenset()
        kept = self._material.questions[ask.question_id]
        return correct_under(reply, kept, self._shard.policy.rule_sets)


class KeptReplies:
    """Replies of one owner in a log; threads may share it.

    Args:
        log: Where replies are kept.
        owner: Whose they are, and about whom.
    """

    def __init__(self, log: ReplyLog, owner: ReplyOwner) -> None:
        self._log = log
        self._owner = owner
        self._turns: dict[str, threading.Lock] = defaultdict(threading.Lock)

    def reply(self, key: str, ask: Callable[[Reply | None], Reply]) -> Reply:
        """Return the reply under a key, stored from now on.

        Args:
            key: The key.
            ask: Returns the reply, given the stored one if there is one.
        """
        # Two asks may share a key; the second waits and finds the reply of the first.
        with self._turns[key]:
            stored = self._log.get(key)
            found = ask(stored)
            if stored is None:
                self._log.put(key, found, self._owner)
        return found


def ending_of(failure: Exception) -> str:
    """Return the outcome of an ask that one of `EXPECTED_FAILURES` kept from a reply."""
    outcome, label = next(
        (outcome, label) for error, outcome, label in _ENDINGS if isinstance(failure, error)
    )
    return f"{outcome}({label or type(failure).__name__})"
