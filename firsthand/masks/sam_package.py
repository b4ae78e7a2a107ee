"""The package `segment_anything`, imported where torchvision may be absent.

It imports two utilities of torchvision when it is first imported, and uses one of them,
a resize, in code that is not called here. Where torchvision is absent, or does not fit
the torch that is installed, stand-ins take its place for the length of that import only.
"""

import functools
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from firsthand.core.errors import MissingEngineError

__all__ = ["segment_anything", "torch_module"]

_WANTED = {
    "torchvision.ops.boxes": ("batched_nms", "box_area"),
    "torchvision.transforms.functional": ("resize", "to_pil_image"),
}
_REMEDY = "Run `make setup-torch`, or `pip install torch segment-anything`."


def torch_module() -> ModuleType:
    """Return torch.

    Raises:
        MissingEngineError: If it is not installed.
    """
    return _imported("torch")


@functools.cache
def segment_anything() -> ModuleType:
    """Return the package; `sys.modules` holds no stand-in afterwards.

    Raises:
        MissingEngineError: If it, or torch, is not installed.
    """
    torch_module()
    with _torchvision_or_stand_ins():
        return _imported("segment_anything")


def _imported(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise MissingEngineError(
            f"package {name.replace('_', '-')!r}",
            "not installed",
            "the package, which the mask engine `sam` runs on",
            _REMEDY,
        ) from error


@contextmanager
def _torchvision_or_stand_ins() -> Iterator[None]:
    if _torchvision_works():
        yield
        return
    before = {name: module for name, module in sys.modules.items() if _is_torchvision(name)}
    stand_ins = _stand_ins()
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name in [name for name in sys.modules if _is_torchvision(name)]:
            del sys.modules[name]
        sys.modules.update(before)


def _torchvision_works() -> bool:
    try:
        for name in _WANTED:
            importlib.import_module(name)
    except (ImportError, RuntimeError):
        # A build for another torch fails with a RuntimeError as it registers its operators.
        return False
    return True


def _stand_ins() -> dict[str, ModuleType]:
    names = {parent for name in _WANTED for parent in _parents(name)}
    modules = {name: ModuleType(name) for name in sorted(names)}
    for name, wanted in _WANTED.items():
        for function in wanted:
            setattr(modules[name], function, _absent(f"{name}.{function}"))
    return modules


def _absent(name: str) -> object:
    def called(*_arguments: object) -> object:
        raise MissingEngineError(
            f"function {name}", "no torchvision", "torchvision", "Install torchvision to use it."
        )

    return called


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _is_torchvision(name: str) -> bool:
    return name.split(".")[0] == "torchvision"
