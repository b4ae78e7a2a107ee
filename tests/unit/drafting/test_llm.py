"""The model drafter against a scripted endpoint: sound proposals pass, faulty ones say why."""

from dataclasses import replace
from pathlib import Path

import pytest

from firsthand.core.errors import DataFileError
from firsthand.core.metering import metered
from firsthand.core.taxonomy import QuestionType
from firsthand.core.time import SECOND_US, ClosedSpan
from firsthand.curation.checks import check_drafts
from firsthand.curation.drafts import Draft
from firsthand.drafting.llm import ModelDrafting, draft_with_model
from firsthand.drafting.prompts import load_prompt, read_prompt
from firsthand.drafting.proposals import Refusal, Source, read_proposals
from firsthand.endpoints import Budget, Endpoint, Patience, ReplyLog
from firsthand.endpoints.errors import BudgetExceededError, EndpointUnreachableError
from tests.unit.drafting.proposals import SOUND, reply
from tests.unit.drafting.stream import LENGTH_S, material
from tests.unit.endpoints.chat_server import ChatServer, fails, says

SOURCE = Source("p", "s", ClosedSpan(0, 16 * SECOND_US), None, "litellm:m", "prompt@1")


def read(*proposals: object) -> list[Draft | Refusal]:
    return list(read_proposals(reply(*proposals), SOURCE))


@pytest.fixture
def drafting(chat: ChatServer, tmp_path: Path) -> ModelDrafting:
    patience = Patience(attempts=2, timeout_s=5.0, pause=lambda _: None)
    endpoint = Endpoint("openai/drafter", chat.url, "key", patience)
    prompt = load_prompt("recording-questions")
    return ModelDrafting(endpoint, prompt, ReplyLog(tmp_path, "w"), "1")


def test_a_sound_proposal_becomes_a_draft_with_arranged_options() -> None:
    draft = read(SOUND)[0]
    assert isinstance(draft, Draft)
    assert draft.right_options == ("tea pot",)
    assert set(draft.options) == {"tea pot", "lemon", "spoon", "ball"}
    assert draft.evidence == (ClosedSpan(0, 4 * SECOND_US),)
    assert draft.drafter == "litellm:m"
    assert check_drafts([draft], recorded_us=16 * SECOND_US)[0].rejected_by == ()


def test_a_fenced_reply_is_read_as_well() -> None:
    assert isinstance(next(read_proposals(f"```json\n{reply(SOUND)}\n```", SOURCE)), Draft)


def test_statements_and_open_questions_have_no_options() -> None:
    statement = SOUND | {"type": "binary", "right": ["True"], "wrong": []}
    open_one = SOUND | {"type": "open_ended", "right": ["The tea pot"], "wrong": [], "text": "Why?"}
    drafts = read(statement, open_one)
    assert [d.answer for d in drafts if isinstance(d, Draft)] == [("true",), ("The tea pot",)]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"type": "mc"}, "unknown_type"),
        ({"subcategory": "Memory"}, "unknown_subcategory"),
        ({"modalities": ["smell"]}, "unknown_modality"),
        ({"modalities": []}, "no_modality"),
        ({"text": ""}, "text_unreadable"),
        ({"text": 5}, "text_unreadable"),
        ({"right": "tea pot"}, "options_unreadable"),
        ({"wrong": ["lemon", None]}, "options_unreadable"),
        ({"right": ["tea pot", "lemon"]}, "wrong_option_count"),
        ({"type": "mc_multi"}, "wrong_option_count"),
        ({"wrong": []}, "wrong_option_count"),
        ({"wrong": [f"thing {n}" for n in range(26)]}, "wrong_option_count"),
        ({"type": "binary"}, "wrong_option_count"),
        ({"type": "binary", "right": ["maybe"], "wrong": []}, "not_true_or_false"),
        ({"evidence_s": []}, "evidence_unreadable"),
        ({"evidence_s": [[3]]}, "evidence_unreadable"),
        ({"evidence_s": [[3, 1]]}, "evidence_unreadable"),
        ({"evidence_s": [["0", "1"]]}, "evidence_unreadable"),
        ({"evidence_s": [[True, 2]]}, "evidence_unreadable"),
        ({"evidence_s": [[1, float("inf")]]}, "evidence_unreadable"),
        ({"evidence_s": [[float("nan"), 1]]}, "evidence_unreadable"),
        ({"evidence_s": [[14, 17]]}, "evidence_outside_window"),
        ({"difficulty": 3}, "surplus_field"),
    ],
)
def test_a_faulty_proposal_is_refused_by_reason_and_its_neighbour_stays(
    change: dict[str, object], reason: str
) -> None:
    refused, kept = read(SOUND | change, SOUND)
    assert refused == Refusal(0, reason)
    assert isinstance(kept, Draft)


def test_a_missing_field_is_named() -> None:
    assert read({k: v for k, v in SOUND.items() if k != "wrong"}) == [
        Refusal(0, "missing_field:wrong")
    ]


