"""Every queue: an untouched form changes nothing, and what is entered is what a build applies."""

import re
from pathlib import Path
from typing import Any

import pytest

from firsthand.curation.audit_items import audited_frames
from firsthand.curation.face_corrections import corrections_of
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.speaker_items import reviewed_speakers
from firsthand.curation.start_items import decided_start, start_item
from firsthand.curation.stroke_items import reviewed_strokes
from firsthand.curation.transcript_items import utterance_reviews
from firsthand.curation.voice_items import Attribution, attributions
from firsthand.store import Store, Zone, read_table
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import AUDIT_FRAMES, VOICES, WORDS
from tests.unit.review_app.desk_store import LENGTH_US, RECORDING, SECOND_US, Reviewer, fields_of
from tests.unit.review_app.every_queue import (
    FRAME_US,
    REFERENTS,
    SPEAKERS,
    STARTS,
    STRANGERS,
    STROKE_US,
    STROKES,
    UTTERANCES,
    make_full_store,
)

ITEMS = {
    "start": STARTS["recording_id"],
    "audit": f"{RECORDING}/{FRAME_US}",
    "face": f"{RECORDING}/{FRAME_US}",
    "transcript": f"{RECORDING}/{2 * SECOND_US}",
    "speaker": f"{RECORDING}/{2 * SECOND_US}",
    "voice": f"{RECORDING}/voice_01",
    "narration": f"{RECORDING}/0",
    "click": f"{RECORDING}/cup",
    "stroke": f"{RECORDING}/cup",
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_full_store(tmp_path / "store")


@pytest.fixture
def anna(store: Store) -> Reviewer:
    return Reviewer(store, "anna")


def address(kind: str) -> str:
    return f"/review/small/{kind}/item/{ITEMS[kind]}"


def send(anna: Reviewer, kind: str, decision: str, **changed: Any) -> Any:
    page = anna.client.get(address(kind))
    assert page.status_code == 200
    fields = {**fields_of(page.text), "decision": decision, **changed}
    return anna.client.post(address(kind), data=fields, follow_redirects=False)


def article(anna: Reviewer, kind: str) -> str:
    """What the overview says of a queue."""
    page = anna.client.get("/").text
    return page.split(f'<a href="/review/small/{kind}">')[1].split("</article>")[0]


def decisions(store: Store) -> list[ReviewDecision]:
    return ReviewStore.open(store.reviews).decisions()


@pytest.mark.parametrize("kind", ITEMS)
def test_an_untouched_form_changes_nothing(store: Store, anna: Reviewer, kind: str) -> None:
    assert send(anna, kind, "accept").status_code == 303
    (decision,) = decisions(store)
    assert (decision.item, decision.decision.value, decision.edit) == (
        (kind, ITEMS[kind]),
        "accept",
        {},
    )


def test_the_overview_leads_through_the_queues_in_the_order_of_a_build(anna: Reviewer) -> None:
    page = anna.client.get("/").text
    assert re.findall(r'<h3><a href="/review/small/(\w+)"', page) == [
        "start",
        "audit",
        "transcript",
        "speaker",
        "voice",
        "narration",
        "click",
        "stroke",
        "draft",
    ]


def test_what_silenced_people_said_is_in_no_queue(anna: Reviewer) -> None:
    assert "1 of 1 shown" in anna.client.get("/review/small/transcript").text


def test_a_corrected_start_is_the_one_that_counts(store: Store, anna: Reviewer) -> None:
    send(anna, "start", "accept", start="2026-05-03T08:15:00")
    answer = decided_start(start_item(STARTS), decisions(store))
    assert (answer.standing.value, answer.start, answer.edited) == (
        "accepted",
        "2026-05-03T08:15:00",
        True,
    )


def test_the_sound_of_an_utterance_is_drawn(anna: Reviewer) -> None:
    (address_of_wave,) = re.findall(
        r'class="wave" src="([^"]+)"', anna.client.get(address("transcript")).text
    )
    drawn = anna.client.get(address_of_wave)
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert drawn.text.count("V") > 50
    folder = address_of_wave.rsplit("/", 2)[0]
    for stretch in ("5/5", "-5/5", "0/120000001"):
        assert anna.client.get(f"{folder}/{stretch}.svg").status_code == 404


def test_a_strangers_voice_is_heard_named_and_told_from_another(
    store: Store, anna: Reviewer
) -> None:
    page = anna.client.get(address("voice")).text
    excerpts = re.findall(r'src="(/voice/small/\w+\.wav)"', page)
    assert len(excerpts) == len(STRANGERS)
    for excerpt in excerpts:
        answer = anna.client.get(excerpt)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "audio/wav")
    assert anna.client.get(f"/voice/small/{'0' * 64}.wav").status_code == 404
    refused = send(anna, "voice", "accept", name="P1")
    assert "no participant" in refused.text
    assert not decisions(store)
    send(anna, "voice", "accept", voice="voice_02")
    assert decisions(store)[0].edit == {"voice": "voice_02", "name": "voice_02"}
    rows = read_table(store, "small", VOICES, Zone.PRIVATE).to_pylist()
    told = attributions(rows, decisions(store))
    assert told[RECORDING, "voice_01"] == Attribution("voice_02", "voice_02", confirmed=True)


