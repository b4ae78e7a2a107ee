"""What an audit says of a whole benchmark, and what a release needs of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from firsthand.core.errors import FirsthandError
from firsthand.deid.audit_rate import LeakRate, StratumCount, leak_rate
from firsthand.deid.audit_sampling import Stratum

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from firsthand.core.identity import Json
    from firsthand.curation.audit_items import AuditedFrame

__all__ = [
    "AuditNotPassedError",
    "AuditOverride",
    "AuditTally",
    "audit_result_rows",
    "audit_tally",
    "require_audit",
]

ALL = "all"
"""The kind of moment under which a participant's totals stand."""


class AuditNotPassedError(FirsthandError):
    """A release was asked for whose frames nobody has looked at, or in which something is left."""


@dataclass(frozen=True, slots=True)
class AuditOverride:
    """Somebody's decision to release without a passed audit.

    Args:
        name: Who decided.
        reason: Why; it is published with the release.
    """

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class AuditTally:
    """Sampled frames counted, of one participant or of all.

    Args:
        frames: By kind of moment, how many frames there are.
        sampled: By kind, how many were drawn.
        judged: By kind, how many of those people have looked at.
        faces_left: By kind, faces that can be recognised in those.
        texts_left: By kind, private writing that can be read in those.
    """

    frames: Mapping[str, int]
    sampled: Mapping[str, int]
    judged: Mapping[str, int]
    faces_left: Mapping[str, int]
    texts_left: Mapping[str, int]

    @property
    def passed(self) -> bool:
        """Whether every sampled frame was looked at and nothing was left in any."""
        left = sum(self.faces_left.values()) + sum(self.texts_left.values())
        total = sum(self.sampled.values())
        return 0 < total == sum(self.judged.values()) and left == 0

    @property
    def face_rate(self) -> LeakRate:
        """Face-seconds left per hour of recording."""
        return self._rate(self.faces_left)

    @property
    def text_rate(self) -> LeakRate:
        """Seconds of private writing left per hour of recording."""
        return self._rate(self.texts_left)

    def to_json(self, override: AuditOverride | None) -> dict[str, Json]:
        """Return what a manifest says of the audit."""
        return {
            "passed": self.passed,
            "frames_sampled": sum(self.sampled.values()),
            "frames_judged": sum(self.judged.values()),
            "faces_left": sum(self.faces_left.values()),
            "texts_left": sum(self.texts_left.values()),
            "face_seconds_per_hour": _rate_json(self.face_rate),
            "text_seconds_per_hour": _rate_json(self.text_rate),
            "override": None
            if override is None or self.passed
            else {"name": override.name, "reason": override.reason},
        }

    def _rate(self, left: Mapping[str, int]) -> LeakRate:
        return leak_rate(
            StratumCount(self.frames.get(kind, 0), self.judged.get(kind, 0), left.get(kind, 0))
            for kind in Stratum
        )


def audit_tally(rows: Sequence[Mapping[str, Json]], frames: Sequence[AuditedFrame]) -> AuditTally:
    """Count what people found.

    Args:
        rows: Rows of table `audit_frames`.
        frames: The same frames, with what people found in them.
    """
    sizes = {
        (str(row["recording_id"]), str(row["stratum"])): int(str(row["stratum_frames"]))
        for row in rows
    }
    totals: Counter[str] = Counter()
    for (_, kind), count in sizes.items():
        totals[kind] += count
    counts = {name: Counter[str]() for name in ("sampled", "judged", "faces_left", "texts_left")}
    for frame in frames:
        counts["sampled"][frame.stratum] += 1
        counts["judged"][frame.stratum] += frame.judged
        counts["faces_left"][frame.stratum] += frame.faces_left
        counts["texts_left"][frame.stratum] += frame.texts_left
    return AuditTally(totals, **counts)


def audit_result_rows(
    participant_id: str, tally: AuditTally, *, signed_off: bool
) -> Iterator[dict[str, object]]:
    """Yield a participant's rows of table `audit_results`: one a kind of moment, one for all.

    Args:
        participant_id: Whose recordings.
        tally: Their frames.
        signed_off: Whether the whole audit has passed, so that no uncovered picture is kept.
    """
    for kind in (*Stratum, ALL):
        kinds: Iterable[str] = Stratum if kind == ALL else (kind,)
        counts = {
            name: sum(getattr(tally, name).get(one, 0) for one in kinds)
            for name in ("frames", "sampled", "judged", "faces_left", "texts_left")
        }
        rate = tally.face_rate if kind == ALL else LeakRate(None, None, None, 0.0)
        if counts["frames"]:
            yield {
                "participant_id": participant_id,
                "stratum": str(kind),
                **counts,
                "originals_kept": 0 if signed_off else counts["sampled"],
                "face_s_per_hour": rate.per_hour,
                "face_s_per_hour_low": rate.low,
                "face_s_per_hour_high": rate.high,
            }


def require_audit(benchmark: str, tally: AuditTally, override: AuditOverride | None) -> None:
    """Make sure that a release may be made.

    Raises:
        AuditNotPassedError: If frames are not looked at, or something is left in one, and
            nobody has taken it upon themselves with a reason. Faces that a machine spared are
            looked at whatever somebody takes upon themselves.
    """
    _require_spared_seen(benchmark, tally)
    if tally.passed or override is not None:
        return
    sampled, judged = sum(tally.sampled.values()), sum(tally.judged.values())
    left = sum(tally.faces_left.values()) + sum(tally.texts_left.values())
    raise AuditNotPassedError(
        f"privacy audit of {benchmark!r}",
        f"{judged} of {sampled} sampled frames looked at, {left} leaks in them",
        "every sampled frame looked at and nothing left in any",
        "Look at the frames (items of kind `audit`), mend what is left and build again; or "
        "take it upon yourself: `release: audit_override: {name: …, reason: …}`.",
    )


def _require_spared_seen(benchmark: str, tally: AuditTally) -> None:
    sampled, judged, left = (
        counts.get(Stratum.SPARED_FACE, 0)
        for counts in (tally.sampled, tally.judged, tally.faces_left)
    )
    if judged < sampled or left:
        raise AuditNotPassedError(
            f"spared faces of {benchmark!r}",
            f"{judged} of {sampled} frames looked at, {left} faces of others in them",
            "every one of these frames looked at, and nobody's face in them but the participant's",
            "Look at the frames (items of kind `audit`); cover a stranger in review, or take "
            "the participant out of `removal: faces: spared`, and build again.",
        )


def _rate_json(rate: LeakRate) -> dict[str, Json]:
    return {
        "estimate": rate.per_hour,
        "low": rate.low,
        "high": rate.high,
        "level": rate.level,
    }
