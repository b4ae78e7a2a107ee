"""Reading tensors from the pickle files of PyTorch before 1.6, without PyTorch.

Such a file is five pickles (a magic number, a protocol number, facts about the
machine, the object, the keys of its storages) and then the storages: for each key, in
that order, an element count and the raw little-endian numbers. The pickles may name
only what a dictionary of float tensors needs; anything else is refused, so a doctored
file cannot run code.
"""

import pickle
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from firsthand.core.errors import DataFileError

__all__ = ["TensorFileError", "read_tensors"]

_MAGIC = 0x1950A86A20F9469CFC6C
_PROTOCOL = 1001
_COUNT = np.dtype("<i8")
_FLOAT = np.dtype("<f4")

FloatArray = npt.NDArray[np.float32]


class TensorFileError(DataFileError):
    """A tensor file of another format, cut short, or naming what it must not."""


def read_tensors(path: Path, entry: str) -> dict[str, FloatArray]:
    """Return the float tensors of one dictionary in a checkpoint, by name.

    Args:
        path: File in PyTorch's legacy format whose object is a dictionary.
        entry: Key under which the dictionary of tensors lies ("model_state").

    Raises:
        TensorFileError: If the file has another format, is cut short, names anything
            but float tensors, or lacks the entry.
    """
    try:
        with path.open("rb") as file:
            _check_format(_Confined(file).load(), _Confined(file).load())
            _facts, held, keys = (_Confined(file).load() for _ in range(3))
            storages = {key: _storage(file) for key in keys}
        return {name: _array(tensor, storages) for name, tensor in held[entry].items()}
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, LookupError) as error:
        raise TensorFileError(
            f"weights file {path.name!r}",
            f"{type(error).__name__}: {error}",
            f"PyTorch's legacy format with float tensors under {entry!r}",
            "Reinstall the package that ships it with `make setup`.",
        ) from error


def _check_format(magic: object, protocol: object) -> None:
    if (magic, protocol) != (_MAGIC, _PROTOCOL):
        raise pickle.UnpicklingError("another magic number or protocol")


@dataclass(frozen=True, slots=True)
class _FloatStorage:
    """Stands for the type of a storage of 32-bit floats."""


@dataclass(frozen=True, slots=True)
class _Storage:
    key: str


@dataclass(frozen=True, slots=True)
class _Tensor:
    storage: _Storage
    offset: int
    size: Sequence[int]
    stride: Sequence[int]


def _tensor(
    storage: _Storage, offset: int, size: Sequence[int], stride: Sequence[int], *_training: object
) -> _Tensor:
    return _Tensor(storage, offset, size, stride)


_ALLOWED = {
    ("collections", "OrderedDict"): OrderedDict,
    ("torch", "FloatStorage"): _FloatStorage,
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
}


class _Confined(pickle.Unpickler):
    """An unpickler that can name nothing outside `_ALLOWED`."""

    def find_class(self, module_name: str, global_name: str) -> object:
        try:
            return _ALLOWED[module_name, global_name]
        except KeyError:
            raise pickle.UnpicklingError(f"it names {module_name}.{global_name}") from None

    def persistent_load(self, pid: object) -> _Storage:
        match pid:
            case ("storage", kind, str(key), *_) if kind is _FloatStorage:
                return _Storage(key)
            case _:
                raise pickle.UnpicklingError("a storage that does not hold 32-bit floats")


def _storage(file: BinaryIO) -> FloatArray:
    (count,) = np.frombuffer(file.read(_COUNT.itemsize), _COUNT)
    numbers = np.frombuffer(file.read(int(count) * _FLOAT.itemsize), _FLOAT)
    if len(numbers) != count:
        raise EOFError(f"{len(numbers)} numbers in a storage of {count}")
    return numbers


def _array(tensor: _Tensor, storages: Mapping[str, FloatArray]) -> FloatArray:
    numbers = storages[tensor.storage.key][tensor.offset :]
    reach = sum(
        (size - 1) * stride for size, stride in zip(tensor.size, tensor.stride, strict=True)
    )
    if min((*tensor.size, *tensor.stride, tensor.offset), default=0) < 0 or reach >= len(numbers):
        raise ValueError("a tensor that reaches outside its storage")
    strides = [stride * _FLOAT.itemsize for stride in tensor.stride]
    return np.lib.stride_tricks.as_strided(numbers, tensor.size, strides, writeable=False).copy()
