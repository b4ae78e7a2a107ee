"""The setting of an event: words that say when it was without giving a time away."""

from collections.abc import Iterable
from dataclasses import dataclass

from firsthand.curation.wording import content_words
from firsthand.drafting.material import Event, Material
from firsthand.drafting.sentences import Clause

__all__ = ["TIMES_IN_ORDER", "Setting", "setting_of", "which_time"]

TIMES_IN_ORDER = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, slots=True)
class Setting:
    """A day, or a scene of a day.

    Args:
        text: How a sentence names it: `on day 1, in the scene "Tidying the kitchen"`.
        events: The events in it, in order of time.
    """

    text: str
    events: tuple[Event, ...]

    def clauses(self, like: Clause) -> list[Clause]:
        """Return the statements in it with the same actor and verb."""
        return [
            event.clause
            for event in self.events
            if event.clause is not None
            and (event.clause.actor, event.clause.verb) == (like.actor, like.verb)
        ]


def setting_of(material: Material, event: Event, hidden: Iterable[str]) -> Setting:
    """Return the narrowest setting of an event whose name tells none of the `hidden` texts.

    A scene's description may hold a word of the answer; then the day alone is named.
    """
    secret = frozenset[str]().union(*map(content_words, hidden))
    scenario = event.scenario
    day = f"on day {event.day}"
    if scenario is None or content_words(scenario.description) & secret:
        return Setting(day, tuple(e for e in material.events if e.day == event.day))
    same = (e for e in material.events if (e.day, e.scenario) == (event.day, scenario))
    return Setting(f'{day}, in the scene "{scenario.description}"', tuple(same))


def which_time(setting: Setting, event: Event) -> str | None:
    """Return words that tell an act from its like in the setting: `, the second time`, or none.

    None means that there are too many to count.
    """
    alike = [
        other
        for other in setting.events
        if other.clause is not None
        and event.clause is not None
        and (other.clause.actor, other.clause.verb) == (event.clause.actor, event.clause.verb)
    ]
    if len(alike) == 1:
        return ""
    place = alike.index(event)
    return f", the {TIMES_IN_ORDER[place]} time" if place < len(TIMES_IN_ORDER) else None
