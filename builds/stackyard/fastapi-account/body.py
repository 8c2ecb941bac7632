"""Reads the bodies of requests: strictly, and whatever their content type says."""

import json
import re
import zlib
from collections.abc import Mapping
from typing import Any, cast

from fastapi import Request

from .errors import AccountError, Issue, invalid_request
from .passwords import find_password_fault

MAX_BODY_BYTES = 16_384
_MAX_EMAIL_LENGTH = 254
# What JavaScript trims, so that both implementations know the same addresses.
_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
# The rule of zod 3.23 to 4, and in addition internationalised top-level domains. ASCII
# only, no quoted names, no address literals.
_EMAIL = re.compile(
    r"(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+"
    r"(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])"
)
_UNSTORABLE = re.compile(r"[\0\ud800-\udfff]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def normalize_email(text: str) -> str:
    """Trimmed and in lower case."""
    return text.strip(_SPACE).lower()


def is_storable(text: str) -> bool:
    """Whether a database can hold the text at all. PostgreSQL fails on NUL."""
    return _UNSTORABLE.search(text) is None


async def read_credentials(request: Request, *, is_new: bool) -> tuple[str, str]:
    """The normalised address and the password, as it was sent.

    Those of a new account are checked. Raises `invalid_json`, `invalid_request`, or
    `payload_too_large`.
    """
    body = await _read_object(request)
    issues: list[Issue] = []
    email, password = body.get("email"), body.get("password")
    if not isinstance(email, str):
        issues.append(("email", "Email must be a string"))
    elif is_new:
        fault = _find_email_fault(normalize_email(email))
        issues += [] if fault is None else [("email", fault)]
    _check_password(body, "password", is_new, issues)
    if issues or not isinstance(email, str) or not isinstance(password, str):
        raise invalid_request(issues)
    return normalize_email(email), password


async def read_password_change(request: Request) -> tuple[str, str]:
    """The current password and the new one. Raises as `read_credentials` does."""
    body = await _read_object(request)
    issues: list[Issue] = []
    _check_password(body, "current_password", False, issues)
    _check_password(body, "new_password", True, issues)
    if issues:
        raise invalid_request(issues)
    return str(body["current_password"]), str(body["new_password"])


def _check_password(
    body: Mapping[str, object], name: str, is_new: bool, issues: list[Issue]
) -> None:
    value = body.get(name)
    fault: str | None = "Password must be a string"
    if isinstance(value, str):
        fault = find_password_fault(value) if is_new else None
    if fault is not None:
        issues.append((name, fault))


def _find_email_fault(email: str) -> str | None:
    # The length first, so that no long text reaches the expression.
    if len(email) > _MAX_EMAIL_LENGTH:
        return f"Email must be at most {_MAX_EMAIL_LENGTH} characters"
    if _EMAIL.fullmatch(email) is None:
        return "Email must be a valid email address"
    return None


async def _read_object(request: Request) -> Mapping[str, object]:
    value = _parse(_decompress(await _read_bytes(request), request))
    if not isinstance(value, dict):
        raise invalid_request([("body", "Expected a JSON object")])
    return cast(Mapping[str, object], value)


async def _read_bytes(request: Request) -> bytes:
    length = request.headers.get("content-length", "")
    is_too_large = length.isdecimal() and int(length) > MAX_BODY_BYTES
    data = bytearray()
    # The rest is read and dropped, so that the client can finish sending and read the
    # answer. The server and its proxy limit how much that is.
    async for chunk in request.stream():
        if not is_too_large:
            data += chunk
            is_too_large = len(data) > MAX_BODY_BYTES
    if is_too_large:
        raise AccountError("payload_too_large")
    return bytes(data)


def _decompress(data: bytes, request: Request) -> bytes:
    encoding = request.headers.get("content-encoding", "").strip().lower()
    if encoding in ("", "identity"):
        return data
    windows = {"gzip": 31, "x-gzip": 31, "deflate": 15}
    if encoding not in windows:
        raise AccountError("invalid_json")
    reader = zlib.decompressobj(windows[encoding])
    try:
        text = reader.decompress(data, MAX_BODY_BYTES + 1)
    except zlib.error:
        raise AccountError("invalid_json") from None
    if len(text) > MAX_BODY_BYTES:
        raise AccountError("payload_too_large")
    if not reader.eof:
        raise AccountError("invalid_json")
    return text


def _parse(data: bytes) -> Any:
    """The JSON value. The cause of a refusal is left out: it holds a part of the body."""
    text = ""
    try:
        # A byte order mark is accepted, as web browsers do.
        text = data.decode("utf-8-sig")
        return json.loads(text, parse_constant=_refuse, parse_int=float)
    except RecursionError:
        # Deeper than Python reads: no body of these routes, whether it is JSON or not.
        if _is_balanced(text):
            raise invalid_request([("body", "Expected a JSON object")]) from None
        raise AccountError("invalid_json") from None
    except ValueError:
        raise AccountError("invalid_json") from None


def _refuse(name: str) -> None:
    raise ValueError(name)


def _is_balanced(text: str) -> bool:
    plain = _STRING.sub("", text)
    pairs = (("[", "]"), ("{", "}"))
    return all(plain.count(first) == plain.count(last) for first, last in pairs)
