"""Shards of a grounding run: clips of one stream, asked about in every cell of the grid."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar

from firsthand.core.identity import Json
from firsthand.protocols import GROUNDING_VERSION, GroundingCell, GroundingPolicy
from firsthand.protocols.grounding_policy import ClosedLists
from firsthand.subjects.configuration import SubjectConfiguration
from firsthand.subjects.endpoint_settings import EndpointSettings
from firsthand.subjects.grounders import grounder_of
from firsthand.subjects.material import ReleaseTables
from firsthand.subjects.planning import distinct_subjects
from firsthand.subjects.pointing_clips import PointingClip, pointing_clips
from firsthand.subjects.run_identity import run_id_of
from firsthand.subjects.stream_shard import StreamShard
from firsthand.subjects.subject import SubjectFacts

__all__ = [
    "GROUNDING",
    "GROUNDING_READERS",
    "GroundingShard",
    "ask_id_of",
    "cell_of",
    "plan_grounding",
]

GROUNDING = "grounding"
"""Name of the protocol that asks about clips in which somebody points."""

GROUNDING_READERS = 1
"""Raised when a reader of grounding replies would read the same reply otherwise."""


@dataclass(frozen=True, slots=True)
class GroundingShard(StreamShard[GroundingPolicy]):
    """Clips of one stream under one run's grid; what is asked is every clip in every cell."""

    protocol: ClassVar[str] = GROUNDING

    @property
    def clip_ids(self) -> tuple[str, ...]:
        """The clips, in order."""
        return tuple(dict.fromkeys(ask_id.rpartition("@")[0] for ask_id in self.question_ids))

    @property
    def structured_replies(self) -> bool:
        """Whether the subject's replies are asked for in a schema."""
        settings = self.subject.settings
        return isinstance(settings, EndpointSettings) and settings.structured_replies


def ask_id_of(clip_id: str, cell: GroundingCell) -> str:
    """Return the identifier of the ask about a clip in a cell."""
    return f"{clip_id}@{cell.name}"


def cell_of(ask_id: str) -> str:
    """Return the name of the cell that an ask belongs to."""
    return ask_id.rpartition("@")[2]


def plan_grounding(
    release: ReleaseTables,
    subjects: Sequence[SubjectConfiguration],
    policy: GroundingPolicy,
    *,
    asks_per_shard: int = 200,
    limit: int | None = None,
) -> tuple[GroundingShard, ...]:
    """Return the shards of a run of each subject: whole clips, each in every cell.

    Args:
        release: The release asked about.
        subjects: The subjects.
        policy: The grid.
        asks_per_shard: Asks of a shard, roughly; how clips are cut into shards changes no row.
        limit: How many clips of each stream are asked about, the first ones; None for all.

    Raises:
        ConfigurationError: If two subjects share an id.
        UnknownNameError: If a subject is of a kind that does not ground.
    """
    clips = pointing_clips(release)
    by_stream = {
        stream_id: tuple(clip.clip_id for clip in group)[:limit]
        for stream_id, group in groupby(clips, key=lambda clip: clip.stream_id)
    }
    policy = replace(policy, options=_closed_lists(clips))
    size = max(1, asks_per_shard // len(policy.cells))
    shards = []
    for subject, facts in distinct_subjects(subjects):
        _ = grounder_of(subject)
        run_id = run_id_of(release.release_id, facts, policy, _versions(subject, facts), limit)
        shards += [
            GroundingShard(
                run_id,
                subject,
                policy,
                stream_id,
                _in_every_cell(clip_ids[first : first + size], policy),
                first // size,
            )
            for stream_id, clip_ids in by_stream.items()
            for first in range(0, len(clip_ids), size)
        ]
    return tuple(shards)


def _closed_lists(clips: Sequence[PointingClip]) -> ClosedLists:
    own = {clip.has_own_options for clip in clips}
    if len(own) > 1:
        return ClosedLists.BOTH
    return ClosedLists.CLIP_OPTIONS if own == {True} else ClosedLists.OTHER_CLIPS


def _in_every_cell(clip_ids: Sequence[str], policy: GroundingPolicy) -> tuple[str, ...]:
    return tuple(ask_id_of(clip_id, cell) for clip_id in clip_ids for cell in policy.cells)


def _versions(subject: SubjectConfiguration, facts: SubjectFacts) -> dict[str, Json]:
    settings = subject.settings
    structured = isinstance(settings, EndpointSettings) and settings.structured_replies
    receives: list[Json] = [str(one) for one in sorted(facts.receives)]
    return {
        "protocol": GROUNDING,
        "protocol_version": GROUNDING_VERSION,
        "grounds": [_points(facts), facts.takes_films, receives, structured],
        "readers": GROUNDING_READERS,
    }


def _points(facts: SubjectFacts) -> Json:
    return [str(facts.points.order), facts.points.scale]
