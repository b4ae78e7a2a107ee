"""A synthetic TeleEgo run in the official layout, of the published size.

3,291 questions: per subcategory as in the published table (2,850 closed-form), the
open-ended ones spread evenly; every question has its initial record and ten probes, which
makes 36,201 records. Texts are as long as a Chinese question with four options.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import numpy as np

from firsthand.core.identity import Json
from firsthand.core.taxonomy import CATEGORY_OF, QuestionType, Subcategory
from firsthand.formats.textfile import write_json

__all__ = ["PARTICIPANTS", "PROBES", "QUESTIONS", "RECORDS", "write_teleego_run"]

PARTICIPANTS = 5
PROBES = 10
QUESTIONS = 3_291
RECORDS = QUESTIONS * (1 + PROBES)

_CLOSED = {
    Subcategory.ULTRA_LONG_MEMORY: 589,
    Subcategory.SHORT_TERM_MEMORY: 409,
    Subcategory.ENTITY_TRACKING: 279,
    Subcategory.TEMPORAL_COMPARISON: 249,
    Subcategory.LONG_TERM_MEMORY: 238,
    Subcategory.INTENT_INFERENCE: 213,
    Subcategory.CAUSAL_UNDERSTANDING: 213,
    Subcategory.CROSS_MODAL_UNDERSTANDING: 209,
    Subcategory.MULTI_STEP_REASONING: 148,
    Subcategory.CROSS_ENTITY_RELATION: 151,
    Subcategory.TEMPORAL_CHAIN: 26,
    Subcategory.CROSS_TEMPORAL_CAUSALITY: 126,
}
_TYPES = (
    (QuestionType.MC_SINGLE, 1_743),
    (QuestionType.BINARY, 614),
    (QuestionType.MC_MULTI, 493),
    (QuestionType.OPEN_ENDED, 441),
)
_LETTERS = "ABCD"
_RIGHT, _RECALLED = 0.45, 0.8


def write_teleego_run(root: Path, rng: np.random.Generator) -> tuple[Path, Path]:
    """Write `QAs/` and `outputs/<model>/` below `root`; return the two folders."""
    items = _items(rng)
    for number in range(1, PARTICIPANTS + 1):
        mine = items[number - 1 :: PARTICIPANTS]
        write_json(root / "QAs" / f"merged_P{number}_A.json", mine)
        records, tracker = _run(mine, rng)
        stamp = root / "outputs" / "synthetic" / f"p{number}" / "20260101_000000"
        write_json(stamp / "eval_predictions.json", records)
        write_json(stamp / "mpt_results.json", tracker)
    return root / "QAs", root / "outputs"


def _items(rng: np.random.Generator) -> list[dict[str, Json]]:
    names = list(Subcategory)
    subcategories = [name for name, count in _CLOSED.items() for _ in range(count)]
    subcategories += [names[place % len(names)] for place in range(QUESTIONS - len(subcategories))]
    kinds = [kind for kind, count in _TYPES for _ in range(count)]
    order = rng.permutation(sum(_CLOSED.values()))
    closed = [subcategories[place] for place in order]
    return [
        _item(index, kind, subcategory, rng)
        for index, (kind, subcategory) in enumerate(
            zip(kinds, closed + subcategories[len(closed) :], strict=True)
        )
    ]


def _item(
    index: int, kind: QuestionType, subcategory: Subcategory, rng: np.random.Generator
) -> dict[str, Json]:
    has_options = kind in (QuestionType.MC_SINGLE, QuestionType.MC_MULTI)
    options = [f"{letter}. 第{index}题的选项{letter}内容" for letter in _LETTERS]
    end_s = 28_800 + index * 10
    clock = f"D1-{end_s // 3600:02}:{end_s // 60 % 60:02}:{end_s % 60:02}"
    return {
        "index": index,
        "category": CATEGORY_OF[subcategory].value,
        "subcategory": subcategory.value,
        "QA_type": kind.value,
        "question": f"第{index}题：佩戴者在这段时间里做了什么，当时旁边的人说了哪句话？",
        "options": options if has_options else [],
        "answer": {"value": _gold(kind, rng)},
        "evidence": {"timestep": {"start": clock, "end": clock}},
    }


def _gold(kind: QuestionType, rng: np.random.Generator) -> list[Json]:
    if kind is QuestionType.MC_SINGLE:
        return [_LETTERS[rng.integers(len(_LETTERS))]]
    if kind is QuestionType.MC_MULTI:
        return [*sorted(map(str, rng.choice(list(_LETTERS), 2, replace=False)))]
    return [bool(rng.integers(2))] if kind is QuestionType.BINARY else ["参考答案要点"]


def _run(
    items: list[dict[str, Json]], rng: np.random.Generator
) -> tuple[list[Json], dict[str, Json]]:
    records: list[Json] = []
    tracker: dict[str, Json] = {}
    for item in items:
        flags = [bool(rng.random() < _RIGHT)]
        flags += [bool(rng.random() < _RECALLED) for _ in range(PROBES)]
        records += _records(item, flags, rng)
        if flags[0]:
            tracker[str(item["index"])] = [_due_s(item), list(flags)]
    return records, tracker


def _records(
    item: dict[str, Json], flags: list[bool], rng: np.random.Generator
) -> Iterator[dict[str, Json]]:
    copied = ("index", "category", "subcategory", "QA_type", "question", "options")
    for place, flag in enumerate(flags):
        record: dict[str, Json] = {
            "phase": "recall" if place else "initial",
            "round": place or None,
            **{key: item[key] for key in copied},
            "gold": cast("dict[str, Json]", item["answer"])["value"],
            "questionstamp": _due_s(item) + 60 * place,
            "pred_text": "A",
            "parsed_pred": ["A"],
            "correct": flag,
            "metric": "accuracy",
            "elapsed_time": float(rng.gamma(4.0, 0.7)),
            "llm_score": None,
        }
        if place:
            record["recall_delay"] = 60.0 * place
        yield record


def _due_s(item: dict[str, Json]) -> float:
    return float(str(item["index"])) * 10.0
