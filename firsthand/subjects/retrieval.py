"""Lexical retrieval over short passages: BM25 with a growing index."""

import math
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

__all__ = ["PassageIndex", "terms_of"]

_TERM = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_SATURATION = 1.2
_LENGTH_WEIGHT = 0.75
_COMMON = frozenset(
    term
    for line in (
        "a an and are as at be been by did do does for from had has have he her his i in is",
        "it its my of on or she that the their them then there they this to was we were what",
        "when where which who whom why will with you your before after during",
    )
    for term in line.split()
)


def terms_of(text: str) -> list[str]:
    """Return the terms of a text in order: lower-cased words, Chinese by character.

    Very common English words are left out, since every passage holds them.
    """
    return [term for term in _TERM.findall(text.lower()) if term not in _COMMON]


class PassageIndex:
    """Passages in the order heard, searchable at any time.

    Scores follow Okapi BM25 (k1 = 1.2, b = 0.75) with the never negative weight
    `ln(1 + (N - n + 0.5) / (n + 0.5))` of a term that n of N passages hold.
    """

    def __init__(self) -> None:
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        self._length_sum = 0
        self.texts: list[str] = []

    def __len__(self) -> int:
        return len(self.texts)

    def add(self, text: str) -> None:
        """Append a passage; one without terms is kept but never found."""
        number = len(self.texts)
        counts = Counter(terms_of(text))
        for term, count in counts.items():
            self._postings[term].append((number, count))
        self.texts.append(text)
        self._lengths.append(counts.total())
        self._length_sum += counts.total()

    @contextmanager
    def including(self, text: str) -> Iterator[None]:
        """Hold one more passage inside the block and none of it afterwards."""
        self.add(text)
        try:
            yield
        finally:
            self._drop_last()

    def _drop_last(self) -> None:
        for term in set(terms_of(self.texts.pop())):
            self._postings[term].pop()
        self._length_sum -= self._lengths.pop()

    def weight(self, term: str, among: int | None = None) -> float:
        """Return how much a term tells, at least 0; highest if no passage holds it."""
        passages = len(self.texts) if among is None else among
        holding = len(self._held_by(term, among))
        return math.log(1 + (passages - holding + 0.5) / (holding + 0.5))

    def scores(self, terms: Iterable[str], among: int | None = None) -> Mapping[int, float]:
        """Return the score of every passage that holds one of the distinct terms.

        Args:
            terms: What is searched for.
            among: How many of the first passages there are, as if no other had been heard
                yet; None for all.
        """
        mean_length = self._mean_length(among)
        scores: dict[int, float] = defaultdict(float)
        # In order of the terms as given, so that sums are the same on every machine.
        for term in dict.fromkeys(terms):
            weight = self.weight(term, among)
            for number, count in self._held_by(term, among):
                relative = self._lengths[number] / mean_length
                damping = _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * relative)
                scores[number] += weight * count * (_SATURATION + 1) / (count + damping)
        return scores

    def _mean_length(self, among: int | None) -> float:
        if among is None:
            return self._length_sum / len(self.texts) if self.texts else 0.0
        return sum(self._lengths[:among]) / among if among else 0.0

    def _held_by(self, term: str, among: int | None) -> Sequence[tuple[int, int]]:
        postings = self._postings.get(term, ())
        return postings if among is None else postings[: bisect_left(postings, (among, 0))]

    def covered(self, terms: Iterable[str], number: int) -> float:
        """Return the share in [0, 1] of the terms' weight that one passage holds."""
        wanted = list(dict.fromkeys(terms))
        held = set(terms_of(self.texts[number]))
        whole = sum(self.weight(term) for term in wanted)
        return sum(self.weight(term) for term in wanted if term in held) / whole if whole else 0.0
