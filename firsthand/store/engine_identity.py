"""What an engine is, for the keys of steps: name, package versions, weights digest."""

import functools
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from firsthand.core.errors import MissingEngineError
from firsthand.core.identity import digest_json
from firsthand.store.weights import WEIGHTS

__all__ = ["engine_identity", "package_version"]


def engine_identity(
    name: str, distributions: Sequence[str], weights: Sequence[str]
) -> dict[str, str]:
    """Return the identity of an engine whose weights stand in the manifest.

    Args:
        name: Registered name of the engine.
        distributions: Packages whose code decides the result.
        weights: Names of its weights in the manifest.

    Raises:
        MissingEngineError: If one of the packages is not installed.
    """
    return {
        "name": name,
        "version": " ".join(f"{package}-{package_version(package)}" for package in distributions),
        "weights": digest_json([WEIGHTS[entry].sha256 for entry in weights]),
    }


@functools.cache
def package_version(distribution: str) -> str:
    """Return the installed version of a package.

    Raises:
        MissingEngineError: If it is not installed.
    """
    try:
        return version(distribution)
    except PackageNotFoundError as error:
        raise MissingEngineError(
            f"package {distribution!r}",
            "not installed",
            "the package, which the extra `media` brings",
            "Run `make setup`, or `pip install 'firsthand[media]'`.",
        ) from error
