"""Passwords are stored as scrypt hashes (RFC 7914) in PHC form, as in `stackyard/account`:

$scrypt$ln=15,r=8,p=3$<salt>$<key>          base64 without padding, N = 2^ln

A hash takes 32 MiB and a fifth of a second, so only a few are computed at once.
"""

import asyncio
import hashlib
import hmac
import os
import re
import secrets
import unicodedata
from base64 import b64decode, b64encode

from fastapi.concurrency import run_in_threadpool

from .errors import AccountError

# The numbers ln, r and p. OWASP and ASVS 5.0 accept these.
Cost = tuple[int, int, int]
DEFAULT_COST: Cost = (15, 8, 3)
MAX_QUEUED = 100
MAX_WAIT_SECONDS = 10.0
# Refuses a cost that would take all memory: the text may come from a broken import.
_PHC = re.compile(
    r"\$scrypt\$ln=([1-9]|1[0-7]),r=([1-8]),p=([1-9]|10)"
    r"\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})"
)


class Passwords:
    """What cannot wait, or waited for too long, is refused with `overloaded`."""

    def __init__(self, cost: Cost = DEFAULT_COST) -> None:
        self._cost = cost
        self._free = asyncio.Semaphore(min(os.cpu_count() or 1, 2))
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """The text to store."""
        salt = secrets.token_bytes(16)
        key = await self._derive(password, self._cost, salt, 32)
        texts = (b64encode(one).decode().rstrip("=") for one in (salt, key))
        return "$scrypt$ln={},r={},p={}${}${}".format(*self._cost, *texts)

    async def verify(self, password: str, stored: str | None) -> bool:
        """Compares with a stored text. Without one it takes as long and does not match."""
        found = _PHC.fullmatch(stored or "")
        if found is None:
            await self._derive(password, self._cost, bytes(16), 32)
            return False
        ln, r, p, salt, key = found.groups()
        # More padding than is needed does no harm.
        cost, expected = (int(ln), int(r), int(p)), b64decode(key + "==")
        made = await self._derive(password, cost, b64decode(salt + "=="), len(expected))
        return hmac.compare_digest(made, expected)

    async def _derive(self, password: str, cost: Cost, salt: bytes, size: int) -> bytes:
        if self._waiting >= MAX_QUEUED:
            raise AccountError("overloaded", retry_after=5)
        self._waiting += 1
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                await self._free.acquire()
        except TimeoutError:
            raise AccountError("overloaded", retry_after=5) from None
        finally:
            self._waiting -= 1
        try:
            return await run_in_threadpool(_scrypt, password, cost, salt, size)
        finally:
            self._free.release()


def _scrypt(password: str, cost: Cost, salt: bytes, size: int) -> bytes:
    # NFC: keyboards compose one character in different ways (NIST SP 800-63B-4 3.1.1.2).
    data = unicodedata.normalize("NFC", password).encode("utf-8", "replace")
    n, r, p = 1 << cost[0], cost[1], cost[2]
    # OpenSSL refuses by default what needs 32 MiB or more.
    most = 128 * r * (n + p + 2) + 1024
    return hashlib.scrypt(data, salt=salt, n=n, r=r, p=p, maxmem=most, dklen=size)
