"""Asking about clips: each clip once in every cell of the grid; equal asks are put once."""

from dataclasses import dataclass

from firsthand.core.identity import Json
from firsthand.core.metering import count_engine_call
from firsthand.core.outcomes import Outcome
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.calls import Media
from firsthand.endpoints.replies import Reply, ReplyIdentity, ReplyLog, ReplyOwner, reply_rows
from firsthand.protocols import GroundingCell
from firsthand.protocols.grounding import GroundingAsk, GroundingClip, grounding_ask
from firsthand.store.table import table_from_rows
from firsthand.store.tables import ASKS, REPLIES
from firsthand.subjects.access import NOTHING, Access
from firsthand.subjects.asking import ANSWERED, EXPECTED_FAILURES, KeptReplies, Row, ending_of
from firsthand.subjects.grounders import Grounder, GroundingMaterial, grounder_of
from firsthand.subjects.grounding_shard import GroundingShard, ask_id_of
from firsthand.subjects.material import ReleaseTables
from firsthand.subjects.pointing_clips import PointingClip, pointing_clips
from firsthand.subjects.running import AskedShard
from firsthand.subjects.subject import PictureSpan, SubjectFacts, SubjectUnavailableError, Unit
from firsthand.subjects.together import put_together

__all__ = ["ask_grounding_shard"]

_REQUIRED = frozenset({Modality.VIDEO, Modality.SPEECH})
"""What pointing and speaking together require."""

# Raised when a baseline would answer otherwise; what a model is told is in its prompt.
_BASELINES_VERSION = 1


def ask_grounding_shard(
    shard: GroundingShard, release: ReleaseTables, log: ReplyLog, access: Access = NOTHING
) -> AskedShard:
    """Put every clip of a shard in every cell; a stored reply is never asked for again.

    A cell whose parts the subject cannot take is not asked (`stack_not_taken`), nor is a
    clip whose truth is not whole (`truth_not_whole`); both stay in the denominator.

    Args:
        shard: What to ask.
        release: The release asked about.
        log: This worker's reply log.
        access: Frame times and pictures of clips, and how endpoints are called.
    """
    clips = {clip.clip_id: clip for clip in pointing_clips(release)}
    asking = _Asking(shard, log, access)
    asks = [(clips[clip_id], cell) for clip_id in shard.clip_ids for cell in shard.policy.cells]
    if asking.facts.asks_side_by_side:
        rows = put_together(asking.row, asks, access.calling.spending)
    else:
        rows = [asking.row(planned) for planned in asks]
    log.settle()
    keys = [str(row["reply_key"]) for row in rows if row["reply_key"] is not None]
    return AskedShard(
        table_from_rows(ASKS, sorted(rows, key=lambda row: (row["due_us"], row["ask_id"]))),
        table_from_rows(REPLIES, reply_rows(log, keys, run_id=shard.run_id)),
    )


Planned = tuple[PointingClip, GroundingCell]


