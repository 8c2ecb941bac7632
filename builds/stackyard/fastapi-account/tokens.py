"""Login tokens: JWTs signed with HS256, the same as those of `stackyard/account` in TypeScript.

    {"sub": "42", "email": "a@example.com", "ver": 0, "jti": "...", "iat": 1790000000, "exp": 1790604800}

Every token has exactly one accepted spelling. PyJWT signs and checks signatures; the rules
of what is read stand here, because they are narrower than those of the library.
"""

import base64
import hmac
import json
import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import jwt

from .errors import AccountError, invalid_token

# Its types name those of a package that is not installed.
_jwt: Any = jwt

# Longer tokens are refused unread. In characters.
_MAX_LENGTH = 4096
# 43 characters are the 32 bytes of HMAC-SHA256.
_FORM = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})")
_HEADER_NAMES = {"alg", "typ", "kid"}
# Up to 16 digits, the length of the largest integer that JavaScript holds exactly.
_USER_ID = re.compile(r"[1-9][0-9]{0,15}")
_TOKEN_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_MAX_INTEGER = 2**53 - 1
# How far `iat` may lie ahead of this machine's clock, for hosts whose clocks differ.
_MAX_CLOCK_LEAD_SECONDS = 60

# The scheme is a token of RFC 9110 section 5.6.2; then the `b64token` of RFC 6750.
_SCHEME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CREDENTIALS = re.compile(r" +([A-Za-z0-9._~+/-]+=*)")


@dataclass(frozen=True)
class TokenClaims:
    """What a token says. Times are seconds since 1970."""

    user_id: int
    email: str
    token_version: int
    token_id: str
    issued_at: int
    expires_at: int


@dataclass(frozen=True)
class _Key:
    id: str
    secret: bytes


class Tokens:
    """Issues and verifies tokens. Knows secrets and time, neither accounts nor HTTP."""

    def __init__(
        self,
        secret: str,
        ttl_seconds: int,
        previous_secrets: Sequence[str] = (),
        now: Callable[[], float] = time.time,
    ) -> None:
        self._keys = [_make_key(one) for one in (secret, *previous_secrets)]
        self._ttl_seconds = ttl_seconds
        self._now = now

    def issue(
        self, user_id: int, email: str, token_version: int, created_at: str
    ) -> str:
        """A new token for an account."""
        # Never before the account, whose row may have been written by a faster clock.
        issued_at = max(int(self._now()), seconds_of(created_at))
        payload = {
            "sub": str(user_id),
            "email": email,
            "ver": token_version,
            "jti": secrets.token_urlsafe(16),
            "iat": issued_at,
            "exp": issued_at + self._ttl_seconds,
        }
        key = self._keys[0]
        token: str = _jwt.encode(
            payload, key.secret, algorithm="HS256", headers={"kid": key.id}
        )
        return token

    def verify(self, token: str) -> TokenClaims:
        """Reads a token from a stranger. Raises `invalid_token` or `token_expired`."""
        read = self._try_read(token)
        now = int(self._now())
        if read is None:
            raise invalid_token()
        claims, not_before = read
        if claims.issued_at > now + _MAX_CLOCK_LEAD_SECONDS or not_before > now:
            raise invalid_token()
        if now >= claims.expires_at:
            raise AccountError("token_expired", challenge="invalid_token")
        return claims

    def _try_read(self, token: str) -> tuple[TokenClaims, int] | None:
        if len(token) > _MAX_LENGTH:
            return None
        form = _FORM.fullmatch(token)
        if form is None:
            return None
        parts = [_try_decode(text) for text in form.groups()]
        if any(part is None for part in parts):
            return None
        header = try_parse_object(parts[0] or b"")
        if header is None or not _is_our_header(header):
            return None
        if not self._is_signed(token, header):
            return None
        payload = try_parse_object(parts[1] or b"")
        return None if payload is None else _try_read_claims(payload)

    def _is_signed(self, token: str, header: dict[str, Any]) -> bool:
        key_id = header.get("kid")
        for key in self._keys:
            if key_id is not None and key_id != key.id:
                continue
            try:
                _jwt.PyJWS().decode(token, key.secret, algorithms=["HS256"])
            except jwt.InvalidTokenError:
                continue
            return True
        return False


def read_bearer(authorization: Sequence[str]) -> str:
    """The token in the values of the `Authorization` headers, and from no other place.

    Raises `missing_token`, or `invalid_token` for a malformed or repeated header.
    """
    malformed = AccountError("invalid_token", challenge="invalid_request")
    if len(authorization) > 1:
        raise malformed
    value = authorization[0] if authorization else ""
    scheme = _SCHEME.match(value)
    if scheme is None or scheme[0].lower() != "bearer":
        raise AccountError("missing_token")
    credentials = _CREDENTIALS.fullmatch(value[scheme.end() :])
    if credentials is None:
        raise malformed
    return credentials[1]


def seconds_of(created_at: str) -> int:
    """The seconds since 1970 of a time in UTC, such as `2026-11-21T09:30:00.000Z`."""
    return int(datetime.fromisoformat(created_at).timestamp())


def try_parse_object(data: bytes) -> dict[str, Any] | None:
    """The JSON object in UTF-8, `None` for anything else, also where a name occurs twice."""
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_refuse_duplicates,
            parse_constant=_refuse_constant,
        )
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("A name occurs twice")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _make_key(secret: str) -> _Key:
    # A MAC with the secret: it reveals no more of it than a signature does.
    data = secret.encode()
    digest = hmac.digest(data, b"key id", "sha256")
    return _Key(base64.urlsafe_b64encode(digest).decode()[:11], data)


def _try_decode(text: str) -> bytes | None:
    # Python ignores bits that base64url does not allow; encoding again shows them.
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    again = base64.urlsafe_b64encode(data).decode().rstrip("=")
    return data if again == text else None


def _is_our_header(header: dict[str, Any]) -> bool:
    # What a header may have, so that all other parameters are refused without being read.
    return (
        header.get("alg") == "HS256"
        and header.get("typ", "JWT") == "JWT"
        and isinstance(header.get("kid", ""), str)
        and set(header) <= _HEADER_NAMES
    )


def _try_read_claims(payload: dict[str, Any]) -> tuple[TokenClaims, int] | None:
    get = payload.get
    user_id, email, token_id = get("sub"), get("email"), get("jti")
    if "iss" in payload or "aud" in payload:
        return None
    if not isinstance(user_id, str) or not _USER_ID.fullmatch(user_id):
        return None
    if int(user_id) > _MAX_INTEGER or not isinstance(email, str):
        return None
    if not isinstance(token_id, str) or not _TOKEN_ID.fullmatch(token_id):
        return None
    counts = [
        _try_count(one) for one in (get("ver"), get("iat"), get("exp"), get("nbf", 0))
    ]
    version, issued_at, expires_at, not_before = counts
    if version is None or issued_at is None or expires_at is None or not_before is None:
        return None
    if issued_at >= expires_at:
        return None
    claims = TokenClaims(int(user_id), email, version, token_id, issued_at, expires_at)
    return claims, not_before


def _try_count(value: object) -> int | None:
    # 1.0 and 1e3 are whole numbers in JSON; `True` is a number only in Python.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 <= value <= _MAX_INTEGER or value != int(value):
        return None
    return int(value)
