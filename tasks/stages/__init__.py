"""Every stage by name, so that a shard can be told which one it runs."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tasks.stage import Stage
from tasks.stages.accept import ACCEPT_STAGE
from tasks.stages.ask import ASK_STAGE
from tasks.stages.attribute_voices import ATTRIBUTE_VOICES_STAGE
from tasks.stages.conclude import CONCLUDE_STAGE
from tasks.stages.cut_clips import CUT_CLIPS_STAGE
from tasks.stages.date import DATE_STAGE
from tasks.stages.deidentify import DEIDENTIFY_STAGE
from tasks.stages.describe import DESCRIBE_STAGE
from tasks.stages.draft import DRAFT_STAGE
from tasks.stages.enrol import ENROL_STAGE
from tasks.stages.enrol_faces import ENROL_FACES_STAGE
from tasks.stages.find_faces import FIND_FACES_STAGE
from tasks.stages.find_text import FIND_TEXT_STAGE
from tasks.stages.gate import GATE_STAGE
from tasks.stages.join import JOIN_STAGE
from tasks.stages.judge import JUDGE_STAGE
from tasks.stages.mask import MASK_STAGE
from tasks.stages.measure import MEASURE_STAGE
from tasks.stages.name_voices import NAME_VOICES_STAGE
from tasks.stages.narrate import NARRATE_STAGE
from tasks.stages.place import PLACE_STAGE
from tasks.stages.probe import PROBE_STAGE
from tasks.stages.propose_strokes import PROPOSE_STROKES_STAGE
from tasks.stages.publish_release import RELEASE_STAGE
from tasks.stages.rank import RANK_STAGE
from tasks.stages.read import READ_STAGE
from tasks.stages.sample_audit import SAMPLE_AUDIT_STAGE
from tasks.stages.sample_voices import SAMPLE_VOICES_STAGE
from tasks.stages.score import SCORE_STAGE
from tasks.stages.set_aside import SET_ASIDE_STAGE
from tasks.stages.sign_off import SIGN_OFF_STAGE
from tasks.stages.spare_faces import SPARE_FACES_STAGE
from tasks.stages.transcribe import TRANSCRIBE_STAGE

__all__ = ["STAGES"]

# Each stage knows its own kind of item; the table is looked up by name across processes.
STAGES: Mapping[str, Stage[Any]] = MappingProxyType(
    {
        stage.name: stage
        for stage in (
            JOIN_STAGE,
            PROBE_STAGE,
            DATE_STAGE,
            PLACE_STAGE,
            DESCRIBE_STAGE,
            ENROL_STAGE,
            TRANSCRIBE_STAGE,
            ATTRIBUTE_VOICES_STAGE,
            SAMPLE_VOICES_STAGE,
            NAME_VOICES_STAGE,
            FIND_FACES_STAGE,
            ENROL_FACES_STAGE,
            SPARE_FACES_STAGE,
            FIND_TEXT_STAGE,
            DEIDENTIFY_STAGE,
            SAMPLE_AUDIT_STAGE,
            NARRATE_STAGE,
            CUT_CLIPS_STAGE,
            PROPOSE_STROKES_STAGE,
            MASK_STAGE,
            DRAFT_STAGE,
            ACCEPT_STAGE,
            SET_ASIDE_STAGE,
            SIGN_OFF_STAGE,
            GATE_STAGE,
            RELEASE_STAGE,
            ASK_STAGE,
            READ_STAGE,
            JUDGE_STAGE,
            SCORE_STAGE,
            CONCLUDE_STAGE,
            RANK_STAGE,
            MEASURE_STAGE,
        )
    }
)
