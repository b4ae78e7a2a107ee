from pathlib import Path

import pytest
import yaml

from firsthand.core.errors import ConfigurationError, UnknownKeyError
from firsthand.core.taxonomy import Modality
from firsthand.store import Store
from firsthand.subjects import HistoryKind, SubjectConfiguration, TransformersSettings
from schemas.run_spec import load_run_spec
from tasks.subjects import configured_subjects


def configured(folder: Path, **keys: object) -> SubjectConfiguration:
    subject = {"name": "local", "kind": "transformers", "folder": "models/tiny", **keys}
    run = {
        "schema_version": 1,
        "name": "run",
        "subjects": [subject],
        "rule_sets": ["paper"],
    }
    path = folder / "run.yaml"
    path.write_text(yaml.safe_dump(run))
    (found,) = configured_subjects(load_run_spec(path), Store(folder / "store"))
    return found


def test_a_local_model_is_looked_for_beside_the_run_file(tmp_path: Path) -> None:
    found = configured(tmp_path)
    assert (found.name, found.gpus) == ("transformers", 0)
    assert isinstance(found.settings, TransformersSettings)
    assert found.settings.loading.folder == tmp_path / "models/tiny"
    assert not found.settings.loading.runs_its_code
    assert found.settings.receives == {Modality.VIDEO, Modality.SPEECH}
    assert found.settings.history.kind is HistoryKind.LAST_UNITS
    assert found.settings.declared_latency_us is None


def test_what_a_run_file_says_of_a_local_model_reaches_it(tmp_path: Path) -> None:
    found = configured(
        tmp_path,
        gpus=2,
        device="cuda:1",
        dtype="bfloat16",
        most_memory_gib=1.5,
        receives=["video", "sound"],
        history={"kind": "last_units", "units": 8, "most_pictures": 4},
        max_output_tokens=9,
        declared_latency_s=0.5,
        trust_remote_code=True,
    )
    settings = found.settings
    assert isinstance(settings, TransformersSettings)
    assert found.gpus == 2
    assert settings.loading.most_memory_bytes == 3 << 29
    assert (settings.loading.device, settings.loading.dtype) == ("cuda:1", "bfloat16")
    assert settings.loading.runs_its_code
    assert settings.hears_sound
    assert settings.receives == {Modality.VIDEO, Modality.SPEECH}
    assert (settings.history.units, settings.history.most_pictures) == (8, 4)
    assert (settings.most_tokens, settings.declared_latency_us) == (9, 500_000)


def test_keys_and_values_that_nothing_reads_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownKeyError, match="temperature"):
        configured(tmp_path, temperature=0.7)
    with pytest.raises(ConfigurationError, match="device"):
        configured(tmp_path, device="gpu")
