"""Benchmark and run files: read strictly, and faults told by file, key and remedy."""

import pickle
from datetime import date
from pathlib import Path

import pytest

from firsthand.core.errors import ConfigurationError, UnknownKeyError
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import QuestionType, Subcategory
from firsthand.protocols.lifelong_policy import AskedAt, LifelongPolicy, SampleBudget
from firsthand.store import Store
from firsthand.subjects import RemaSettings
from schemas.benchmark_spec import load_benchmark_spec
from schemas.run_spec import load_run_spec
from schemas.subject_specs import BaselineSpec, EndpointSpec, ReplaySpec
from tasks.protocols import policy_of
from tasks.subjects import configured_subjects

BENCHMARK = """\
schema_version: 1
name: demo
unit_s: 1
participants:
  - participant_id: p1
    recordings: films
    narrations: [said.srt]
    time_zone: Europe/Lisbon
    consents: [{scope: recording, granted_on: 2026-01-02}]
    voice_enrolment: [{file: films/a.mp4, start_s: 0, end_s: 2.5}]
    scenarios: [{file: films/a.mp4, name: Kitchen, description: Making tea.}]
annotations: {clicks: clicks.csv}
review: {decisions: decisions.jsonl}
engines: {faces: a, speech: b, aligner: c, voice_activity: d, speakers: e, masks: f, drafter: g,
  text: h}
release: {salt: grains of salt}
"""
RUN = """\
schema_version: 1
name: nightly
subjects:
  - {name: blind, kind: blind, declared_latency_s: 0.25}
  - {name: dice, kind: random, declared_latency_s: 1, seed: 7}
policy: {probe_step_s: 5}
rule_sets: [paper, official]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "outside.srt").write_text("outside", encoding="utf-8")
    home = tmp_path / "home"
    (home / "films").mkdir(parents=True)
    for name in ("said.srt", "clicks.csv", "decisions.jsonl"):
        (home / name).write_text("", encoding="utf-8")
    (home / "link.srt").symlink_to(tmp_path / "outside.srt")
    return home


def written(folder: Path, text: str) -> Path:
    path = folder / "spec.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_benchmark_file_becomes_a_record_with_paths_from_its_own_folder(folder: Path) -> None:
    spec = load_benchmark_spec(written(folder, BENCHMARK))
    person = spec.participants[0]
    assert person.recordings == (folder.resolve() / "films",)
    assert person.consents[0].granted_on == date(2026, 1, 2)
    assert spec.annotations.clicks == folder.resolve() / "clicks.csv"
    assert spec.annotations.strokes is None
    assert spec.unit_us == 1_000_000


def test_the_default_rules_cover_writing_and_a_file_may_ask_for_more(folder: Path) -> None:
    spec = load_benchmark_spec(written(folder, BENCHMARK))
    assert spec.removal.text.rules == ("email", "phone", "plate")
    text = "removal: {text: {rules: [names, everything], names: [Eva Berg], style: blur}}\n"
    removal = load_benchmark_spec(written(folder, BENCHMARK + text)).removal
    assert (removal.text.rules, removal.text.names) == (("names", "everything"), ("Eva Berg",))
    for wrong, told in (("rules: [phones]", "phone, plate"), ("rules: [names]", "rules and names")):
        path = written(folder, f"{BENCHMARK}removal: {{text: {{{wrong}}}}}\n")
        with pytest.raises(ConfigurationError, match=told):
            load_benchmark_spec(path)


def test_faces_are_covered_in_the_style_asked_for_and_nobodys_is_spared(folder: Path) -> None:
    faces = load_benchmark_spec(written(folder, BENCHMARK)).removal.faces
    assert (faces.style, faces.spared) == ("blur", ())
    text = "removal: {faces: {style: pixelate, spared: []}}\n"
    assert load_benchmark_spec(written(folder, BENCHMARK + text)).removal.faces.style == "pixelate"


def test_a_scenario_may_speak_of_a_file_that_was_not_delivered(folder: Path) -> None:
    spec = load_benchmark_spec(written(folder, BENCHMARK))
    assert not spec.participants[0].scenarios[0].file.exists()


def test_the_salt_is_shown_neither_in_the_record_nor_in_an_error(folder: Path) -> None:
    spec = load_benchmark_spec(written(folder, BENCHMARK))
    assert "grains" not in repr(spec)
    with pytest.raises(ConfigurationError, match=r"release\.salt") as caught:
        load_benchmark_spec(written(folder, BENCHMARK.replace("grains of salt", "grains")))
    assert "grains" not in str(caught.value)


def test_a_run_file_becomes_a_record_with_the_published_policy(folder: Path) -> None:
    spec = load_run_spec(written(folder, RUN))
    baselines = [subject for subject in spec.subjects if isinstance(subject, BaselineSpec)]
    assert [subject.declared_latency_us for subject in baselines] == [250_000, 1_000_000]
    assert spec.rule_sets == (RuleSet.PAPER, RuleSet.OFFICIAL)
    assert (spec.policy.window_s, spec.policy.probe_step_s, spec.policy.probes) == (5, 5, 10)


def test_a_mark_at_the_beginning_and_carriage_returns_do_no_harm(folder: Path) -> None:
    path = folder / "spec.yaml"
    path.write_bytes(("\ufeff" + RUN.replace("\n", "\r\n")).encode())
    assert load_run_spec(path).name == "nightly"


@pytest.mark.parametrize(
    ("right", "wrong", "key", "near"),
    [
        ("recordings:", "recordngs:", r"participants\[0\].recordngs", "'recordings'"),
        ("granted_on:", "grantd_on:", r"participants\[0\].consents\[0\].grantd_on", "'granted_on'"),
        ("speakers:", "speaker:", r"engines.speaker", "'speakers'"),
        ("annotations:", "annotation:", "annotation", "'annotations'"),
    ],
)
def test_an_unknown_key_is_named_beside_the_nearest_known_one(
    folder: Path, right: str, wrong: str, key: str, near: str
) -> None:
    with pytest.raises(UnknownKeyError, match=rf"spec\.yaml, key {key}:") as caught:
        load_benchmark_spec(written(folder, BENCHMARK.replace(right, wrong)))
    assert f"Did you mean {near}?" in caught.value.remedy
    assert right.rstrip(":") in caught.value.expected


@pytest.mark.parametrize(
    ("right", "wrong", "key"),
    [
        ("recordings: films", "recordings: absent", "recordings"),
        ("recordings: films", "recordings: []", "recordings"),
        ("recordings: films", "recordings: ../home/films/../..", "recordings"),
        ("recordings: films", "recordings: /etc", "recordings"),
        ("said.srt", "link.srt", "narrations"),
        ("Europe/Lisbon", "Europe/Atlantis", "time_zone"),
        ("Europe/Lisbon", "../etc/passwd", "time_zone"),
        ("participant_id: p1", "participant_id: 7", "participant_id"),
        ("participant_id: p1", "participant_id: ../p1", "participant_id"),
        ("scope: recording", "scope: everything", "scope"),
        ("2026-01-02", "yesterday", "granted_on"),
        ("end_s: 2.5", "end_s: 0", "voice_enrolment"),
        ("unit_s: 1", "unit_s: 0", "unit_s"),
        ("unit_s: 1", "unit_s: one", "unit_s"),
        ("unit_s: 1", "unit_s: .nan", "unit_s"),
        ("unit_s: 1", "unit_s: .inf", "unit_s"),
        ("schema_version: 1", "schema_version: 2", "schema_version"),
        ("name: demo", "name: my demo", "name"),
        ("faces: a, ", "", "engines.faces"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_by_its_key(
    folder: Path, right: str, wrong: str, key: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_benchmark_spec(written(folder, BENCHMARK.replace(right, wrong, 1)))
    assert key in caught.value.subject
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301 - our own


DRAFTER = """\
drafter:
  model: openai/m
  revision: '1'
  plan: windows
  quotas: {window_s: 900, per_window: 4, whole_stream: 0, subcategories: {Entity Tracking: 2},
    types: {mc_single: 3, open_ended: 1}, least_clues: 2}
