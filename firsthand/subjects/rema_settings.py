"""Settings of the ReMA agent: its model, its memory and how far it may go for an answer."""

from dataclasses import dataclass

from firsthand.core.identity import Json
from firsthand.core.time import SECOND_US
from firsthand.subjects.endpoint_settings import EndpointSettings

__all__ = ["RemaSettings"]


@dataclass(frozen=True, slots=True)
class RemaSettings:
    """A recursive multimodal agent over one model behind an endpoint.

    Args:
        model: The model that perceives, remembers and decides; its history has no effect.
        clip_us: Length of a clip that is perceived at once.
        most_pictures: Most frames of one clip or of one inspection.
        most_notes: Most notes in memory; above it the oldest ones are condensed.
        condensed: How many notes are condensed into one.
        most_note_tokens: Longest note.
        most_rounds: Most rounds of one question; in the last one it has to answer.
        most_queries: Most queries of one search.
        most_found: Most notes that a query finds.
        most_ranges: Most ranges of one inspection.
    """

    model: EndpointSettings
    clip_us: int = 300 * SECOND_US
    most_pictures: int = 16
    most_notes: int = 256
    condensed: int = 8
    most_note_tokens: int = 512
    most_rounds: int = 16
    most_queries: int = 5
    most_found: int = 10
    most_ranges: int = 10

    @property
    def subject_id(self) -> str:
        """Its name on the leaderboard."""
        return self.model.subject_id

    @property
    def arguments(self) -> dict[str, Json]:
        """Everything but the model and the prompts that its answers depend on."""
        return {
            "generation": self.model.generation.arguments,
            "hears_sound": self.model.hears_sound,
            "declared_latency_us": self.model.declared_latency_us,
            "clip_us": self.clip_us,
            "most_pictures": self.most_pictures,
            "most_notes": self.most_notes,
            "condensed": self.condensed,
            "most_note_tokens": self.most_note_tokens,
            "most_rounds": self.most_rounds,
            "most_queries": self.most_queries,
            "most_found": self.most_found,
            "most_ranges": self.most_ranges,
        }
