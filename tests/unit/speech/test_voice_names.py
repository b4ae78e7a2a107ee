"""Names of voices that nobody enrolled: the same voice, the same name, for good."""

import functools
import itertools
import random

import numpy as np
import pytest

from firsthand.core.time import SECOND_US
from firsthand.speech.engines import Embedding, sound_between
from firsthand.speech.voice_names import NamingPolicy, Place, VoiceSample, name_voices
from tests.unit.speech.test_engines_on_samples import ENGINES, TRUTH, sound_of, turns_of
from tests.unit.speech.test_voice_changes import sentences

PEOPLE = ("kal", "ked", "espeak")
LENGTH_US = 2 * SECOND_US


@functools.cache
def stretches_of(person: str) -> tuple[Embedding, ...]:
    """Three sentences of a voice that is in no sample recording."""
    return ENGINES.speaker_encoder.embed(sentences(person)[:3])


def recorded(recording: str, *voices: Embedding, length_us: int = LENGTH_US) -> list[VoiceSample]:
    return [
        VoiceSample((recording, number * LENGTH_US, number * LENGTH_US + length_us), voice)
        for number, voice in enumerate(voices)
    ]


def days() -> list[list[VoiceSample]]:
    """Three recordings in which three people speak, in another order each time."""
    orders = (PEOPLE, PEOPLE[::-1], ("ked", "espeak", "kal"))
    return [
        recorded(f"day{day}", *(stretches_of(person)[day] for person in order))
        for day, order in enumerate(orders)
    ]


def person_of(place: Place) -> str:
    orders = (PEOPLE, PEOPLE[::-1], ("ked", "espeak", "kal"))
    return orders[int(place[0][3:])][place[1] // LENGTH_US]


def groups(named: dict[Place, str]) -> set[frozenset[Place]]:
    return {
        frozenset(place for place, name in named.items() if name == one)
        for one in set(named.values())
    }


def test_three_people_in_three_recordings_have_three_names() -> None:
    samples = [one for day in days() for one in day]
    named = name_voices(samples, {})
    pairs = {(name, person_of(place)) for place, name in named.items()}
    assert sorted(pairs) == [("voice_01", "kal"), ("voice_02", "ked"), ("voice_03", "espeak")]
    assert len(named) == len(samples)


def test_whoever_comes_first_the_same_stretches_belong_together() -> None:
    samples = [one for day in days() for one in day]
    wanted = groups(name_voices(samples, {}))
    for seed in range(5):
        shuffled = random.Random(seed).sample(samples, len(samples))
        assert groups(name_voices(shuffled, {})) == wanted
    assert name_voices(samples, {}) == name_voices(samples, {})


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_an_added_recording_changes_no_name_and_joins_those_there_are(
    order: tuple[int, ...],
) -> None:
    every = days()
    here: list[int] = []
    known: dict[Place, str] = {}
    for day in order:
        here = sorted([*here, day])
        named = name_voices([one for there in here for one in every[there]], known)
        assert {place: named[place] for place in known} == known
        assert set(named.values()) == {"voice_01", "voice_02", "voice_03"}
        # Asked again with what it said, it says the same.
        assert name_voices([one for there in here for one in every[there]], named) == named
        known = named
    by_person = {(name, person_of(place)) for place, name in known.items()}
    assert len(by_person) == len(PEOPLE)


def test_names_of_removed_recordings_are_not_given_to_others() -> None:
    first = recorded("day0", stretches_of("kal")[0])
    known = name_voices(first, {})
    later = recorded("day1", stretches_of("espeak")[0])
    assert set(name_voices(later, known).values()) == {"voice_02"}


def test_a_short_stretch_joins_a_voice_and_founds_none() -> None:
    alone = recorded("day0", stretches_of("kal")[0], length_us=SECOND_US)
    assert name_voices(alone, {}) == {}
    long = recorded("day1", stretches_of("kal")[1], stretches_of("espeak")[0])
    named = name_voices([*alone, *long], {})
    assert named[alone[0].place] == named[long[0].place] == "voice_01"
    assert named[long[1].place] == "voice_02"


def test_more_stretches_than_are_compared_at_once_join_by_name() -> None:
    samples = [one for day in days() for one in day]
    few = NamingPolicy(most_at_once=3)
    assert groups(name_voices(samples, {}, few)) == groups(name_voices(samples, {}))


@pytest.mark.parametrize("participant", ["P1", "P2"])
def test_the_samples_bystander_has_one_name_in_all_of_a_participants_recordings(
    participant: str,
) -> None:
    # The same synthetic voice plays the bystander in all of them.
    samples = []
    for file in sorted(name for name in TRUTH if name.startswith(participant)):
        if not TRUTH[file].get("words"):
            continue
        for turn in turns_of(file):
            if not turn.consented and not turn.overlapped:
                sound = sound_between(sound_of(file), turn.begin_us, turn.end_us)
                (voice,) = ENGINES.speaker_encoder.embed([sound])
                samples.append(VoiceSample((file, turn.begin_us, turn.end_us), voice))
    named = name_voices(samples, {})
    assert len(named) == len(samples) >= 4
    assert set(named.values()) == {"voice_01"}
    assert np.unique([place[0] for place in named]).size == 2