"""


def test_quotas_of_drafting_are_read_by_subcategory_and_type(folder: Path) -> None:
    drafter = load_benchmark_spec(written(folder, BENCHMARK + DRAFTER)).drafter
    assert drafter is not None
    assert drafter.quotas is not None
    assert drafter.quotas.subcategories == {Subcategory.ENTITY_TRACKING: 2}
    assert drafter.quotas.types == {QuestionType.MC_SINGLE: 3, QuestionType.OPEN_ENDED: 1}


@pytest.mark.parametrize(
    ("right", "wrong", "key"),
    [
        ("Entity Tracking: 2", "Entity Trackng: 2", "subcategories"),
        ("Entity Tracking: 2", "Entity Tracking: 0", "subcategories"),
        ("Entity Tracking: 2", "Entity Tracking: 1.5", "subcategories"),
        ("Entity Tracking: 2", "Ultra-long Memory: 2", "quotas"),
        ("Entity Tracking: 2", "", "subcategories"),
        ("mc_single: 3", "mc: 3", "types"),
        ("plan: windows", "plan: recordings", "drafter"),
        ("window_s: 900", "window_s: 0", "window_s"),
    ],
)
def test_a_quota_that_cannot_be_used_is_named_by_its_key(
    folder: Path, right: str, wrong: str, key: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_benchmark_spec(written(folder, BENCHMARK + DRAFTER.replace(right, wrong, 1)))
    assert key in caught.value.subject


ENDPOINT = """\
schema_version: 1
name: nightly
subjects:
  - name: small
    kind: litellm
    model: openai/small
    revision: weights-1
    base_url: http://127.0.0.1:8000/v1
    api_key_name: SMALL_KEY
    receives: [speech, video, sound]
    history: {kind: last_units, units: 30}
    price: {input_usd_per_million: 0.5, output_usd_per_million: 1.5}
    budget: {usd: 2, minutes: 30}