@pytest.mark.parametrize(
    ("start", "complaint"),
    [
        ("", "Enter when"),
        ("this morning", "Write date and time"),
        ("2026-05-03", "Write date and time"),
        # Berlin, 2026: clocks go forward on 29 March at 2 and back on 25 October at 3.
        ("2026-03-29T02:30:00", "skips this local time"),
        ("2026-10-25T02:30:00", "came twice"),
    ],
)
def test_a_start_that_names_no_one_moment_is_refused(
    store: Store, anna: Reviewer, start: str, complaint: str
) -> None:
    answer = send(anna, "start", "accept", start=start)
    assert answer.status_code == 422
    assert complaint in answer.text
    assert decisions(store) == []


def test_a_leak_is_counted(store: Store, anna: Reviewer) -> None:
    send(anna, "audit", "edit", faces_left="2", texts_left="1")
    rows = read_table(store, "small", AUDIT_FRAMES, Zone.PRIVATE).to_pylist()
    (frame,) = audited_frames(rows, decisions(store))
    assert (frame.judged, frame.faces_left, frame.texts_left) == (True, 2, 1)
    assert send(anna, "audit", "edit", faces_left="many").status_code == 422


def test_the_pictures_of_a_frame_are_shown_to_reviewers_only(anna: Reviewer) -> None:
    page = anna.client.get(address("audit")).text
    before, after = re.findall(r'src="(/picture/[^"]+)"', page)
    assert before != after
    assert anna.client.get(before).headers["content-type"] == "image/jpeg"
    assert anna.client.get(f"/picture/small/{'0' * 64}.jpg").status_code == 404
    anna.client.cookies.clear()
    assert anna.client.get(before, follow_redirects=False).status_code == 303


def test_a_drawn_face_is_covered_by_the_next_build(store: Store, anna: Reviewer) -> None:
    box = {"begin_s": "3.5", "end_s": "4.5", "x0": "10", "y0": "20.5", "x1": "90", "y1": "110"}
    send(anna, "face", "edit", **{f"covered_{name}": [value] for name, value in box.items()})
    (correction,) = corrections_of(RECORDING, decisions(store))
    assert correction.covers
    assert (correction.begin_us, correction.end_us) == (3_500_000, 4_500_000)
    assert correction.first_xyxy_px == (10, 20.5, 90, 110)


@pytest.mark.parametrize("wrong", [{"x1": "10"}, {"end_s": "3"}, {"y0": "high"}, {"x0": "nan"}])
def test_a_box_without_area_or_time_is_refused(
    store: Store, anna: Reviewer, wrong: dict[str, str]
) -> None:
    box = {"begin_s": "3.5", "end_s": "4.5", "x0": "10", "y0": "20", "x1": "90", "y1": "110"}
    entered = {f"covered_{name}": [value] for name, value in {**box, **wrong}.items()}
    assert send(anna, "face", "edit", **entered).status_code == 422
    assert decisions(store) == []


