"""Cost and leaks of face removal beside `deface`. `python -m benchmarks.bench_deid DEFACE`.

DEFACE is the command `deface` 1.5.0 in an environment of its own; `make bench-deid` makes
that environment in `.venv-deface` and gives its path. Both tools get the same generated
clips (`face_scenes.REPORT`), each all of them in one process, and the CPU time of the
process and its children is read when it ends: start, decoding and encoding included.

Runs of what is compared alternate, and the best of each counts, since other work on the
machine only slows a run down; deface as it comes, which takes longest, runs once. Clips are
drawn and copies judged on all cores beforehand and afterwards, never while a run is timed.

Three comparisons come from four kinds of run:

- cost of the same work against deface's fastest setting (`--scale 640x360 --backend opencv`):
  both write one copy, with x264 at our preset and factor, without B-frames, on one thread;
- cost against deface as it comes, each tool with its own encoder settings; ours then writes a
  proxy as well, as it does in a build;
- leaks against deface as it comes, which looks at every frame at native size.

Both paint faces in one solid colour in every run, since that tells pixel by pixel what was
covered; where is not touched by that. (deface paints its whole box, and only the ellipse in
it when it blurs; ours paints the ellipse, as it does when it blurs.)

With `--minutes N M`, it also measures the peak memory of ours on files of N and M minutes;
`make bench-deid MINUTES="10 60"` takes about an hour and a half more.
Prints one line a figure, `holds` or `short`, with the figure and its target.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

import av

from benchmarks.face_clips import Leaks, measure, merged, write_clip
from benchmarks.face_scenes import FRAMES_PER_S, REPORT, TUNING, Clip
from firsthand.media.encoding import EncoderSettings

_OURS = EncoderSettings()
_SAME_ENCODER = {
    "codec": "libx264",
    "quality": None,
    "ffmpeg_params": [
        "-preset", _OURS.preset, "-crf", str(_OURS.constant_rate_factor), "-bf", "0",
        "-threads", "1",
    ],
}  # fmt: skip
# What each paints, as brightness and colour differences.
_OUR_PAINT, _DEFACE_PAINT = (128, 128, 128), (16, 128, 128)
_FASTEST_SHARE, _DEFAULT_SHARE = 0.40, 1 / 3
_LONGEST_RUN, _BRIEF_POINTS, _MEMORY_MB = 2, 0.5, 1_000
_TURNS = 3
# By name, since a clip's ways through its room are functions, which no process can be sent.
_CLIPS = {"tuning": TUNING, "report": REPORT}


@dataclass(frozen=True)
class Run:
    """What a process took, and what its copies show.

    Args:
        cpu_ms: CPU milliseconds a frame, of the process and its children.
        leaks: By clip.
    """

    cpu_ms: float
    leaks: tuple[Leaks, ...]

    @property
    def total(self) -> Leaks:
        """Sums over the clips."""
        return merged(list(self.leaks))


def main() -> int:
    """Measure and print; 0 if every target holds."""
    given = _arguments()
    kind = "tuning" if given.tuning else "report"
    clips = _CLIPS[kind]
    with tempfile.TemporaryDirectory() as scratch, ProcessPoolExecutor() as cores:
        folder = Path(scratch)
        sources = [folder / f"clip_{number}.mp4" for number in range(len(clips))]
        list(cores.map(_write, repeat(kind), range(len(clips)), sources))
        runs = {
            name: Run(1_000 * cpu_s / sum(clip.frames for clip in clips), leaks)
            for name, (cpu_s, leaks) in _runs(given.deface, kind, sources, cores).items()
        }
        for line in _table(clips, runs):
            print(line, flush=True)
        short = _report(runs)
        if given.minutes:
            short += _report_memory(sources, folder, given.minutes)
    return 1 if short else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_Plain)
    parser.add_argument("deface", type=Path, help="the command `deface`, version 1.5.0")
    parser.add_argument("--tuning", action="store_true", help="the clips for choosing settings")
    parser.add_argument("--minutes", type=int, nargs=2, help="lengths to measure memory at")
    return parser.parse_args()


class _Plain(argparse.RawDescriptionHelpFormatter):
    """Shows the module's text as it stands."""


def _write(kind: str, number: int, path: Path) -> None:
    write_clip(_CLIPS[kind][number], path)


def _leaks(kind: str, number: int, copy: Path, paint: tuple[int, int, int]) -> Leaks:
    return measure(_CLIPS[kind][number], copy, paint)


def _runs(
    deface: Path, kind: str, sources: Sequence[Path], cores: ProcessPoolExecutor
) -> dict[str, tuple[float, tuple[Leaks, ...]]]:
    """Return the CPU seconds of each kind of run, and what its copies show, clip by clip."""
    fastest = ["--scale", "640x360", "--backend", "opencv"]
    encoder = ["--ffmpeg-config", json.dumps(_SAME_ENCODER)]
    works: dict[str, tuple[int, tuple[int, int, int], Callable[[Path], float]]] = {
        "ours": (_TURNS, _OUR_PAINT, lambda out: _ours(sources, out, "with-proxy")),
        "ours, no proxy": (_TURNS, _OUR_PAINT, lambda out: _ours(sources, out, "alone")),
        "deface fastest": (
            _TURNS, _DEFACE_PAINT, lambda out: _deface(deface, [*fastest, *encoder], sources, out)
        ),
        "deface defaults": (1, _DEFACE_PAINT, lambda out: _deface(deface, [], sources, out)),
    }  # fmt: skip
    cpu_s: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(_TURNS):
        for name, (turns, _, work) in works.items():
            if turn < turns:
                out = sources[0].parent / name.replace(" ", "-")
                out.mkdir(exist_ok=True)
                cpu_s[name].append(work(out))
    return {
        name: (min(cpu_s[name]), _judged(kind, sources, name, paint, cores))
        for name, (_, paint, _) in works.items()
    }


