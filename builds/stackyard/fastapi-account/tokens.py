"""Login tokens: JWTs that PyJWT signs with HS256. `stackyard/account` accepts them too.

{ "sub": "42", "email": "a@x.co", "ver": 0, "jti": "...", "iat": 1790000000, "exp": 1790604800 }
"""

import re
import secrets
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import jwt

from .store import User

_jwt: Any = jwt  # Its types name those of a package that is not installed.
# The last character has four bits of the 32 bytes: each token has one spelling only.
_FORM = re.compile(r"[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]", re.ASCII)
_CHECKS = {"require": ["sub", "ver", "iat", "exp"], "verify_iat": False}


class Tokens:
    """The first secret signs; tokens of all of them are accepted."""

    def __init__(self, secrets: Sequence[str], ttl_seconds: int) -> None:
        self._secrets = secrets
        self._ttl_seconds = ttl_seconds

    def issue(self, user: User) -> str:
        # Never before the account, which a machine with a faster clock may have written.
        issued_at = max(int(time.time()), seconds_of(user.created_at))
        payload = {
            "sub": str(user.id),
            "email": user.email,
            "ver": user.token_version,
            "jti": secrets.token_urlsafe(16),
            "iat": issued_at,
            "exp": issued_at + self._ttl_seconds,
        }
        return str(_jwt.encode(payload, self._secrets[0]))

    def verify(self, token: str) -> Mapping[str, Any] | None:
        """The payload of a token from a stranger, `None` where it is not valid."""
        if len(token) > 4096 or not _FORM.fullmatch(token):
            return None
        for secret in self._secrets:
            try:
                found = _jwt.decode_complete(token, secret, ["HS256"], _CHECKS)
            except jwt.InvalidSignatureError:
                continue
            except (jwt.InvalidTokenError, OverflowError, RecursionError):
                return None
            return found["payload"] if _is_ours(**found) else None
        return None


def seconds_of(created_at: str) -> int:
    """The seconds since 1970 of a time in UTC, such as `2026-11-21T09:30:00.000Z`."""
    return int(datetime.fromisoformat(created_at).timestamp())


def _is_ours(header: Mapping[str, Any], payload: Mapping[str, Any], **_: Any) -> bool:
    # PyJWT has checked the signature, `exp` and `nbf`.
    counts = [payload["ver"], payload["iat"], payload["exp"], payload.get("nbf", 0)]
    return (
        # So `crit` is refused. Version 1 wrote a `kid`.
        set(header) <= {"alg", "typ", "kid"}
        and header.get("typ", "JWT") == "JWT"
        and not {"iss", "aud"} & set(payload)
        and all(type(one) is int and 0 <= one < 2**53 for one in counts)
        and re.fullmatch(r"[1-9][0-9]{0,14}", payload["sub"]) is not None
        # Clocks of several machines may differ by a minute.
        and payload["iat"] <= time.time() + 60
    )
