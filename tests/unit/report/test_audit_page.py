"""The audit's page: what is likely left, who answers for it, and frames side by side."""

from dataclasses import replace

from firsthand.core.identity import Json
from firsthand.curation.audit_items import AuditedFrame
from firsthand.deid.audit_verdict import AuditOverride, audit_tally
from firsthand.report.audit_page import AuditPage, audit_page

ROW: dict[str, Json] = {
    "recording_id": "ab" * 32,
    "pts_us": 1_480_000,
    "stratum": "track_end",
    "stratum_frames": 40,
    "before_sha256": "b1" + "0" * 62,
    "after_sha256": "c2" + "0" * 62,
}
FRAME = AuditedFrame("ab" * 32, 1_480_000, "track_end", judged=True, faces_left=1, texts_left=0)
PAGE = AuditPage(
    benchmark="demo <b>",
    tally=audit_tally([ROW], [FRAME]),
    override=AuditOverride("Eva", "A <script> of ours covers the rest."),
    rows=[ROW],
    frames=[FRAME],
    measures=[
        {"measure": "muted_sound", "value": value, "unit": "s", "engine": "resemblyzer"}
        for value in (1.25, 2.5)
    ],
    engines={"faces": {"name": "centerface", "version": "onnxruntime-1", "weights": "f" * 64}},
)


def test_a_leak_is_shown_with_its_pictures_its_rate_and_who_answers_for_it() -> None:
    html = audit_page(PAGE)
    assert 'src="../b1/b1' in html
    assert 'src="../c2/c2' in html
    assert "abababababab… at 1.48 s, track end: 1 faces and 0 texts left" in html
    assert "not passed; 1 of 1 frames looked at" in html
    # One face in one of one frames looked at: all of every hour.
    assert '<td class="number">3600.00</td>' in html
    assert "3.8 s</td><td>resemblyzer" in html
    assert "Released on the word of Eva: A &lt;script&gt; of ours" in html
    assert "<b>" not in html.partition("<body>")[2].replace("demo &lt;b&gt;", "")
    assert "ffffffffffff<" in html
    assert html == audit_page(PAGE)


def test_a_passed_audit_names_nobody_and_a_frame_may_wait() -> None:
    clean = replace(FRAME, faces_left=0)
    html = audit_page(replace(PAGE, tally=audit_tally([ROW], [clean]), frames=[clean]))
    assert "passed; 1 frames looked at, nothing left in any" in html
    assert "Eva" not in html
    assert 'src="../b1' not in html
    assert 'src="../c2/c2' in html
    waiting = replace(clean, judged=False)
    html = audit_page(replace(PAGE, tally=audit_tally([ROW], [waiting]), frames=[waiting]))
    assert "waits to be looked at" in html
    assert "unknown" in html
