"""The stages of a build as the flows call them: each takes a build and returns the next."""

from dataclasses import replace

from firsthand.store.file_digests import remembered_digests
from flows.fan_out import fan_out, run_here
from tasks.batches import last_decision
from tasks.build import Build, begin_build, face_enrolments, sparings, voice_enrolments
from tasks.chaptering import in_chapters, with_joined_files
from tasks.commits import commit_receipts, commit_results
from tasks.job import Job
from tasks.kept_to_judge import reopen_audit
from tasks.pointing import clip_set_up
from tasks.sources import find_sources, usable
from tasks.stages.accept import replay_decisions
from tasks.stages.mask import is_annotated

__all__ = [
    "annotate",
    "deidentify",
    "draft",
    "ingest",
    "name_strangers",
    "narrate",
    "place",
    "transcribe",
    "up_to_review",
]


def up_to_review(job: Job, shards: int) -> Build:
    """Do everything that comes before people decide on the questions."""
    build = ingest(job)
    build = place(build)
    build = transcribe(build, shards)
    build = deidentify(build, shards)
    build = name_strangers(build, shards)
    build = narrate(build)
    build = annotate(build, shards)
    return draft(build, shards)


def ingest(job: Job) -> Build:
    """Probe every delivered recording; what cannot be used is set aside with its reason."""
    with remembered_digests(job.store) as digests:
        sources, refused = find_sources(job.spec(), digests)
    joined = run_here("join", job, in_chapters(usable(sources, refused)))
    sources, broken = with_joined_files(job.store, sources, joined)
    refused = [*refused, *broken]
    build = begin_build(job, sources, refused, run_here("probe", job, usable(sources, refused)))
    commit_receipts(job, "probe", build.receipts("probe"))
    return build


def place(build: Build) -> Build:
    """Lay recordings on their participant's clock and on one stream each.

    A recording whose start is doubtful is held back until a person has decided.
    """
    replay_decisions(build.job)
    build = replace(build, known_decisions=last_decision(build.job))
    dated = run_here("date", build.job, build.streams)
    commit_results(build.job, "date", dated)
    build = build.after_dating(dated)
    for stage in ("place", "describe"):
        build = build.after_streams(stage, run_here(stage, build.job, build.streams))
        commit_receipts(build.job, stage, build.receipts(stage))
    return build


def transcribe(build: Build, shards: int) -> Build:
    """Hear words and voices, in the private zone; redact what bystanders said."""
    voices = fan_out("enrol", build.job, voice_enrolments(build), shards)
    build = build.after_participants("enrol", voices)
    for stage in ("transcribe", "attribute_voices"):
        build = _over_recordings(build, stage, shards)
    return build


def deidentify(build: Build, shards: int) -> Build:
    """Find and track faces and private writing, cover both, mute bystanders, write anew."""
    # What people said about faces in earlier builds is applied as the copies are written.
    replay_decisions(build.job)
    build = _spare(_over_recordings(build, "find_faces", shards), shards)
    for stage in ("find_text", "deidentify"):
        build = _over_recordings(build, stage, shards)
    reopen_audit(build.job, build.recordings)
    return _over_recordings(build, "sample_audit", shards)


def name_strangers(build: Build, shards: int) -> Build:
    """Name voices that nobody enrolled, which people confirm; nothing of it is public.

    Whether they may be heard follows from where the audit of the copies stands.
    """
    build = _over_recordings(build, "sample_voices", shards)
    build = build.after_streams("name_voices", run_here("name_voices", build.job, build.streams))
    commit_receipts(build.job, "name_voices", build.receipts("name_voices"))
    return build


def narrate(build: Build) -> Build:
    """Take in what narrators wrote, and name the clips that a release carries."""
    for stage in ("narrate", "cut_clips"):
        build = build.after_recordings(stage, run_here(stage, build.job, build.recordings))
        commit_receipts(build.job, stage, build.receipts(stage))
    return build


def annotate(build: Build, shards: int) -> Build:
    """Propose strokes for clips that were set up; turn clicks into masks, strokes into windows."""
    set_up = [r for r in build.recordings if clip_set_up(build.job, r) is not None]
    proposed = fan_out("propose_strokes", build.job, set_up, shards)
    build = build.after_some_recordings("propose_strokes", proposed)
    commit_receipts(build.job, "propose_strokes", build.receipts("propose_strokes"))
    annotated = [r for r in build.recordings if is_annotated(build.job, r)]
    results = fan_out("mask", build.job, annotated, shards)
    build = build.after_some_recordings("mask", results)
    commit_receipts(build.job, "mask", build.receipts("mask"))
    return build


def draft(build: Build, shards: int) -> Build:
    """Propose questions from words and narrations, and check them."""
    build = build.after_streams("draft", fan_out("draft", build.job, build.streams, shards))
    commit_receipts(build.job, "draft", build.receipts("draft"))
    return build


def _spare(build: Build, shards: int) -> Build:
    """Note which faces are those of participants who let them be seen; usually nobody's.

    Where that cannot be found out it is reported, and every face is covered.
    """
    faces = fan_out("enrol_faces", build.job, face_enrolments(build), shards)
    build = build.after_some_recordings("enrol_faces", faces)
    seen = fan_out("spare_faces", build.job, sparings(build, faces), shards)
    build = build.after_some_recordings("spare_faces", seen)
    commit_receipts(build.job, "spare_faces", build.receipts("spare_faces"))
    return build


def _over_recordings(build: Build, stage: str, shards: int) -> Build:
    results = fan_out(stage, build.job, build.recordings, shards)
    build = build.after_recordings(stage, results)
    commit_receipts(build.job, stage, build.receipts(stage))
    return build
