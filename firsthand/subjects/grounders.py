"""Subjects that ground: what each is given of a clip, and its one reply."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from firsthand.core.registry import Registry
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.calling import Calling
from firsthand.endpoints.calls import Media
from firsthand.endpoints.replies import Reply
from firsthand.protocols.grounding import GroundingAsk
from firsthand.subjects.configuration import SubjectConfiguration
from firsthand.subjects.pointing_clips import PointedTruth

__all__ = ["GROUNDERS", "Grounder", "GroundingMaterial", "grounder_of"]


def _no_media() -> tuple[Media, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class GroundingMaterial:
    """What an ask brings beside its words.

    Args:
        media: Returns the pictures in order, or the film; decodes only when called.
        truth: The right answer, for subjects whose facts say `reads_truth`; else empty.
        calling: How endpoints are called.
    """

    media: Callable[[], tuple[Media, ...]] = _no_media
    truth: Sequence[PointedTruth] = ()
    calling: Calling = field(default_factory=Calling)


class Grounder(Protocol):
    """A subject as far as it grounds; its facts are those of the subject."""

    def given(self, ask: GroundingAsk) -> frozenset[Modality] | None:
        """What of the clip reaches it; None if it cannot take the ask, which is not put then."""
        ...

    def ground(self, ask: GroundingAsk, material: GroundingMaterial) -> Reply:
        """Answer.

        Raises:
            SubjectUnavailableError: If no reply could be had, for reasons outside the model.
        """
        ...


GROUNDERS: Registry[Callable[[Any], Grounder]] = Registry("subject that grounds")
"""Subjects that ground, by the name under which `SUBJECTS` knows them; each takes its settings."""


def grounder_of(subject: SubjectConfiguration) -> Grounder:
    """Return the subject as it grounds.

    Raises:
        UnknownNameError: If subjects of its kind do not.
    """
    return GROUNDERS[subject.name](subject.settings)
