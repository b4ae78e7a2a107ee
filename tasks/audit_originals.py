"""Uncovered pictures of audited frames: kept while people look at them, deleted at sign-off."""

from collections.abc import Iterable, Iterator, Mapping

from firsthand.store import Receipt, Store
from firsthand.store.files import read_json
from firsthand.store.steps import Blob, discard_receipt, receipt_from_json
from tasks.items import Recording
from tasks.job import Job
from tasks.stages.sample_audit import BEFORE, SAMPLE_AUDIT_STAGE
from tasks.stages.sign_off import has_passed

__all__ = ["delete_originals", "reopen_audit"]


def delete_originals(job: Job, recordings: Iterable[Recording], signed: Receipt) -> int:
    """Delete the uncovered pictures of recordings if their audit has passed; return how many.

    Those of earlier copies of the recordings go with them.
    """
    if signed.values["passed"] is not True:
        return 0
    wanted = {recording.recording_id for recording in recordings}
    sampled = [one for one in _samplings(job.store) if one.subject in wanted]
    lasting = {blob.sha256 for one in sampled for blob in _of_sides(one, before=False)}
    deleted = 0
    for blob in (blob for one in sampled for blob in _of_sides(one, before=True)):
        path = blob.path(job.store)
        if blob.sha256 not in lasting and path.exists():
            path.unlink()
            deleted += 1
    return deleted


def reopen_audit(job: Job, recordings: Iterable[Recording]) -> int:
    """Have pictures that were deleted made again where the audit is open; return of how many.

    An audit is open for a recording in which a frame is not, or no longer, found clean.
    """
    reopened = 0
    for recording in recordings:
        sampled = SAMPLE_AUDIT_STAGE.receipt(job, recording)
        if sampled is None or has_passed(job, sampled):
            continue
        if not all(blob.is_whole(job.store) for blob in sampled.fleeting.values()):
            discard_receipt(job.store, SAMPLE_AUDIT_STAGE.request(job, recording))
            reopened += 1
    return reopened


def _samplings(store: Store) -> Iterator[Receipt]:
    for path in sorted(store.receipts_of(SAMPLE_AUDIT_STAGE.name).glob("*.json")):
        yield receipt_from_json(read_json(path))


def _of_sides(sampled: Receipt, *, before: bool) -> Iterator[Blob]:
    blobs: Mapping[str, Blob] = {**sampled.blobs, **sampled.fleeting}
    return (blob for role, blob in blobs.items() if role.startswith(BEFORE) is before)
