"""A stream as the lifelong protocol samples it, and its samples as units to be fed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from firsthand.core.taxonomy import Modality
from firsthand.core.time import Span
from firsthand.protocols.lifelong import RecordedLife, Senses, Stretch, ToldText
from firsthand.subjects.material import StreamMaterial
from firsthand.subjects.subject import HeardWord, NarrationLine, PictureSpan, SubjectFacts, Unit

__all__ = ["SampledStream", "senses_of"]


def senses_of(facts: SubjectFacts) -> Senses:
    """Return what a subject takes in; sound takes the place of words."""
    reads_words = Modality.SPEECH in facts.receives and not facts.hears_sound
    return Senses(
        looks=Modality.VIDEO in facts.receives,
        listens=facts.hears_sound,
        reads=reads_words or Modality.NARRATION in facts.receives,
    )


@dataclass(frozen=True, slots=True)
class SampledStream:
    """One stream, ready to be sampled for one subject.

    Args:
        life: What the protocol samples.
        texts: The words and narrations behind its texts, in the same order.
        pictures: Where the pictures are.
        sound_us: Length of the sound that is played of a shown moment.
    """

    life: RecordedLife
    texts: Sequence[HeardWord | NarrationLine]
    pictures: Sequence[PictureSpan]
    sound_us: int

    @classmethod
    def of(cls, material: StreamMaterial, facts: SubjectFacts, sound_us: int) -> "SampledStream":
        """Return the stream with the texts that the subject may be told, and no others."""
        words = () if facts.hears_sound else material.words
        texts: list[HeardWord | NarrationLine] = [
            *(words if Modality.SPEECH in facts.receives else ()),
            *(material.narrations if Modality.NARRATION in facts.receives else ()),
        ]
        texts.sort(key=lambda text: (text.end_us, text.begin_us))
        life = RecordedLife(
            tuple(_joined(material.pictures)) or (Span(0, material.end_us),),
            [ToldText(text.end_us, len(text.text.split())) for text in texts],
            material.end_us,
        )
        return cls(life, texts, material.pictures, sound_us)

    def units(self, stretches: Iterable[Stretch]) -> Iterator[Unit]:
        """Yield a sample as units: of each stretch its last frame and the texts it tells."""
        for stretch in stretches:
            told = self.texts[stretch.first_text : stretch.last_text]
            yield Unit(
                stretch.start_us,
                stretch.end_us,
                tuple(text for text in told if isinstance(text, HeardWord)),
                tuple(text for text in told if isinstance(text, NarrationLine)),
                tuple(self._shown(stretch)) if stretch.is_shown else (),
            )

    def _shown(self, stretch: Stretch) -> Iterator[PictureSpan]:
        since_us = max(stretch.start_us, stretch.end_us - self.sound_us)
        for span in self.pictures:
            if span.start_us < stretch.end_us <= span.end_us:
                start_us = max(span.start_us, since_us)
                yield replace(span, start_us=start_us, end_us=stretch.end_us)


def _joined(pictures: Iterable[PictureSpan]) -> Iterator[Span]:
    """Yield where there are pictures, spans that touch or overlap as one."""
    held: Span | None = None
    for span in sorted(pictures, key=lambda one: one.start_us):
        if span.end_us <= span.start_us:
            continue
        if held is not None and span.start_us <= held.end_us:
            held = Span(held.start_us, max(held.end_us, span.end_us))
            continue
        if held is not None:
            yield held
        held = Span(span.start_us, span.end_us)
    if held is not None:
        yield held
