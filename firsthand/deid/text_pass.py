"""Finding the private text of a whole recording, beside its faces, before anything is written."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from firsthand.deid.motion import CameraMotion
from firsthand.deid.on_screen_text import hull
from firsthand.deid.text_lines import private_lines
from firsthand.deid.text_motion import SmallGrey, changes, small_grey
from firsthand.deid.text_tracking import TextPlace, TextPolicy, TextThread, match
from firsthand.deid.tracking import TrackBox
from firsthand.deid.views import View
from firsthand.media.frames import decoded_frames
from firsthand.media.planes import planes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from firsthand.deid.faces import BoxPx
    from firsthand.deid.on_screen_text import ReadText, TextReader
    from firsthand.deid.text_rules import TextRules
    from firsthand.media.frames import Picture

__all__ = ["PrivateText", "TextFound", "TextScan", "find_text", "sighting_rows", "text_track_rows"]


@dataclass(frozen=True, slots=True)
class TextScan:
    """What was read in one frame.

    Args:
        pts_us: The frame's time on the recording's clock.
        readings: The lines.
        rules: For each line the rule it meets, or None.
    """

    pts_us: int
    readings: tuple[ReadText, ...]
    rules: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class PrivateText:
    """A piece of text that is to be covered.

    Args:
        rule: The rule it meets.
        places: Where it is, in order of time, all of one track.
    """

    rule: str
    places: Sequence[TrackBox]


@dataclass(frozen=True, slots=True)
class TextFound:
    """The text of a recording.

    Args:
        engine: Reader that read it.
        frames: Frames looked at.
        scans: The frames that were read.
        private: What is to be covered, in order of first appearance.
    """

    engine: str
    frames: int
    scans: tuple[TextScan, ...]
    private: tuple[PrivateText, ...]


def find_text(source: Path, reader: TextReader, rules: TextRules, policy: TextPolicy) -> TextFound:
    """Read a recording about once a second, and follow what was read from frame to frame.

    It is read sooner where something new comes into view (`firsthand.deid.motion`), and in
    the frame before something changes again, so that writing shown for less than a second is
    seen too, and for less than the time between two reads.

    A piece of text is private from the first to the last frame in which it is followed if
    one of its readings meets a rule: where it cannot be read, it is still covered.

    Raises:
        UnreadableMediaError: If the recording does not decode to its end.
    """
    search = _Search(reader, rules, policy)
    last: Picture | None = None
    for picture in decoded_frames(source):
        search.see(picture)
        last = picture
    if last is not None:
        search.finish(last)
    found = sorted(search.private, key=lambda one: (one[1][0].pts_us, one[1][0].box_xyxy_px))
    private = (
        PrivateText(rule, [TrackBox(n, at.pts_us, at.box_xyxy_px, at.source) for at in places])
        for n, (rule, places) in enumerate(found)
    )
    return TextFound(reader.name, search.frames, tuple(search.scans), tuple(private))


def sighting_rows(
    found: TextFound, participant_id: str, recording_id: str
) -> Iterator[Mapping[str, object]]:
    """Yield a recording's rows of the `text_sightings` table; they hold what was read."""
    for scan in found.scans:
        for index, (reading, rule) in enumerate(zip(scan.readings, scan.rules, strict=True)):
            yield {
                "participant_id": participant_id,
                "recording_id": recording_id,
                "pts_us": scan.pts_us,
                "reading_index": index,
                **_edges(reading.box_xyxy_px),
                "text": reading.text,
                "score": reading.score,
                "rule": rule,
                "engine": found.engine,
            }


def text_track_rows(
    found: TextFound, participant_id: str, recording_id: str
) -> Iterator[Mapping[str, object]]:
    """Yield a recording's rows of the `text_tracks` table; they hold no text."""
    for text in found.private:
        for place in text.places:
            yield {
                "participant_id": participant_id,
                "recording_id": recording_id,
                "track_id": place.track_id,
                "pts_us": place.pts_us,
                **_edges(place.box_xyxy_px),
                "rule": text.rule,
                "source": str(place.source),
            }


def _edges(box: BoxPx) -> dict[str, float]:
    return dict(zip(("x0_px", "y0_px", "x1_px", "y1_px"), box, strict=True))


_USUAL_FRAMES = 15


