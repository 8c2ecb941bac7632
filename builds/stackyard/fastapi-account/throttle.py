"""Slows down the guessing of passwords, in the bounded memory of one process. Three counts:

address              a bucket of attempts that refills evenly, against one client that tries many accounts
account and address  free failures, then a wait that doubles, against one client that guesses one password
account              a limit for a day, against many clients; addresses that have logged in before are exempt
"""

import hashlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from ipaddress import IPv6Address, ip_address

_ATTEMPTS_PER_MINUTE = 100
_FREE_FAILURES = 10
_MAX_WAIT_SECONDS = 900
_ACCOUNT_FAILURES = 100
_MAX_ENTRIES = 100_000
_DAY_SECONDS = 86_400


@dataclass(frozen=True)
class _Failures:
    count: int
    since: float
    blocked_until: float = 0
    is_known: bool = False
    """Whether this address has logged in to this account before."""


@dataclass(eq=False)
class Attempt:
    """One attempt that was admitted, and what it changed."""

    address: str
    email: str | None
    before: list[tuple[str, _Failures]] = field(
        default_factory=list[tuple[str, _Failures]]
    )


class Throttle:
    """An attempt counts as a failure from the moment it is admitted.

    So many at once cannot slip through before the first has failed.
    """

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._failures: OrderedDict[str, _Failures] = OrderedDict()

    def admit(self, address: str, email: str | None) -> Attempt | int:
        """Counts the attempt; or returns the seconds to wait, and counts nothing."""
        now = self._now()
        tokens = self._refill(address, now)
        if tokens < 1:
            return _seconds((1 - tokens) * 60 / _ATTEMPTS_PER_MINUTE)
        attempt = Attempt(address, email)
        if email is not None:
            pair_key, account_key = _keys(address, email)
            pair, account = self._read(pair_key, now), self._read(account_key, now)
            blocked = pair.blocked_until
            if not pair.is_known:
                blocked = max(blocked, account.blocked_until)
            if blocked > now:
                return _seconds(blocked - now)
            attempt.before = [(pair_key, pair), (account_key, account)]
            count = pair.count + 1
            wait = 0 if count < _FREE_FAILURES else 2 ** min(count - _FREE_FAILURES, 30)
            until = now + min(wait, _MAX_WAIT_SECONDS)
            self._put(
                pair_key, replace(pair, count=count, since=now, blocked_until=until)
            )
            total = account.count + 1
            until = now + (_MAX_WAIT_SECONDS if total >= _ACCOUNT_FAILURES else 0)
            self._put(account_key, replace(account, count=total, blocked_until=until))
        self._set_bucket(address, tokens - 1, now)
        return attempt

    def succeed(self, attempt: Attempt) -> None:
        """The attempt succeeded: forget the failures."""
        if attempt.email is not None:
            pair_key, account_key = _keys(attempt.address, attempt.email)
            self._put(pair_key, _Failures(0, self._now(), is_known=True))
            self._failures.pop(account_key, None)

    def withdraw(self, attempt: Attempt) -> None:
        """The attempt was neither right nor wrong, as when the server was overloaded."""
        now = self._now()
        tokens = self._refill(attempt.address, now)
        self._set_bucket(attempt.address, min(_ATTEMPTS_PER_MINUTE, tokens + 1), now)
        for key, before in attempt.before:
            found = self._failures.get(key)
            if found is not None and found.count > 0:
                # The wait of another attempt that ended meanwhile would be longer.
                until = before.blocked_until
                if found.count > before.count + 1:
                    until = found.blocked_until
                self._put(
                    key, replace(found, count=found.count - 1, blocked_until=until)
                )

    def _refill(self, address: str, now: float) -> float:
        tokens, at = self._buckets.get(address, (float(_ATTEMPTS_PER_MINUTE), now))
        gained = max(0.0, now - at) * _ATTEMPTS_PER_MINUTE / 60
        return min(float(_ATTEMPTS_PER_MINUTE), tokens + gained)

    def _set_bucket(self, address: str, tokens: float, now: float) -> None:
        self._buckets.pop(address, None)
        if len(self._buckets) >= _MAX_ENTRIES:
            self._buckets.popitem(last=False)
        self._buckets[address] = (tokens, now)

    def _read(self, key: str, now: float) -> _Failures:
        found = self._failures.get(key)
        if found is not None and now - found.since < _DAY_SECONDS:
            return found
        return _Failures(0, now, is_known=found is not None and found.is_known)

    def _put(self, key: str, value: _Failures) -> None:
        self._failures.pop(key, None)
        if len(self._failures) >= 2 * _MAX_ENTRIES:
            self._failures.popitem(last=False)
        self._failures[key] = value


def to_network(address: str) -> str:
    """The form by which clients are counted: of IPv6 the first 64 bits, which one client has."""
    plain = address.strip().lower().split("%")[0]
    try:
        found = ip_address(plain)
    except ValueError:
        return plain[:64]
    if not isinstance(found, IPv6Address):
        return plain
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{found.exploded[:19]}::/64"


def _keys(address: str, email: str) -> tuple[str, str]:
    # Digests, since a stranger chooses the length of both texts.
    pair, account = (
        hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        for text in (f"{address}\n{email}", email)
    )
    return pair, account


def _seconds(wait: float) -> int:
    return max(1, math.ceil(wait))
