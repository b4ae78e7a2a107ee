"""Asking a model with one system prompt and one question: paid for once, then read from the log."""

from dataclasses import dataclass

from firsthand.endpoints.budget import Budget
from firsthand.endpoints.calls import Call, Generation, Turn
from firsthand.endpoints.endpoint import Endpoint
from firsthand.endpoints.privacy import InputPrivacy
from firsthand.endpoints.replies import Reply, ReplyIdentity, ReplyLog, ReplyOwner

__all__ = ["Prompted", "reply_once"]


@dataclass(frozen=True, slots=True)
class Prompted:
    """A question under a system prompt, and whose reply it will be.

    Args:
        owner: Whose footage it is about, and which asker it belongs to.
        revision: Of the model and the prompt; another one is asked anew.
        system: The system prompt.
        asked: The question, filled in.
        generation: How the reply is generated.
        sample_index: Number of the reply among repeats of the same question.
    """

    owner: ReplyOwner
    revision: str
    system: str
    asked: str
    generation: Generation
    sample_index: int = 0

    @property
    def identity(self) -> ReplyIdentity:
        """What the reply is stored under."""
        return ReplyIdentity(
            self.owner.subject_id,
            self.revision,
            f"{self.system}\n\n{self.asked}",
            arguments=self.generation.arguments,
            sample_index=self.sample_index,
        )

    @property
    def call(self) -> Call:
        """What is sent."""
        turns = (Turn("system", self.system), Turn("user", self.asked))
        return Call(turns, self.generation)


def reply_once(
    prompted: Prompted,
    replies: ReplyLog,
    endpoint: Endpoint,
    privacy: InputPrivacy,
    budget: Budget | None,
) -> Reply:
    """Return the stored reply, or ask for one and store it; a failure is not stored.

    Raises:
        FirsthandError: As `Endpoint.complete` does.
    """
    key = prompted.identity.key
    stored = replies.get(key)
    if stored is not None:
        return stored
    reply = endpoint.complete(prompted.call, privacy, budget)
    replies.put(key, reply, prompted.owner)
    return reply
