from pathlib import Path

from firsthand.core.identity import digest_file
from firsthand.endpoints import Calling
from firsthand.store.releases import MediaRole, Release, ReleaseFile
from firsthand.subjects.subject import PictureSpan, Unit
from tasks.footage import clip_access
from tests.unit.media.numbered import number_in, write_numbered

S = 1_000_000


def test_subjects_look_at_the_proxies_of_a_release(tmp_path: Path) -> None:
    (tmp_path / "media").mkdir()
    files = [
        ReleaseFile(f"media/{role}.mp4", digest_file(path), 1, "media", clip_id="c", role=role)
        for role, step_ms in ((MediaRole.DEIDENTIFIED, 10), (MediaRole.PROXY, 100))
        if (
            path := write_numbered(
                tmp_path / "media" / f"{role}.mp4", [n * step_ms for n in range(40)]
            )
        )
    ]
    calling = Calling()
    access = clip_access(Release(tmp_path, "r-0", "0" * 64, tuple(files), {}), calling)
    assert access.media is not None
    assert access.frame_times is not None
    assert list(access.frame_times("c")) == [n * 100_000 for n in range(40)]
    span = PictureSpan("c", files[1].sha256, 10 * S, 11 * S, 12 * S)
    (picture,) = access.media.pictures(Unit(11 * S, 12 * S, pictures=(span,)))
    assert (number_in(picture.media.payload), picture.shown_us) == (20, 12 * S)
    assert access.media.sound(Unit(11 * S, 12 * S, pictures=(span,))) is None
    assert access.calling is calling