rule_sets: [paper]
"""


def test_a_model_behind_an_endpoint_is_described_without_its_key(folder: Path) -> None:
    (subject,) = load_run_spec(written(folder, ENDPOINT)).subjects
    assert isinstance(subject, EndpointSpec)
    assert (subject.api_key_name, subject.receives) == (
        "SMALL_KEY",
        ("speech", "video", "sound"),
    )
    assert (subject.history.kind, subject.history.units) == ("last_units", 30)
    assert (subject.budget.usd, subject.budget.tokens) == (2, None)


@pytest.mark.parametrize(
    ("right", "wrong", "key", "near"),
    [
        ("    base_url:", "    bas_url:", r"subjects\[0\].bas_url", "'base_url'"),
        ("units: 30", "unit: 30", r"subjects\[0\].history.unit", "'units'"),
        ("{usd: 2", "{usd: 2, mintes: 3", r"subjects\[0\].budget.mintes", "'minutes'"),
    ],
)
def test_an_unknown_key_of_a_kind_of_subject_is_named_as_it_is_written(
    folder: Path, right: str, wrong: str, key: str, near: str
) -> None:
    with pytest.raises(UnknownKeyError, match=rf"spec\.yaml, key {key}:") as caught:
        load_run_spec(written(folder, ENDPOINT.replace(right, wrong)))
    assert f"Did you mean {near}?" in caught.value.remedy


@pytest.mark.parametrize(
    ("right", "wrong", "key"),
    [
        ("kind: litellm", "kind: litelm", "subjects[0].kind"),
        ("    kind: litellm\n", "", "subjects[0].kind"),
        ("SMALL_KEY", "sk-verysecret", "subjects[0].api_key_name"),
        ("units: 30", "units: 0", "subjects[0].history.units"),
        ("usd: 2", "usd: -2", "subjects[0].budget.usd"),
        ("[speech, video, sound]", "[speech, smell]", "subjects[0].receives[1]"),
    ],
)
def test_a_value_of_a_kind_of_subject_that_cannot_be_used_is_named(
    folder: Path, right: str, wrong: str, key: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_run_spec(written(folder, ENDPOINT.replace(right, wrong)))
    assert caught.value.subject.endswith(key)


def test_a_replay_has_one_source(folder: Path) -> None:
    replay = RUN.replace("kind: blind, declared_latency_s: 0.25", "kind: replay, folder: films")
    subject = load_run_spec(written(folder, replay)).subjects[0]
    assert isinstance(subject, ReplaySpec)
    assert subject.folder == folder.resolve() / "films"
    for both in ("kind: replay, run: r1, folder: films", "kind: replay"):
        with pytest.raises(ConfigurationError, match="run"):
            load_run_spec(written(folder, replay.replace("kind: replay, folder: films", both)))


@pytest.mark.parametrize(
    ("right", "wrong", "key"),
    [
        ("kind: blind", "kind: model", "kind"),
        (", seed: 7", "", "subjects[1]"),
        ("kind: blind,", "kind: blind, seed: 3,", "subjects[0]"),
        ("name: dice", "name: blind", "(whole file)"),
        ("[paper, official]", "[paper, paper]", "(whole file)"),
        ("[paper, official]", "[]", "rule_sets"),
        ("[paper, official]", "[house]", "rule_sets[0]"),
        ("{probe_step_s: 5}", "{probe_step_s: -5}", "policy.probe_step_s"),
        ("{probe_step_s: 5}", "{overlap: serial}", "policy.overlap"),
        ("declared_latency_s: 1,", "declared_latency_s: fast,", "declared_latency_s"),
    ],
)
def test_a_run_that_cannot_be_made_is_refused_by_its_key(
    folder: Path, right: str, wrong: str, key: str
) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_run_spec(written(folder, RUN.replace(right, wrong, 1)))
    assert key in caught.value.subject


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: a\nname: b\n", "line 2, column 1"),
        ("subjects: [\n", "line 2"),
        ("- name\n", "list"),
        ("", "NoneType"),
        ("name: !!python/object/apply:os.getcwd []\n", "line 1"),
    ],
    ids=["key twice", "not closed", "a list", "empty", "a tag that runs code"],
)
def test_a_file_that_is_no_such_yaml_is_named_with_the_place(
    folder: Path, text: str, said: str
) -> None:
    with pytest.raises(ConfigurationError, match=r"spec\.yaml") as caught:
        load_run_spec(written(folder, text))
    assert said in str(caught.value)


def test_a_file_that_is_absent_or_in_another_encoding_is_named(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"absent\.yaml"):
        load_run_spec(folder / "absent.yaml")
    path = folder / "spec.yaml"
    path.write_bytes("name: 评测".encode("gbk"))
    with pytest.raises(ConfigurationError, match="UTF-8"):
        load_run_spec(path)


def test_a_run_file_names_its_protocol_and_streaming_is_meant_without_one(folder: Path) -> None:
    assert load_run_spec(written(folder, RUN)).protocol.name == "streaming"
    named = load_run_spec(written(folder, RUN + "protocol: {name: streaming}\n"))
    assert policy_of(named) == policy_of(load_run_spec(written(folder, RUN)))
    with pytest.raises(ConfigurationError, match=r"protocol\.name"):
        load_run_spec(written(folder, RUN + "protocol: {name: streamng}\n"))
    with pytest.raises(UnknownKeyError, match="stacks"):
        load_run_spec(written(folder, RUN + "protocol: {name: streaming, stacks: [a]}\n"))


def test_an_agent_is_configured_by_name(folder: Path, tmp_path: Path) -> None:
    agent = "  - {name: rema, kind: rema, model: openai/m, revision: w1, clip_s: 120}\n"
    run = RUN.replace("policy", f"{agent}policy", 1)
    (configured,) = configured_subjects(load_run_spec(written(folder, run)), Store(tmp_path))[2:]
    assert isinstance(configured.settings, RemaSettings)
    assert configured.settings.clip_us == 120_000_000
    assert configured.build().facts.keeps_memory
    with pytest.raises(UnknownKeyError, match="history"):
        load_run_spec(written(folder, run.replace("clip_s: 120", "history: {kind: full}")))


def test_a_lifelong_run_file_states_its_budget_and_its_bins(folder: Path) -> None:
    bare = RUN.replace("policy: {probe_step_s: 5}\n", "")
    lifelong = bare + (
        "protocol:\n  name: lifelong\n  asked_at: due\n  ref_bins_s: [300]\n"
        "  budget: {most_frames: 8, most_tokens: 4000, words_share: 0.25}\n"
    )
    policy = policy_of(load_run_spec(written(folder, lifelong)))
    assert policy == LifelongPolicy(
        SampleBudget(most_frames=8, most_tokens=4000, words_share=0.25),
        AskedAt.DUE,
        ref_bins_s=(300,),
        rule_sets=policy.rule_sets,
    )
    with pytest.raises(UnknownKeyError, match="most_pictures"):
        load_run_spec(written(folder, lifelong.replace("most_frames", "most_pictures")))
    with pytest.raises(ConfigurationError, match="streaming protocol alone"):
        load_run_spec(written(folder, lifelong + "policy: {window_s: 3}\n"))
