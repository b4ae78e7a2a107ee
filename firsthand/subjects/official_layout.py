"""A run of ours in the layout of TeleEgo's released runners, so that their code can score it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from firsthand.answers import Answer
from firsthand.core.identity import Json
from firsthand.core.outcomes import RuleSet
from firsthand.core.time import us_to_s
from firsthand.formats.teleego import TeleEgoQuestion
from firsthand.formats.teleego_rows import questions_from_rows
from firsthand.formats.teleego_run import ParticipantRun, Persistence
from firsthand.subjects.asking import ANSWERED, Row
from firsthand.subjects.grading import is_right, reading_of
from firsthand.subjects.material import KeptQuestion, ReleaseTables, questions_of
from firsthand.subjects.results import ResultTables
from firsthand.subjects.scoring import reply_of_row

__all__ = ["OfficialLayout", "official_layout"]


@dataclass(frozen=True, slots=True)
class OfficialLayout:
    """A release's questions and a run over it, as the released code knows them.

    Args:
        questions: The questions, by participant and source order.
        participants: Each participant's records and tracker, by number.
    """

    questions: tuple[TeleEgoQuestion, ...]
    participants: tuple[ParticipantRun, ...]


def official_layout(release: ReleaseTables, results: ResultTables) -> OfficialLayout:
    """Return a run in the official layout; every answered ask is a record.

    Asks without a reply have none, since the released runners leave failed calls out. The
    fields `parsed_pred` and `correct` are what the `official` rules make of the reply.
    """
    rows, options, evidence = (
        release.table(name).to_pylist() for name in ("questions", "options", "evidence")
    )
    questions = questions_from_rows(rows, options, evidence, {})
    ordered = sorted(rows, key=lambda row: (row["participant_id"], row["source_index"]))
    names = {
        str(row["question_id"]): question for row, question in zip(ordered, questions, strict=True)
    }
    kept = {question.question_id: question for question in questions_of(release)}
    replies = {row["reply_key"]: row for row in results.replies.to_pylist()}
    records: dict[str, list[Mapping[str, Json]]] = {}
    for ask in _in_order(results.asks.to_pylist()):
        if ask["outcome"] == ANSWERED:
            question = names[str(ask["question_id"])]
            record = _record(
                ask, question, kept[str(ask["question_id"])], replies[ask["reply_key"]]
            )
            records.setdefault(question.participant, []).append(record)
    runs = (
        ParticipantRun(name, records[name], _tracker(records[name])) for name in sorted(records)
    )
    return OfficialLayout(tuple(questions), tuple(runs))


def _in_order(asks: Sequence[Row]) -> list[Row]:
    return sorted(asks, key=lambda ask: (ask["due_us"], ask["probe_round"], ask["question_id"]))


def _record(
    ask: Row, question: TeleEgoQuestion, kept: KeptQuestion, row: Row
) -> Mapping[str, Json]:
    reply = reply_of_row(row)
    reading = reading_of(reply, kept, RuleSet.OFFICIAL)
    return {
        "phase": "recall" if ask["probe_round"] else "initial",
        "round": int(str(ask["probe_round"])) or None,
        "index": question.source["index"],
        "category": question.category,
        "subcategory": question.subcategory,
        "QA_type": question.question_type.value,
        "question": question.text,
        "options": list(question.options),
        "gold": list(question.answer),
        "questionstamp": us_to_s(int(str(ask["due_us"]))),
        "pred_text": reply.text,
        "parsed_pred": list(reading.value) if isinstance(reading, Answer) else None,
        "correct": is_right(reading, kept, RuleSet.OFFICIAL),
        "metric": "accuracy",
        "elapsed_time": us_to_s(reply.latency_us),
        "llm_score": None,
    }


def _tracker(records: Sequence[Mapping[str, Json]]) -> dict[str, Persistence]:
    """Return the tracker's lines: the flags of each item, from its initial answer on."""
    flags: dict[str, dict[int, bool]] = {}
    began_s: dict[str, float] = {}
    for record in records:
        index, probe_round = str(record["index"]), int(str(record["round"] or 0))
        flags.setdefault(index, {})[probe_round] = bool(record["correct"])
        if not probe_round:
            began_s[index] = float(str(record["questionstamp"]))
    return {
        index: Persistence(began_s[index] if held[0] else None, tuple(_leading(held)))
        for index, held in flags.items()
        if 0 in held
    }


def _leading(held: Mapping[int, bool]) -> Iterator[bool]:
    """Yield flags round by round, up to the first round that nobody asked."""
    for probe_round in range(len(held)):
        if probe_round not in held:
            return
        yield held[probe_round]
