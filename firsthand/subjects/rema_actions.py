"""Reading what the ReMA agent's controller chose to do."""

from dataclasses import dataclass

from firsthand.answers.clues import read_intervals
from firsthand.answers.json_values import last_json_value
from firsthand.core.identity import Json
from firsthand.core.time import s_to_us, us_to_s

__all__ = ["Action", "Final", "Inspect", "Malformed", "Search", "read_action"]


@dataclass(frozen=True, slots=True)
class Search:
    """Look queries up in the memory."""

    queries: tuple[str, ...]

    @property
    def parameters(self) -> Json:
        """Its parameters, as they are kept."""
        return {"queries": list(self.queries)}


@dataclass(frozen=True, slots=True)
class Inspect:
    """Have ranges of the recording looked at; each begins before it ends."""

    ranges_us: tuple[tuple[int, int], ...]
    question: str

    @property
    def parameters(self) -> Json:
        """Its parameters, as they are kept."""
        ranges: Json = [[us_to_s(begin), us_to_s(end)] for begin, end in self.ranges_us]
        return {"ranges_s": ranges, "question": self.question}


@dataclass(frozen=True, slots=True)
class Final:
    """Answer, from these times."""

    answer: Json
    intervals: Json

    @property
    def parameters(self) -> Json:
        """Its parameters, as they are kept."""
        return {"answer": self.answer, "intervals": self.intervals}


@dataclass(frozen=True, slots=True)
class Malformed:
    """Nothing that can be done; `reason` never quotes the reply."""

    reason: str

    @property
    def parameters(self) -> Json:
        """Why it is none."""
        return {"reason": self.reason}


Action = Search | Inspect | Final | Malformed


def read_action(
    reply: str, question: str, *, now_us: int, most_queries: int, most_ranges: int
) -> Action:
    """Return the action that a reply commits to.

    Args:
        reply: The controller's text.
        question: What an inspection without a question of its own asks.
        now_us: Where the recording ends for the agent; ranges are cut there.
        most_queries: Queries beyond are left out.
        most_ranges: Ranges beyond are left out.
    """
    found = last_json_value(reply, lambda value: isinstance(value, dict) and "action" in value)
    if not isinstance(found, dict):
        return Malformed("no JSON object with an action")
    match found["action"]:
        case "search":
            return _search(found.get("queries"), most_queries)
        case "inspect":
            ranges_us = _ranges_us(found.get("ranges"), now_us)[:most_ranges]
            return _inspect(ranges_us, found.get("question") or question)
        case "answer":
            return _final(found.get("answer"), found.get("intervals"))
    return Malformed("no action of that name")


def _search(value: object, most_queries: int) -> Action:
    listed = value if isinstance(value, list) else [value]
    queries = [one.strip() for one in listed if isinstance(one, str) and one.strip()]
    return Search(tuple(queries[:most_queries])) if queries else Malformed("no query")


def _inspect(ranges_us: tuple[tuple[int, int], ...], asked: object) -> Action:
    if not ranges_us or not isinstance(asked, str):
        return Malformed("no range within the recording, or a question that is no text")
    return Inspect(ranges_us, asked)


def _final(answer: Json, intervals: Json) -> Action:
    if answer in (None, "", []):
        return Malformed("an answer without a text")
    return Final(answer, intervals or [])


def _ranges_us(value: object, now_us: int) -> tuple[tuple[int, int], ...]:
    intervals_s, _ = read_intervals(value)
    cut = ((max(0, s_to_us(begin)), min(now_us, s_to_us(end))) for begin, end in intervals_s)
    return tuple((begin_us, end_us) for begin_us, end_us in cut if begin_us < end_us)
