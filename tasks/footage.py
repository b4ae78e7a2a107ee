"""What subjects may look at and listen to: one feed for all subjects of a process."""

import functools
from collections.abc import Sequence
from pathlib import Path

from firsthand.endpoints import Calling
from firsthand.media.feed import Feed
from firsthand.media.feed_ahead import Footage
from firsthand.store.releases import MediaRole, Release
from firsthand.subjects import Access
from firsthand.subjects.unit_media import ClipMedia

__all__ = ["clip_access"]


@functools.cache
def _feed() -> Feed:
    return Feed()


def clip_access(release: Release, calling: Calling) -> Access:
    """Return the pictures and sound of a release's proxies, with how endpoints are called."""
    proxies = {
        str(file.clip_id): Footage(release.path / file.path, file.sha256)
        for file in release.files
        if file.role == MediaRole.PROXY
    }

    def proxy_path(clip_id: str) -> Path:
        return proxies[clip_id].path

    def frame_times_us(clip_id: str) -> Sequence[int]:
        return _feed().frame_times_us(proxies[clip_id])

    return Access(
        proxy_path=proxy_path,
        frame_times=frame_times_us,
        media=ClipMedia(_feed(), proxy_path),
        calling=calling,
    )
