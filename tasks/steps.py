"""Every kind of step: its name, its version, and the modules whose code decides its result.

Raise a version when the same inputs would give another result. A test holds the digest
of the named sources against the recorded one, so that a forgotten version cannot pass.
"""

from firsthand.store import StepSpec
from tasks.annotation_steps import MASK, PROPOSE_STROKES
from tasks.face_steps import ENROL_FACES, FIND_FACES, SPARE_FACES
from tasks.speech_steps import ATTRIBUTE_VOICES, ENROL, NAME_VOICES, SAMPLE_VOICES, TRANSCRIBE

__all__ = [
    "ACCEPT",
    "ASK",
    "ATTRIBUTE_VOICES",
    "BUILD_STEPS",
    "CONCLUDE",
    "CUT_CLIPS",
    "DATE",
    "DEIDENTIFY",
    "DESCRIBE",
    "DRAFT",
    "ENROL",
    "ENROL_FACES",
    "FIND_FACES",
    "FIND_TEXT",
    "GATE",
    "JOIN",
    "JUDGE",
    "MASK",
    "MEASURE",
    "NAME_VOICES",
    "NARRATE",
    "PLACE",
    "PROBE",
    "PROPOSE_STROKES",
    "RANK",
    "READ",
    "RELEASE",
    "SAMPLE_AUDIT",
    "SAMPLE_VOICES",
    "SCORE",
    "SET_ASIDE",
    "SIGN_OFF",
    "SPARE_FACES",
    "STEPS",
    "TRANSCRIBE",
]

