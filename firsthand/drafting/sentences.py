"""Reading a narration: who does what to what, and where.

Narrations are short sentences in the present tense ("The wearer picks up the cup from the
desk."). A few rules over word classes read most of them; a sentence that they do not fit
yields nothing, which costs a question and never makes a false one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Clause", "base_form", "read_clause"]

_DETERMINERS = frozenset(
    {
        "a",
        "an",
        "the",
        "his",
        "her",
        "their",
        "its",
        "my",
        "your",
        "some",
        "this",
        "that",
        "these",
        "those",
    }
)
_PLACES = frozenset(
    {
        "above",
        "across",
        "along",
        "against",
        "around",
        "at",
        "behind",
        "below",
        "beneath",
        "beside",
        "between",
        "by",
        "from",
        "in",
        "inside",
        "into",
        "near",
        "next",
        "on",
        "onto",
        "over",
        "through",
        "towards",
        "toward",
        "to",
        "under",
    }
)
_PARTICLES = frozenset(
    {
        "about",
        "after",
        "away",
        "back",
        "down",
        "for",
        "forward",
        "of",
        "off",
        "out",
        "to",
        "up",
        "with",
    }
)
_STOPS = frozenset(
    {
        "and",
        "or",
        "but",
        "while",
        "when",
        "then",
        "as",
        "that",
        "which",
        "who",
        "where",
        "so",
        "because",
    }
)
# Neither names anybody nor anything: a question about it would be empty.
_UNNAMED = frozenset(
    {
        "he",
        "she",
        "they",
        "we",
        "you",
        "it",
        "him",
        "her",
        "them",
        "us",
        "me",
        "one",
        "this",
        "that",
        "someone",
        "somebody",
        "something",
    }
) | frozenset({"close", "closer", "still", "alone", "home", "here", "there", "again", "around"})
_IRREGULAR = {"has": "have", "is": "be", "goes": "go", "does": "do", "ties": "tie", "lies": "lie"}
_ES = ("sses", "shes", "ches", "xes", "zes", "oes")
_WEARER = "the wearer"


@dataclass(frozen=True, slots=True)
class Clause:
    """The first statement of a sentence, in lower case.

    Args:
        actor: Who acts: `the wearer`, `the visitor`.
        verb: What they do, in its base form with its particles: `point at`, `put`.
        third_person: The same as it stands after the actor: `points at`, `puts`.
        thing: What it is done to, without article: `coffee cup`.
        place: Where, with its preposition: `on the kitchen table`; None if not said.
    """

    actor: str
    verb: str
    third_person: str
    thing: str
    place: str | None

    def __str__(self) -> str:
        """The statement without its place: `the wearer points at the coffee cup`."""
        return f"{self.actor} {self.third_person} the {self.thing}"


def read_clause(sentence: str) -> Clause | None:
    """Return the first statement of a sentence, or None if the rules do not fit it."""
    tokens = re.findall(r"[a-z0-9'-]+|[,.;:!?]", sentence.lower())
    verb_at = _verb_at(tokens)
    if verb_at is None:
        return None
    after_particles = _run(tokens, verb_at + 1, _PARTICLES | _PLACES)
    thing_end = _phrase_end(tokens, after_particles)
    thing = _bare(tokens[after_particles:thing_end])
    if not thing or thing[-1] in _UNNAMED or thing[-1].endswith("ly"):
        return None
    if tokens[verb_at - 1] in _UNNAMED:
        return None
    particles = tokens[verb_at + 1 : after_particles]
    if not particles and _is_lone_particle(tokens, thing_end):
        particles, thing_end = tokens[thing_end : thing_end + 1], thing_end + 1
    return Clause(
        _actor(tokens[:verb_at]),
        " ".join([base_form(tokens[verb_at]), *particles]),
        " ".join([_third_person(tokens, verb_at), *particles]),
        " ".join(thing),
        _place(tokens, thing_end),
    )


def base_form(verb: str) -> str:
    """Return the base form of a verb in the third person: `watches` gives `watch`."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(_ES):
        return verb[:-2]
    return verb.removesuffix("s")


def _verb_at(tokens: Sequence[str]) -> int | None:
    """Return the place of the finite verb: the first word in -s after a noun and no article."""
    if tokens[:1] == ["i"]:
        return 1 if len(tokens) > 1 else None
    first = 2 if tokens[:1] and tokens[0] in _DETERMINERS else 1
    for number in range(first, len(tokens)):
        word, before = tokens[number], tokens[number - 1]
        if word in _STOPS or not word[:1].isalpha():
            return None
        is_verb = word.endswith("s") and not word.endswith(("ss", "us", "'s"))
        if is_verb and before not in _DETERMINERS | _PLACES | _PARTICLES:
            return number
    return None


def _actor(tokens: Sequence[str]) -> str:
    words = [word for word in tokens if word not in _DETERMINERS]
    cut = next((n for n, word in enumerate(words) if word in _PLACES | _PARTICLES), len(words))
    name = " ".join(words[:cut])
    return _WEARER if name in ("i", "c", "wearer", "camera wearer") else f"the {name}"


def _third_person(tokens: Sequence[str], verb_at: int) -> str:
    verb = tokens[verb_at]
    if tokens[0] != "i":
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _run(tokens: Sequence[str], start: int, kind: frozenset[str]) -> int:
    while start < len(tokens) and tokens[start] in kind:
        start += 1
    return start


def _phrase_end(tokens: Sequence[str], start: int) -> int:
    if start < len(tokens) and tokens[start] in _DETERMINERS:
        start += 1
    ends = _PLACES | _PARTICLES | _STOPS | _DETERMINERS
    while start < len(tokens) and tokens[start] not in ends and tokens[start][0].isalnum():
        start += 1
    return start


def _bare(tokens: Sequence[str]) -> list[str]:
    return [word for word in tokens if word not in _DETERMINERS]


def _is_lone_particle(tokens: Sequence[str], at: int) -> bool:
    """Whether a particle ends the statement, as in "picks the cup up"."""
    if at >= len(tokens) or tokens[at] not in _PARTICLES:
        return False
    return at + 1 == len(tokens) or not tokens[at + 1][0].isalnum()


def _place(tokens: Sequence[str], start: int) -> str | None:
    if start >= len(tokens) or tokens[start] not in _PLACES:
        return None
    noun = _run(tokens, start, _PLACES | _PARTICLES)
    # "to be put …" is no place: what follows the preposition must be a named thing.
    if noun >= len(tokens) or tokens[noun] not in _DETERMINERS:
        return None
    end = _phrase_end(tokens, noun)
    words = [*tokens[start:noun], "the", *_bare(tokens[noun:end])]
    return " ".join(words) if end > noun + 1 else None
