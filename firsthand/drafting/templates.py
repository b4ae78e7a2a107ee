"""Templates of the rule-based drafter: each turns events and words into drafts of one kind."""

from collections.abc import Callable, Iterator
from itertools import pairwise, permutations
from string import ascii_letters

from firsthand.core.identity import digest_json
from firsthand.core.registry import Registry
from firsthand.core.taxonomy import Modality, Subcategory
from firsthand.curation.drafts import Draft
from firsthand.curation.wording import STOP_WORDS, content_words, normal_text
from firsthand.drafting.distractors import (
    SPEECH_VERBS,
    is_resting,
    is_thing,
    other_places,
    other_things,
    picked,
)
from firsthand.drafting.material import Event, Material
from firsthand.drafting.plans import Plan, choice, draft_id_of, statement
from firsthand.drafting.sentences import Clause
from firsthand.drafting.settings import Setting, setting_of, which_time

__all__ = ["TEMPLATES", "Template"]

Template = Callable[[Material], Iterator[Draft]]

TEMPLATES: Registry[Template] = Registry("drafting template")

_WRONG = 3
_FEWEST_WRONG_OF_SEVERAL = 2
_MOST_RIGHT_OF_SEVERAL = 3
_SHORTEST_KEYWORD = 4
_LEAST_CONFIDENCE = 0.5
_PUTTING = frozenset({"put", "place", "set", "hang", "drop", "leave", "lay", "store", "pour"})


@TEMPLATES.register("thing_of_act")
def thing_of_act(material: Material) -> Iterator[Draft]:
    """What did the wearer point at?"""
    for event, clause in _acts(material):
        plan = Plan("thing_of_act", Subcategory.SHORT_TERM_MEMORY, (event,), _senses(clause))
        asked = _asked_for_thing(material, event, clause)
        if asked is not None:
            setting, question, wrong = asked
            text = f"{setting.text}, {question}"
            yield choice(material, plan, text, [clause.thing], wrong)


@TEMPLATES.register("thing_of_earlier_act")
def thing_of_earlier_act(material: Material) -> Iterator[Draft]:
    """What did the wearer point at on an earlier day, asked after an event of a later one?"""
    later = [act for act in _acts(material) if act[0].day > material.events[0].day]
    earlier = [act for act in _acts(material) if later and act[0].day < later[-1][0].day]
    for number, (event, clause) in enumerate(earlier):
        after = [act for act in later if act[0].day > event.day]
        anchor, anchor_clause = after[number % len(after)]
        asked = _asked_for_thing(material, event, clause)
        if asked is None or clause.thing in str(anchor_clause):
            continue
        setting, question, wrong = asked
        plan = Plan(
            "thing_of_earlier_act",
            Subcategory.LONG_TERM_MEMORY,
            (event, anchor),
            _senses(clause),
        )
        text = (
            f"think back from the moment on day {anchor.day} when {anchor_clause}: "
            f"{setting.text}, {question}"
        )
        yield choice(material, plan, text, [clause.thing], wrong)


@TEMPLATES.register("place_of_thing")
def place_of_thing(material: Material) -> Iterator[Draft]:
    """Where did the wearer put the keys?"""
    for event, clause in _acts(material):
        wrong = other_places(material, event, _WRONG)
        if clause.place is None or not is_resting(clause.place) or len(wrong) < _WRONG:
            continue
        setting = setting_of(material, event, [clause.place])
        if clause.verb in _PUTTING:
            asked = f"where does {clause.actor} {clause.verb} the {clause.thing}?"
        else:
            be = "are" if clause.thing.endswith("s") and clause.thing[-2] != "s" else "is"
            asked = f"where {be} the {clause.thing} that {clause.actor} {clause.third_person}?"
        plan = Plan("place_of_thing", Subcategory.ENTITY_TRACKING, (event,))
        yield choice(material, plan, f"{setting.text}, {asked}", [clause.place], wrong)


@TEMPLATES.register("order_of_two")
def order_of_two(material: Material) -> Iterator[Draft]:
    """True or false: this happens before that."""
    for (first, one), (second, two) in pairwise(_acts(material)):
        setting = setting_of(material, first, [])
        if not (_is_once(setting, one) and _is_once(setting, two)):
            continue
        plan = Plan("order_of_two", Subcategory.TEMPORAL_COMPARISON, (first, second))
        head = f"true or false: {setting.text},"
        yield statement(
            material, plan, f"{head} {one} before {two}.", f"{head} {two} before {one}."
        )


@TEMPLATES.register("order_of_three")
def order_of_three(material: Material) -> Iterator[Draft]:
    """In which order did three events of a day happen?"""
    for day in sorted({event.day for event in material.events}):
        acts = [act for act in _acts(material) if act[0].day == day]
        setting = Setting(f"on day {day}", tuple(event for event, _ in acts))
        single = [act for act in acts if _is_once(setting, act[1])]
        for start in range(0, len(single) - 2, 3):
            yield _ordering(material, day, single[start : start + 3])


@TEMPLATES.register("statement_of_thing")
def statement_of_thing(material: Material) -> Iterator[Draft]:
    """True or false: the wearer points at the cup."""
    for event, clause in _acts(material):
        setting = setting_of(material, event, [clause.thing])
        plan = Plan("statement_of_thing", Subcategory.SHORT_TERM_MEMORY, (event,), _senses(clause))
        for thing in other_things(material, event, setting, 1):
            head = f"true or false: {setting.text}, {clause.actor} {clause.third_person} the"
            yield statement(material, plan, f"{head} {clause.thing}.", f"{head} {thing}.")


