"""Every table of the catalog, one module each; `TABLES` holds them by name."""

from collections.abc import Mapping
from types import MappingProxyType

from firsthand.store.table import TableSpec
from firsthand.store.tables.agent_steps import AGENT_STEPS
from firsthand.store.tables.asks import ASKS
from firsthand.store.tables.assignments import ASSIGNMENTS
from firsthand.store.tables.audit_frames import AUDIT_FRAMES
from firsthand.store.tables.audit_results import AUDIT_RESULTS
from firsthand.store.tables.clicks import CLICKS
from firsthand.store.tables.clip_options import CLIP_OPTIONS
from firsthand.store.tables.clip_setups import CLIP_SETUPS
from firsthand.store.tables.clips import CLIPS
from firsthand.store.tables.consents import CONSENTS
from firsthand.store.tables.costs import COSTS
from firsthand.store.tables.deid_audit import DEID_AUDIT
from firsthand.store.tables.detections import DETECTIONS
from firsthand.store.tables.drafts import DRAFTS
from firsthand.store.tables.evidence import EVIDENCE
from firsthand.store.tables.funnel import FUNNEL
from firsthand.store.tables.grounding_grid import GROUNDING_GRID
from firsthand.store.tables.judgements import JUDGEMENTS
from firsthand.store.tables.kept_sounds import KEPT_SOUNDS
from firsthand.store.tables.leaderboard import LEADERBOARD
from firsthand.store.tables.lifelong_answers import LIFELONG_ANSWERS
from firsthand.store.tables.masks import MASKS
from firsthand.store.tables.narrations import NARRATIONS
from firsthand.store.tables.options import OPTIONS
from firsthand.store.tables.participants import PARTICIPANTS
from firsthand.store.tables.pointing_replies import POINTING_REPLIES
from firsthand.store.tables.pointing_truth import POINTING_TRUTH
from firsthand.store.tables.probes import PROBES
from firsthand.store.tables.quarantine import QUARANTINE
from firsthand.store.tables.questions import QUESTIONS
from firsthand.store.tables.readings import READINGS
from firsthand.store.tables.recorded_asks import RECORDED_ASKS
from firsthand.store.tables.recordings import RECORDINGS
from firsthand.store.tables.referents import REFERENTS
from firsthand.store.tables.refused_drafts import REFUSED_DRAFTS
from firsthand.store.tables.release_manifest import RELEASE_MANIFEST
from firsthand.store.tables.replies import REPLIES
from firsthand.store.tables.reviews import REVIEWS
from firsthand.store.tables.runs import RUNS
from firsthand.store.tables.scenarios import SCENARIOS
from firsthand.store.tables.spared_faces import SPARED_FACES
from firsthand.store.tables.speakers import SPEAKERS
from firsthand.store.tables.standing_answers import STANDING_ANSWERS
from firsthand.store.tables.starts import STARTS
from firsthand.store.tables.streams import STREAMS
from firsthand.store.tables.stroke_proposals import STROKE_PROPOSALS
from firsthand.store.tables.strokes import STROKES
from firsthand.store.tables.text_sightings import TEXT_SIGHTINGS
from firsthand.store.tables.text_tracks import TEXT_TRACKS
from firsthand.store.tables.timeline import TIMELINE
from firsthand.store.tables.tracks import TRACKS
from firsthand.store.tables.utterances import UTTERANCES
from firsthand.store.tables.verdicts import VERDICTS
from firsthand.store.tables.voice_samples import VOICE_SAMPLES
from firsthand.store.tables.voices import VOICES
from firsthand.store.tables.words import WORDS

__all__ = [
    "AGENT_STEPS",
    "ASKS",
    "ASSIGNMENTS",
    "AUDIT_FRAMES",
    "AUDIT_RESULTS",
    "CLICKS",
    "CLIPS",
    "CLIP_OPTIONS",
    "CLIP_SETUPS",
    "CONSENTS",
    "COSTS",
    "DEID_AUDIT",
    "DETECTIONS",
    "DRAFTS",
    "EVIDENCE",
    "FUNNEL",
    "GROUNDING_GRID",
    "JUDGEMENTS",
    "KEPT_SOUNDS",
    "LEADERBOARD",
    "LIFELONG_ANSWERS",
    "MASKS",
    "NARRATIONS",
    "OPTIONS",
    "PARTICIPANTS",
    "POINTING_REPLIES",
    "POINTING_TRUTH",
    "PROBES",
    "QUARANTINE",
    "QUESTIONS",
    "READINGS",
    "RECORDED_ASKS",
    "RECORDINGS",
    "REFERENTS",
    "REFUSED_DRAFTS",
    "RELEASE_MANIFEST",
    "REPLIES",
    "REVIEWS",
    "RUNS",
    "SCENARIOS",
    "SPARED_FACES",
    "SPEAKERS",
    "STANDING_ANSWERS",
    "STARTS",
    "STREAMS",
    "STROKES",
    "STROKE_PROPOSALS",
    "TABLES",
    "TEXT_SIGHTINGS",
    "TEXT_TRACKS",
    "TIMELINE",
    "TRACKS",
    "UTTERANCES",
    "VERDICTS",
    "VOICES",
    "VOICE_SAMPLES",
    "WORDS",
]

TABLES: Mapping[str, TableSpec] = MappingProxyType(
    {
        spec.name: spec
        for spec in (
            PARTICIPANTS,
            CONSENTS,
            RECORDINGS,
            QUARANTINE,
            STARTS,
            TIMELINE,
            STREAMS,
            CLIPS,
            DETECTIONS,
            TRACKS,
            SPARED_FACES,
            TEXT_SIGHTINGS,
            TEXT_TRACKS,
            SPEAKERS,
            VOICE_SAMPLES,
            VOICES,
            WORDS,
            UTTERANCES,
            NARRATIONS,
            SCENARIOS,
            CLIP_SETUPS,
            CLIP_OPTIONS,
            STROKE_PROPOSALS,
            CLICKS,
            MASKS,
            REFERENTS,
            REFUSED_DRAFTS,
            STROKES,
            DRAFTS,
            QUESTIONS,
            OPTIONS,
            EVIDENCE,
            ASSIGNMENTS,
            REVIEWS,
            RELEASE_MANIFEST,
            FUNNEL,
            DEID_AUDIT,
            AUDIT_FRAMES,
            KEPT_SOUNDS,
            AUDIT_RESULTS,
            RUNS,
            ASKS,
            REPLIES,
            READINGS,
            VERDICTS,
            JUDGEMENTS,
            PROBES,
            STANDING_ANSWERS,
            AGENT_STEPS,
            COSTS,
            LEADERBOARD,
            GROUNDING_GRID,
            POINTING_TRUTH,
            POINTING_REPLIES,
            RECORDED_ASKS,
            LIFELONG_ANSWERS,
        )
    }
)