def test_a_corrected_text_keeps_the_times_of_words_that_stay(store: Store, anna: Reviewer) -> None:
    send(anna, "transcript", "accept", said="This mug is hers")
    words = read_table(store, "small", WORDS).to_pylist()
    (review,) = utterance_reviews(UTTERANCES[:1], words, decisions(store))
    assert [(word.text, word.begin_us) for word in review.words] == [
        ("This", 2_000_000),
        ("mug", 2_400_000),
        ("is", 2_800_000),
        ("hers", 3_200_000),
    ]
    assert send(anna, "transcript", "accept", said="  ").status_code == 422


def test_once_its_sound_was_deleted_a_stranger_waits_for_nobody(
    store: Store, anna: Reviewer
) -> None:
    for excerpt in store.root.rglob("*.wav"):
        excerpt.unlink()
    page = anna.client.get(address("voice")).text
    assert "<audio" not in page
    assert "its sound was deleted" in page
    later = Reviewer(store, "ben")
    shown = article(later, "voice")
    assert "2 wait for nobody" in shown
    assert "Nothing waits" in shown


def test_the_overview_counts_what_waits_for_nobody_apart(anna: Reviewer) -> None:
    before = article(anna, "speaker")
    assert "<b>1</b> of 1 waits for you" in before
    assert ">1 new</span>" in before
    assert "1 waits for nobody" in before
    assert 'max="1" value="0"' in before
    assert ">Begin</a>" in before
    send(anna, "speaker", "accept")
    after = article(anna, "speaker")
    assert "<b>0</b> of 1 wait for you" in after
    assert 'max="1" value="1"' in after
    assert "Nothing waits" in after


def test_a_strangers_voice_is_silenced_as_soon_as_it_is_said(store: Store, anna: Reviewer) -> None:
    send(anna, "speaker", "edit", speaker="bystander")
    assert reviewed_speakers(SPEAKERS, decisions(store)) == {2 * SECOND_US: "bystander"}


def test_nobody_else_can_be_named_as_a_speaker(store: Store, anna: Reviewer) -> None:
    send(anna, "speaker", "accept", speaker="P9")
    assert decisions(store)[0].edit == {}


def test_a_stroke_is_set_to_the_millisecond(store: Store, anna: Reviewer) -> None:
    send(anna, "stroke", "accept", end_ms="3107")
    edit = decisions(store)[0].edit
    assert edit == {"end_us": 3_107_000}
    (row,) = reviewed_strokes(STROKES, REFERENTS, decisions(store), LENGTH_US)
    assert (row["begin_us"], row["end_us"], row["annotator"]) == (STROKE_US[0], 3_107_000, "anna")


@pytest.mark.parametrize(
    "window", [("3000", "2000"), ("0", "14001"), ("-1", "5"), ("a", "5"), ("nan", "5")]
)
def test_a_window_that_cannot_be_is_refused(
    store: Store, anna: Reviewer, window: tuple[str, str]
) -> None:
    answer = send(anna, "stroke", "accept", begin_ms=window[0], end_ms=window[1])
    assert answer.status_code == 422
    assert decisions(store) == []


def test_the_sound_under_the_timeline_is_that_of_the_recording(anna: Reviewer) -> None:
    sound = anna.client.get(f"/sound/small/{RECORDING}.json").json()
    assert sound["step_ms"] == 10
    # 14 s of sound, its loudest step is 100; the sample speaks, so it is no flat line.
    assert abs(len(sound["levels"]) - 1_400) <= 5
    assert max(sound["levels"]) == 100
    assert min(sound["levels"]) < 5
    assert anna.client.get("/sound/small/none.json").status_code == 404
