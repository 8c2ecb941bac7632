"""Hashes and verifies passwords with scrypt (RFC 7914), off the event loop and bounded.

    $scrypt$ln=15,r=8,p=3$<salt>$<key>        base64 without padding, N = 2^ln

The form is that of the PHC string format, the same as in `stackyard/account` in TypeScript.
A stored text decides how much memory a login takes, so one from a broken import or a
tampered database is refused, not computed.
"""

import asyncio
import base64
import hashlib
import hmac
import os
import re
import secrets
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi.concurrency import run_in_threadpool

from .errors import AccountError

_PHC = re.compile(
    r"\$scrypt\$ln=([1-9][0-9]?),r=([1-9][0-9]?),p=([1-9][0-9]?)"
    r"\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)"
)
_MAX_TEXT_LENGTH = 256
_SALT_BYTES = 16
_KEY_BYTES = 32
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_RETRY_AFTER_SECONDS = 5


@dataclass(frozen=True)
class ScryptCost:
    """`log_n` is the binary logarithm of N. A hash takes 128 * N * r bytes."""

    log_n: int
    r: int
    p: int

    @property
    def is_acceptable(self) -> bool:
        return 1 <= self.log_n <= 17 and 1 <= self.r <= 8 and 1 <= self.p <= 10

    @property
    def work(self) -> int:
        return (1 << self.log_n) * self.r * self.p


# The cheapest parameters that the OWASP Password Storage Cheat Sheet and ASVS 5.0 accept.
DEFAULT_COST = ScryptCost(15, 8, 3)


@dataclass(frozen=True)
class ScryptHash:
    cost: ScryptCost
    salt: bytes
    key: bytes


@dataclass(frozen=True)
class PasswordCheck:
    matches: bool
    is_outdated: bool
    """It matches, and its hash should be replaced by one with the current parameters."""
    is_unreadable: bool
    """The stored text is not a hash that can be verified."""


class Passwords:
    """Hashes, of which at most `max_running` are computed at once and `max_queued` wait.

    A hash takes 32 MiB and a fifth of a second of a core: without a limit a burst of logins
    would take all memory and all threads. What cannot wait, or waited for
    `max_wait_seconds`, is refused with `overloaded`.
    """

    def __init__(
        self,
        cost: ScryptCost = DEFAULT_COST,
        *,
        max_running: int | None = None,
        max_queued: int = 100,
        max_wait_seconds: float = 10,
    ) -> None:
        if not cost.is_acceptable:
            raise ValueError(f"Cannot use {cost}: use log_n to 17, r to 8, p to 10")
        self._cost = cost
        self._max_queued = max_queued
        self._max_wait_seconds = max_wait_seconds
        self._free = asyncio.Semaphore(max_running or min(os.cpu_count() or 1, 2))
        self._waiting = 0
        # Verified in place of the hash of an account that does not exist, for the same
        # time. No password matches it.
        self._dummy = ScryptHash(
            cost, secrets.token_bytes(_SALT_BYTES), secrets.token_bytes(_KEY_BYTES)
        )

    async def hash(
        self, password: str, before: Callable[[], Awaitable[None]] | None = None
    ) -> str:
        """The text to store. `before` runs after the wait; what it raises ends the work."""
        await self._wait()
        try:
            if before is not None:
                await before()
            salt = secrets.token_bytes(_SALT_BYTES)
            key = await _derive(password, salt, self._cost, _KEY_BYTES)
        finally:
            self._free.release()
        return format_hash(ScryptHash(self._cost, salt, key))

    async def verify(self, password: str, stored: str | None) -> PasswordCheck:
        """Compares with a stored text. Without one it takes as long and does not match."""
        parsed = None if stored is None else try_parse_hash(stored)
        expected = parsed or self._dummy
        await self._wait()
        try:
            key = await _derive(
                password, expected.salt, expected.cost, len(expected.key)
            )
        finally:
            self._free.release()
        is_equal = hmac.compare_digest(key, expected.key)
        matches = is_equal and parsed is not None and is_well_formed(password)
        is_weaker = (
            expected.cost.work < self._cost.work or len(expected.key) < _KEY_BYTES
        )
        return PasswordCheck(
            matches, matches and is_weaker, stored is not None and parsed is None
        )

    async def _wait(self) -> None:
        if self._free.locked() and self._waiting >= self._max_queued:
            raise _overloaded()
        self._waiting += 1
        try:
            async with asyncio.timeout(self._max_wait_seconds):
                await self._free.acquire()
        except TimeoutError:
            raise _overloaded() from None
        finally:
            self._waiting -= 1


def find_password_fault(password: str) -> str | None:
    """Which rule a new password breaks. Nothing is trimmed or cut."""
    # In UTF-8 half a surrogate pair has no form of its own.
    if not is_well_formed(password):
        return "Password must be well-formed Unicode"
    # Code points, as NIST SP 800-63B-4 section 3.1.1.2 counts.
    if len(password) < 8:
        return "Password must be at least 8 characters"
    if len(password) > 200:
        return "Password must be at most 200 characters"
    return None


def is_well_formed(text: str) -> bool:
    """Whether the text holds no half of a surrogate pair."""
    return _LONE_SURROGATE.search(text) is None


def format_hash(one: ScryptHash) -> str:
    """The text to store. The inverse of `try_parse_hash`."""
    cost = f"ln={one.cost.log_n},r={one.cost.r},p={one.cost.p}"
    return f"$scrypt${cost}${_encode(one.salt)}${_encode(one.key)}"


def try_parse_hash(text: str) -> ScryptHash | None:
    """Reads a stored text; `None` when it has another form or exceeds a bound."""
    found = _PHC.fullmatch(text) if len(text) <= _MAX_TEXT_LENGTH else None
    if found is None:
        return None
    log_n, r, p = (int(found[index]) for index in (1, 2, 3))
    cost = ScryptCost(log_n, r, p)
    salt, key = _try_decode(found[4], 8), _try_decode(found[5], 16)
    if not cost.is_acceptable or salt is None or key is None:
        return None
    return ScryptHash(cost, salt, key)


async def _derive(password: str, salt: bytes, cost: ScryptCost, length: int) -> bytes:
    # NFC, because keyboards and systems compose the same character in different ways
    # (NIST SP 800-63B-4 3.1.1.2).
    data = unicodedata.normalize("NFC", password).encode("utf-8", "replace")

    def compute() -> bytes:
        n = 1 << cost.log_n
        return hashlib.scrypt(
            data,
            salt=salt,
            n=n,
            r=cost.r,
            p=cost.p,
            maxmem=128 * cost.r * (n + cost.p + 2) + 1024,
            dklen=length,
        )

    return await run_in_threadpool(compute)


def _overloaded() -> AccountError:
    return AccountError(
        "overloaded", headers={"Retry-After": str(_RETRY_AFTER_SECONDS)}
    )


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode().rstrip("=")


def _try_decode(text: str, least: int) -> bytes | None:
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return data if _encode(data) == text and least <= len(data) <= 64 else None
