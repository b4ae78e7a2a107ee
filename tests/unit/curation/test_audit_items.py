import pytest

from firsthand.core.identity import Json
from firsthand.curation.audit_items import AuditedFrame, audit_items, audited_frames
from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.curation.revisions import EditError, ReviewItem, edited

ROWS: list[dict[str, Json]] = [
    {
        "participant_id": "p1",
        "recording_id": "r1",
        "pts_us": pts_us,
        "stratum": "track_end",
        "stratum_frames": 40,
        "stream_sha256": "a" * 64,
        "before_sha256": "b" * 64,
        "after_sha256": "c" * 64,
    }
    for pts_us in (200_000, 40_000)
]


def decided(item: ReviewItem, decision: str, **edit: Json) -> ReviewDecision:
    return ReviewDecision(
        item_kind=item.item_kind,
        item_id=item.item_id,
        revision=item.revision,
        content_digest=item.content_digest,
        reviewer="eva",
        decision=DecisionKind(decision),
        reason="",
        seconds_spent=1.0,
        edit=edit,
    )


def found(*decisions: ReviewDecision) -> list[AuditedFrame]:
    return audited_frames(ROWS, decisions)


def test_items_are_named_by_recording_and_moment_in_order_of_time() -> None:
    assert [item.item_id for item in audit_items(ROWS)] == ["r1/40000", "r1/200000"]


def test_accepted_is_clean_rejected_is_a_leak_and_the_rest_is_not_judged() -> None:
    first, second = audit_items(ROWS)
    clean, unseen = found(decided(first, "accept"))
    assert (clean.judged, clean.is_leak) == (True, False)
    assert (unseen.judged, unseen.is_leak) == (False, False)
    _, unsure = found(decided(second, "unsure"))
    assert not unsure.judged
    leak, _ = found(decided(first, "accept"), decided(first, "reject"))
    assert (leak.judged, leak.faces_left, leak.texts_left) == (True, 1, 0)


def test_a_count_says_how_much_is_left_before_and_after_it_is_decided_on() -> None:
    item, _ = audit_items(ROWS)
    edit = decided(item, "edit", faces_left=2, texts_left=1)
    counted, _ = found(edit)
    assert (counted.judged, counted.faces_left, counted.texts_left) == (True, 2, 1)
    again = edited(item, edit.edit)
    for decision in ("accept", "reject"):
        settled, _ = found(edit, decided(again, decision))
        assert (settled.judged, settled.faces_left, settled.texts_left) == (True, 2, 1)
    only_text = decided(item, "edit", texts_left=1)
    rejected = decided(edited(item, only_text.edit), "reject")
    written, _ = found(only_text, rejected)
    assert (written.faces_left, written.texts_left) == (0, 1)


def test_a_decision_on_another_copy_is_none() -> None:
    item, _ = audit_items(ROWS)
    accepted = decided(item, "accept")
    other = [{**row, "stream_sha256": "d" * 64} for row in ROWS]
    assert not any(frame.judged for frame in audited_frames(other, [accepted]))


@pytest.mark.parametrize("count", [-1, 1.5, "two", True, None])
def test_a_count_that_is_none_is_refused(count: Json) -> None:
    item, _ = audit_items(ROWS)
    with pytest.raises(EditError, match="whole number"):
        found(decided(item, "edit", faces_left=count))


def test_the_place_and_the_copy_cannot_be_edited() -> None:
    item, _ = audit_items(ROWS)
    with pytest.raises(EditError, match="stream_sha256"):
        edited(item, {"stream_sha256": "e" * 64})
