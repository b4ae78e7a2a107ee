"""Voices that are kept and voices that are silenced: seen on a timeline, heard, and corrected."""

import re
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.identity import digest_file
from firsthand.curation.speaker_items import reviewed_speakers
from firsthand.curation.voice_splits import parts_of
from firsthand.review_app import create_app
from firsthand.store import Store, Zone, commit_table, table_from_rows
from firsthand.store.commits import write_part
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import KEPT_SOUNDS
from tests.unit.review_app.desk_store import KEY, RECORDING, SECOND_US, Reviewer, fields_of
from tests.unit.review_app.every_queue import OWN, SPEAKERS, make_full_store

SOUND = b"the sound as it was recorded"
KEPT, SILENCED = f"{RECORDING}/{2 * SECOND_US}", f"{RECORDING}/{6 * SECOND_US}"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_full_store(tmp_path / "store")


@pytest.fixture
def sound(store: Store) -> Path:
    """The recording's sound, kept for who reviews its voices."""
    written = store.scratch / "sound.m4a"
    written.write_bytes(SOUND)
    digest = digest_file(written)
    blob = store.blob(Zone.PRIVATE, digest, ".m4a")
    blob.parent.mkdir(parents=True, exist_ok=True)
    written.replace(blob)
    rows = table_from_rows(KEPT_SOUNDS, [{**OWN, "before_sha256": digest}])
    part = write_part(store, KEPT_SOUNDS, rows, Zone.PRIVATE, KEY)
    commit_table(store, "small", KEPT_SOUNDS, [part])
    return blob


def page(anna: Reviewer, item: str) -> str:
    answer = anna.client.get(f"/review/small/speaker/item/{item}")
    assert answer.status_code == 200
    return answer.text


def send(anna: Reviewer, item: str, decision: str, speaker: str) -> None:
    fields = {**fields_of(page(anna, item)), "decision": decision, "speaker": speaker}
    address = f"/review/small/speaker/item/{item}"
    assert anna.client.post(address, data=fields, follow_redirects=False).status_code == 303


def said(store: Store) -> dict[int, str]:
    return reviewed_speakers(SPEAKERS, ReviewStore.open(store.reviews).decisions())


def test_every_stretch_stands_on_the_timeline_with_what_becomes_of_it(store: Store) -> None:
    text = page(Reviewer(store, "anna"), SILENCED)
    found = re.findall(r'speaker/item/(\S+)" aria-label="([^"]+)"( aria-current)?', text)
    assert found == [
        (KEPT, "2.0 to 3.0 s: P1, kept", ""),
        (SILENCED, "6.0 to 7.0 s: bystander, silenced", " aria-current"),
    ]


def test_a_silenced_stretch_is_heard_as_it_was_while_that_is_kept(
    store: Store, sound: Path
) -> None:
    anna = Reviewer(store, "anna")
    (address,) = re.findall(r'<audio[^>]* src="([^"#]+)#t=6.0,7.0"', page(anna, SILENCED))
    assert anna.client.get(address).content == SOUND
    anna.client.cookies.clear()
    assert SOUND not in anna.client.get(address).content


def test_once_it_was_deleted_nothing_can_be_heard(store: Store, sound: Path) -> None:
    anna = Reviewer(store, "anna")
    sound.unlink()
    assert "<audio" not in page(anna, SILENCED)
    assert anna.client.get(f"/heard/small/{RECORDING}.m4a").status_code == 404


def test_a_silenced_voice_is_given_back_once_somebody_has_accepted_it(store: Store) -> None:
    anna = Reviewer(store, "anna")
    send(anna, SILENCED, "edit", "P1")
    assert said(store) == {}
    send(anna, SILENCED, "accept", "P1")
    assert said(store) == {6 * SECOND_US: "P1"}


def test_what_is_silenced_waits_for_nobody(store: Store) -> None:
    anna = Reviewer(store, "anna")
    send(anna, KEPT, "accept", "P1")
    assert "2 of 2 shown" in anna.client.get("/review/small/speaker").text
    overview = anna.client.get("/").text
    (voices,) = re.findall(r'href="/review/small/speaker".*?</div>', overview, re.S)[:1]
    assert "1 waiting" not in voices


def split(anna: Reviewer, item: str, **fields: str) -> Any:
    filled = {**fields_of(page(anna, item)), **fields}
    address = f"/split/small/speaker/item/{item}"
    return anna.client.post(address, data=filled, follow_redirects=False)


def test_a_stretch_that_holds_two_voices_is_split_and_each_part_decided_by_itself(
    store: Store,
) -> None:
    anna = Reviewer(store, "anna")
    answer = split(anna, KEPT, split_s="2.4")
    wanted = f"/review/small/speaker/item/{KEPT}"
    assert (answer.status_code, answer.headers["location"]) == (303, wanted)
    later = f"{RECORDING}/{2_400_000}"
    assert "This is part 1 of 2" in page(anna, KEPT)
    assert "This is part 2 of 2" in page(anna, later)
    assert "3 of 3 shown" in anna.client.get("/review/small/speaker").text
    send(anna, KEPT, "accept", "P1")
    send(anna, later, "accept", "bystander")
    decisions = ReviewStore.open(store.reviews).decisions()
    (parts,) = parts_of(SPEAKERS, decisions).values()
    assert reviewed_speakers(parts, decisions) == {2_400_000: "bystander"}
    # Each part is drawn, and leads to its page, before the next build as well.
    drawn = re.findall(r'speaker/item/(\S+)" aria-label="([^"]+)"', page(anna, later))
    assert drawn[:2] == [
        (KEPT, "2.0 to 2.4 s: P1, kept"),
        (later, "2.4 to 3.0 s: P1, kept"),
    ]


def test_a_part_is_split_again_and_the_parts_are_joined(store: Store) -> None:
    anna = Reviewer(store, "anna")
    split(anna, KEPT, split_s="2,4")
    split(anna, f"{RECORDING}/{2_400_000}", split_s="2.7")
    assert "This is part 3 of 3" in page(anna, f"{RECORDING}/{2_700_000}")
    assert split(anna, f"{RECORDING}/{2_400_000}", join="1").status_code == 303
    assert "of a stretch that was split" not in page(anna, KEPT)
    assert "2 of 2 shown" in anna.client.get("/review/small/speaker").text
    edits = [one.edit for one in ReviewStore.open(store.reviews).decisions()]
    assert edits == [{"moments": [2_400_000]}, {"moments": [2_400_000, 2_700_000]}, {"moments": []}]


@pytest.mark.parametrize("entered", ["", "two", "1.9", "2.05", "2.95", "3.1", "nan", "inf"])
def test_a_moment_outside_the_stretch_splits_nothing(store: Store, entered: str) -> None:
    anna = Reviewer(store, "anna")
    answer = split(anna, KEPT, split_s=entered)
    assert answer.status_code == 422
    assert "Write a second inside the stretch" in answer.text
    assert ReviewStore.open(store.reviews).decisions() == []


def test_a_page_from_before_the_split_decides_nothing(store: Store) -> None:
    app = create_app(store)
    anna, ben = (Reviewer(store, name, app=app) for name in ("anna", "ben"))
    before = fields_of(page(ben, KEPT))
    split(anna, KEPT, split_s="2.4")
    address = f"speaker/item/{KEPT}"
    late = {"decision": "accept", "speaker": "P1", "split_s": "2.6"}
    for place in ("review/small", "split/small"):
        answer = ben.client.post(f"/{place}/{address}", data={**before, **late})
        assert answer.status_code == 409
    assert len(ReviewStore.open(store.reviews).decisions()) == 1
