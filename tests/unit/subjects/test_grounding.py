"""Clips asked about, read and scored, from a release to verdicts."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firsthand.answers import CoordinateOrder, PointForm
from firsthand.core.errors import ConfigurationError, UnknownNameError
from firsthand.core.metering import metered
from firsthand.core.taxonomy import Modality
from firsthand.endpoints import ReplyLog
from firsthand.protocols import GroundingPolicy, InputStack
from firsthand.protocols.grounding_policy import ClosedLists
from firsthand.subjects import (
    PROTOCOLS,
    Access,
    BaselineSettings,
    ReplaySettings,
    ResultTables,
    SubjectConfiguration,
    merge_shards,
    run_table,
)
from firsthand.subjects.grounding_shard import plan_grounding
from tests.unit.endpoints.chat_server import ChatServer, Planned, chat_server, fails, says
from tests.unit.subjects.endpoints import configured, patient
from tests.unit.subjects.kitchen import Kitchen, S
from tests.unit.subjects.workshop import said, seeing, workshop

GROUNDING = PROTOCOLS["grounding"]
FRAMES = GroundingPolicy((InputStack.FRAMES_TEXT,), (2.0,), InputStack.FRAMES_TEXT)
ALL = GroundingPolicy(tuple(InputStack), (1.0, 2.0), InputStack.FRAMES_ASR)
CELL = "frames_text-2fps"
LOOKS = frozenset({Modality.VIDEO, Modality.SPEECH})
# The options that the release's three names come to in each clip.
HAMMER, SHELF, SQUARE = "hammer", "top shelf", "red square"


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


def baseline(kind: str, **settings: Any) -> SubjectConfiguration:
    return SubjectConfiguration(kind, BaselineSettings(kind, **settings))


def run(
    folder: Path,
    subject: SubjectConfiguration,
    policy: GroundingPolicy = FRAMES,
    release: Kitchen | None = None,
    access: Access | None = None,
) -> ResultTables:
    release = release or workshop()
    log = ReplyLog(folder, "w")
    parts = []
    for shard in GROUNDING.plan(release, [subject], policy):
        asked = GROUNDING.ask(shard, release, log, access or seeing(calling=patient()))
        readings = GROUNDING.read(shard, release, asked)
        scored = GROUNDING.score(shard, release, asked, readings)
        parts.append(
            ResultTables(asked.asks, asked.replies, readings, scored.verdicts, scored.probes)
        )
    return merge_shards(parts)


def scores(result: ResultTables, rule_set: str = "paper") -> dict[tuple[str, str, int], float]:
    """Score by metric, ask and referent."""
    return {
        (row["metric"], row["ask_id"], row["referent_index"]): row["score"]
        for row in result.verdicts.to_pylist()
        if row["rule_set"] == rule_set
    }


def outcomes(result: ResultTables) -> dict[str, str]:
    return {row["ask_id"]: row["outcome"] for row in result.asks.to_pylist()}


def prompt_of(request: Any) -> str:
    content = request["messages"][-1]["content"]
    return str(content if isinstance(content, str) else content[-1]["text"])


def letter(prompt: str, text: str) -> str:
    """The letter of an option in a prompt."""
    (line,) = (line for line in prompt.splitlines() if line.endswith(f". {text}"))
    return line.split(".")[0]


Answers = Mapping[str, Sequence[tuple[str, tuple[float, float], float]]]


def answering(answers: Answers) -> Callable[[Any], Planned]:
    """Answer about clip wb if the frames end at 5900 ms, else about wa; options by text."""

    def answer(request: Any) -> Planned:
        prompt = prompt_of(request)
        clip = "wb" if "5900 ms" in prompt else "wa"
        named = [(letter(prompt, text), point, ms) for text, point, ms in answers[clip]]
        return says(said(*named), tokens=(10, 5))

    return answer


# Point [y, x] = [472, 592] of 1920x1080 is pixel (1136, 509), the click; the mask of the shelf
# spans x 104.2-208.3, y 92.6-185.2; [94, 125] of 240x320 is pixel (30, 30), inside the square.
RIGHT_YX: Answers = {
    "wa": [(HAMMER, (472, 592), 1500), (SHELF, (140, 150), 3500)],
    "wb": [(SQUARE, (94, 125), 2200)],
}


def test_an_oracle_scores_full_in_every_cell_under_both_rule_sets(tmp_path: Path) -> None:
    result = run(tmp_path, baseline("oracle"), ALL)
    # 2 clips in 4 stacks at 2 rates, and in one film; 3 referents, 4 metrics each, and seq.
    assert len(outcomes(result)) == 2 * 9
    verdicts = result.verdicts.to_pylist()
    assert len(verdicts) == 2 * 9 * (3 * 4 + 2)
    assert {(row["score"], row["outcome"]) for row in verdicts} == {(1.0, "correct")}
    assert {row["rule_set"] for row in verdicts} == {"paper", "official"}


def test_the_declared_order_of_coordinates_is_believed_hit_or_miss(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.answering = answering(RIGHT_YX)
    yx = PointForm(CoordinateOrder.YX)
    declared = configured(chat, receives=LOOKS, points=yx)
    right = run(tmp_path / "yx", declared)
    assert set(scores(right).values()) == {1.0}
    assert "[y, x]" in prompt_of(chat.requests[0])
    # Declared [x, y], the same numbers are pixel (906, 639), 263 px off the click, and stay so.
    wrong = scores(run(tmp_path / "xy", configured(chat, receives=LOOKS)))
    wa = f"wa-clip@{CELL}"
    assert wrong["acc_s", wa, 0] == 0.0
    assert wrong["acc_cls", wa, 0] == wrong["acc_t", wa, 0] == 1.0
    assert wrong["acc_eco", wa, 0] == wrong["acc_seq", wa, 0] == 0.0
    # The shelf and the square hold both readings: [140, 150] is (268, 162), [94, 125] (22, 40).
    assert wrong["acc_s", wa, 1] == wrong["acc_eco", f"wb-clip@{CELL}", 0] == 1.0


def test_points_of_another_scale_are_brought_to_thousandths(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.answering = answering(
        {
            "wa": [(HAMMER, (0.592, 0.472), 1500), (SHELF, (0.15, 0.14), 3000)],
            "wb": [(SQUARE, (0.125, 0.094), 2000)],
        }
    )
    subject = configured(chat, receives=LOOKS, points=PointForm(scale=1.0))
    result = run(tmp_path, subject)
    assert set(scores(result).values()) == set(scores(result, "official").values()) == {1.0}
    said_of = {row["ask_id"]: row["answer"] for row in result.readings.to_pylist()}
    (square,) = (json.loads(line) for line in said_of[f"wb-clip@{CELL}"])
    assert square["point_xy_permille"] == [125.0, 94.0]


def test_what_one_referent_lacks_costs_it_alone_under_paper_and_the_clip_under_official(
    chat: ChatServer, tmp_path: Path
) -> None:
    def answer(request: Any) -> Planned:
        prompt = prompt_of(request)
        if "5900 ms" in prompt:
            return says("I see a red square.")
        named = [letter(prompt, HAMMER), letter(prompt, SHELF)]
        points = [{"point": [592], "timestamp": 1600}, {"point": [150, 140], "timestamp": 3501}]
        return says(json.dumps({"selected_options": named, "point_list": points}))

    chat.answering = answer
    result = run(tmp_path, configured(chat, receives=LOOKS))
    wa, wb = f"wa-clip@{CELL}", f"wb-clip@{CELL}"
    paper, official = scores(result), scores(result, "official")
    assert [paper[m, wa, 0] for m in ("acc_cls", "acc_s", "acc_t")] == [1.0, 0.0, 1.0]
    # 3501 ms is one past the stroke's end.
    assert [paper[m, wa, 1] for m in ("acc_cls", "acc_s", "acc_t")] == [1.0, 1.0, 0.0]
    assert {score for (_, ask, _), score in official.items() if ask == wa} == {0.0}
    ended = {row["outcome"] for row in result.verdicts.to_pylist() if row["ask_id"] == wb}
    assert ended == {"unparsed", "wrong"}  # paper and official


def test_a_model_is_shown_the_frames_of_the_cell_and_a_film_only_if_it_takes_films(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.answering = answering(RIGHT_YX)
    result = run(tmp_path, configured(chat, receives=LOOKS), ALL)
    for_wb = [request for request in chat.requests if "5900 ms" in prompt_of(request)]
    pictures = {
        len([part for part in r["messages"][-1]["content"] if part["type"] == "image_url"])
        for r in for_wb
    }
    # A frame each 100 ms to 5.9 s: steps of 1 s and of 0.5 s, and the last frame.
    assert pictures == {5 + 1, 11 + 1}
    endings = outcomes(result)
    assert endings["wb-clip@video_omni"] == "not_asked(stack_not_taken)"
    assert {v for k, v in endings.items() if "video_omni" not in k} == {"answered"}
    rows = {row["ask_id"]: row for row in result.asks.to_pylist()}
    film, frames = rows["wb-clip@video_omni"], rows[f"wb-clip@{CELL}"]
    assert film["missing_modalities"] == ["speech", "video"]
    assert frames["missing_modalities"] == []
    # Clip wb begins at 8 s of the stream, and its last frame is shown from 5.9 s of the clip.
    assert (frames["last_frame_us"], frames["due_us"]) == (13_900_000, 14 * S)
    missed = [row for row in result.verdicts.to_pylist() if "video_omni" in row["ask_id"]]
    assert {(row["score"], row["outcome"]) for row in missed} == {(0.0, "not_asked")}


def test_a_film_is_sent_whole_to_a_model_that_takes_films(chat: ChatServer, tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_bytes(b"a film")
    chat.plan = [says("{}")]
    policy = GroundingPolicy((InputStack.VIDEO_OMNI,), (2.0,), InputStack.VIDEO_OMNI)
    access = seeing(calling=patient(), proxy_path=lambda _: tmp_path / "film.mp4")
    subject = configured(chat, receives=LOOKS, takes_films=True)
    result = run(tmp_path / "log", subject, policy, access=access)
    content = chat.requests[0]["messages"][-1]["content"]
    # "a film" in base64.
    assert content[0]["video_url"]["url"] == "data:video/mp4;base64,YSBmaWxt"
    assert "ms:" not in content[1]["text"]
    assert {row["missing_modalities"] == [] for row in result.asks.to_pylist()} == {True}


def test_the_same_ask_in_two_cells_is_paid_once_and_a_second_run_pays_nothing(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.answering = answering(RIGHT_YX)
    stacks = (InputStack.FRAMES_TEXT, InputStack.NO_WORD_TIMES)
    policy = GroundingPolicy(stacks, (2.0,), InputStack.FRAMES_TEXT)
    subject = configured(chat, receives=LOOKS)
    first = run(tmp_path, subject, policy)
    assert len(chat.requests) == 2
    keys = Counter(row["reply_key"] for row in first.asks.to_pylist())
    assert sorted(keys.values()) == [2, 2]
    again = run(tmp_path, subject, policy)
    assert len(chat.requests) == 2
    assert again == first
    # Another stack asks only what is new.
    more = GroundingPolicy((*stacks, InputStack.FRAMES_ASR), (2.0,), InputStack.FRAMES_TEXT)
    run(tmp_path, subject, more)
    # Nothing is said in clip wb: with or without times, its ask is the same.
    assert len(chat.requests) == 3


def test_a_reply_cut_by_its_limit_and_a_lost_one_are_told_apart(
    chat: ChatServer, tmp_path: Path
) -> None:
    def answer(request: Any) -> Planned:
        is_wb = "5900 ms" in prompt_of(request)
        return fails(500) if is_wb else says('{"selected_options": ["A"', finish="length")

    chat.answering = answer
    result = run(tmp_path, configured(chat, receives=LOOKS))
    endings = outcomes(result)
    assert endings[f"wb-clip@{CELL}"].startswith("infrastructure_error(")
    paper = {
        row["ask_id"]: row["outcome"]
        for row in result.verdicts.to_pylist()
        if row["rule_set"] == "paper"
    }
    assert paper == {
        f"wa-clip@{CELL}": "truncated",
        f"wb-clip@{CELL}": "infrastructure_error",
    }
    chat.answering = answering(RIGHT_YX)
    mended = run(tmp_path, configured(chat, receives=LOOKS))
    assert set(outcomes(mended).values()) == {"answered"}


def test_an_endpoint_is_held_to_the_schema_and_a_refused_schema_is_marked(
    chat: ChatServer, tmp_path: Path
) -> None:
    right = answering(RIGHT_YX)
    chat.answering = right
    subject = configured(chat, receives=LOOKS, structured_replies=True)
    result = run(tmp_path / "held", subject)
    assert {row["reply_format"] for row in result.replies.to_pylist()} == {"schema"}
    asked_for = chat.requests[0]["response_format"]
    assert (asked_for["type"], asked_for["json_schema"]["strict"]) == ("json_schema", True)

    def refusing(request: Any) -> Planned:
        return fails(400) if "response_format" in request else right(request)

    chat.answering, before = refusing, len(chat.requests)
    result = run(tmp_path / "free", subject)
    assert {row["reply_format"] for row in result.replies.to_pylist()} == {"schema_refused"}
    assert len(chat.requests) - before == 2 * 2
    chat.plan, chat.answering = [fails(400)], None
    lost = run(tmp_path / "lost", subject)
    assert set(outcomes(lost).values()) == {"infrastructure_error(EndpointRefusedError)"}
    chat.answering = right
    free = run(tmp_path / "plain", configured(chat, receives=LOOKS))
    assert {row["reply_format"] for row in free.replies.to_pylist()} == {"free"}


def test_a_clip_without_a_whole_truth_is_not_asked_and_stays_in_the_denominator(
    tmp_path: Path,
) -> None:
    with metered() as meter:
        result = run(tmp_path, baseline("blind"), release=workshop(without=["clicks"]))
    endings = outcomes(result)
    assert endings[f"wa-clip@{CELL}"] == "not_asked(truth_not_whole)"
    assert endings[f"wb-clip@{CELL}"] == "answered"
    assert meter["subject blind"] == 1
    assert len(result.verdicts) == 2 * (3 * 4 + 2)


def test_words_alone_find_what_is_named_and_when_it_is_said(tmp_path: Path) -> None:
    result = run(tmp_path, baseline("transcript"), ALL)
    paper = scores(result)
    wa = "wa-clip@frames_asr-2fps"
    # "this" is said from 1.5 to 2.0 s and "hammer" follows; "there" from 3.0 to 3.5 s.
    assert [paper["acc_cls", wa, 0], paper["acc_t", wa, 0], paper["acc_t", wa, 1]] == [1, 1, 1]
    # Without times "this", second of six words, is put at 8 s x 1.5 / 6 = 2.0 s, the window's end.
    assert paper["acc_t", "wa-clip@frames_text-2fps", 0] == 1
    # "there", fifth, is put at 8 s x 4.5 / 6 = 6 s.
    assert paper["acc_t", "wa-clip@frames_text-2fps", 1] == 0
    missing = {row["ask_id"]: row["missing_modalities"] for row in result.asks.to_pylist()}
    assert missing[wa] == ["video"]
    assert missing["wa-clip@video_omni"] == ["speech", "video"]


def test_draws_depend_on_the_seed_and_the_clip_alone(tmp_path: Path) -> None:
    one, same, other = (
        run(tmp_path / str(number), baseline("random", seed=seed))
        for number, seed in enumerate((1, 1, 2))
    )
    texts = [
        sorted(row["text"] for row in result.replies.to_pylist()) for result in (one, same, other)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_the_runs_row_carries_the_grid_and_how_points_are_given(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.answering = answering(RIGHT_YX)
    yx = PointForm(CoordinateOrder.YX)
    subject = configured(chat, receives=LOOKS, points=yx)
    shards = GROUNDING.plan(workshop(), [subject], ALL)
    (row,) = run_table("r", shards, run(tmp_path, subject, ALL)).to_pylist()
    assert (row["protocol"], row["planned_asks"]) == ("grounding", 18)
    drawn = replace(ALL, options=ClosedLists.OTHER_CLIPS)
    assert GroundingPolicy.from_json(json.loads(row["policy"])) == drawn
    assert json.loads(row["subject"])["points"] == {"order": "yx", "scale": 1000.0}
    # Another declared order is another run.
    (plain,) = GROUNDING.plan(workshop(), [configured(chat, receives=LOOKS)], ALL)
    assert plain.run_id != shards[0].run_id


def test_how_clips_are_cut_into_shards_changes_no_row(tmp_path: Path) -> None:
    release, log = workshop(), ReplyLog(tmp_path, "w")
    whole = run(tmp_path, baseline("transcript"), ALL)
    shards = plan_grounding(release, [baseline("transcript")], ALL, asks_per_shard=1)
    assert [shard.number for shard in shards] == [0, 1]
    parts = []
    for shard in reversed(shards):
        asked = GROUNDING.ask(shard, release, log, seeing())
        readings = GROUNDING.read(shard, release, asked)
        scored = GROUNDING.score(shard, release, asked, readings)
        parts.append(
            ResultTables(asked.asks, asked.replies, readings, scored.verdicts, scored.probes)
        )
    assert merge_shards(parts) == whole
    limited = plan_grounding(release, [baseline("transcript")], ALL, limit=1)
    assert [shard.clip_ids for shard in limited] == [("wa-clip",)]
    assert limited[0].run_id != shards[0].run_id


def test_a_subject_that_does_not_ground_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    subject = SubjectConfiguration("replay", ReplaySettings("again", tmp_path / "r", "0" * 64))
    with pytest.raises(UnknownNameError, match="subject that grounds 'replay'"):
        GROUNDING.plan(workshop(), [subject], FRAMES)


def test_two_subjects_of_one_name_are_refused(chat: ChatServer) -> None:
    twice = [configured(chat, receives=LOOKS, revision=name) for name in ("w1", "w2")]
    with pytest.raises(ConfigurationError, match="every subject_id once"):
        GROUNDING.plan(workshop(), twice, FRAMES)
