"""Replies that name their evidence."""

import pytest

from firsthand.answers.clues import ClueAnswer, read_clue_reply
from firsthand.answers.readings import NoAnswer


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"answer": "green", "intervals": [[14, 15.5]]}', ClueAnswer("green", ((14.0, 15.5),))),
        # 1 h 2 min 3 s are 3,723 s.
        (
            'So: ```json\n{"answer": "green", "intervals": [["01:02:03", "01:02:04.5"]]}\n```',
            ClueAnswer("green", ((3723.0, 3724.5),)),
        ),
        (
            '<think>{"answer": "red", "intervals": []}</think>{"answer": "blue", "intervals": []}',
            ClueAnswer("blue", ()),
        ),
        ('{"answer": ["A", "C"], "intervals": [3, 4]}', ClueAnswer("A, C", ((3.0, 4.0),))),
        ('{"answer": true, "intervals": "none"}', ClueAnswer("true", ())),
        # Reversed intervals are kept as written; what becomes of them, a rule set decides.
        ('{"answer": "x", "intervals": [["02:10", "01:10"]]}', ClueAnswer("x", ((130.0, 70.0),))),
        (
            '{"answer": "x", "intervals": [[1, 2], [3], ["later", 4], [5, Infinity], [true, 2]]}',
            ClueAnswer("x", ((1.0, 2.0),), malformed=4),
        ),
        ("It was green [I think].", ClueAnswer("It was green [I think].", ())),
    ],
)
def test_answer_and_intervals_are_read(reply: str, expected: ClueAnswer) -> None:
    assert read_clue_reply(reply) == expected


def test_a_cut_after_the_object_leaves_the_answer_whole() -> None:
    cut = read_clue_reply('{"answer": "green", "intervals": []} and I would', finish="length")
    assert isinstance(cut, ClueAnswer)
    assert cut.is_whole
    broken = read_clue_reply('{"answer": "green", "interv', finish="length")
    assert isinstance(broken, ClueAnswer)
    assert not broken.is_whole


@pytest.mark.parametrize("reply", ['{"intervals": [[1, 2]]}', '{"answer": ""}', '{"answer": {}}'])
def test_an_object_without_an_answer_is_unparsed(reply: str) -> None:
    found = read_clue_reply(reply)
    assert isinstance(found, NoAnswer)
    assert found.reason == "unparsed"