def test_a_repeated_proposal_and_one_that_is_no_object_are_refused() -> None:
    assert read(SOUND, SOUND, "text")[1:] == [Refusal(1, "repeated"), Refusal(2, "not_an_object")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Here are your questions:", "not_json"),
        (reply(SOUND)[:-20], "not_json"),
        ("[1]", "not_json"),
        ("{}", "no_questions"),
        ('{"questions": []}', "no_questions"),
        ('{"questions": {"text": 1}}', "no_questions"),
    ],
)
def test_a_reply_that_holds_no_proposals_says_why(text: str, reason: str) -> None:
    assert list(read_proposals(text, SOURCE)) == [Refusal(None, reason)]


def test_leaking_and_duplicated_proposals_are_left_to_the_checks() -> None:
    leaking = SOUND | {"text": "On day 1, which tea pot does the wearer pick up?"}
    timed = SOUND | {"text": "What does the wearer pick up at 0:03?", "right": ["pan"]}
    twin = SOUND | {"text": "On day 1, what did the wearer first pick up?"}
    drafts = [draft for draft in read(SOUND, leaking, timed, twin) if isinstance(draft, Draft)]
    checked = check_drafts(drafts, recorded_us=16 * SECOND_US)
    assert [entry.rejected_by for entry in checked] == [
        (),
        ("answer_given_away",),
        ("time_given_away",),
        ("near_duplicate",),
    ]


def test_each_recording_is_asked_about_once_and_never_again(
    chat: ChatServer, drafting: ModelDrafting, tmp_path: Path
) -> None:
    chat.plan = [says(reply(SOUND))]
    stream = material()
    with metered() as calls:
        first = draft_with_model(stream, drafting)
        again = draft_with_model(stream, replace(drafting, replies=ReplyLog(tmp_path, "other")))
    assert calls == {drafting.endpoint.name: 4}
    assert again == first
    assert len(set(first.reply_keys)) == 4
    assert [draft.question_type for draft in first.drafts] == [QuestionType.MC_SINGLE]
    assert [refused.reason for refused in first.refused] == ["evidence_outside_window"] * 3


def test_another_revision_or_setting_of_the_model_is_asked_anew(
    chat: ChatServer, drafting: ModelDrafting
) -> None:
    chat.plan = [says(reply(SOUND))]
    draft_with_model(material(), drafting)
    draft_with_model(material(), replace(drafting, revision="2"))
    draft_with_model(material(), replace(drafting, questions=3))
    assert len(chat.requests) == 12


def test_a_run_that_stopped_goes_on_where_it_was(chat: ChatServer, drafting: ModelDrafting) -> None:
    chat.plan = [says(reply(SOUND)), says(reply(SOUND)), fails(500)]
    with pytest.raises(EndpointUnreachableError):
        draft_with_model(material(), drafting)
    chat.requests.clear()
    chat.plan = [says(reply(SOUND))]
    assert len(draft_with_model(material(), drafting).reply_keys) == 4
    assert len(chat.requests) == 2


def test_a_budget_stops_the_asking(chat: ChatServer, drafting: ModelDrafting) -> None:
    chat.plan = [says(reply(SOUND))]
    with pytest.raises(BudgetExceededError):
        draft_with_model(material(), replace(drafting, budget=Budget(limit_calls=3)))
    assert len(drafting.replies) == 3


def test_a_cut_reply_is_kept_and_refused_as_cut(chat: ChatServer, drafting: ModelDrafting) -> None:
    chat.plan = [says(reply(SOUND)[:50], finish="length")]
    found = draft_with_model(material(), drafting)
    assert [refused.reason for refused in found.refused] == ["cut_by_length"] * 4
    assert len(drafting.replies) == 4


def test_the_model_sees_the_lines_of_its_recording_and_no_redacted_word(
    chat: ChatServer, drafting: ModelDrafting
) -> None:
    chat.plan = [says(reply(SOUND))]
    draft_with_model(material(), drafting)
    asked = [request["messages"][1]["content"] for request in chat.requests]
    assert "[0-4] narrator: The wearer picks up the tea pot." in asked[0]
    assert "the wearer says: Water boils slowly here" in asked[0]
    assert "Making breakfast (day 1)" in asked[0]
    assert f"inside {LENGTH_S} to {LENGTH_S + 16}" in asked[1]
    assert not any(
        hidden in text for text in asked for hidden in ("nothing\n", "Secret", "Private")
    )


def test_a_prompt_file_is_complete_or_refused() -> None:
    whole = 'id = "x"\nversion = 2\nsystem = "s"\nuser = "u $blank"\n'
    prompt = read_prompt("x.toml", whole)
    assert (prompt.name, prompt.filled(blank="!")) == ("x@2", "u !")
    faulty = ("id =", whole + "more = 1\n", whole.replace("2", '"2"'), 'id = "x"\n')
    for text in faulty:
        with pytest.raises(DataFileError, match=r"x\.toml"):
            read_prompt("x.toml", text)
    with pytest.raises(DataFileError, match="other"):
        load_prompt("other")
