"""Slows down the guessing of passwords, in the bounded memory of one process.

Each address has a number of attempts in a minute. Each address and account has free
failures, then a wait that doubles.
"""

import hashlib
import math
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from ipaddress import ip_address

from .errors import AccountError

_ATTEMPTS_PER_MINUTE = 100
_FREE_FAILURES = 10
_MAX_WAIT_SECONDS = 900
_MAX_ENTRIES = 100_000


class Throttle:
    """Counts attempts by the address of the client and, for logins, by account."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        # The digest of an address, with its attempts and their time; or that of an
        # address and an account, with the failures and the end of the wait.
        self._counts: dict[str, tuple[float, float]] = {}

    @contextmanager
    def attempt(self, address: str, email: str | None) -> Generator[None]:
        """Raises `rate_limited`, or counts what happens inside.

        It counts as a failure from its beginning, so that many at once do not slip
        through before the first one has failed.
        """
        network = to_network(address)
        key = _digest(f"{network}\n{email}")
        self._admit(_digest(network), None if email is None else key)
        try:
            yield None
        except BaseException as error:
            # A database that fails does not show that the password was wrong. A wait
            # that has begun stays: it may be that of another attempt.
            is_wrong = isinstance(error, AccountError) and error.status_code < 500
            if not is_wrong and key in self._counts:
                count, until = self._counts[key]
                self._counts[key] = (max(0, count - 1), until)
            raise
        self._counts.pop(key, None)

    def _admit(self, address: str, account: str | None) -> None:
        now, rate = self._now(), _ATTEMPTS_PER_MINUTE / 60
        spent, at = self._counts.get(address, (0, now))
        spent = max(0, spent - max(0, now - at) * rate) + 1
        count, until = self._counts.get(account or "", (0, now))
        wait = max((spent - _ATTEMPTS_PER_MINUTE) / rate, until - now)
        if wait > 0:
            raise AccountError("rate_limited", retry_after=math.ceil(wait))
        self._remember(address, (spent, now))
        if account is not None:
            more = int(count) + 1 - _FREE_FAILURES
            wait = 0 if more < 0 else min(2 ** min(more, 30), _MAX_WAIT_SECONDS)
            self._remember(account, (count + 1, now + wait))

    def _remember(self, key: str, count: tuple[float, float]) -> None:
        self._counts.pop(key, None)
        self._counts[key] = count
        if len(self._counts) > _MAX_ENTRIES:
            # The entry that was set the longest time ago.
            del self._counts[next(iter(self._counts))]


def to_network(address: str) -> str:
    """Of IPv6 the first 64 bits: a client commonly has all addresses below them."""
    try:
        found = ip_address(address.split("%")[0])
    except ValueError:
        return address[:64]
    found = getattr(found, "ipv4_mapped", None) or found
    return str(found) if found.version == 4 else f"{found.exploded[:19]}::/64"


def _digest(text: str) -> str:
    # A digest, since a stranger chooses the length of the text.
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