@dataclass(slots=True)
class _Search:
    """The state of a search; holds a few seconds of small pictures, never the recording."""

    reader: TextReader
    rules: TextRules
    policy: TextPolicy
    frames: int = 0
    scans: list[TextScan] = field(default_factory=list)
    private: list[tuple[str, list[TextPlace]]] = field(default_factory=list)
    _threads: list[TextThread] = field(default_factory=list)
    _past: deque[tuple[int, SmallGrey]] = field(default_factory=deque)
    _scanned: SmallGrey | None = None
    _read_us: int = 0
    _motion: CameraMotion | None = None
    _usual_novelty: float = 0.0
    _new_us: int | None = None
    _before: Picture | None = None

    def see(self, picture: Picture) -> None:
        luma = planes_of(picture, copied=False).y
        grey = small_grey(luma, is_full_range=picture.is_full_range)
        for thread in self._threads:
            thread.follow(self._past[-1][1], grey, picture.pts_us, self.policy)
        self._past.append((picture.pts_us, grey))
        self.frames += 1
        if self._is_novel(picture):
            self._note_novelty(picture.pts_us)
        if self._is_due(picture.pts_us, grey):
            self._scan(picture)
        self._before = picture
        keep_us = picture.pts_us - self.policy.back_us - self.policy.gap_us
        while self._past[0][0] < keep_us:
            self._past.popleft()

    def finish(self, last: Picture) -> None:
        """Read the last frame, unless it was, and close what is still followed."""
        if self._read_us != last.pts_us:
            self._scan(last)
        self._close(self._threads)

    def _is_novel(self, picture: Picture) -> bool:
        """Return whether something new came into view, other than writing that is followed."""
        self._motion = self._motion or CameraMotion(picture.size_px[0])
        known = (hull(one.quad_xy_px) for one in self._threads if one.lost_us is None)
        novelty = self._motion.see(View(picture).small(), known).novelty
        usual = self._usual_novelty
        # Of what is new only a part counts as usual, so that it stays new when it comes again.
        self._usual_novelty += (min(novelty, max(1.0, 2 * usual)) - usual) / _USUAL_FRAMES
        return novelty >= max(self.policy.novelty, self.policy.usual_ratio * usual)

    def _note_novelty(self, pts_us: int) -> None:
        """Remember what came into view; what came before it may be leaving, and is read."""
        if self._new_us is not None and pts_us - self._new_us >= self.policy.brief_us:
            self._read_before()
            self._new_us = pts_us
        self._new_us = pts_us if self._new_us is None else self._new_us

    def _read_before(self) -> None:
        """Read the frame before the one at hand, for writing that nobody follows yet."""
        if self._before is None:
            return
        *past, (now_us, grey) = self._past
        readings, rules = self._readings(self._before)
        threads = match(self._threads, readings, self.policy)
        for reading, rule, thread in zip(readings, rules, threads, strict=True):
            if thread is not None:
                thread.rule = thread.rule or rule
                continue
            begun = TextThread.begun(reading, past, self.policy)
            begun.rule = rule
            begun.follow(past[-1][1], grey, now_us, self.policy)
            self._threads.append(begun)

    def _is_due(self, pts_us: int, grey: SmallGrey) -> bool:
        if self._scanned is None:
            return True
        passed_us = pts_us - self._read_us
        if passed_us < self.policy.turn_step_us:
            return False
        if self._new_us is not None:
            return True
        change = changes(grey, self._scanned)
        if passed_us < self.policy.step_us:
            return float(change.mean()) > self.policy.turn_levels
        if float(change.max()) > self.policy.still_levels:
            return True
        self._renew(pts_us)
        return False

    def _renew(self, pts_us: int) -> None:
        """A still picture says what it said when it was read."""
        self._read_us = pts_us
        for thread in self._threads:
            if thread.lost_us is None:
                thread.last_read_us = pts_us

    def _readings(self, picture: Picture) -> tuple[list[ReadText], list[str | None]]:
        readings = self.reader.read(picture.rgb)
        rules = private_lines(readings, self.rules)
        self.scans.append(TextScan(picture.pts_us, tuple(readings), tuple(rules)))
        return readings, rules

    def _scan(self, picture: Picture) -> None:
        now_us, grey = self._past[-1]
        past = tuple(self._past)
        readings, rules = self._readings(picture)
        self._scanned, self._read_us, self._new_us = grey, now_us, None
        threads = match(self._threads, readings, self.policy)
        for reading, rule, thread in zip(readings, rules, threads, strict=True):
            if thread is None:
                thread_now = TextThread.begun(reading, past, self.policy)
                self._threads.append(thread_now)
            else:
                thread_now = thread
                thread_now.read_again(reading, past, self.policy)
            thread_now.rule = thread_now.rule or rule
        oldest_us = now_us - self.policy.gap_us
        self._close([one for one in self._threads if one.last_read_us < oldest_us])
        self._threads = [one for one in self._threads if one.last_read_us >= oldest_us]

    def _close(self, threads: Sequence[TextThread]) -> None:
        self.private += [(one.rule, one.places) for one in threads if one.rule is not None]
