"""The card of a release: what it holds, how it came about, how to use it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from firsthand.core.identity import Json
from firsthand.core.time import SECOND_US
from firsthand.core.utc_text import utc_text
from firsthand.curation.agreement import QUEUE_WORDS, Measure
from firsthand.report.markdown import cell_text
from firsthand.store.releases import Release
from firsthand.store.tables import TABLES

__all__ = ["CardText", "dataset_card"]

_HOUR_US = 3_600 * SECOND_US


@dataclass(frozen=True, slots=True)
class CardText:
    """What a person says about a release.

    Args:
        title: Name for readers.
        summary: A sentence on what was recorded, by whom and why.
        licence: Name of the licence, and its address.
        contact: Whom to ask, and whom to ask for removal; empty if nobody is named.
    """

    title: str
    summary: str
    licence: str
    contact: str = ""


def dataset_card(release: Release, text: CardText) -> str:
    """Return the card as Markdown; the same release and text give the same card."""
    return "\n".join(_lines(release, text)) + "\n"


def _lines(release: Release, text: CardText) -> Iterator[str]:
    yield f"# {cell_text(text.title)}"
    yield ""
    yield text.summary
    yield ""
    yield "| Fact | Value |"
    yield "|:--|:--|"
    yield from (f"| {name} | {value} |" for name, value in _facts(release, text).items())
    yield ""
    yield from _stream_lines(release)
    yield from _question_lines(release)
    yield from _review_lines(release.manifest.get("review"))
    yield from _table_lines(release)
    yield from _privacy_lines(release, text)
    yield from _engine_lines(release)


def _facts(release: Release, text: CardText) -> Mapping[str, str]:
    streams = release.table("streams").to_pylist()
    recorded_us = sum(row["recorded_us"] for row in streams)
    return {
        "Release": f"`{release.release_id}`",
        "Digest": f"`{release.digest}`",
        "Licence": cell_text(text.licence),
        "Participants": str(release.table("participants").num_rows),
        "Streams": str(len(streams)),
        "Recorded": f"{recorded_us / _HOUR_US:.2f} h",
        "Clips": str(release.table("clips").num_rows),
        "Questions": str(release.table("questions").num_rows),
    }


def _stream_lines(release: Release) -> Iterator[str]:
    rows = release.table("streams").to_pylist()
    if not rows:
        return
    yield "## Streams"
    yield ""
    yield (
        "T_dur is the length of all recordings together, T_span the time from the first start "
        "to the last end. A stream is lifelong in MM-Lifelong's sense if T_dur is at least 12 h "
        "and T_span at least 24 h, of one participant."
    )
    yield ""
    yield "| Participant | Recordings | T_dur | T_span | Lifelong |"
    yield "|:--|--:|--:|--:|:--|"
    for row in sorted(rows, key=lambda row: str(row["participant_id"])):
        yield (
            f"| {cell_text(str(row['participant_id']))} | {row['recordings']} "
            f"| {row['recorded_us'] / _HOUR_US:.2f} h | {row['spanned_us'] / _HOUR_US:.2f} h "
            f"| {'yes' if row['lifelong'] else 'no'} |"
        )
    yield ""


def _question_lines(release: Release) -> Iterator[str]:
    rows = release.table("questions").to_pylist()
    yield "## Questions"
    yield ""
    yield (
        "Every question was reviewed by a person. It is due when its evidence has ended, rounded "
        "up to a whole second of the stream."
    )
    yield ""
    yield "| Category | Subcategory | Questions |"
    yield "|:--|:--|--:|"
    counts = Counter((row["category"], row["subcategory"]) for row in rows)
    for (category, subcategory), count in sorted(counts.items()):
        yield f"| {cell_text(category)} | {cell_text(subcategory)} | {count} |"
    yield ""
    kinds = Counter(row["question_type"] for row in rows)
    if kinds:
        yield f"By type: {', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items()))}."
        yield ""


def _review_lines(review: Json) -> Iterator[str]:
    yield "## Review"
    yield ""
    if not isinstance(review, Mapping) or not review:
        yield "How the questions were reviewed is not recorded."
        yield ""
        return
    yield from _agreement_lines(review)
    yield _signature_line(review["sign_off"])
    yield ""


def _agreement_lines(review: Mapping[str, Json]) -> Iterator[str]:
    queues = cast("Mapping[str, Mapping[str, Json]]", review["queues"])
    chosen = {kind: one for kind, one in queues.items() if one["chosen"] or one["least"]}
    if "draft" not in chosen:
        yield "One person decided on each question; how far two agree was not measured."
        yield ""
    if not chosen:
        return
    yield (
        "Of the following, two people decided, neither seeing what the other did. Questions are "
        "compared by the verdict; windows, words and objects are alike within a tolerance."
    )
    yield ""
    yield "| Items | Chosen for two | Decided by two | Alike | Agreement | A release needs |"
    yield "|:--|--:|--:|--:|:--|:--|"
    for kind, one in chosen.items():
        yield (
            f"| {QUEUE_WORDS[kind]} | {one['chosen']} ({float(str(one['share'])):.0%} asked for) "
            f"| {one['decided_by_two']} | {one['alike']} | {_agreement_text(one)} "
            f"| {_demand_text(one)} |"
        )
    yield ""
    yield (
        "The intervals count items as independent; those of kappa and alpha hold chance "
        "agreement as it was found."
    )
    yield ""
    override = review["agreement_override"]
    if isinstance(override, Mapping):
        who, why = (cell_text(str(override[name])) for name in ("name", "reason"))
        yield f"Released without the agreement that was demanded, by {who}: {why}"
        yield ""


def _agreement_text(said: Mapping[str, Json]) -> str:
    name = "Cohen's kappa" if said["measure"] == Measure.KAPPA else "share alike"
    told = f"{name} {_coefficient(said, 'value', 'interval')}"
    if "alpha" not in said:
        return told
    return f"{told}; Krippendorff's alpha {_coefficient(said, 'alpha', 'alpha_interval')}"


def _demand_text(said: Mapping[str, Json]) -> str:
    if said["least"] is None:
        return "nothing"
    relation = "above" if said["measure"] == Measure.KAPPA else "at least"
    return f"{relation} {said['least']}: {'met' if said['is_met'] else 'not met'}"


def _coefficient(said: Mapping[str, Json], name: str, interval: str) -> str:
    value, ends = said[name], said[interval]
    if value is None:
        return f"is not defined (n {said['decided_by_two']})"
    within = ""
    if isinstance(ends, Sequence) and not isinstance(ends, str):
        low, high = (float(str(end)) for end in ends)
        within = f"{float(str(said['interval_level'])):.0%} interval {low:.3f} to {high:.3f}, "
    return f"{float(str(value)):.3f} ({within}n {said['decided_by_two']})"


def _signature_line(signature: Json) -> str:
    if not isinstance(signature, Mapping):
        return "No signature under the outcome was demanded."
    who, why = (cell_text(str(signature[name])) for name in ("name", "reason"))
    moment_us = signature.get("signed_utc_us")
    when = "" if moment_us is None else f" on {utc_text(int(str(moment_us)))}"
    return f"Signed off by {who}{when}: {why}"


def _table_lines(release: Release) -> Iterator[str]:
    yield "## Tables"
    yield ""
    yield (
        "Times are whole microseconds. Each table is one Parquet file under `tables/`; each "
        "column's meaning stands in its metadata. Pictures and sound are under `media/`: the "
        "de-identified clip, and a 640x360 proxy for evaluation."
    )
    yield ""
    yield "| Table | A row is | Rows |"
    yield "|:--|:--|--:|"
    for name in release.table_names:
        yield f"| {name} | {cell_text(TABLES[name].meaning)} | {release.table(name).num_rows} |"
    yield ""


def _privacy_lines(release: Release, text: CardText) -> Iterator[str]:
    yield "## Privacy"
    yield ""
    yield (
        f"{_faces_sentence(release)} Writing that a rule calls private (phone numbers, number "
        "plates, addresses, unless the benchmark asks for other rules) is painted over; other "
        "writing is left. Speech of people who did not consent is removed and its words are left "
        "out. "
        "Containers were rebuilt, and every file was searched for the place, time, device and "
        "name that its original tells. Recordings carry disguised identifiers. What the "
        "automatic steps missed may still be visible: do not try to identify anybody."
    )
    yield ""
    yield from _audit_lines(release.manifest.get("audit"))
    if text.contact:
        yield f"Questions, and requests for removal: {cell_text(text.contact)}."
        yield ""


def _faces_sentence(release: Release) -> str:
    rows = release.table("deid_audit").to_pylist() if "deid_audit" in release.table_names else []
    spared_s = sum(row["value"] for row in rows if row["measure"] == "spared_faces")
    if not spared_s:
        return "Faces are covered."
    return (
        "Faces are covered, but for those of participants who let their own be seen: "
        f"{spared_s:.1f} face-seconds in all."
    )


def _audit_lines(audit: Json) -> Iterator[str]:
    if not isinstance(audit, Mapping) or not audit:
        yield "No privacy audit is recorded."
        yield ""
        return
    judged, sampled = audit["frames_judged"], audit["frames_sampled"]
    yield (
        f"Privacy audit: {'passed' if audit['passed'] else 'not passed'}. People looked at "
        f"{judged} of {sampled} sampled frames and found {audit['faces_left']} faces and "
        f"{audit['texts_left']} pieces of private writing left. {_rate_sentence(audit)}"
    )
    yield ""
    override = audit["override"]
    if isinstance(override, Mapping):
        who, why = (cell_text(str(override[name])) for name in ("name", "reason"))
        yield f"Released without a passed audit by {who}: {why}"
        yield ""


def _rate_sentence(audit: Mapping[str, Json]) -> str:
    rate = audit["face_seconds_per_hour"]
    if not isinstance(rate, Mapping) or rate["estimate"] is None:
        return "The rate of what is left is not known."
    estimate, low, high, level = (float(str(rate[n])) for n in ("estimate", "low", "high", "level"))
    return (
        f"Estimated: {estimate:.2f} face-seconds left per hour ({level:.0%} interval "
        f"{low:.2f} to {high:.2f})."
    )


def _engine_lines(release: Release) -> Iterator[str]:
    engines = release.manifest.get("engines")
    if not isinstance(engines, Mapping) or not engines:
        return
    yield "## Made with"
    yield ""
    yield "| Need | Engine |"
    yield "|:--|:--|"
    for need, engine in sorted(engines.items()):
        parts = engine.values() if isinstance(engine, Mapping) else [engine]
        yield f"| {cell_text(str(need))} | {cell_text(' '.join(str(part) for part in parts))} |"
    yield ""
