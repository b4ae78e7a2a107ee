import pytest

from firsthand.core.errors import UnknownNameError
from firsthand.deid.text_rules import TextRules, rules_met

DEFAULT = TextRules()


def rule_met(text: str, rules: TextRules) -> str | None:
    return next(iter(rules_met(text, rules)), None)


# Forms as national authorities and numbering plans publish them; numbers reserved for fiction
# or documentation where there are such.
PLATES = (
    "B-FH 2026",
    "M AB 4071",
    "D B-FH 2026",
    "AB12 CDE",
    "AB-123-CD",
    "1234 BCD",
    "7ABC123",
    "ABC 1234",
    "京A12345",
    "沪A·D12345",
    "12-AB-34",
    "A 123 BC 77",
    "M KM 123",
    "34 KM 123",
)
PHONES = (
    "Tel. 030 555 0199",
    "030 555 0142",
    "+44 20 7946 0958",
    "(202) 555-0143",
    "+1-202-555-0143",
    "01 99 00 12 34",
    "138 0013 8000",
    "Tel:0305550199",
    "O30 555 O199",
    "555-0143",
)
EMAILS = (
    "eva.b@post.example",
    "eva@post,example",
    "eva (at) post.example",
    "Mail: e.b@a-b.example today",
    "@eva_b",
)
HARMLESS = (
    "GARDEN",
    "NOTES",
    "Call with",
    "the office",
    "500 ML",
    "230 V 50 Hz",
    "12:45",
    "2026-05-03",
    "3.5.2026",
    "A4",
    "MP3",
    "Room 12",
    "EUR 12.99",
    "CHAPTER 1",
    "1000 pieces",
    "",
    "10:30 PM",
    "Size 42",
)


@pytest.mark.parametrize("text", PLATES)
def test_plates_of_many_countries_are_private(text: str) -> None:
    assert rule_met(text, TextRules(("plate",))) == "plate"


@pytest.mark.parametrize("text", PHONES)
def test_phone_numbers_are_private_however_they_are_grouped(text: str) -> None:
    assert rule_met(text, TextRules(("phone",))) == "phone"


@pytest.mark.parametrize("text", EMAILS)
def test_addresses_are_private_also_when_misread(text: str) -> None:
    assert rule_met(text, DEFAULT) == "email"


@pytest.mark.parametrize("text", HARMLESS)
def test_labels_dates_times_and_amounts_stay(text: str) -> None:
    assert rule_met(text, DEFAULT) is None


def test_listed_names_are_private_with_a_letter_misread_and_others_stay() -> None:
    rules = TextRules(("names",), ("Eva Berg", "Lindqvist"))
    for text in ("Dear Eva Berg,", "EVA BERG", "Fam. Lindqvlst"):
        assert rule_met(text, rules) == "names"
    for text in ("Eva", "Bergamot tea", "evening"):
        assert rule_met(text, rules) is None


def test_everything_means_every_letter_and_digit() -> None:
    rules = TextRules(("everything",))
    assert rule_met("x", rules) == "everything"
    assert rule_met("– – –", rules) is None


def test_rules_are_known_by_exact_name_and_names_come_with_their_rule() -> None:
    with pytest.raises(UnknownNameError, match="phone"):
        TextRules(("phones",))
    with pytest.raises(ValueError, match="come together"):
        TextRules(("names",))
    with pytest.raises(ValueError, match="come together"):
        TextRules(names=("Eva",))
