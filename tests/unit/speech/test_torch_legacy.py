"""Tensor files in PyTorch's old format, written here byte by byte as the format says."""

import pickle
from collections import OrderedDict
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from firsthand.speech.torch_legacy import TensorFileError, read_tensors
from firsthand.store.weights import weights_file

MAGIC = pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2) + pickle.dumps({}, 2)
STORAGE = (
    b"((X\x07\x00\x00\x00storagectorch\nFloatStorage\n"
    b"X\x01\x00\x00\x007X\x03\x00\x00\x00cpuK\x06NtQ"
)
NUMBERS = np.arange(6, dtype="<f4")
RAW = np.array([6], "<i8").tobytes() + NUMBERS.tobytes()


def checkpoint(rebuild: bytes, raw: bytes = RAW) -> bytes:
    """A dictionary {"state": {"w": <tensor>}} whose tensor is built by the given opcodes."""
    held = b"\x80\x02}X\x05\x00\x00\x00state}X\x01\x00\x00\x00w" + rebuild + b"ss."
    return MAGIC + held + pickle.dumps(["7"], 2) + raw


def tensor(offset: bytes, size: bytes, stride: bytes) -> bytes:
    hooks = b"\x89ccollections\nOrderedDict\n)R"
    return b"ctorch._utils\n_rebuild_tensor_v2\n" + STORAGE + offset + size + stride + hooks + b"tR"


def read(tmp_path: Path, content: bytes) -> dict[str, npt.NDArray[np.float32]]:
    path = tmp_path / "weights.pt"
    path.write_bytes(content)
    return read_tensors(path, "state")


def test_a_matrix_is_read_in_row_order(tmp_path: Path) -> None:
    plain = tensor(b"K\x00", b"K\x02K\x03\x86", b"K\x03K\x01\x86")
    (matrix,) = read(tmp_path, checkpoint(plain)).values()
    assert matrix.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_strides_and_offsets_are_followed(tmp_path: Path) -> None:
    transposed = tensor(b"K\x01", b"K\x02K\x02\x86", b"K\x01K\x03\x86")
    assert read(tmp_path, checkpoint(transposed))["w"].tolist() == [[1, 4], [2, 5]]


def test_a_tensor_outside_its_storage_is_refused(tmp_path: Path) -> None:
    outside = tensor(b"K\x01", b"K\x02K\x03\x86", b"K\x03K\x01\x86")
    with pytest.raises(TensorFileError, match="outside its storage"):
        read(tmp_path, checkpoint(outside))


@pytest.mark.parametrize(
    "opcodes", [b"cos\nsystem\n(X\x04\x00\x00\x00truetR", b"cbuiltins\neval\n"]
)
def test_code_in_a_tensor_file_is_never_run(tmp_path: Path, opcodes: bytes) -> None:
    with pytest.raises(TensorFileError, match="names"):
        read(tmp_path, checkpoint(opcodes))


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    plain = tensor(b"K\x00", b"K\x02K\x03\x86", b"K\x03K\x01\x86")
    with pytest.raises(TensorFileError, match="EOFError"):
        read(tmp_path, checkpoint(plain, RAW[:-4]))


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TensorFileError, match=r"weights\.pt"):
        read(tmp_path, pickle.dumps({"state": OrderedDict()}, 2))


def test_the_packaged_weights_have_the_shapes_of_three_lstm_layers() -> None:
    shapes = {
        name: array.shape
        for name, array in read_tensors(weights_file("resemblyzer"), "model_state").items()
    }
    for layer, width in enumerate((40, 256, 256)):
        assert shapes[f"lstm.weight_ih_l{layer}"] == (4 * 256, width)
        assert shapes[f"lstm.weight_hh_l{layer}"] == (4 * 256, 256)
    assert shapes["linear.weight"] == (256, 256)
