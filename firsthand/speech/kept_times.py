"""The aligner `none`: for a recogniser whose times are aligned already."""

from collections.abc import Mapping, Sequence

from firsthand.speech.engines import ALIGNERS, RecognisedWord, Sound

__all__ = ["KeptTimes"]

_NAME = "none"


@ALIGNERS.register(_NAME)
class KeptTimes:
    """Leaves every word where its recogniser heard it."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Its name; there is nothing else to it."""
        return {"name": _NAME, "version": "1", "weights": _NAME}

    def align(self, _sound: Sound, words: Sequence[RecognisedWord]) -> tuple[RecognisedWord, ...]:
        """Return the words as they are."""
        return tuple(words)
