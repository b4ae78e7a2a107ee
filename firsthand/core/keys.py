"""Keys of values that come from outside: one that nothing knows is never passed over."""

from collections.abc import Collection, Iterable

from firsthand.core.errors import UnknownKeyError

__all__ = ["check_keys"]


def check_keys(subject: str, given: Iterable[str], known: Collection[str]) -> None:
    """Check that every key is known.

    Args:
        subject: Whose keys they are, as an error names it.
        given: The keys.
        known: Those that mean something, in the order in which an error lists them.

    Raises:
        UnknownKeyError: If one is not.
    """
    surplus = sorted(set(given).difference(known))
    if surplus:
        raise UnknownKeyError(
            subject,
            ", ".join(surplus),
            f"keys among {', '.join(known)}",
            "Remove the key or correct its spelling.",
        )