@TEMPLATES.register("things_of_a_day")
def things_of_a_day(material: Material) -> Iterator[Draft]:
    """Which of these does the wearer point at on day 1?"""
    for day in sorted({event.day for event in material.events}):
        setting = Setting(
            f"on day {day}", tuple(event for event in material.events if event.day == day)
        )
        yield from _sets(material, setting, "things_of_a_day", Subcategory.CROSS_ENTITY_RELATION)


@TEMPLATES.register("things_of_all_days")
def things_of_all_days(material: Material) -> Iterator[Draft]:
    """Which of these does the wearer point at over all days?"""
    days = sorted({event.day for event in material.events})
    if len(days) > 1:
        named = " and ".join([", ".join(map(str, days[:-1])), str(days[-1])])
        setting = Setting(f"over days {named}", material.events)
        yield from _sets(material, setting, "things_of_all_days", Subcategory.ULTRA_LONG_MEMORY)


@TEMPLATES.register("word_during_act")
def word_during_act(material: Material) -> Iterator[Draft]:
    """Which word does the wearer say while pointing at the cup?"""
    heard = {event: _keywords(material, event) for event, _ in _acts(material)}
    everywhere = sorted(set().union(*heard.values())) if heard else []
    for event, clause in _acts(material):
        said = heard[event] - content_words(event.sentence)
        setting = setting_of(material, event, said)
        if not said or not _is_once(setting, clause):
            continue
        word = max(said, key=lambda text: (len(text), text))
        wrong = picked(str(clause), everywhere, _WRONG, unlike=sorted(heard[event]))
        plan = Plan(
            "word_during_act",
            Subcategory.CROSS_MODAL_UNDERSTANDING,
            (event,),
            (Modality.VIDEO, Modality.SPEECH),
        )
        if len(wrong) == _WRONG:
            text = f"{setting.text}, which word does the wearer say while {clause}?"
            yield choice(material, plan, text, [word], wrong)


def _acts(material: Material) -> list[tuple[Event, Clause]]:
    return [
        (event, event.clause)
        for event in material.events
        if event.clause is not None and is_thing(material, event.clause)
    ]


def _senses(clause: Clause) -> tuple[Modality, ...]:
    return (Modality.SPEECH,) if clause.verb in SPEECH_VERBS else (Modality.VIDEO,)


def _asked_for_thing(
    material: Material, event: Event, clause: Clause
) -> tuple[Setting, str, list[str]] | None:
    """Return setting, question and wrong options, or None if it cannot be asked soundly."""
    setting = setting_of(material, event, [clause.thing])
    time = which_time(setting, event)
    wrong = other_things(material, event, setting, _WRONG)
    if time is None or len(wrong) < _WRONG:
        return None
    place = f" {clause.place}" if clause.verb in _PUTTING and clause.place else ""
    return setting, f"what does {clause.actor} {clause.verb}{place}{time}?", wrong


def _is_once(setting: Setting, clause: Clause) -> bool:
    return [str(event.clause) for event in setting.events].count(str(clause)) == 1


def _ordering(material: Material, day: int, acts: list[tuple[Event, Clause]]) -> Draft:
    plan = Plan("order_of_three", Subcategory.TEMPORAL_CHAIN, tuple(event for event, _ in acts))
    seed = draft_id_of(material, plan)
    in_time = [str(clause) for _, clause in acts]
    shown = sorted(in_time, key=lambda text: digest_json([seed, text]))
    right = ", ".join(str(shown.index(text) + 1) for text in in_time)
    orders = [", ".join(order) for order in permutations("123")]
    orders.remove(right)
    wrong = sorted(orders, key=lambda text: digest_json([seed, text]))[:_WRONG]
    listed = "; ".join(f"({number}) {text}" for number, text in enumerate(shown, start=1))
    text = f"in which order do these events of day {day} happen: {listed}?"
    return choice(material, plan, text, [right], wrong)


def _sets(
    material: Material, setting: Setting, template: str, subcategory: Subcategory
) -> Iterator[Draft]:
    inside = [act for act in _acts(material) if act[0] in setting.events]
    for actor, verb in sorted({(clause.actor, clause.verb) for _, clause in inside}):
        first = {
            clause.thing: event
            for event, clause in reversed(inside)
            if (clause.actor, clause.verb) == (actor, verb)
        }
        right = picked(f"{template} {verb}", first, _MOST_RIGHT_OF_SEVERAL, unlike=())
        events = sorted((first[thing] for thing in right), key=lambda event: event.exact)
        if len(right) < _FEWEST_WRONG_OF_SEVERAL:
            continue
        wrong = other_things(material, events[0], setting, _WRONG, unlike=list(first))
        plan = Plan(template, subcategory, tuple(events), variant=f"{actor} {verb}")
        if len(wrong) >= _FEWEST_WRONG_OF_SEVERAL:
            text = f"{setting.text}, which of these does {actor} {verb}?"
            yield choice(material, plan, text, right, wrong)


def _keywords(material: Material, event: Event) -> frozenset[str]:
    """Return words that the wearer says wholly within an event and that carry a subject."""
    return frozenset(
        text
        for word in material.words
        if word.speaker == material.participant_id
        and event.exact.begin_us <= word.exact.begin_us
        and word.exact.end_us <= event.exact.end_us
        and word.confidence >= _LEAST_CONFIDENCE
        and len(text := normal_text(word.text)) >= _SHORTEST_KEYWORD
        and text not in STOP_WORDS
        and text[0] in ascii_letters
    )
