"""Reading narrations of many wordings."""

import pytest

from firsthand.drafting.sentences import base_form, read_clause


@pytest.mark.parametrize(
    ("sentence", "actor", "verb", "thing", "place"),
    [
        ("The wearer picks up the cup.", "the wearer", "pick up", "cup", None),
        ("The wearer picks the cup up.", "the wearer", "pick up", "cup", None),
        (
            "The wearer looks at a tall tree in the garden.",
            "the wearer",
            "look at",
            "tall tree",
            "in the garden",
        ),
        ("I carry my bag to the car", "the wearer", "carry", "bag", "to the car"),
        (
            "C washes the dishes in a sink, then leaves.",
            "the wearer",
            "wash",
            "dishes",
            "in the sink",
        ),
        ("A man in a blue hat opens the door.", "the man", "open", "door", None),
        ("The dog runs towards its bowl while it rains.", "the dog", "run towards", "bowl", None),
        ("The wearer drinks water.", "the wearer", "drink", "water", None),
        ("I hide the key under the mat by the door.", "the wearer", "hide", "key", "under the mat"),
    ],
)
def test_a_sentence_says_who_does_what_to_what_and_where(
    sentence: str, actor: str, verb: str, thing: str, place: str | None
) -> None:
    clause = read_clause(sentence)
    assert clause is not None
    assert (clause.actor, clause.verb, clause.thing, clause.place) == (actor, verb, thing, place)


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "Silence.",
        "The wearer waves.",
        "The wearer walks slowly.",
        "The visitor comes close and tilts the head.",
        "She opens the door.",
        "The wearer drops it.",
        "佩戴者拿起杯子。",
        "12 --> 14",
    ],
)
def test_a_sentence_that_the_rules_do_not_fit_yields_nothing(sentence: str) -> None:
    assert read_clause(sentence) is None


def test_a_clause_reads_as_a_statement_in_the_present() -> None:
    assert str(read_clause("I wash the cup.")) == "the wearer washes the cup"
    assert str(read_clause("I tidy my desk.")) == "the wearer tidies the desk"
    assert str(read_clause("A man pays a bill.")) == "the man pays the bill"


@pytest.mark.parametrize(
    ("third_person", "base"),
    [
        ("carries", "carry"),
        ("watches", "watch"),
        ("goes", "go"),
        ("has", "have"),
        ("closes", "close"),
        ("passes", "pass"),
        ("fixes", "fix"),
        ("ties", "tie"),
    ],
)
def test_the_base_form_of_a_verb(third_person: str, base: str) -> None:
    assert base_form(third_person) == base