class _Asking:
    def __init__(self, shard: GroundingShard, log: ReplyLog, access: Access) -> None:
        self.facts: SubjectFacts = shard.subject.build().facts
        self.access = access
        self._shard = shard
        self._log = log
        self._grounder: Grounder = grounder_of(shard.subject)
        self._kept: dict[str, KeptReplies] = {}

    def row(self, planned: Planned) -> Row:
        """Put one ask and return its row of table `asks`."""
        clip, cell = planned
        ask = grounding_ask(self._asked(clip, cell), cell, self.facts.points)
        given = self._grounder.given(ask)
        key, outcome = None, f"{Outcome.NOT_ASKED}(stack_not_taken)"
        if not clip.is_whole:
            outcome = f"{Outcome.NOT_ASKED}(truth_not_whole)"
        elif given is not None:
            key, outcome = self._put(clip, ask)
        return self._noted(_Noted(clip, cell, ask, given or frozenset(), key, outcome))

    def _asked(self, clip: PointingClip, cell: GroundingCell) -> GroundingClip:
        frame_times = self.access.frame_times
        needs_frames = not cell.contents.film
        if needs_frames and frame_times is None:
            raise ValueError(f"clip {clip.clip_id!r} is shown as frames; frame times are needed")
        times_us = frame_times(clip.clip_id) if frame_times is not None else ()
        return GroundingClip(
            clip.clip_id, len(clip.referents), clip.options, clip.words, tuple(times_us)
        )

    def _put(self, clip: PointingClip, ask: GroundingAsk) -> tuple[str | None, str]:
        key = self._identity(clip, ask).key
        # Threads meet at one key only within one clip, so replies are kept by participant.
        owner = ReplyOwner(clip.participant_id, self.facts.subject_id)
        kept = self._kept.setdefault(clip.participant_id, KeptReplies(self._log, owner))
        try:
            kept.reply(key, lambda stored: stored or self._reply(clip, ask))
        except EXPECTED_FAILURES as failure:
            return None, ending_of(failure)
        return key, ANSWERED

    def _reply(self, clip: PointingClip, ask: GroundingAsk) -> Reply:
        count_engine_call(f"subject {self.facts.subject_id}")
        material = GroundingMaterial(
            lambda: self._media(clip, ask),
            clip.referents if self.facts.reads_truth else (),
            self.access.calling,
        )
        reply = self._grounder.ground(ask, material)
        if not reply.is_storable:
            raise SubjectUnavailableError(
                f"subject {self.facts.subject_id!r}, clip {clip.clip_id!r}",
                "an empty reply",
                "a text",
                "Run the evaluation again: it asks what has no reply yet.",
            )
        return reply

    def _identity(self, clip: PointingClip, ask: GroundingAsk) -> ReplyIdentity:
        history = [clip.clip_id]
        if self.facts.reads_truth:
            history += [referent.digest for referent in clip.referents]
        return ReplyIdentity(
            self.facts.subject_id,
            self.facts.revision,
            ask.prompt,
            media=(
                {"proxy": clip.proxy_sha256, "film": ask.film, "frames_us": list(ask.frames_us)},
            ),
            history=tuple(history),
            arguments=self._arguments,
        )

    @property
    def _arguments(self) -> dict[str, Json]:
        structured = {"structured_replies": True} if self._shard.structured_replies else {}
        return {**self.facts.arguments, "grounding": _BASELINES_VERSION, **structured}

    def _media(self, clip: PointingClip, ask: GroundingAsk) -> tuple[Media, ...]:
        if ask.film:
            if self.access.proxy_path is None:
                raise ValueError(f"clip {clip.clip_id!r} is shown as a film; its file is needed")
            return (Media("video", "mp4", self.access.proxy_path(clip.clip_id).read_bytes()),)
        media = self.access.media
        if media is None:
            raise ValueError(f"clip {clip.clip_id!r} is shown as frames; pictures are needed")
        units = [_unit(clip, frame_us) for frame_us in ask.frames_us]
        return tuple(picture.media for unit in units for picture in media.pictures(unit))

    def _noted(self, noted: "_Noted") -> Row:
        clip, seen = noted.clip, noted.reply_key is not None
        return {
            "participant_id": clip.participant_id,
            "run_id": self._shard.run_id,
            "subject_id": self.facts.subject_id,
            "ask_id": ask_id_of(clip.clip_id, noted.cell),
            "question_id": clip.clip_id,
            "phase": "initial",
            "probe_round": 0,
            "due_us": clip.stream_start_us + clip.end_us - clip.start_us,
            "last_frame_us": noted.last_frame_us if seen else None,
            "last_word_us": noted.last_word_us if seen else None,
            "missing_modalities": sorted(_REQUIRED - noted.given),
            "reply_key": noted.reply_key,
            "outcome": noted.outcome,
        }


@dataclass(frozen=True, slots=True)
class _Noted:
    clip: PointingClip
    cell: GroundingCell
    ask: GroundingAsk
    given: frozenset[Modality]
    reply_key: str | None
    outcome: str

    @property
    def last_frame_us(self) -> int | None:
        """Time of the last frame that was given, on the stream's clock; of a film, its end."""
        if Modality.VIDEO not in self.given:
            return None
        length_us = self.clip.end_us - self.clip.start_us
        frames_us = self.ask.frames_us or (length_us,)
        return self.clip.stream_start_us + frames_us[-1]

    @property
    def last_word_us(self) -> int | None:
        """End of the last word that was given, on the stream's clock."""
        words = self.clip.words if Modality.SPEECH in self.given else ()
        return self.clip.stream_start_us + words[-1].end_us if words else None


def _unit(clip: PointingClip, frame_us: int) -> Unit:
    """Return the unit at whose end a frame is shown."""
    # The first frame is shown from the clip's very beginning, at which no unit can end.
    moment_us = clip.stream_start_us + max(frame_us, 1)
    end_us = clip.stream_start_us + clip.end_us - clip.start_us
    span = PictureSpan(
        clip.clip_id, clip.proxy_sha256, clip.stream_start_us, clip.stream_start_us, end_us
    )
    return Unit(moment_us - 1, moment_us, pictures=(span,))
