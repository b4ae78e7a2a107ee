"""`firsthand engines` and `firsthand doctor`: what is installed, what is whole, what to do."""

import importlib.util
import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from firsthand.cli.options import USUAL_STORE, StoreOption
from firsthand.core.errors import FirsthandError
from firsthand.store.health import Finding, store_findings
from firsthand.store.location import Store
from firsthand.store.weights import WEIGHTS, WeightsEntry, weights_file

__all__ = ["doctor", "engines"]

# Engine, what it needs to be importable, how to get it.
_ENGINES = (
    ("faces", "centerface", ("onnx", "onnxruntime"), "make setup"),
    ("faces", "onnx", ("onnxruntime", "cv2"), "make setup; a model of yours"),
    ("text", "rapidocr", ("rapidocr", "onnxruntime"), "make setup"),
    ("speech", "faster_whisper", ("faster_whisper",), "make setup"),
    ("speech", "transcription_endpoint", ("litellm",), "make setup; an endpoint of yours"),
    ("alignment", "none", (), "part of firsthand"),
    ("alignment", "pocketsphinx", ("pocketsphinx",), "make setup"),
    ("voice activity", "silero", ("faster_whisper", "onnxruntime"), "make setup"),
    ("speakers", "resemblyzer", ("numpy", "scipy"), "make setup"),
    ("masks", "grabcut", ("cv2",), "make setup"),
    ("masks", "sam", ("segment_anything", "torch"), "make setup-torch; a checkpoint of yours"),
    ("masks", "sam_onnx", ("onnxruntime", "cv2"), "make setup; exported files of yours"),
    ("hands", "palm_detection", ("cv2",), "make setup"),
    ("drafting", "rules", (), "part of firsthand"),
    ("drafting", "litellm", ("litellm",), "make setup; an endpoint of yours"),
)
# Engines of another environment or of an extra: that they are missing is no fault.
_ELSEWHERE = (
    ("speech", "whisperx", ("whisperx",), "make test-whisperx; models of yours"),
    ("own faces", "dlib", ("dlib",), "make setup-spared-faces"),
)


def engines(
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Fail if a weights file is missing or altered.")
    ] = False,
) -> None:
    """Show which engines and weights are here, and how to get what is missing."""
    for need, name, modules, remedy in (*_ENGINES, *_ELSEWHERE):
        missing = [module for module in modules if importlib.util.find_spec(module) is None]
        state = f"missing {', '.join(missing)}: {remedy}" if missing else "installed"
        typer.echo(f"{need:<16} {name:<16} {state}")
    faults = list(_weights_lines())
    if check and faults:
        for fault in faults:
            typer.echo(f"firsthand: {fault}", err=True)
        raise typer.Exit(2)


def _weights_lines() -> Iterator[FirsthandError]:
    typer.echo("")
    for name, entry in WEIGHTS.items():
        source = f"{entry.distribution} {entry.version}, {entry.licence}"
        if _is_left_out(entry):
            typer.echo(f"weights {name:<28} left out {source}: make setup-{entry.extra}")
            continue
        try:
            weights_file(name)
        except FirsthandError as error:
            typer.echo(f"weights {name:<28} MISSING  {source}: {error.remedy}")
            yield error
        else:
            typer.echo(f"weights {name:<28} whole    {source}")


def _is_left_out(entry: WeightsEntry) -> bool:
    """Whether weights of an extra are not there, which is nothing to mend."""
    return bool(entry.extra) and entry.location() is None


def doctor(
    store: StoreOption = USUAL_STORE,
) -> None:
    """Check this installation and a store, and say how to mend what is wrong."""
    findings = [*_installation_findings(), *_weights_findings()]
    if store.exists():
        findings.extend(store_findings(Store(store.resolve())))
    for finding in findings:
        typer.echo(f"{'ok  ' if finding.good else 'BAD '} {finding.subject}: {finding.text}")
    if not all(finding.good for finding in findings):
        raise typer.Exit(1)


def _installation_findings() -> Iterator[Finding]:
    version = sys.version_info
    yield Finding("python", f"{version.major}.{version.minor}", good=version >= (3, 11))
    for need, name, modules, remedy in _ENGINES:
        missing = [module for module in modules if importlib.util.find_spec(module) is None]
        text = f"missing {', '.join(missing)}: {remedy}" if missing else f"{name} installed"
        yield Finding(need, text, good=not missing)


def _weights_findings() -> Iterator[Finding]:
    for name, entry in WEIGHTS.items():
        if _is_left_out(entry):
            continue
        try:
            weights_file(name)
        except FirsthandError as error:
            yield Finding(f"weights {name}", str(error), good=False)
        else:
            yield Finding(f"weights {name}", "whole", good=True)
