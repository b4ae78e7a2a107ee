"""Speed of the feed and of asking, against the targets. `python -m benchmarks.bench_feed`.

Prints one line a figure, `holds` or `short`, with the figure and its target. Turns of what
is compared alternate, and the best of each counts, since other work on the machine only
slows a turn down. For the same reason the feed is judged by CPU seconds, of one core: what
two cores reach by the clock stands beside it.
"""

import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import av
import imageio_ffmpeg

from benchmarks.day_release import DAY_S, day_release
from benchmarks.timed_subject import TimedSettings, time_spent_in_subjects
from firsthand.core.time import SECOND_US
from firsthand.endpoints.replies import ReplyLog
from firsthand.media.encoding import EncoderSettings
from firsthand.media.feed import Feed, FeedSettings
from firsthand.media.feed_ahead import Footage
from firsthand.media.writing import Edits, Targets, write_edited
from firsthand.protocols import StreamingPolicy
from firsthand.subjects import SubjectConfiguration, ask_shard, plan_asks

_RECORDING = Path(__file__).parents[1] / "data/samples/recordings/P1/VID_20260503_093025.mp4"
_LENGTH_S = 40
_CORES = 2
_TURNS = 3
_SEED = 20_260_101
_LEAST_SHARE = 0.8
_LEAST_PROXY_RATE = 100
_MOST_DAY_S = 60
_MOST_ASK_MS = 3
# Where in a unit a recording may begin: on it, and just after each quarter's key frame.
_PHASES_US = (0, 100_000, 200_000)


def main() -> None:
    """Measure everything; the exit status is 1 if a figure falls short."""
    with tempfile.TemporaryDirectory() as folder:
        held = [*_originals(Path(folder)), *_proxy(Path(folder)), *_day(Path(folder))]
    sys.exit(0 if all(held) else 1)


def _originals(folder: Path) -> Iterator[bool]:
    for groups, coding in {
        "long groups and B-frames": ("-g", "250", "-bf", "3"),
        "a key frame each second": ("-g", "30", "-bf", "0"),
    }.items():
        footage = _recorded(folder / f"{len(groups)}.mp4", coding)
        bare, feed = _best(
            partial(_decode_all, footage.path),
            partial(_follow, footage),
        )
        share = bare.cpu_s / feed.cpu_s
        name = f"feed of 720p with {groups}, in bare loops of it"
        yield _report(name, share, ">= 0.8", held=share >= _LEAST_SHARE)
        print(f"     by the clock {bare.clock_s / feed.clock_s:.2f}; {_rates(bare, feed)}")


def _proxy(folder: Path) -> Iterator[bool]:
    source = next(folder.glob("*.mp4"))
    targets = Targets(folder / "stream.mp4", folder / "proxy.mp4")
    untouched = Edits(lambda planes, pts_us: None, lambda block: block.samples)  # noqa: ARG005 - as it is
    settings = EncoderSettings()
    write_edited(source, targets, untouched, unit_us=SECOND_US, settings=settings)
    footage = Footage(targets.proxy, "proxy")
    for phase_us in _PHASES_US:
        (feed,) = _best(partial(_follow, footage, phase_us))
        rate = _LENGTH_S / feed.cpu_s
        name = f"proxy, units end {phase_us // 1000} ms after a quarter, s of stream per s"
        yield _report(name, rate, f">= {_LEAST_PROXY_RATE}", held=rate >= _LEAST_PROXY_RATE)
        print(f"     by the clock {_LENGTH_S / feed.clock_s:.0f}")


def _day(folder: Path) -> Iterator[bool]:
    release = day_release(_SEED)
    configured = SubjectConfiguration("timed-transcript", TimedSettings("transcript"))
    (shard,) = plan_asks(release, [configured], StreamingPolicy())
    log = ReplyLog(folder / "replies", "bench")
    with time_spent_in_subjects() as spent:
        began_s = time.perf_counter()
        asked = ask_shard(shard, release, log)
        taken_s = time.perf_counter() - began_s
    asks = asked.replies.num_rows
    print(f"     {DAY_S / 3600:.1f} h: {asks} asks, {spent.seconds:.2f} s of the subject's own")
    yield _report("day of questions, s", taken_s, f"< {_MOST_DAY_S}", held=taken_s < _MOST_DAY_S)
    per_ask_ms = (taken_s - spent.seconds) / asks * 1000
    yield _report(
        "harness per ask, ms", per_ask_ms, f"< {_MOST_ASK_MS}", held=per_ask_ms < _MOST_ASK_MS
    )


def _recorded(path: Path, coding: tuple[str, ...]) -> Footage:
    """Write a recording of a camera's size and noise, from one of the samples."""
    look = "scale=1280:720,fps=30,noise=alls=8:allf=t"
    command = [
        *(imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-nostdin", "-y"),
        *("-stream_loop", "-1", "-i", str(_RECORDING), "-t", str(_LENGTH_S), "-vf", look),
        *("-c:v", "libx264", "-preset", "veryfast", "-crf", "23", *coding),
        *("-c:a", "aac", "-ar", "48000", str(path)),
    ]
    subprocess.run(command, check=True)
    return Footage(path, path.name)


def _decode_all(path: Path) -> None:
    with av.open(str(path)) as media:
        stream = media.streams.video[0]
        stream.thread_count, stream.thread_type = _CORES, "AUTO"
        for _ in media.decode(stream):
            pass


def _follow(footage: Footage, phase_us: int = 0) -> None:
    """Take one frame and one second of sound of each unit, as a subject does."""
    with Feed(FeedSettings(decoder_threads=_CORES)) as feed:
        for end_us in range(SECOND_US, _LENGTH_S * SECOND_US + 1, SECOND_US):
            feed.frame_at(footage, end_us - SECOND_US + phase_us)
            feed.sound(footage, end_us - SECOND_US, end_us)


@dataclass(slots=True)
class _Taken:
    cpu_s: float = math.inf
    clock_s: float = math.inf


def _best(*works: Callable[[], None]) -> list[_Taken]:
    best = [_Taken() for _ in works]
    for _ in range(_TURNS):
        for taken, work in zip(best, works, strict=True):
            began_s, began_cpu_s = time.perf_counter(), time.process_time()
            work()
            taken.cpu_s = min(taken.cpu_s, time.process_time() - began_cpu_s)
            taken.clock_s = min(taken.clock_s, time.perf_counter() - began_s)
    return best


def _rates(bare: _Taken, feed: _Taken) -> str:
    rates = (f"{_LENGTH_S / taken.clock_s:.1f}" for taken in (bare, feed))
    return "bare loop {} s of stream per s, feed {}".format(*rates)


def _report(name: str, figure: float, target: str, *, held: bool) -> bool:
    print(f"{'holds' if held else 'short'} {name}: {figure:.2f} ({target})", flush=True)
    return held


if __name__ == "__main__":
    main()
