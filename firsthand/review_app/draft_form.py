"""Reading the form of a drafted question, and holding it against the checks on drafts."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import cast

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.core.taxonomy import Modality, QuestionType, Subcategory
from firsthand.core.time import ClosedSpan
from firsthand.curation import check_drafts
from firsthand.curation.drafts import MOST_OPTIONS, Draft
from firsthand.curation.revisions import ReviewItem
from firsthand.review_app.clock_text import clock_text, read_clock_text
from firsthand.review_app.footage import Footage
from firsthand.review_app.queue import FormReading

__all__ = ["draft_of", "notes_on", "problems_of", "read_draft_form"]

# Checks that decide what a question is; without them an edit cannot be asked at all.
_BLOCKING = {
    "evidence_in_recorded_time": ("evidence", "The evidence must lie inside the recorded time."),
    "question_text": (
        "text",
        "A question has at most 400 characters and ends with a question mark or a full stop.",
    ),
    "answer_among_options": (
        "answer",
        "Mark the right answer: one for a single choice, one or more but not all for several.",
    ),
    "option_count": ("options", "A choice offers at least three options."),
    "options_distinct": ("options", "Two options say the same."),
}
_NOTES = {
    "options_of_like_form": "One option stands out by its length, its first letter or its end.",
    "answer_given_away": "The question names the right option and not the wrong ones.",
    "time_given_away": "The question gives away a time.",
}


def read_draft_form(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    """Return what was entered for a drafted question.

    A form without the field `text` was sent without its fields, and changes nothing.
    """
    if "text" not in form:
        return FormReading(item.content)
    problems: dict[str, str] = {}
    kind = _one_of(form, "question_type", tuple(QuestionType), problems)
    content: dict[str, Json] = {
        **item.content,
        "text": _text(form, "text"),
        "question_type": kind or item.content["question_type"],
        "subcategory": _one_of(form, "subcategory", tuple(Subcategory), problems)
        or item.content["subcategory"],
        "evidence": _evidence(form, problems) or item.content["evidence"],
        "required_modalities": _modalities(form, problems) or item.content["required_modalities"],
        "scenario": _text(form, "scenario") or None,
    }
    content["options"], content["answer"] = _options_and_answer(form, str(content["question_type"]))
    content = {
        name: item.content[name] if _shown(value) == _shown(item.content[name]) else value
        for name, value in content.items()
    }
    notes: tuple[str, ...] = ()
    if not problems:
        problems, notes = _checked(item, content, footage)
    return FormReading(content, problems, notes)


def draft_of(item: ReviewItem, content: Mapping[str, Json]) -> Draft:
    """Return the draft that an item's content makes.

    Raises:
        ValueError: If it can be no draft.
    """
    spans = cast("Sequence[Mapping[str, int]]", content["evidence"])
    scenario = content["scenario"]
    return Draft(
        draft_id=item.item_id,
        participant_id="",
        stream_id=str(content["stream_id"]),
        question_type=QuestionType(str(content["question_type"])),
        subcategory=Subcategory(str(content["subcategory"])),
        text=str(content["text"]),
        options=tuple(cast("Sequence[str]", content["options"])),
        answer=tuple(cast("Sequence[str]", content["answer"])),
        evidence=tuple(ClosedSpan(span["begin_us"], span["end_us"]) for span in spans),
        required_modalities=tuple(
            Modality(name) for name in cast("Sequence[str]", content["required_modalities"])
        ),
        scenario=None if scenario is None else str(scenario),
        drafter="",
        revision=item.revision,
    )


def problems_of(item: ReviewItem, footage: Footage) -> dict[str, str]:
    """Return what keeps an item from being a question, by field, in words."""
    return _checked(item, item.content, footage)[0]


def notes_on(item: ReviewItem, footage: Footage) -> tuple[str, ...]:
    """Return what the checks say of an item as it is, in words."""
    problems, notes = _checked(item, item.content, footage)
    return (*problems.values(), *notes)


def _checked(
    item: ReviewItem, content: Mapping[str, Json], footage: Footage
) -> tuple[dict[str, str], tuple[str, ...]]:
    try:
        draft = draft_of(item, content)
    except ValueError:
        return {
            "evidence": "Intervals are in order, at whole seconds, and end after they begin."
        }, ()
    recorded_us = footage.timeline(draft.stream_id).recorded_us
    (checked,) = check_drafts([draft], recorded_us=recorded_us)
    found = [_BLOCKING[name] for name in checked.rejected_by if name in _BLOCKING]
    return dict(found), tuple(_NOTES[name] for name in checked.rejected_by if name in _NOTES)


def _shown(value: Json) -> Json:
    """Return a value as a form can show it, so that what was not touched is not changed."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, Mapping):
        return [clock_text(cast("int", value[name])) for name in ("begin_us", "end_us")]
    return [_shown(member) for member in value] if isinstance(value, Sequence) else value


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return " ".join(value.split()) if isinstance(value, str) else ""


def _texts(form: FormData, name: str) -> list[str]:
    return [" ".join(value.split()) for value in form.getlist(name) if isinstance(value, str)]


def _one_of(
    form: FormData, name: str, allowed: tuple[str, ...], problems: dict[str, str]
) -> str | None:
    value = _text(form, name)
    if value in allowed:
        return str(value)
    problems[name] = "Choose one of the list."
    return None


def _modalities(form: FormData, problems: dict[str, str]) -> list[Json]:
    chosen = sorted(set(_texts(form, "modality")) & set(Modality))
    if not chosen:
        problems["required_modalities"] = "Say at least one thing that is needed to answer."
    return list(chosen)


def _evidence(form: FormData, problems: dict[str, str]) -> list[Json]:
    begins, ends = _texts(form, "evidence_begin"), _texts(form, "evidence_end")
    spans: list[tuple[int, int]] = []
    for begin, end in zip(begins, ends, strict=False):
        if not begin and not end:
            continue
        begin_us, end_us = read_clock_text(begin), read_clock_text(end)
        if begin_us is None or end_us is None:
            problems["evidence"] = "Write times as minutes and seconds: 0:04 or 12:07."
            return []
        if begin_us > end_us:
            problems["evidence"] = "An interval ends after it begins."
            return []
        spans.append((begin_us, end_us))
    if not spans:
        problems["evidence"] = "A question needs at least one interval of evidence."
    return [{"begin_us": begin_us, "end_us": end_us} for begin_us, end_us in sorted(spans)]


def _options_and_answer(form: FormData, kind: str) -> tuple[list[Json], list[Json]]:
    if kind == QuestionType.BINARY:
        return [], [_text(form, "truth")]
    if kind == QuestionType.OPEN_ENDED:
        reference = form.get("reference", "")
        lines = reference.splitlines() if isinstance(reference, str) else []
        return [], [" ".join(line.split()) for line in lines if line.strip()]
    right = set(_texts(form, "right"))
    kept = [
        (text, str(place) in right) for place, text in enumerate(_texts(form, "option")) if text
    ][:MOST_OPTIONS]
    letters = [ascii_uppercase[place] for place, (_, is_right) in enumerate(kept) if is_right]
    return [text for text, _ in kept], list(letters)
