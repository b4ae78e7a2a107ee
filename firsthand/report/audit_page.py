"""The page of a privacy audit: what is likely left, what was done, and the frames themselves.

It shows originals and lies in the private zone, beside the pictures it refers to.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from firsthand.core.identity import Json
from firsthand.core.time import us_to_s
from firsthand.curation.audit_items import AuditedFrame
from firsthand.deid.audit_rate import LeakRate
from firsthand.deid.audit_sampling import Stratum
from firsthand.deid.audit_verdict import AuditOverride, AuditTally

__all__ = ["AuditPage", "audit_page"]

Row = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class AuditPage:
    """What an audit's page is made from.

    Args:
        benchmark: Name of the benchmark.
        tally: What people found.
        override: Who released without a passed audit, and why; None if nobody did.
        rows: Rows of table `audit_frames`.
        frames: The same frames, with what people found in them.
        measures: Rows of table `deid_audit`.
        engines: Name, version and weights digest of each engine, by need.
    """

    benchmark: str
    tally: AuditTally
    override: AuditOverride | None
    rows: Sequence[Row]
    frames: Sequence[AuditedFrame]
    measures: Sequence[Mapping[str, object]]
    engines: Mapping[str, Mapping[str, str]]


def audit_page(page: AuditPage) -> str:
    """Return the page as HTML; the same values give the same bytes.

    Pictures are named relative to a blob of the private zone, which the page becomes.
    """
    from jinja2 import DictLoader, Environment, StrictUndefined
    from markupsafe import Markup

    name = "audit.html.j2"
    environment = Environment(
        loader=DictLoader({name: _resource(name)}), autoescape=True, undefined=StrictUndefined
    )
    environment.filters["drawing"] = Markup
    return environment.get_template(name).render(
        page=page,
        style=_resource("leaderboard.css"),
        standing=_standing(page.tally),
        warnings=list(_warnings(page)),
        rates=[
            _rate("Faces", page.tally.face_rate),
            _rate("Private writing", page.tally.text_rate),
        ],
        kinds=list(_kinds(page.tally)),
        measures=list(_measures(page.measures)),
        frames=list(_frames(page)),
    )


def _standing(tally: AuditTally) -> str:
    sampled, judged = sum(tally.sampled.values()), sum(tally.judged.values())
    if tally.passed:
        return f"passed; {judged} frames looked at, nothing left in any"
    return f"not passed; {judged} of {sampled} frames looked at"


def _warnings(page: AuditPage) -> Iterator[str]:
    if page.tally.passed:
        yield "The pictures from before were deleted when the audit had passed."
    else:
        yield "This page shows people before their faces were covered."
    if not page.tally.passed and page.override is not None:
        yield f"Released on the word of {page.override.name}: {page.override.reason}"


def _rate(name: str, rate: LeakRate) -> dict[str, str]:
    if rate.per_hour is None:
        return {"name": name, "estimate": "unknown", "interval": "a kind was not looked at"}
    interval = f"{rate.low:.2f} to {rate.high:.2f} ({rate.level:.0%})"
    return {"name": name, "estimate": f"{rate.per_hour:.2f}", "interval": interval}


def _kinds(tally: AuditTally) -> Iterator[dict[str, object]]:
    fields = ("frames", "sampled", "judged", "faces_left", "texts_left")
    for kind in Stratum:
        yield {
            "kind": _words(kind),
            **{name: getattr(tally, name).get(kind, 0) for name in fields},
        }


_NO_SUMS = ("share",)


def _measures(rows: Sequence[Mapping[str, object]]) -> Iterator[dict[str, str]]:
    sums: dict[tuple[str, str, str], float] = {}
    for row in rows:
        key = (str(row["measure"]), str(row["unit"]), str(row["engine"]))
        sums[key] = sums.get(key, 0.0) + float(str(row["value"]))
    for (measure, unit, engine), value in sums.items():
        if unit not in _NO_SUMS:
            text = f"{value:,.1f}" if unit == "s" else f"{value:,.0f}"
            yield {"measure": _words(measure), "value": text, "unit": unit, "engine": engine}


def _frames(page: AuditPage) -> Iterator[dict[str, object]]:
    found = {(frame.recording_id, frame.pts_us): frame for frame in page.frames}
    for row in page.rows:
        frame = found[str(row["recording_id"]), int(str(row["pts_us"]))]
        yield {
            "before": None if page.tally.passed else _picture(row["before_sha256"]),
            "after": _picture(row["after_sha256"]),
            "place": f"{frame.recording_id[:12]}… at {us_to_s(frame.pts_us):.2f} s",
            "kind": _words(frame.stratum),
            "judgement": _judgement(frame),
            "leak": frame.is_leak,
        }


def _judgement(frame: AuditedFrame) -> str:
    if frame.is_leak:
        return f"{frame.faces_left} faces and {frame.texts_left} texts left"
    return "clean" if frame.judged else "waits to be looked at"


def _picture(digest: Json) -> str:
    return f"../{str(digest)[:2]}/{digest}.jpg"


def _words(name: str) -> str:
    return str(name).replace("_", " ")


def _resource(name: str) -> str:
    return (files("firsthand.report") / "templates" / name).read_text(encoding="utf-8")
