"""What is kept only to be judged: pictures and sound as they were, and how strangers sound.

One rule: it is kept while the privacy audit of its recording is open, and deleted once the audit
has passed. It is whatever the stages `sample_audit` and `sample_voices` call fleeting; their steps
stay done without it, so that no later build makes it again while the audit stays passed.
"""

from collections.abc import Iterable, Iterator

from firsthand.store import Receipt, Store, Zone, committed_parts, scopes_of
from firsthand.store.files import read_json
from firsthand.store.steps import Blob, discard_receipt, receipt_from_json
from tasks.items import Recording
from tasks.job import Job
from tasks.stage import Stage
from tasks.stages.sample_audit import BEFORE, SAMPLE_AUDIT_STAGE
from tasks.stages.sample_voices import EXCERPT, SAMPLE_VOICES_STAGE, VECTORS
from tasks.stages.sign_off import has_passed

__all__ = ["delete_judged", "reopen_audit"]

_STAGES: tuple[Stage[Recording], ...] = (SAMPLE_AUDIT_STAGE, SAMPLE_VOICES_STAGE)
# Receipts from before steps named what is fleeting tell it by the roles of their files.
_ROLES = (BEFORE, EXCERPT, VECTORS)


def delete_judged(job: Job, recordings: Iterable[Recording], signed: Receipt) -> int:
    """Delete what was kept of recordings to be judged, if their audit has passed.

    What earlier builds kept of them goes with it. The vectors of strangers' voices stay where
    the benchmark's file says so.

    Returns:
        How many files were deleted.
    """
    if signed.values["passed"] is not True:
        return 0
    kept = list(recordings)
    wanted = {recording.recording_id for recording in kept}
    made = [
        one for stage in _STAGES for one in _receipts(job.store, stage) if one.subject in wanted
    ]
    staying = {VECTORS} if job.spec().review.keep_voice_vectors else set()
    lasting = {blob.sha256 for one in made for blob in _blobs(one, fleeting=False)}
    judged = [b for one in made for b in _blobs(one, fleeting=True, staying=staying)]
    paths = {blob.path(job.store) for blob in judged if blob.sha256 not in lasting}
    for outdated in _outdated_samples(job, kept, made):
        paths |= {job.store.root / part.path for part in outdated.parts}
        job.store.receipt(outdated.step, outdated.key).unlink()
    there = [path for path in sorted(paths) if path.exists()]
    for path in there:
        path.unlink()
    return len(there)


def reopen_audit(job: Job, recordings: Iterable[Recording]) -> int:
    """Have what was deleted made again where the audit is open; return of how many steps.

    An audit is open for a recording in which a frame is not, or no longer, found clean.
    """
    reopened = 0
    for recording in recordings:
        sampled = SAMPLE_AUDIT_STAGE.receipt(job, recording)
        if sampled is not None and has_passed(job, sampled):
            continue
        for stage in _STAGES:
            found = stage.receipt(job, recording)
            if found is None or all(one.is_whole(job.store) for one in found.fleeting.values()):
                continue
            discard_receipt(job.store, stage.request(job, recording))
            reopened += 1
    return reopened


def _receipts(store: Store, stage: Stage[Recording]) -> Iterator[Receipt]:
    for path in sorted(store.receipts_of(stage.name).glob("*.json")):
        yield receipt_from_json(read_json(path))


def _blobs(made: Receipt, *, fleeting: bool, staying: Iterable[str] = ()) -> Iterator[Blob]:
    for role, blob in {**made.blobs, **made.fleeting}.items():
        if role.startswith(_ROLES) is fleeting and role not in staying:
            yield blob


def _outdated_samples(
    job: Job, recordings: Iterable[Recording], made: Iterable[Receipt]
) -> Iterator[Receipt]:
    """Yield the samplings of earlier builds, in whose rows the vectors once stood."""
    stage, table = SAMPLE_VOICES_STAGE.name, "voice_samples"
    present = {one.receipt(stage).key for one in recordings if stage in one.receipts}
    in_use = {
        part.path
        for scope in scopes_of(job.store, table, Zone.PRIVATE)
        for part in committed_parts(job.store, scope, table, Zone.PRIVATE)
    }
    for receipt in made:
        is_past = receipt.step == stage and receipt.key not in present
        if is_past and not any(part.path in in_use for part in receipt.parts):
            yield receipt
