"""Calls that a subject makes of its own accord: kept like answers, never paid for twice.

A subject that keeps a memory, or goes by steps to its answer, calls models between and
during asks. Each reply is stored under everything it depends on before it is used, so a
killed run goes on from what was stored.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firsthand.core.identity import canonical_json
from firsthand.endpoints.calls import Call
from firsthand.endpoints.replies import Reply, ReplyIdentity, ReplyLog, ReplyOwner

__all__ = ["AgentStep", "KeptCalls"]


@dataclass(frozen=True, slots=True)
class AgentStep:
    """A step on the way to an answer.

    Args:
        action: What was chosen.
        parameters: Its parameters as JSON.
        observation_digest: Digest of what came back.
        reply_key: Key of the reply in which it was chosen.
    """

    action: str
    parameters: str
    observation_digest: str
    reply_key: str


class KeptCalls:
    """The calls of one subject about one stream; threads may share it.

    Args:
        log: Where replies are kept.
        owner: Whose stream it is, and the subject.
    """

    def __init__(self, log: ReplyLog, owner: ReplyOwner) -> None:
        self._log = log
        self._owner = owner
        self._turns: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._keys: set[str] = set()
        self._steps: dict[tuple[str, int], Sequence[AgentStep]] = {}

    def reply(
        self, call: Call, revision: str, complete: Callable[[Call], Reply]
    ) -> tuple[str, Reply]:
        """Return the key and the reply of a call, asked for only if it is not stored.

        Args:
            call: What to send.
            revision: Of the model and of the prompt program; another one is asked anew.
            complete: Makes the call.
        """
        key = self._identity(call, revision).key
        # Two threads may need the same call; the second waits and finds the first one's.
        with self._turns[key]:
            found = self._log.get(key)
            if found is None:
                found = complete(call)
                self._log.put(key, found, self._owner)
            self._keys.add(key)
        return key, found

    def note_steps(self, question_id: str, asked_at_us: int, steps: Sequence[AgentStep]) -> None:
        """Take down the steps that led to the answer of a question, in order."""
        self._steps[question_id, asked_at_us] = steps

    @property
    def keys(self) -> frozenset[str]:
        """Keys of all calls that were needed so far, stored before or not."""
        return frozenset(self._keys)

    def steps(self, question_id: str, asked_at_us: int) -> Sequence[AgentStep]:
        """Return the steps to the answer of a question; none for one that was not asked."""
        return self._steps.get((question_id, asked_at_us), ())

    def _identity(self, call: Call, revision: str) -> ReplyIdentity:
        return ReplyIdentity(
            self._owner.subject_id,
            revision,
            canonical_json([[turn.role, turn.text] for turn in call.turns]).decode(),
            media=tuple(media.digest for turn in call.turns for media in turn.media),
            # The same words about two people are two replies: one may be withdrawn.
            history=(self._owner.participant_id,),
            arguments=call.generation.arguments,
        )
