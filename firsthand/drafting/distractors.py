"""Wrong options that are plausible and truly wrong, chosen without chance."""

from collections.abc import Iterable, Sequence

from firsthand.core.identity import digest_json
from firsthand.curation.wording import content_words
from firsthand.drafting.material import Event, Material
from firsthand.drafting.sentences import Clause
from firsthand.drafting.settings import Setting

__all__ = ["SPEECH_VERBS", "is_resting", "is_thing", "other_places", "other_things", "picked"]

_MOVING = frozenset({"across", "along", "from", "over", "through", "to", "toward", "towards"})
_SEEING = frozenset({"look at", "look back at", "see", "watch", "notice", "face", "stare at"})

SPEECH_VERBS = frozenset(
    f"{verb} {particle}"
    for verb in ("talk", "speak", "ask", "tell", "hear", "sing", "complain")
    for particle in ("about", "for", "of")
)
"""Acts on a subject of talk; such subjects and things one can touch never stand together."""


def picked(seed: str, candidates: Iterable[str], number: int, unlike: Sequence[str]) -> list[str]:
    """Return up to `number` candidates in an order that the seed decides.

    Args:
        seed: Tells one draft's choice from another's.
        candidates: Texts; repeated ones count once.
        number: How many are wanted.
        unlike: Texts that none may resemble: no shared subject word, in either direction.
    """
    kept: list[str] = []
    for text in sorted(set(candidates), key=lambda text: digest_json([seed, text])):
        if len(kept) < number and not any(_alike(text, other) for other in [*unlike, *kept]):
            kept.append(text)
    return kept


def is_thing(material: Material, clause: Clause) -> bool:
    """Whether a statement's thing is no person of the stream, so that it can be asked for."""
    actors = {event.clause.actor for event in material.events if event.clause is not None}
    return f"the {clause.thing}" not in actors


def other_things(
    material: Material, event: Event, setting: Setting, number: int, unlike: Sequence[str] = ()
) -> list[str]:
    """Return things that nobody did in the setting what the event does.

    Things of the same act elsewhere come first: they are the hardest to tell apart.
    """
    clause = event.clause
    if clause is None:
        return []
    done = [*unlike, *_things_done(setting, clause)]
    clauses = [e.clause for e in material.events if e.clause is not None]
    things = [other for other in clauses if is_thing(material, other)]
    same = picked(
        str(clause), (c.thing for c in things if c.verb == clause.verb), number, unlike=done
    )
    if clause.verb in SPEECH_VERBS:
        return same
    touched = (other.thing for other in things if other.verb not in SPEECH_VERBS)
    return same + picked(str(clause), touched, number - len(same), unlike=[*done, *same])


def other_places(material: Material, event: Event, number: int) -> list[str]:
    """Return places of other things, none of which is a place of the event's thing."""
    clause = event.clause
    if clause is None:
        return []
    clauses = [e.clause for e in material.events if e.clause is not None]
    own = [c.place for c in clauses if c.thing == clause.thing and c.place is not None]
    places = (c.place for c in clauses if c.place is not None and is_resting(c.place))
    return picked(str(clause), places, number, unlike=[*own, clause.thing])


def is_resting(place: str) -> bool:
    """Whether a place says where a thing is, not which way somebody goes."""
    return place.split()[0] not in _MOVING


def _things_done(setting: Setting, clause: Clause) -> list[str]:
    if clause.verb not in _SEEING:
        return [other.thing for other in setting.clauses(clause)]
    # Who points at a thing has looked at it as well: nothing of the setting is surely unseen.
    return [event.clause.thing for event in setting.events if event.clause is not None]


def _alike(first: str, second: str) -> bool:
    one, two = content_words(first), content_words(second)
    return one <= two or two <= one
