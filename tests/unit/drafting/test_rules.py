"""The rule-based drafter asks soundly: what it calls right happened, the rest did not."""

import pytest

from firsthand.core.errors import UnknownNameError
from firsthand.core.taxonomy import Modality, QuestionType, Subcategory
from firsthand.core.time import SECOND_US
from firsthand.core.timeline import OutsideStreamError, UnknownRecordingError
from firsthand.curation.checks import check_drafts
from firsthand.curation.drafts import Draft
from firsthand.drafting.material import material_from_rows
from firsthand.drafting.rules import RulesPolicy, draft_by_rules
from firsthand.drafting.templates import TEMPLATES
from tests.unit.drafting.stream import LENGTH_S, SAID, SCENES, TOLD, material, rows, timeline

MANY = RulesPolicy(per_template=99)


def by(template: str) -> tuple[Draft, ...]:
    drafts = draft_by_rules(material(), RulesPolicy(99, (template,)))
    assert drafts
    return drafts


def test_the_same_material_gives_the_same_drafts() -> None:
    assert draft_by_rules(material()) == draft_by_rules(material())


def test_a_better_aligner_changes_no_draft() -> None:
    exact, moved = draft_by_rules(material(), MANY), draft_by_rules(material(60_000), MANY)
    assert [draft.content_digest for draft in exact] == [draft.content_digest for draft in moved]


def test_most_drafts_pass_the_checks_and_cover_many_subcategories() -> None:
    checked = check_drafts(draft_by_rules(material()), recorded_us=4 * LENGTH_S * SECOND_US)
    passed = [entry.draft for entry in checked if not entry.rejected_by]
    assert len(passed) >= 12
    assert len(passed) >= 0.8 * len(checked)
    assert {draft.subcategory for draft in passed} >= {
        Subcategory.SHORT_TERM_MEMORY,
        Subcategory.LONG_TERM_MEMORY,
        Subcategory.ULTRA_LONG_MEMORY,
        Subcategory.ENTITY_TRACKING,
        Subcategory.TEMPORAL_COMPARISON,
        Subcategory.TEMPORAL_CHAIN,
        Subcategory.CROSS_MODAL_UNDERSTANDING,
        Subcategory.CROSS_ENTITY_RELATION,
    }
    assert {draft.question_type for draft in passed} == {
        QuestionType.MC_SINGLE,
        QuestionType.MC_MULTI,
        QuestionType.BINARY,
    }


def test_every_template_finds_something_to_ask() -> None:
    assert all(list(TEMPLATES[name](material())) for name in TEMPLATES)


def test_an_act_is_asked_by_the_place_it_has_among_its_like() -> None:
    asked = {draft.text: draft.right_options for draft in by("thing_of_act")}
    scene = 'On day 1, in the scene "Making breakfast", what does the wearer pick up'
    assert asked[f"{scene}, the first time?"] == ("tea pot",)
    assert asked[f"{scene}, the second time?"] == ("lemon",)


def test_a_thing_that_was_picked_up_there_is_no_wrong_option() -> None:
    for draft in by("thing_of_act"):
        if "Making breakfast" in draft.text and "pick up" in draft.text:
            assert not {"tea pot", "lemon"} & set(draft.wrong_options)


def test_where_a_thing_was_put_is_told_by_the_narration() -> None:
    asked = {draft.text: draft.right_options for draft in by("place_of_thing")}
    text = 'On day 2, in the scene "Morning at home", where does the wearer put the letter?'
    assert asked[text] == ("into the drawer",)


def test_a_scene_whose_name_holds_the_answer_is_not_named() -> None:
    told = rows()
    told["scenarios"][0]["description"] = "Fetching the lemon"
    drafts = draft_by_rules(material_from_rows(timeline(), "s", **told), MANY)
    assert not [
        draft for draft in drafts if "lemon" in draft.right_options and "Fetching" in draft.text
    ]


def test_an_earlier_day_is_asked_for_only_after_a_later_one_has_begun() -> None:
    for draft in by("thing_of_earlier_act"):
        first, last = draft.evidence[0], draft.evidence[-1]
        assert first.end_us <= 2 * LENGTH_S * SECOND_US <= last.begin_us
        assert draft.due_us == last.end_us


def test_an_ordering_is_right_in_time() -> None:
    position = {
        f"{verb} the {thing}": number
        for number, (verb, thing) in enumerate(
            [
                ("picks up", "tea pot"),
                ("puts", "tea pot"),
                ("holds", "spoon"),
                ("picks up", "lemon"),
            ]
        )
    }
    draft = by("order_of_three")[0]
    listed = dict(
        part.split(") ", 1)
        for part in draft.text.removesuffix("?").split(": ", 1)[1].replace("(", "").split("; ")
    )
    named = [
        listed[number].removeprefix("the wearer ") for number in draft.right_options[0].split(", ")
    ]
    assert [position[name] for name in named] == sorted(position[name] for name in named)
    assert len(set(draft.options)) == 4


