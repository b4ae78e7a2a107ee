"""Protocols in a run file: one record for each, told apart by `name`."""

from typing import Literal

from schemas.yaml_records import Record

__all__ = ["ProtocolSpec", "StreamingSpec"]


class StreamingSpec(Record):
    """Questions asked along the streams of a release; its numbers are the key `policy`."""

    name: Literal["streaming"] = "streaming"


ProtocolSpec = StreamingSpec
"""Any protocol; with more than one, a union of records that `name` tells apart."""
