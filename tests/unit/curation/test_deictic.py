"""Which words point: the templates of the paper's Figure 3, and what annotators marked."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.time import ms_to_us
from firsthand.curation.deictic import (
    SaidWord,
    aligned_phrases,
    deictic_phrases,
    proposed_strokes,
)

SAMPLES = Path(__file__).parents[3] / "data/samples"


def said(text: str, *, by_character: bool = False) -> list[SaidWord]:
    """Return words of 300 ms each; Chinese between spaces, or by character."""
    pieces = list(text.replace(" ", "")) if by_character else text.split()
    return [SaidWord(t, n * 400_000, n * 400_000 + 300_000) for n, t in enumerate(pieces)]


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("Take this.", ["this"]),
        ("Put this here.", ["this", "here"]),
        ("Put this in front of this.", ["this", "this"]),
        ("Put this to the right of this, and take it.", ["this", "this", "it"]),
        (
            "Put this to the right of this, then put this to the left of that.",
            ["this", "this", "this", "that"],
        ),
        ("Pass me that.", ["that"]),
        ("Put this in it.", ["this", "it"]),
    ],
)
def test_the_templates_of_the_paper_point_as_often_as_they_have_referents(
    text: str, phrases: list[str]
) -> None:
    aligned = aligned_phrases(said(text), "en", len(phrases))
    assert aligned is not None
    assert [phrase.text for phrase in aligned] == phrases


@pytest.mark.parametrize("language", ["zh", "zh-Hans"])
@pytest.mark.parametrize("by_character", [False, True])
@pytest.mark.parametrize(
    ("text", "phrases", "kinds"),
    [
        ("拿 这个 。", ["这个"], ["object"]),
        ("把 这个 放在 这里 。", ["这个", "这里"], ["object", "space"]),
        ("把 这个 放在 这个 前面 。", ["这个", "这个"], ["object", "object"]),
        ("把 这个 放在 那个 右边 ， 再 拿起 它 。", ["这个", "那个", "它"], ["object"] * 3),
        ("那 ， 我们 把 这 放到 那儿 。", ["这", "那儿"], ["object", "space"]),
        ("这么 重 的 那本 书", ["那本"], ["object"]),
    ],
)
def test_chinese_points_the_same_by_word_and_by_character(
    text: str, phrases: list[str], kinds: list[str], by_character: bool, language: str
) -> None:
    aligned = aligned_phrases(said(text, by_character=by_character), language, len(phrases))
    assert aligned is not None
    assert [phrase.text for phrase in aligned] == phrases
    assert [phrase.kind for phrase in aligned] == kinds


@pytest.mark.parametrize(
    "text",
    [
        "I think that we should go.",
        "There is a cup on the table.",
        "The cup is red.",
        "There were many.",
    ],
)
def test_words_that_only_look_like_pointing_do_not_point(text: str) -> None:
    assert deictic_phrases(said(text), "en") == ()


def test_a_noun_and_what_describes_it_belong_to_the_phrase() -> None:
    text = "This red notebook shows you, but those scissors over there."
    assert [(p.text, p.kind) for p in deictic_phrases(said(text), "en")] == [
        ("This red notebook", "object"),
        ("those scissors", "object"),
        ("there", "space"),
    ]


def test_more_or_fewer_phrases_than_referents_are_left_to_a_person() -> None:
    assert aligned_phrases(said("Take this and this."), "en", 1) is None
    assert aligned_phrases(said("Take the cup."), "en", 1) is None


def test_windows_hold_their_phrases_in_order_and_inside_the_clip() -> None:
    words = said("This cup that box there.")
    phrases = deictic_phrases(words, "en")
    windows = proposed_strokes(phrases, words[-1].end_us + 10)
    assert [(w.begin_us, w.end_us) for w in windows] == [
        (0, 750_000),
        (750_000, 1_550_000),
        (1_550_000, 1_900_010),
    ]


def test_what_annotators_marked_on_the_samples_is_found_and_its_window_overlaps() -> None:
    truth = json.loads((SAMPLES / "truth.json").read_text("utf-8"))["files"]
    marked: dict[str, list[Any]] = defaultdict(list)
    for line in (SAMPLES / "annotations/strokes.jsonl").read_text("utf-8").splitlines():
        marked[json.loads(line)["file"]].append(json.loads(line))
    shares = []
    for file, lines in marked.items():
        words = [
            SaidWord(word["text"], ms_to_us(word["begin_ms"]), ms_to_us(word["end_ms"]))
            for word in truth[file]["words"]
        ]
        phrases = deictic_phrases(words, "en")
        windows = proposed_strokes(phrases, truth[file]["duration_us"])
        for line in lines:
            begin_us, end_us = ms_to_us(line["begin_ms"]), ms_to_us(line["end_ms"])
            (own,) = [
                window
                for phrase, window in zip(phrases, windows, strict=True)
                if phrase.text == line["phrase"]
                and begin_us <= phrase.end_us
                and phrase.begin_us <= end_us
            ]
            shared = min(own.end_us, end_us) - max(own.begin_us, begin_us)
            shares.append(shared / (max(own.end_us, end_us) - min(own.begin_us, begin_us)))
    assert len(shares) == 10
    assert min(shares) >= 0.5
