"""What the ReMA agent's model is told, by purpose; all in one place, under one version."""

from collections.abc import Iterable, Sequence

from firsthand.subjects.endpoint_prompt import stream_clock
from firsthand.subjects.memory_bank import Note

__all__ = [
    "CONDENSE",
    "CONTROL",
    "FIND",
    "INSPECT",
    "PERCEIVE",
    "REMA_PROMPTS",
    "control_text",
    "note_lines",
]

REMA_PROMPTS = "rema@1"
"""Id and version of the prompts below; raised with every change of one."""

_WHO = (
    "It is about the recorded life of one person, filmed from their own eyes; that person is the "
    "wearer. Times are HH:MM:SS since the start of the recording."
)

PERCEIVE = (
    f"You watch a clip and write a note on it for later. {_WHO} Say who and what is there, what "
    "is done, said and shown, and what changes, with the time of each; add nothing that you "
    "neither see nor hear. Reply with the note only."
)

INSPECT = (
    f"You look closely at a part of a recording to answer one question. {_WHO} Say what of the "
    "answer can be seen and heard there and when; if nothing can, say so. Reply with your "
    "observation only."
)

CONDENSE = (
    f"You keep the memory of an agent in order. {_WHO} You are given notes on times that overlap "
    "or follow each other. Write one note that says all of it once, keeps the times, names and "
    "numbers, and where notes contradict each other keeps the later written one. Reply with the "
    "note only."
)

FIND = (
    f"You look something up in notes. {_WHO} You are given queries and the notes that speak most "
    "of them. Write what the notes say on the queries, with times; what they do not say, do not "
    "add. Reply with what you found only."
)

CONTROL = (
    f"You answer a question by steps. {_WHO} You have not seen the recording; you have a memory "
    "of notes on it, and you can have parts of it looked at. In each round choose one action "
    "and reply with one JSON object and nothing else:\n"
    '{"action": "search", "queries": ["…", …]} looks queries up in the memory;\n'
    '{"action": "inspect", "ranges": [["HH:MM:SS", "HH:MM:SS"], …], "question": "…"} has ranges '
    "of the recording looked at and the question answered from them;\n"
    '{"action": "answer", "answer": "…", "intervals": [["HH:MM:SS", "HH:MM:SS"], …]} ends with '
    "the answer and the times of the evidence it rests on, an empty list if there is none.\n"
    "Search first; inspect where notes are vague; answer as soon as the evidence is enough."
)


def note_lines(notes: Iterable[Note]) -> str:
    """Return notes as lines, each with the time it is on."""
    return "\n".join(
        f"[{stream_clock(note.begin_us)}-{stream_clock(note.end_us)}] {note.text}" for note in notes
    )


def control_text(
    question: str, now_us: int, memory: Sequence[Note], taken: Sequence[str], left: int
) -> str:
    """Return what the controller is told in one round.

    Args:
        question: The question and the form of its answer.
        now_us: When it is asked.
        memory: The notes in memory.
        taken: The steps so far, with what came back of each.
        left: Rounds left, this one included.
    """
    now = stream_clock(now_us)
    parts = [
        f"It is now {now}. The memory holds {len(memory)} notes on 00:00:00 to {now}.",
        f"The question:\n{question}",
        *(f"Round {number}: {step}" for number, step in enumerate(taken, start=1)),
        f"{left} rounds are left." if left > 1 else "This is the last round: answer now.",
    ]
    return "\n\n".join(parts)
