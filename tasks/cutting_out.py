"""The mask of an object's clicks on its recording's copy, to compare it with another's."""

from firsthand.curation.revisions import ReviewItem
from firsthand.masks.engines import Mask
from firsthand.masks.likeness import clicks_of
from firsthand.media.feed_index import read_frame_index
from firsthand.media.stills import picture_at
from tasks.engines import chosen_mask_engine
from tasks.items import Recording
from tasks.job import Job

__all__ = ["cut_out"]


def cut_out(job: Job, recording: Recording, item: ReviewItem) -> Mask:
    """Return what the benchmark's engine cuts out for an item of kind `click`."""
    stream = recording.receipt("deidentify").blobs["stream"].path(job.store)
    pts_us = int(str(item.content["pts_us"]))
    picture = picture_at(stream, read_frame_index(stream), pts_us)
    return chosen_mask_engine(job).mask(picture.rgb, clicks_of(item))
