"""Every table's suite by name."""

from collections.abc import Mapping
from types import MappingProxyType

from schemas import (
    agent_steps,
    asks,
    assignments,
    clicks,
    clips,
    consents,
    costs,
    deid_audit,
    detections,
    drafts,
    evidence,
    judgements,
    leaderboard,
    masks,
    narrations,
    options,
    participants,
    probes,
    quarantine,
    questions,
    readings,
    recordings,
    referents,
    release_manifest,
    replies,
    reviews,
    runs,
    scenarios,
    speakers,
    streams,
    strokes,
    timeline,
    tracks,
    utterances,
    verdicts,
    words,
)
from schemas.suite import Suite

__all__ = ["SUITES"]

_MODULES = (
    participants,
    consents,
    recordings,
    quarantine,
    timeline,
    streams,
    clips,
    detections,
    tracks,
    speakers,
    words,
    utterances,
    narrations,
    scenarios,
    clicks,
    masks,
    referents,
    strokes,
    drafts,
    questions,
    options,
    evidence,
    assignments,
    reviews,
    release_manifest,
    deid_audit,
    runs,
    asks,
    replies,
    readings,
    verdicts,
    judgements,
    probes,
    agent_steps,
    costs,
    leaderboard,
)

SUITES: Mapping[str, Suite] = MappingProxyType(
    {module.SUITE.spec.name: module.SUITE for module in _MODULES}
)
