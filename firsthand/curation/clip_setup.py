"""Setting up a clip for co-speech grounding: template, referents, and the options to choose from.

After EcoG-Bench (arXiv 2603.07966): six instruction templates on four levels, one to four
referents, and for each clip a closed set of six to eight things that are in the scene, in
an order that only a stored seed decides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from types import MappingProxyType

import numpy as np

from firsthand.core.errors import FirsthandError
from firsthand.curation.wording import normal_text

__all__ = [
    "CLIP_TEMPLATES",
    "ClipOptions",
    "ClipSetUpError",
    "ClipTemplate",
    "ClipThing",
    "arranged_clip_options",
    "check_referent_kinds",
]

_LEAST_OPTIONS, _MOST_OPTIONS = 6, 8


class ClipSetUpError(FirsthandError):
    """A clip's set-up does not fit its template, or its options leave no fair choice."""


@dataclass(frozen=True, slots=True)
class ClipTemplate:
    """An instruction template.

    Args:
        level: L1 to L4.
        kinds: `object` or `space` for each referent, in order of mention.
        is_silent: Whether the gesture comes without speech.
    """

    level: str
    kinds: tuple[str, ...]
    is_silent: bool = False

    @property
    def referents(self) -> int:
        """How many things are pointed at: K."""
        return len(self.kinds)


CLIP_TEMPLATES: Mapping[int, ClipTemplate] = MappingProxyType(
    {
        1: ClipTemplate("L1", ("object",), is_silent=True),
        2: ClipTemplate("L2", ("object",)),
        3: ClipTemplate("L3", ("object", "space")),
        4: ClipTemplate("L3", ("object", "object")),
        5: ClipTemplate("L4", ("object",) * 3),
        6: ClipTemplate("L4", ("object",) * 4),
    }
)
"""The six templates: silence; "take this"; "put this here"; "put this in front of this"; "put
this to the right of this, and take it"; the same twice over."""


@dataclass(frozen=True, slots=True)
class ClipThing:
    """A thing in the scene.

    Args:
        label: What it is called.
        kind: `object` or `space`.
    """

    label: str
    kind: str = "object"


@dataclass(frozen=True, slots=True)
class ClipOptions:
    """What a clip offers to choose from.

    Args:
        options: (letter, text) in the order shown: objects with capital letters, then places
            with small ones.
        answers: The letter of each referent, in order of mention; a thing that is pointed
            at twice has one letter.
        seed: What the order came from.
    """

    options: tuple[tuple[str, str], ...]
    answers: tuple[str, ...]
    seed: int


def check_referent_kinds(clip: str, template: int, kinds: Sequence[str]) -> None:
    """Check that a clip has the referents that its template speaks of.

    Raises:
        ClipSetUpError: If the template is unknown, or number or kinds of referents differ.
    """
    known = CLIP_TEMPLATES.get(template)
    if known is None:
        raise _unfit(clip, f"template {template}", f"one of 1 to {len(CLIP_TEMPLATES)}")
    if tuple(kinds) != known.kinds:
        found = ", ".join(kinds) or "no referent"
        raise _unfit(clip, f"referents {found}", f"for template {template}: {known.kinds}")


def arranged_clip_options(
    clip: str, targets: Sequence[ClipThing], distractors: Sequence[ClipThing], seed: int
) -> ClipOptions:
    """Return a clip's options in the order that a seed gives, the same for the same seed.

    Args:
        clip: The clip, for the error.
        targets: What is pointed at, in order of mention; one may recur.
        distractors: Other things in the scene.
        seed: Stored with the clip.

    Raises:
        ClipSetUpError: If there are not six to eight options, two say the same, or a kind
            that is pointed at has no other option, so that the kind alone tells.
    """
    things = [*dict.fromkeys(targets), *distractors]
    if not _LEAST_OPTIONS <= len(things) <= _MOST_OPTIONS:
        expected = f"{_LEAST_OPTIONS} to {_MOST_OPTIONS} things that are in the scene"
        raise _unfit(clip, f"{len(things)} options", expected)
    texts = [thing.label for thing in things]
    if len({normal_text(text) for text in texts}) < len(texts) or not all(map(str.strip, texts)):
        raise _unfit(clip, "options that say the same", "each thing told apart by its place")
    for kind in sorted({thing.kind for thing in targets} - {one.kind for one in distractors}):
        raise _unfit(clip, f"no distractor of kind {kind}", "one of each kind that is pointed at")
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(things))
    mixed = [things[number] for number in order]
    letter_of = {
        thing: letter
        for kind, letters in (("object", ascii_uppercase), ("space", ascii_lowercase))
        for thing, letter in zip((one for one in mixed if one.kind == kind), letters, strict=False)
    }
    return ClipOptions(
        tuple((letter, thing.label) for thing, letter in letter_of.items()),
        tuple(letter_of[thing] for thing in targets),
        seed,
    )


def _unfit(clip: str, found: str, expected: str) -> ClipSetUpError:
    return ClipSetUpError(
        f"set-up of clip {clip!r}", found, expected, "Correct the clip's line in its set-up file."
    )
