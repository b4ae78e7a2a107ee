"""Okapi BM25 against its formula."""

import math

import pytest

from firsthand.subjects.retrieval import PassageIndex, terms_of


def test_a_score_follows_the_formula() -> None:
    index = PassageIndex()
    index.add("red mug shelf")
    index.add("blue mug")
    # N = 2, mean length 2.5. "red" is in one passage: idf = ln(1 + 1.5 / 1.5) = ln 2; there
    # tf = 1, length 3: tf part = 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 3 / 2.5)).
    expected = math.log(2) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 3 / 2.5))
    assert index.scores(["red"]) == {0: pytest.approx(expected, abs=1e-12)}


def test_a_passage_included_for_a_while_leaves_nothing_behind() -> None:
    index = PassageIndex()
    index.add("red mug shelf")
    before = dict(index.scores(["red", "mug"]))
    with index.including("red red kettle"):
        assert set(index.scores(["kettle"])) == {1}
    assert dict(index.scores(["red", "mug"])) == before
    assert index.scores(["kettle"]) == {}
    assert len(index) == 1


def test_terms_are_words_or_chinese_characters_without_the_commonest_words() -> None:
    assert terms_of("The Mug_2 is 在架 on") == ["mug", "2", "在", "架"]
