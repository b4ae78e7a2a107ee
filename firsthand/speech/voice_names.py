"""Names for voices that nobody enrolled: the same voice has one name in all recordings.

A name, once given, stays: what is named keeps its name when recordings are added, and a new
stretch of a voice joins the name that it has.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage

from firsthand.speech.engines import Embedding

__all__ = ["NamingPolicy", "Place", "VoiceSample", "name_voices"]

Place = tuple[str, int, int]
"""Recording, begin and end on its clock, in microseconds."""

Rows = npt.NDArray[np.float32]

_NUMBERED = re.compile(r"voice_(\d+)")


@dataclass(frozen=True, slots=True)
class VoiceSample:
    """A stretch of one voice, and how it sounds.

    Args:
        place: Where it lies.
        embedding: The voice, of length 1.
    """

    place: Place
    embedding: Embedding

    @property
    def duration_us(self) -> int:
        """Its length."""
        _, begin_us, end_us = self.place
        return end_us - begin_us


@dataclass(frozen=True, slots=True)
class NamingPolicy:
    """When two stretches are one voice.

    Args:
        one_voice_floor: Least mean cosine among stretches of one voice. The default lies
            between the most alike that two people were for the encoder (0.78) and the least
            alike that two sentences of one were (0.80). Lower than for enrolled voices, since
            a mistake costs no privacy here, and a person hears every stretch.
        founding_us: A shorter stretch joins a voice, or stays without a name.
        most_at_once: New stretches that are compared with each other; of more, later ones
            join the names of earlier ones. Memory grows with its square.
    """

    one_voice_floor: float = 0.79
    founding_us: int = 1_600_000
    most_at_once: int = 4_000


def name_voices(
    samples: Sequence[VoiceSample],
    known: Mapping[Place, str],
    policy: NamingPolicy | None = None,
) -> dict[Place, str]:
    """Return the name of each stretch that has one, such as `voice_01`.

    Args:
        samples: All stretches of a participant's recordings, in order of time; new voices
            are numbered in this order, after the highest number that is known.
        known: Names from before, by place; they are not changed.
        policy: Thresholds.
    """
    rule = policy or NamingPolicy()
    named = {one.place: known[one.place] for one in samples if one.place in known}
    taken = {*known.values()}
    new = [one for one in samples if one.place not in named]
    founders = [one for one in new if one.duration_us >= rule.founding_us]
    for first in range(0, len(founders), rule.most_at_once):
        for voice in _clusters(founders[first : first + rule.most_at_once], rule):
            name = _nearest(_mean(voice), samples, named, rule) or _next_name(taken)
            taken.add(name)
            named |= {one.place: name for one in voice}
    heard = dict(named)
    for one in new:
        joined = _nearest(one.embedding, samples, heard, rule)
        if one.place not in named and joined is not None:
            named[one.place] = joined
    return named


def _clusters(samples: Sequence[VoiceSample], rule: NamingPolicy) -> list[list[VoiceSample]]:
    """Return groups of one voice each, in order of their first stretch."""
    if len(samples) <= 1:
        return [list(samples)] if samples else []
    tree = linkage(np.stack([one.embedding for one in samples]), "average", "cosine")
    labels = fcluster(tree, 1 - rule.one_voice_floor, "distance")
    groups: dict[int, list[VoiceSample]] = {}
    for label, one in zip(labels.tolist(), samples, strict=True):
        groups.setdefault(label, []).append(one)
    return list(groups.values())


def _nearest(
    voice: Embedding,
    samples: Sequence[VoiceSample],
    named: Mapping[Place, str],
    rule: NamingPolicy,
) -> str | None:
    """Return the name whose stretches are most alike in the mean, if they are alike enough."""
    members: dict[str, list[VoiceSample]] = {}
    for one in samples:
        if one.place in named:
            members.setdefault(named[one.place], []).append(one)
    likeness = {name: float(_mean(own) @ voice) for name, own in sorted(members.items())}
    best = max(likeness, key=lambda name: likeness[name], default=None)
    return best if best is not None and likeness[best] >= rule.one_voice_floor else None


def _mean(samples: Iterable[VoiceSample]) -> Embedding:
    mean: Rows = np.stack([one.embedding for one in samples]).mean(axis=0)
    unit: Embedding = (mean / np.linalg.norm(mean)).astype(np.float32)
    return unit


def _next_name(taken: Iterable[str]) -> str:
    numbers = [int(found[1]) for name in taken if (found := _NUMBERED.match(name))]
    return f"voice_{max(numbers, default=0) + 1:02d}"
