"""Models that ground: behind an endpoint, or on this machine."""

from collections.abc import Mapping
from dataclasses import dataclass

from firsthand.core.identity import Json
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.calls import Call, Generation, Turn
from firsthand.endpoints.replies import Reply
from firsthand.protocols.grounding import GroundingAsk
from firsthand.subjects.endpoint_settings import EndpointSettings
from firsthand.subjects.endpoint_subject import EndpointSubject
from firsthand.subjects.grounders import GROUNDERS, GroundingMaterial
from firsthand.subjects.transformers_settings import TransformersSettings
from firsthand.subjects.transformers_subject import TransformersSubject

__all__ = ["EndpointGrounder", "LocalGrounder"]

_BOTH = frozenset({Modality.VIDEO, Modality.SPEECH})
_SYSTEM = (
    "You watch a short clip, filmed from the eyes of a person who speaks and points at things. "
    "You find out what is meant, where it is, and when it is pointed at."
)


@GROUNDERS.register("litellm")
@dataclass(frozen=True, slots=True)
class EndpointGrounder:
    """Puts the clip before a model behind an endpoint, in one call."""

    settings: EndpointSettings

    def given(self, ask: GroundingAsk) -> frozenset[Modality] | None:
        """Films where it takes films, frames and words where it takes both."""
        settings = self.settings
        takes = settings.takes_films if ask.film else settings.receives >= _BOTH
        return _BOTH if takes else None

    def ground(self, ask: GroundingAsk, material: GroundingMaterial) -> Reply:
        """Answer."""
        complete = EndpointSubject(self.settings).completing(material.calling)
        schema = ask.reply_schema() if self.settings.structured_replies else None
        return complete(_call(ask, material, self.settings.generation, schema))


@GROUNDERS.register("transformers")
@dataclass(frozen=True, slots=True)
class LocalGrounder:
    """Puts the clip before a model on this machine."""

    settings: TransformersSettings

    def given(self, ask: GroundingAsk) -> frozenset[Modality] | None:
        """Frames and words where it takes both; no films."""
        return _BOTH if not ask.film and self.settings.receives >= _BOTH else None

    def ground(self, ask: GroundingAsk, material: GroundingMaterial) -> Reply:
        """Answer."""
        return TransformersSubject(self.settings).complete(
            _call(ask, material, self.settings.generation)
        )


def _call(
    ask: GroundingAsk,
    material: GroundingMaterial,
    generation: Generation,
    schema: Mapping[str, Json] | None = None,
) -> Call:
    turns = (Turn("system", _SYSTEM), Turn("user", ask.prompt, material.media()))
    return Call(turns, generation, schema)
