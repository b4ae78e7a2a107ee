"""The queue of voices that nobody enrolled: whose is it, and is it the same as another?"""

from collections.abc import Iterator, Mapping

from starlette.datastructures import FormData

from firsthand.core.time import us_to_s
from firsthand.curation.revisions import EditError, ReviewItem
from firsthand.curation.voice_items import VOICE_KIND, apart_voice, check_voice_edit, voice_items
from firsthand.review_app.footage import Footage
from firsthand.review_app.heard_voices import excerpt_path
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store
from firsthand.store.machine_rows import machine_rows

__all__ = ["VOICE_QUEUE"]


def _entries(store: Store, benchmark: str) -> Iterator[Entry]:
    rows = machine_rows(store, benchmark, "voices")
    people = {str(row["recording_id"]): str(row["participant_id"]) for row in rows}
    heard = {
        (str(row["recording_id"]), str(row["voice"]))
        for row in rows
        if excerpt_path(store, str(row["excerpt_sha256"])).is_file()
    }
    for item in voice_items(rows):
        own = str(item.content["recording_id"]), str(item.content["voice"])
        facets = {"participant": people[own[0]], "voice": own[1]}
        # Once its sound was deleted, nobody can say whose voice it is.
        yield Entry(item, facets["participant"], facets, is_optional=own not in heard)


def _spans(item: ReviewItem) -> list[tuple[int, int]]:
    spans = item.content["spans"]
    return [(begin_us, end_us) for begin_us, end_us in spans]  # type: ignore[union-attr, misc] # pairs, as `voice_items` made them


def _title(item: ReviewItem) -> str:
    spans = _spans(item)
    length_s = us_to_s(sum(end_us - begin_us for begin_us, end_us in spans))
    return (
        f"{item.content['name']} in {str(item.content['recording_id'])[:8]}, "
        f"{len(spans)} {'stretch' if len(spans) == 1 else 'stretches'}, {length_s:.1f} s"
    )


def _view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    recording_id, own = str(item.content["recording_id"]), str(item.content["voice"])
    others = footage.strangers.beside(recording_id)
    choices = {name: told.speaker for name, told in others.items()}
    choices.setdefault(own, own)
    stretches = [
        {
            "begin_s": us_to_s(begin_us),
            "length_s": us_to_s(end_us - begin_us),
            "sha256": _audible(footage, footage.strangers.excerpt_of(recording_id, begin_us)),
        }
        for begin_us, end_us in _spans(item)
    ]
    return {
        "is_heard": any(one["sha256"] for one in stretches),
        "voice": own,
        "name": item.content["name"],
        "apart": apart_voice(item),
        "choices": sorted(choices.items()),
        "stretches": stretches,
        "elsewhere": [
            {"voice": name, "speaker": told.speaker, "sha256": sha256}
            for name, told in others.items()
            if (sha256 := _audible(footage, *told.excerpts))
        ],
    }


def _audible(footage: Footage, *excerpts: str) -> str | None:
    """Return the first excerpt that is kept still; None if none is."""
    return next((one for one in excerpts if footage.excerpt_file(one) is not None), None)


def _read(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    voice = str(form.get("voice") or item.content["voice"])
    name = " ".join(str(form.get("name") or "").split()) or voice
    if name == item.content["voice"]:
        # Who moves it to another voice without naming it means that voice's own name.
        name = voice
    content = {**item.content, "voice": voice, "name": name}
    try:
        check_voice_edit(item, content, footage.strangers.participants)
    except EditError:
        problem = "Up to 40 letters, digits, spaces, - and _, and no participant's name."
        return FormReading(item.content, {"name": problem})
    return FormReading(content)


VOICE_QUEUE = QUEUES.register(VOICE_KIND)(
    Queue(
        kind=VOICE_KIND,
        name="Strangers",
        task="Listen: is this the voice that the machine takes it for? It stays private.",
        template="voice.html.j2",
        tables=("voices",),
        facets={"participant": "Participant", "voice": "Voice"},
        reasons=("It is no voice", "Several people speak", "It cannot be told"),
        entries=_entries,
        title=_title,
        view=_view,
        read=_read,
    )
)
