"""A release's rows brought onto the stream's clock and cut into units."""

from firsthand.subjects.material import questions_of, stream_material
from tests.unit.subjects.kitchen import Kitchen, S, kitchen, recording, words


def test_units_cover_the_stream_once_and_the_last_may_be_shorter() -> None:
    units = list(stream_material(kitchen(), "sa").units(5 * S))
    assert [unit.end_us for unit in units] == [5 * S, 10 * S, 15 * S, 20 * S, 23_500_000]
    assert [unit.start_us for unit in units] == [0, 5 * S, 10 * S, 15 * S, 20 * S]


def test_what_is_said_is_delivered_when_it_has_been_said_and_only_once() -> None:
    # The narration ends at 3.2 s, so it comes with the unit that ends at 4 s; the words end
    # at 6.28, 6.56, 6.84, 7.12 and 7.4 s.
    units = list(stream_material(kitchen(), "sa").units(S))
    assert [unit.end_us // S for unit in units if unit.narrations] == [4, 15]
    assert [len(unit.words) for unit in units if unit.words] == [3, 2]
    assert [unit.end_us // S for unit in units if unit.words] == [7, 8]


def test_a_unit_across_two_recordings_holds_pictures_of_both() -> None:
    units = list(stream_material(kitchen(), "sa").units(5 * S))
    spans = [(span.clip_id, span.start_us // S, span.end_us // S) for span in units[2].pictures]
    assert spans == [("ra-clip", 10, 12), ("rb-clip", 12, 15)]


def test_a_word_heard_past_the_end_of_the_stream_ends_with_it() -> None:
    place, clip = recording("ra", "a", 0, 3)
    release = Kitchen(
        {"timeline": [place], "clips": [clip], "words": words("ra", 2.5, 3.2, "last")}
    )
    *_, last = stream_material(release, "sa").units(S)
    assert [word.end_us for word in last.words] == [3 * S]


def test_questions_come_by_stream_in_the_order_they_are_asked() -> None:
    names = [question.question_id for question in questions_of(kitchen())]
    assert names == ["qa1", "qa2", "qa3", "qa4", "qb1", "qb2"]
    options = [option.letter for option in questions_of(kitchen(), "sa")[0].options]
    assert options == ["A", "B", "C"]