PROBE = StepSpec(
    "probe",
    5,
    (
        "firsthand.media.probe",
        "firsthand.media.packets",
        "firsthand.media.tags",
        "firsthand.media.tones",
        "tasks.stages.probe",
    ),
)
JOIN = StepSpec(
    "join",
    1,
    ("firsthand.media.merging", "firsthand.media.joined_sound", "tasks.stages.join"),
)
DATE = StepSpec(
    "date",
    3,
    (
        "firsthand.core.time_local",
        "firsthand.curation.start_items",
        "firsthand.media.start_time",
        "schemas.start_rules",
        "tasks.stages.date",
    ),
)
PLACE = StepSpec(
    "place",
    3,
    (
        "firsthand.core.timeline",
        "firsthand.core.timeline_rows",
        "firsthand.metrics.lifelong",
        "tasks.stages.place",
    ),
)
DESCRIBE = StepSpec("describe", 1, ("tasks.stages.describe",))
FIND_TEXT = StepSpec(
    "find_text",
    5,
    (
        "firsthand.deid.motion",
        "firsthand.deid.on_screen_text",
        "firsthand.deid.rapidocr_reader",
        "firsthand.deid.text_lines",
        "firsthand.deid.text_motion",
        "firsthand.deid.text_pass",
        "firsthand.deid.text_rules",
        "firsthand.deid.text_tracking",
        "firsthand.deid.views",
        "firsthand.media.frames",
        "firsthand.media.planes",
        "firsthand.media.tones",
        "tasks.stages.find_text",
    ),
)
DEIDENTIFY = StepSpec(
    "deidentify",
    13,
    (
        "firsthand.curation.face_corrections",
        "firsthand.deid.rendering",
        "firsthand.deid.blur",
        "firsthand.deid.muting",
        "firsthand.deid.sparing",
        "firsthand.deid.tracking",
        "firsthand.media.encoding",
        "firsthand.media.planes",
        "firsthand.media.writing",
        "firsthand.deid.container_check",
        "tasks.stages.deidentify",
    ),
)
SAMPLE_AUDIT = StepSpec(
    "sample_audit",
    5,
    (
        "firsthand.deid.audit_pictures",
        "firsthand.deid.audit_sampling",
        "firsthand.media.frames",
        "firsthand.media.listening",
        "firsthand.media.tones",
        "tasks.stages.sample_audit",
    ),
)
NARRATE = StepSpec(
    "narrate",
    2,
    (
        "firsthand.curation.narration_items",
        "firsthand.curation.standing",
        "firsthand.formats.subtitles",
        "tasks.stages.narrate",
    ),
)
CUT_CLIPS = StepSpec("cut_clips", 1, ("tasks.stages.cut_clips",))
DRAFT = StepSpec(
    "draft",
    4,
    (
        "firsthand.curation.checks",
        "firsthand.curation.drafts",
        "firsthand.curation.wording",
        "firsthand.drafting.distractors",
        "firsthand.drafting.llm",
        "firsthand.drafting.material",
        "firsthand.drafting.plans",
        "firsthand.drafting.priors",
        "firsthand.drafting.probing",
        "firsthand.drafting.proposals",
        "firsthand.drafting.rules",
        "firsthand.drafting.sentences",
        "firsthand.drafting.settings",
        "firsthand.drafting.templates",
        "firsthand.endpoints.prompted",
        "firsthand.drafting.windows",
        "tasks.drafters",
        "tasks.stages.draft",
    ),
)
ACCEPT = StepSpec(
    "accept",
    6,
    (
        "firsthand.curation.batches",
        "firsthand.curation.reviewing",
        "firsthand.curation.double_review",
        "tasks.stages.accept",
    ),
)
SET_ASIDE = StepSpec("set_aside", 1, ("tasks.stages.set_aside",))
SIGN_OFF = StepSpec(
    "sign_off",
    2,
    (
        "firsthand.curation.audit_items",
        "firsthand.deid.audit_rate",
        "firsthand.deid.audit_verdict",
        "firsthand.report.audit_page",
        "tasks.stages.sign_off",
    ),
)
GATE = StepSpec(
    "gate",
    11,
    (
        "schemas.gate",
        "schemas.expectations",
        "schemas.suites",
        "firsthand.curation.agreement",
        "firsthand.curation.likeness",
        "firsthand.masks.likeness",
        "firsthand.metrics.agreement",
        "firsthand.store.compared_items",
        "tasks.agreement",
        "tasks.stages.gate",
    ),
)
RELEASE = StepSpec(
    "release",
    9,
    (
        "firsthand.media.atoms",
        "firsthand.media.traces",
        "firsthand.report.funnel",
        "firsthand.formats.teleego_timeline",
        "firsthand.store.release_search",
        "firsthand.store.release_streams",
        "firsthand.store.releases",
        "firsthand.store.release_rows",
        "tasks.batches",
        "tasks.stages.publish_release",
    ),
)
ASK = StepSpec(
    "ask",
    5,
    (
        "firsthand.answers.silence",
        "firsthand.protocols.grounding",
        "firsthand.protocols.grounding_policy",
        "firsthand.protocols.lifelong",
        "firsthand.protocols.single_question",
        "firsthand.protocols.standing",
        "firsthand.protocols.streaming",
        "firsthand.subjects.asking",
        "firsthand.subjects.attendance",
        "firsthand.subjects.course",
        "firsthand.subjects.grounding_asking",
        "firsthand.subjects.kept_calls",
        "firsthand.subjects.lifelong_asking",
        "firsthand.subjects.material",
        "firsthand.subjects.moments",
        "firsthand.subjects.pointing_clips",
        "firsthand.subjects.protocol_runs",
        "firsthand.subjects.running",
        "firsthand.subjects.sampled_stream",
        "firsthand.subjects.side_by_side",
        "firsthand.subjects.standing_asks",
        "firsthand.subjects.stream_shard",
        "firsthand.subjects.together",
        "tasks.stages.ask",
    ),
)
READ = StepSpec(
    "read",
    1,
    (
        "firsthand.subjects.grading",
        "firsthand.subjects.grounding_scoring",
        "firsthand.subjects.lifelong_scoring",
        "tasks.stages.read",
    ),
)
JUDGE = StepSpec(
    "judge",
    1,
    (
        "firsthand.endpoints.prompted",
        "firsthand.judging.grades",
        "firsthand.judging.judge",
        "firsthand.subjects.lifelong_scoring",
        "tasks.stages.judge",
    ),
)
SCORE = StepSpec(
    "score",
    2,
    (
        "firsthand.subjects.grounding_scoring",
        "firsthand.subjects.judged",
        "firsthand.protocols.proactive",
        "firsthand.subjects.lifelong_scoring",
        "firsthand.subjects.scoring",
        "firsthand.subjects.standing_scoring",
        "firsthand.metrics.persistence",
        "tasks.stages.score",
    ),
)
CONCLUDE = StepSpec(
    "conclude",
    8,
    ("firsthand.subjects.results", "firsthand.subjects.serial", "tasks.stages.conclude"),
)
RANK = StepSpec(
    "rank",
    11,
    (
        "firsthand.metrics.cells",
        "firsthand.metrics.intervals",
        "firsthand.report.grounding_board",
        "firsthand.report.grounding_grid",
        "firsthand.report.leaderboard",
        "firsthand.report.lifelong_board",
        "firsthand.report.places",
        "firsthand.report.question_rows",
        "firsthand.report.standing_board",
        "tasks.stages.rank",
    ),
)
MEASURE = StepSpec(
    "measure",
    4,
    (
        "firsthand.report.quality",
        "firsthand.report.quality_pictures",
        "firsthand.report.quality_speech",
        "firsthand.report.quality_truth",
        "tasks.stages.measure",
    ),
)

BUILD_STEPS: tuple[StepSpec, ...] = (
    JOIN,
    PROBE,
    DATE,
    PLACE,
    DESCRIBE,
    ENROL,
    TRANSCRIBE,
    ATTRIBUTE_VOICES,
    SAMPLE_VOICES,
    NAME_VOICES,
    FIND_FACES,
    ENROL_FACES,
    SPARE_FACES,
    FIND_TEXT,
    DEIDENTIFY,
    SAMPLE_AUDIT,
    NARRATE,
    CUT_CLIPS,
    PROPOSE_STROKES,
    MASK,
    DRAFT,
    ACCEPT,
    SET_ASIDE,
    SIGN_OFF,
    GATE,
    RELEASE,
)
STEPS: tuple[StepSpec, ...] = (*BUILD_STEPS, ASK, READ, JUDGE, SCORE, CONCLUDE, RANK, MEASURE)