def told_in(text: str) -> list[str]:
    """Narrations, articles made alike, of the setting that a question names."""
    scenes = [name for name, scene in SCENES.items() if scene in text]
    day = ["r1", "r2"] if "day 1" in text else ["r3", "r4"]
    sentences = [sentence for name in scenes or day for sentence in TOLD[name]]
    return [sentence.lower().rstrip(".").replace(" a ", " the ") for sentence in sentences]


def test_a_statement_is_true_if_and_only_if_it_was_narrated_in_its_setting() -> None:
    answers = set()
    for draft in by("statement_of_thing"):
        said = draft.text.rstrip(".").rsplit(", ", 1)[1]
        predicate = said.removeprefix("the wearer").removeprefix("the friend")
        happened = any(predicate in sentence for sentence in told_in(draft.text))
        assert draft.answer == (("true",) if happened else ("false",))
        answers |= set(draft.answer)
    assert answers == {"true", "false"}


def test_an_order_of_two_is_true_if_and_only_if_it_is_the_order_told() -> None:
    sentences = [sentence.lower() for told in TOLD.values() for sentence in told]
    for draft in by("order_of_two"):
        claimed = draft.text.rstrip(".").rsplit(", ", 1)[1].split(" before ")
        places = [
            next(
                place
                for place, sentence in enumerate(sentences)
                if part.split(" the ", 1)[1].split(" the ")[-1] in sentence
                and part.split()[2] in sentence
            )
            for part in claimed
        ]
        assert draft.answer == (("true",) if places[0] < places[1] else ("false",))


def test_a_set_holds_only_what_the_act_was_done_to() -> None:
    picked = {"tea pot", "lemon", "ball"}
    draft = next(
        draft for draft in by("things_of_a_day") if "day 1" in draft.text and "pick" in draft.text
    )
    assert set(draft.right_options) == picked
    assert len(draft.wrong_options) >= 2
    assert draft.question_type is QuestionType.MC_MULTI


def test_a_quoted_word_was_said_during_its_act_and_the_wrong_ones_were_not() -> None:
    for draft in by("word_during_act"):
        assert draft.required_modalities == (Modality.SPEECH, Modality.VIDEO)
        recording, step = next(
            (name, number)
            for name, lines in SAID.items()
            for number, line in enumerate(lines)
            if draft.right_options[0] in line.lower().split()
        )
        assert not set(draft.wrong_options) & set(SAID[recording][step].lower().split())


def test_a_redacted_word_is_never_quoted() -> None:
    hidden = {word.lower() for lines in SAID.values() for word in lines[2].split()}
    for draft in draft_by_rules(material(), MANY):
        assert not hidden & set(" ".join([draft.text, *draft.options]).lower().split())


def test_a_talk_needs_speech_and_is_never_mixed_with_things() -> None:
    assert not [draft for draft in by("thing_of_act") if "journey" in draft.right_options]
    assert not [draft for draft in by("thing_of_act") if "journey" in draft.wrong_options]


def test_only_events_in_one_recording_give_nothing_over_several_days() -> None:
    told = {name: [r for r in table if r["recording_id"] == "r1"] for name, table in rows().items()}
    drafts = draft_by_rules(material_from_rows(timeline(), "s", **told), MANY)
    assert not {Subcategory.LONG_TERM_MEMORY, Subcategory.ULTRA_LONG_MEMORY} & {
        draft.subcategory for draft in drafts
    }


def test_a_last_subtitle_may_outlast_its_recording_but_not_begin_after_it() -> None:
    told = rows()
    told["narrations"][-1] |= {"begin_us": 19_000_000, "end_us": 21_000_000}
    stream = material_from_rows(timeline(), "s", **told)
    assert stream.events[-1].exact.end_us == 4 * LENGTH_S * SECOND_US
    told["narrations"][-1] |= {"begin_us": 20_500_000}
    with pytest.raises(OutsideStreamError):
        material_from_rows(timeline(), "s", **told)


def test_rows_of_unknown_recordings_or_several_participants_are_refused() -> None:
    told = rows()
    told["narrations"][0] |= {"recording_id": "r9"}
    with pytest.raises(UnknownRecordingError):
        material_from_rows(timeline(), "s", **told)
    told = rows()
    told["words"][0] |= {"participant_id": "q"}
    with pytest.raises(ValueError, match="one participant"):
        material_from_rows(timeline(), "s", **told)


def test_an_unknown_template_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="thing_of_act"):
        draft_by_rules(material(), RulesPolicy(templates=("thing_of_acts",)))
