"""Protocols in a run file: one record for each, told apart by `name`."""

from typing import Annotated, Literal

from pydantic import Field, NonNegativeFloat, PositiveFloat

from schemas.yaml_records import Record

__all__ = ["ProactiveSpec", "ProtocolSpec", "StreamingSpec"]


class StreamingSpec(Record):
    """Questions asked along the streams of a release; its numbers are the key `policy`."""

    name: Literal["streaming"] = "streaming"


class ProactiveSpec(Record):
    """Questions that stand: the subject speaks when it sees fit, or says nothing.

    A question stands from `stands_s` before it is due until `listens_s` after; the subject may
    speak whenever a unit of `unit_s` has ended. The first right answer from due on counts if it
    comes within `window_s`.
    """

    name: Literal["proactive"]
    window_s: NonNegativeFloat = 5.0
    unit_s: PositiveFloat = 1.0
    stands_s: NonNegativeFloat = 30.0
    listens_s: PositiveFloat = 30.0


ProtocolSpec = Annotated[StreamingSpec | ProactiveSpec, Field(discriminator="name")]
"""Any protocol; `name` says which record its keys belong to."""
