import io
import threading
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from scipy.io import wavfile

from firsthand.core.identity import digest_bytes, digest_file
from firsthand.media import UnreadableMediaError
from firsthand.media.encoding import EncoderSettings
from firsthand.media.feed import Feed, FeedSettings
from firsthand.media.feed_ahead import Footage
from firsthand.media.feed_index import read_frame_index
from firsthand.media.feed_store import FrameStore, SourceFrame
from firsthand.media.frames import decoded_frames
from firsthand.media.sound import mono_16k
from firsthand.media.writing import Targets, write_edited
from tests.unit.media.conftest import H264, PICTURE, SOUND, Ffmpeg
from tests.unit.media.numbered import number_in, write_numbered
from tests.unit.media.test_writing import UNTOUCHED

CASES = Path(__file__).parents[2] / "cases"
S = 1_000_000
STEADY_MS = [round(number * 1000 / 30) for number in range(300)]
# A phone that speeds up and slows down: steps of 10 to 120 ms.
UNSTEADY_MS = np.cumsum(np.random.default_rng(5).integers(10, 120, 160)).tolist()


@pytest.fixture
def feed() -> Iterator[Feed]:
    with Feed() as opened:
        yield opened


def footage(path: Path) -> Footage:
    return Footage(path, digest_file(path))


def expected(times_ms: list[int], moment_us: int) -> int:
    """Return the last frame at or before a moment, from the times that were written."""
    return sum((time - times_ms[0]) * 1000 <= moment_us for time in times_ms) - 1


@pytest.mark.parametrize("times_ms", [STEADY_MS, UNSTEADY_MS], ids=["steady", "unsteady"])
@pytest.mark.parametrize(("group", "b_frames"), [(250, 2), (12, 2), (30, 0), (1, 0)])
@pytest.mark.parametrize("container", ["mp4", "mkv"])
def test_each_unit_ends_with_the_last_frame_that_was_shown_by_then(
    feed: Feed, tmp_path: Path, times_ms: list[int], group: int, b_frames: int, container: str
) -> None:
    path = tmp_path / f"numbered.{container}"
    source = footage(write_numbered(path, times_ms, group=group, b_frames=b_frames))
    end_us = times_ms[-1] * 1000
    for moment_us in [*range(0, end_us, S), end_us, end_us + 3 * S]:
        frame = feed.frame_at(source, moment_us)
        assert number_in(frame.jpeg) == expected(times_ms, moment_us)
        assert frame.source.time_us <= moment_us


