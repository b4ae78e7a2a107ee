"""51: failures stored like answers are replayed for ever, and a placeholder is read as a letter.

The case's five answers, each to one question of the kitchen: whole, empty, refused for the
moment, a placeholder that stands for an error, and cut by length.
"""

from collections import Counter
from pathlib import Path
from typing import Any

from firsthand.core.outcomes import Outcome
from firsthand.protocols import StreamingPolicy
from firsthand.subjects import ResultTables
from tests.unit.endpoints.chat_server import ChatServer, Planned, fails, says
from tests.unit.subjects.endpoints import configured, knowing, question_of, run

WHOLE, EMPTY, BUSY, PLACEHOLDER, CUT = (
    "Where is the red mug?",
    "The kettle is boiling.",
    "What hangs beside the window?",
    "What colour is the towel?",
    "The door was never opened.",
)
FIRST = {
    WHOLE: says("B"),
    EMPTY: says(""),
    BUSY: fails(429),
    PLACEHOLDER: says("Failed to obtain answer via API.", finish="error"),
    CUT: says("The answ", finish="length"),
}
ASK_OF = {WHOLE: "qa1@0", EMPTY: "qa2@0", BUSY: "qa3@0", PLACEHOLDER: "qa4@0", CUT: "qb1@0"}


def asked(folder: Path, chat: ChatServer, most_tokens: int = 8) -> ResultTables:
    generation = configured(chat).settings.generation  # type: ignore[attr-defined] # endpoint's
    limited = type(generation)(most_tokens)
    subject = configured(chat, generation=limited, attempts=1, most_calls=1)
    return run(folder, subject, policy=StreamingPolicy(probes=0))


def outcomes(result: ResultTables) -> dict[str, str]:
    return {row["ask_id"]: row["outcome"].split("(")[0] for row in result.asks.to_pylist()}


def test_51_failures_are_asked_again_and_a_cut_reply_only_if_its_limit_changed(
    chat: ChatServer, tmp_path: Path
) -> None:
    asks: Counter[str] = Counter()

    def first(request: Any) -> Planned:
        return FIRST[question_of(request)]

    def counted(request: Any) -> Planned:
        asks[question_of(request)] += 1
        return knowing(request)

    chat.answering = first
    before = outcomes(asked(tmp_path, chat))
    answered = {question for question in FIRST if before[ASK_OF[question]] == "answered"}
    assert answered == {WHOLE, CUT}
    chat.answering = counted
    result = asked(tmp_path, chat)
    assert asks == {EMPTY: 1, BUSY: 1, PLACEHOLDER: 1}
    ended = {
        row["ask_id"]: row["outcome"]
        for row in result.verdicts.to_pylist()
        if row["rule_set"] == "paper"
    }
    assert ended[ASK_OF[WHOLE]] == str(Outcome.WRONG)
    assert ended[ASK_OF[CUT]] == str(Outcome.TRUNCATED)
    # A limit that leaves room for the whole answer is another ask.
    longer = asked(tmp_path, chat, most_tokens=64)
    assert asks[CUT] == 1
    assert {row["finish"] for row in longer.replies.to_pylist()} == {"stop"}


def test_51_a_placeholder_is_never_read_as_an_answer(chat: ChatServer, tmp_path: Path) -> None:
    def placeholder(request: Any) -> Planned:
        return FIRST[PLACEHOLDER]

    chat.answering = placeholder
    result = asked(tmp_path, chat)
    assert result.replies.num_rows == 0
    assert result.readings.num_rows == 0
    assert {row["score"] for row in result.verdicts.to_pylist()} == {0.0}
