"""Reads the bodies of register and login, whatever their content type says."""

import json
import re
from typing import Any, cast

from fastapi import Request
from starlette.requests import ClientDisconnect

from .errors import AccountError

_MAX_BODY_BYTES = 16_384
# In code points, as NIST SP 800-63B-4 section 3.1.1.2 counts.
_LENGTHS = {"email": (0, 254), "password": (8, 200)}
# What JavaScript trims, so that both implementations know the same addresses.
_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
# ASCII, no quoted names, no address literals; internationalised top-level domains.
_EMAIL = re.compile(
    r"(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+"
    r"(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])"
)


async def read_credentials(request: Request, *, is_new: bool) -> tuple[str, str]:
    """The address in lower case and the password; those of a new account are checked."""
    value = await _read_json(request)
    if not isinstance(value, dict):
        raise AccountError("invalid_request", ("body", "Expected a JSON object"))
    body = cast(dict[str, Any], value)
    if isinstance(body.get("email"), str):
        body["email"] = body["email"].strip(_SPACE).lower()
    faults = ((one, _find_fault(one, body.get(one), is_new)) for one in _LENGTHS)
    issues = [
        (one, f"{one.capitalize()} must be {text}") for one, text in faults if text
    ]
    if issues:
        raise AccountError("invalid_request", *issues)
    return body["email"], body["password"]


def _find_fault(name: str, value: object, is_new: bool) -> str | None:
    least, most = _LENGTHS[name]
    if not isinstance(value, str):
        return "a string"
    if is_new and not least <= len(value) <= most:
        bound = f"least {least}" if len(value) < least else f"most {most}"
        return f"at {bound} characters"
    if is_new and name == "email" and not _EMAIL.fullmatch(value):
        return "a valid email address"
    is_broken = is_new and re.search("[\ud800-\udfff]", value)
    return "well-formed Unicode" if is_broken else None


async def _read_json(request: Request) -> Any:
    data, length = bytearray(), 0
    try:
        # What is too long is dropped: the client finishes sending and reads the answer.
        async for chunk in request.stream():
            length += len(chunk)
            data += chunk if length <= _MAX_BODY_BYTES else b""
        if length > _MAX_BODY_BYTES:
            raise AccountError("payload_too_large")
        # Python refuses long integers, and `int` refuses NaN and Infinity.
        text = data.decode("utf-8-sig")
        return json.loads(text, parse_constant=int, parse_int=float)
    except (ClientDisconnect, ValueError, RecursionError):
        # Without the cause, which holds a part of the body.
        raise AccountError("invalid_json") from None
