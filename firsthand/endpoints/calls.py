"""A call to a chat endpoint: turns of text and media, and how to generate."""

import base64
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal

from firsthand.core.identity import Json, digest_bytes

__all__ = ["Call", "Generation", "Media", "Turn"]


@dataclass(frozen=True, slots=True)
class Media:
    """A picture, a sound or a film inside a turn.

    Args:
        kind: Which of them it is; a film may have sound of its own.
        encoding: `jpeg`, `png`, `wav`, `mp3` or `mp4`.
        payload: The encoded bytes.
    """

    kind: Literal["image", "audio", "video"]
    encoding: str
    payload: bytes

    @property
    def digest(self) -> str:
        """Digest of the bytes, for the identity of a reply."""
        return digest_bytes(self.payload)


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation; its media come before its text.

    Args:
        role: Who speaks.
        text: What is said.
        media: Pictures and sounds in order.
    """

    role: Literal["system", "user", "assistant"]
    text: str
    media: tuple[Media, ...] = ()


@dataclass(frozen=True, slots=True)
class Generation:
    """How the reply is generated; a value of None is left to the endpoint.

    Args:
        most_tokens: Limit of the reply's length.
        temperature: Sampling temperature.
        seed: Sampling seed.
        json_reply: Whether the endpoint is told to reply with one JSON object.
    """

    most_tokens: int
    temperature: float | None = None
    seed: int | None = None
    json_reply: bool = False

    @property
    def arguments(self) -> dict[str, Json]:
        """The settings as part of a reply's identity."""
        return dict(asdict(self))


@dataclass(frozen=True, slots=True)
class Call:
    """What is sent.

    Args:
        turns: The conversation, the last turn being the one to reply to.
        generation: How to reply.
        reply_schema: JSON schema that the endpoint is told to hold the reply to.
    """

    turns: tuple[Turn, ...]
    generation: Generation
    reply_schema: Mapping[str, Json] | None = None

    def messages(self) -> list[Mapping[str, object]]:
        """Return the turns in the form of chat completion requests."""
        return [{"role": turn.role, "content": _content(turn)} for turn in self.turns]

    def options(self) -> dict[str, object]:
        """Return the generation settings in the form of chat completion requests."""
        settings: dict[str, object] = {"max_tokens": self.generation.most_tokens}
        if self.generation.temperature is not None:
            settings["temperature"] = self.generation.temperature
        if self.generation.seed is not None:
            settings["seed"] = self.generation.seed
        if self.generation.json_reply:
            settings["response_format"] = {"type": "json_object"}
        if self.reply_schema is not None:
            held_to = {"name": "reply", "strict": True, "schema": self.reply_schema}
            settings["response_format"] = {"type": "json_schema", "json_schema": held_to}
        return settings


def _content(turn: Turn) -> object:
    if not turn.media:
        return turn.text
    return [*(_part(media) for media in turn.media), {"type": "text", "text": turn.text}]


def _part(media: Media) -> dict[str, object]:
    encoded = base64.b64encode(media.payload).decode()
    if media.kind == "audio":
        sound = {"data": encoded, "format": media.encoding}
        return {"type": "input_audio", "input_audio": sound}
    url = f"data:{media.kind}/{media.encoding};base64,{encoded}"
    if media.kind == "video":
        return {"type": "video_url", "video_url": {"url": url}}
    return {"type": "image_url", "image_url": {"url": url}}
