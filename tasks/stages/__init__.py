"""Every stage by name, so that a shard can be told which one it runs."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tasks.stage import Stage
from tasks.stages.attribute_voices import ATTRIBUTE_VOICES_STAGE
from tasks.stages.describe import DESCRIBE_STAGE
from tasks.stages.enrol import ENROL_STAGE
from tasks.stages.mask import MASK_STAGE
from tasks.stages.place import PLACE_STAGE
from tasks.stages.probe import PROBE_STAGE
from tasks.stages.transcribe import TRANSCRIBE_STAGE

__all__ = ["STAGES"]

# Each stage knows its own kind of item; the table is looked up by name across processes.
STAGES: Mapping[str, Stage[Any]] = MappingProxyType(
    {
        stage.name: stage
        for stage in (
            PROBE_STAGE,
            PLACE_STAGE,
            DESCRIBE_STAGE,
            ENROL_STAGE,
            TRANSCRIBE_STAGE,
            ATTRIBUTE_VOICES_STAGE,
            MASK_STAGE,
        )
    }
)