def test_any_order_of_asking_gives_the_same_frames(tmp_path: Path) -> None:
    source = footage(write_numbered(tmp_path / "numbered.mp4", UNSTEADY_MS, group=40))
    moments_us = list(range(0, UNSTEADY_MS[-1] * 1000, S // 3))
    with Feed() as feed:
        in_order = {moment: feed.frame_at(source, moment).sha256 for moment in moments_us}
    shuffled = np.random.default_rng(2).permutation(moments_us).tolist()
    for order in (moments_us[::-1], shuffled, moments_us[::7] + moments_us[::5]):
        with Feed() as feed:
            assert all(feed.frame_at(source, moment).sha256 == in_order[moment] for moment in order)


def test_a_start_that_is_not_zero_moves_nothing(feed: Feed, tmp_path: Path) -> None:
    late_ms = [time + 7_350 for time in UNSTEADY_MS]
    for name in ("late.mp4", "late.mkv", "late.ts"):
        source = footage(write_numbered(tmp_path / name, late_ms, group=25))
        for moment_us in range(0, UNSTEADY_MS[-1] * 1000, S):
            number = number_in(feed.frame_at(source, moment_us).jpeg)
            assert number == expected(late_ms, moment_us), (name, moment_us)


@pytest.mark.parametrize(
    "name",
    [
        "02-vfr-index-vs-time/vfr.mp4",
        "06-still-picture-stream-first/thumb_first.mov",
        "08-odd-dimensions/odd.mp4",
        "16-nonzero-start-ts/start3600.ts",
        "43-mask-of-rotated-frame/rot90.mp4",
    ],
)
def test_the_index_agrees_with_the_decoder(name: str) -> None:
    decoded = list(decoded_frames(CASES / name))
    index = read_frame_index(CASES / name)
    assert index.times_us.tolist() == [one.pts_us for one in decoded]
    assert [bool(key) for key in index.is_key] == [one.coded.key_frame for one in decoded]


def test_a_turned_recording_is_fed_upright(feed: Feed) -> None:
    path = CASES / "43-mask-of-rotated-frame/rot90.mp4"
    upright = next(decoded_frames(path))
    frame = feed.frame_at(footage(path), 0)
    shown = decoded_jpeg(frame.jpeg)
    assert shown.shape[1] < shown.shape[0]
    assert shown.shape[:2] == (upright.size_px[1], upright.size_px[0])
    assert np.abs(shown.astype(int) - upright.rgb).mean() < 6


def test_frames_fit_the_asked_size_and_are_never_enlarged(ffmpeg: Ffmpeg) -> None:
    wide = ffmpeg("-f", "lavfi", "-i", "testsrc=s=1280x720:r=5:d=1", *H264, "wide.mp4")
    for within_px, shape in (((640, 360), (360, 640)), ((100, 100), (56, 100))):
        with Feed(FeedSettings(within_px=within_px)) as feed:
            assert decoded_jpeg(feed.frame_at(footage(wide), 0).jpeg).shape[:2] == shape
    small = ffmpeg(*PICTURE, *H264, "small.mp4")
    with Feed() as feed:
        assert decoded_jpeg(feed.frame_at(footage(small), 0).jpeg).shape[:2] == (120, 160)


def decoded_jpeg(jpeg: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB"))


def proxy_of(path: Path, folder: Path) -> Path:
    targets = Targets(folder / "stream.mp4", folder / "proxy.mp4")
    write_edited(path, targets, UNTOUCHED, unit_us=S, settings=EncoderSettings())
    return targets.proxy


def test_of_a_proxy_only_the_frames_at_unit_ends_are_decoded(feed: Feed, tmp_path: Path) -> None:
    original = write_numbered(tmp_path / "numbered.mp4", UNSTEADY_MS, group=250)
    proxy = proxy_of(original, tmp_path)
    spoil_all_but_key_frames(proxy)
    source = footage(proxy)
    end_us = (UNSTEADY_MS[-1] - UNSTEADY_MS[0]) * 1000
    for moment_us in [*range(0, end_us, S), end_us]:
        number = number_in(feed.frame_at(source, moment_us).jpeg)
        assert number == expected(UNSTEADY_MS, moment_us)


def spoil_all_but_key_frames(path: Path) -> None:
    with av.open(str(path)) as media:
        packets = [p for p in media.demux(video=0) if p.size and not p.is_keyframe]
        places = [(packet.pos, packet.size) for packet in packets if packet.pos is not None]
    content = bytearray(path.read_bytes())
    for position, size in places:
        # Behind length and type of the unit, so that only decoding it fails.
        content[position + 6 : position + size] = bytes([255]) * (size - 6)
    path.write_bytes(content)


def test_sound_comes_in_exact_pieces_without_loss(feed: Feed, ffmpeg: Ffmpeg) -> None:
    noise = ("-f", "lavfi", "-i", "anoisesrc=r=44100:d=5:a=0.3:seed=1")
    path = ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=5", *noise, *H264, "noise.mkv")
    source, whole = footage(path), mono_16k(path)
    units = [feed.sound(source, start, start + S) for start in range(0, 5 * S, S)]
    assert [len(unit) for unit in units] == [16_000] * 5
    assert {unit.dtype for unit in units} == {np.dtype(np.float32)}
    joined = np.concatenate(units)
    np.testing.assert_array_equal(joined[: len(whole)], whole[: len(joined)])
    assert not joined[len(whole) :].any()
    # A third of a second is 5,333 1/3 samples: none is lost or heard twice.
    thirds = [feed.sound(source, n * S // 3, (n + 1) * S // 3) for n in range(15)]
    np.testing.assert_array_equal(np.concatenate(thirds), joined)


def test_a_click_is_in_the_unit_in_which_it_was_heard(
    feed: Feed, ffmpeg: Ffmpeg, tmp_path: Path
) -> None:
    samples = np.zeros((4 * 48_000, 2), np.float32)
    samples[round(2.75 * 48_000)] = 0.9
    wavfile.write(tmp_path / "click.wav", 48_000, samples)
    picture = ("-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=4")
    sources = (*picture, "-i", tmp_path / "click.wav")
    source = footage(ffmpeg(*sources, *H264, "-c:a", "pcm_s16le", "click.mov"))
    loudest = [np.abs(feed.sound(source, n * S, (n + 1) * S)) for n in range(4)]
    assert [unit.max() > 0.1 for unit in loudest] == [False, False, True, False]
    assert loudest[2].argmax() / 16_000 == pytest.approx(0.75, abs=0.0002)


def test_sound_that_starts_late_is_silent_until_then(feed: Feed) -> None:
    source = footage(CASES / "03-audio-starts-late/late_audio.mp4")
    assert not feed.sound(source, 0, 1_900_000).any()
    assert feed.sound(source, 2 * S, 3 * S).any()


def test_a_recording_without_sound_is_silent(feed: Feed) -> None:
    source = footage(CASES / "05-no-audio-stream/silent_track_absent.mp4")
    unit = feed.sound(source, 0, S)
    assert len(unit) == 16_000
    assert not unit.any()


def test_sound_of_long_ago_can_be_heard_again(ffmpeg: Ffmpeg) -> None:
    from firsthand.media.feed_sound import SoundCursor

    path = ffmpeg(*PICTURE, *SOUND, *H264, "-c:a", "pcm_s16le", "tone.mov")
    whole = mono_16k(path)
    cursor = SoundCursor(path, kept_samples=1_000)
    for first in (0, 20_000, 30_000, 10, 25_000, 24_000):
        heard = cursor.samples(first, first + 1_500)
        np.testing.assert_array_equal(heard, whole[first : first + 1_500])


def test_subjects_that_share_a_feed_get_the_same_frame_once(feed: Feed, tmp_path: Path) -> None:
    source = footage(write_numbered(tmp_path / "numbered.mp4", STEADY_MS))
    seen: dict[int, list[str]] = {1: [], 2: [], 3: []}

    def follow(subject: int) -> None:
        seen[subject] = [feed.frame_at(source, moment).sha256 for moment in range(0, 9 * S, S)]

    subjects = [threading.Thread(target=follow, args=(subject,)) for subject in seen]
    for subject in subjects:
        subject.start()
    for subject in subjects:
        subject.join()
    assert seen[1] == seen[2] == seen[3]
    assert len(set(seen[1])) == 9


def test_frames_are_named_by_their_bytes_and_leave_memory_in_order_of_use(tmp_path: Path) -> None:
    kept = FrameStore(kept_bytes=300, folder=tmp_path)
    sources = [SourceFrame("f" * 64, time, (640, 360), 90) for time in range(5)]
    frames = [kept.keep(one, bytes([number]) * 100) for number, one in enumerate(sources[:3])]
    assert [frame.sha256 for frame in frames] == [digest_bytes(f.jpeg) for f in frames]
    assert kept.find(sources[0]) is frames[0]
    kept.keep(sources[3], bytes([3]) * 100)
    assert kept.held_bytes == 300
    assert kept.find(sources[1]) is None
    assert kept.find(sources[0]) is frames[0]
    assert kept.jpeg(frames[1].sha256) == bytes([1]) * 100
    (tmp_path / frames[1].sha256[:2] / f"{frames[1].sha256}.jpg").write_bytes(b"altered")
    assert kept.jpeg(frames[1].sha256) is None


def test_memory_stays_flat_along_a_recording(tmp_path: Path) -> None:
    source = footage(write_numbered(tmp_path / "numbered.mp4", STEADY_MS))
    frames = FrameStore(kept_bytes=20_000)
    with Feed(FeedSettings(ahead=3), frames) as feed:
        for moment_us in range(0, 10 * S, S // 10):
            feed.frame_at(source, moment_us)
            assert frames.held_bytes <= 20_000


def test_a_file_that_does_not_read_is_named(feed: Feed, tmp_path: Path) -> None:
    gone = Footage(tmp_path / "gone.mp4", "0" * 64)
    for _ in range(2):
        with pytest.raises(UnreadableMediaError, match=r"gone\.mp4"):
            feed.frame_at(gone, 0)
        with pytest.raises(UnreadableMediaError, match=r"gone\.mp4"):
            feed.sound(gone, 0, S)


def test_there_is_nothing_before_the_beginning(feed: Feed, tmp_path: Path) -> None:
    source = footage(write_numbered(tmp_path / "numbered.mp4", STEADY_MS[:5]))
    with pytest.raises(ValueError, match="before the first frame"):
        feed.frame_at(source, -1)
    with pytest.raises(ValueError, match="no sound"):
        feed.sound(source, -1, 5)


def test_a_recording_that_was_cut_off_is_refused_each_time(
    feed: Feed, ffmpeg: Ffmpeg, tmp_path: Path
) -> None:
    whole = ffmpeg(*PICTURE, *H264, "-movflags", "+faststart", "whole.mov")
    cut = tmp_path / "cut.mov"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    for moment_us in (0, S, 0):
        with pytest.raises(UnreadableMediaError, match=r"cut\.mov.*of 20 announced pictures"):
            feed.frame_at(footage(cut), moment_us)


def test_a_stretch_that_does_not_decode_is_refused_each_time(
    feed: Feed, ffmpeg: Ffmpeg, tmp_path: Path
) -> None:
    whole = ffmpeg(*PICTURE, *H264, "-g", "10", "-bf", "0", "whole.mp4")
    spoilt = tmp_path / "spoilt.mp4"
    spoilt.write_bytes(whole.read_bytes())
    with av.open(str(spoilt)) as media:
        key = [p for p in media.demux(video=0) if p.is_keyframe and p.size][1]
        position, size = key.pos, key.size
    content = bytearray(spoilt.read_bytes())
    assert position is not None
    content[position : position + size] = bytes([255]) * size
    spoilt.write_bytes(content)
    assert feed.frame_at(footage(spoilt), 900_000).source.time_us == 900_000
    for _ in range(2):
        with pytest.raises(UnreadableMediaError, match=r"spoilt\.mp4"):
            feed.frame_at(footage(spoilt), 1_500_000)
    assert feed.frame_at(footage(spoilt), 0).source.time_us == 0