def _judged(
    kind: str,
    sources: Sequence[Path],
    name: str,
    paint: tuple[int, int, int],
    cores: ProcessPoolExecutor,
) -> tuple[Leaks, ...]:
    copies = [source.parent / name.replace(" ", "-") / source.name for source in sources]
    return tuple(cores.map(_leaks, repeat(kind), range(len(copies)), copies, repeat(paint)))


def _ours(sources: Sequence[Path], out: Path, copies: str) -> float:
    command = [sys.executable, "-m", "benchmarks.deid_files", str(out), _OURS.preset]
    command += [str(_OURS.constant_rate_factor), "solid", copies, *map(str, sources)]
    return _cpu_s(command)


def _deface(deface: Path, options: Sequence[str], sources: Sequence[Path], out: Path) -> float:
    cpu_s = _cpu_s([str(deface), *map(str, sources), "--replacewith", "solid", *options])
    for source in sources:
        source.with_stem(f"{source.stem}_anonymized").replace(out / source.name)
    return cpu_s


def _cpu_s(command: Sequence[str]) -> float:
    """Run a command to its end; return the CPU seconds of it and of what it started."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    told = process.stderr.read() if process.stderr else b""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}: {told[-400:]!r}")
    return usage.ru_utime + usage.ru_stime


def _table(clips: Sequence[Clip], runs: dict[str, Run]) -> Iterator[str]:
    yield f"{'face-frames left open':<26}" + "".join(f"{name:>18}" for name in runs)
    for index, clip in enumerate(clips):
        cells = [run.leaks[index] for run in runs.values()]
        shown = (
            f"{leak.open_frames + leak.brief_open} of {leak.face_frames + leak.brief_frames}"
            for leak in cells
        )
        yield f"  {clip.name:<24}" + "".join(f"{text:>18}" for text in shown)


def _report(runs: dict[str, Run]) -> int:
    ours, fast, plain = runs["ours"], runs["deface fastest"], runs["deface defaults"]
    lines = [
        ("CPU a frame, against its fastest, same work", runs["ours, no proxy"].cpu_ms, "ms",
         _FASTEST_SHARE * fast.cpu_ms, f"40 % of {fast.cpu_ms:.1f}"),
        ("CPU a frame, each as it comes", ours.cpu_ms, "ms",
         _DEFAULT_SHARE * plain.cpu_ms, f"a third of {plain.cpu_ms:.1f}"),
        ("faces of 10 frames or more, left open", ours.total.open_percent, "%",
         plain.total.open_percent, f"deface at native size; {ours.total.face_frames} face-frames"),
        ("longest run left open", float(ours.total.longest_run), "frames", _LONGEST_RUN,
         f"deface: {plain.total.longest_run}"),
        ("brief appearances, left open", ours.total.brief_percent, "%",
         plain.total.brief_percent + _BRIEF_POINTS,
         f"native {plain.total.brief_percent:.2f} and half a point; "
         f"{ours.total.brief_frames} face-frames"),
    ]  # fmt: skip
    return sum(_line(*line) for line in lines)


def _line(what: str, figure: float, unit: str, target: float, basis: str) -> bool:
    is_short = figure > target + 1e-9
    verdict = "short" if is_short else "holds"
    print(f"{verdict}  {what:<48} {figure:8.2f} {unit:<7} <= {target:7.2f}  ({basis})", flush=True)
    return is_short


def _report_memory(sources: Sequence[Path], folder: Path, minutes: Sequence[int]) -> int:
    peaks_mb = []
    for length in minutes:
        long = _repeated(sources, folder / f"long_{length}.mp4", length)
        out = folder / f"long_{length}"
        out.mkdir()
        command = [sys.executable, "-m", "benchmarks.deid_files", str(out), _OURS.preset]
        command += [str(_OURS.constant_rate_factor), "blur", "with-proxy", str(long)]
        process = subprocess.Popen(command)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        peaks_mb.append(usage.ru_maxrss / 1024)
        long.unlink()
    return sum(
        _line(f"peak memory, {length} minutes", peak, "MB", _MEMORY_MB, "1 GB")
        for length, peak in zip(minutes, peaks_mb, strict=True)
    )


def _repeated(sources: Sequence[Path], path: Path, minutes: int) -> Path:
    """Write the clips one after another, again and again, without encoding anew."""
    last = minutes * 60 * FRAMES_PER_S
    with av.open(str(path), "w") as media, av.open(str(sources[0])) as first:
        stream = media.add_stream_from_template(first.streams.video[0])
        begin = 0
        while begin < last:
            for source in sources:
                begin = _append(media, stream, source, begin)
    return path


def _append(
    media: av.container.OutputContainer, stream: av.VideoStream, source: Path, begin: int
) -> int:
    with av.open(str(source)) as clip:
        ticks = begin
        for packet in clip.demux(video=0):
            if packet.pts is None or packet.dts is None or packet.time_base is None:
                continue
            tick = round(1 / (FRAMES_PER_S * packet.time_base))
            packet.pts, packet.dts = packet.pts + begin * tick, packet.dts + begin * tick
            packet.stream = stream
            media.mux(packet)
            ticks += 1
    return ticks


if __name__ == "__main__":
    sys.exit(main())
