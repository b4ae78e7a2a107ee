"""Asking side by side: each question is followed to its last probe for itself.

With answers timed alone, no question's asks depend on another question's, so many may be
under way at once. What is asked, and after what, is the same as when they follow each
other along the stream.
"""

from collections import deque
from collections.abc import Iterator

from firsthand.protocols import (
    Ask,
    Censor,
    Instruction,
    Skip,
)
from firsthand.subjects.access import Access
from firsthand.subjects.asking import Asker
from firsthand.subjects.asking_rules import AskingRules, Decider
from firsthand.subjects.material import StreamMaterial
from firsthand.subjects.moments import Moments
from firsthand.subjects.planned_shard import PlannedShard
from firsthand.subjects.subject import Subject
from firsthand.subjects.together import put_together

__all__ = ["ask_side_by_side"]


def ask_side_by_side(
    shard: PlannedShard,
    rules: AskingRules,
    material: StreamMaterial,
    subject: Subject,
    asker: Asker,
    access: Access,
) -> None:
    """Put every ask of a shard through `asker`, from several threads.

    Raises:
        FirsthandError: If an ask fails for a reason that no other ask would escape; asks
            that have not begun are then not put.
    """
    planned = [material.questions[name].planned for name in shard.question_ids]
    due_us = {material.end_us}
    for question in planned:
        due_us.update(rules.moments(question, material.end_us))
    moments = Moments(subject, material, rules.unit_us, due_us, access)
    following = _Questions(rules, material, asker, moments)
    put_together(following.follow, shard.question_ids, access.calling.spending)


class _Questions:
    def __init__(
        self,
        rules: AskingRules,
        material: StreamMaterial,
        asker: Asker,
        moments: Moments,
    ) -> None:
        self._rules = rules
        self._material = material
        self._asker = asker
        self._moments = moments

    def follow(self, question_id: str) -> None:
        """Ask one question and every probe that its answers bring."""
        planned = self._material.questions[question_id].planned
        protocol = self._rules.decider([planned])
        for event in self._rules.events(planned, self._material.end_us):
            waiting: deque[Instruction] = deque(protocol.handle(event))
            while waiting:
                waiting.extend(self._done(waiting.popleft(), protocol))

    def _done(self, instruction: Instruction, protocol: Decider) -> Iterator[Instruction]:
        match instruction:
            case Ask(due_us=due_us):
                given = self._moments.given(due_us)
                yield from protocol.handle(self._asker.put(instruction, given, self._moments.reply))
            case Skip() | Censor():
                given = self._moments.given(self._material.end_us)
                self._asker.notes.note_unasked(instruction, given)
            case _:
                pass
