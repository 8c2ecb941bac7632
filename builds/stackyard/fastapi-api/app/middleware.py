"""What surrounds every request, from the outside to the inside:

the log, the security headers, CORS, unexpected errors, the limit of bodies.
"""

import logging
import re
import time
from collections.abc import Collection
from urllib.parse import quote
from uuid import uuid4

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import error_response
from app.health import Readiness
from app.log import request_id


def route_path(scope: Scope) -> str:
    """Returns the path without `root_path`, the prefix that a proxy or a mount adds."""
    path: str = scope["path"]
    prefix: str = scope.get("root_path", "")
    if prefix and (path == prefix or path.startswith(prefix + "/")):
        return path[len(prefix) :]
    return path


def printable_path(scope: Scope) -> str:
    """Returns the whole path as it was sent, percent-encoded and without the query."""
    raw: bytes | None = scope.get("raw_path")
    # An optional key of ASGI. Line ends in a decoded path would forge lines of the log.
    return quote(scope["path"]) if raw is None else raw.decode("latin-1")


logger = logging.getLogger("app.request_log")

# Ids of a proxy or client that are safe to log and to send back.
_REQUEST_ID = re.compile(rb"[\w.:-]{1,128}")
_HEADER = b"x-request-id"
_CLOSE = (b"connection", b"close")

# Asked every few seconds by what watches the server: only their failures are logged.
_PROBES = ("/health", "/ready")


class RequestLog:
    """Sets `request_id` and the header `X-Request-Id`, and logs each request.

    While the server is shutting down, every answer has `Connection: close`: the client
    knows that it must not send another request on this connection, which then closes.
    Code that knows nothing of this application finds the id in `request.state`.
    """

    def __init__(self, app: ASGIApp, readiness: Readiness) -> None:
        self.app = app
        self.readiness = readiness

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        chosen = _choose_id(scope)
        status: int | None = None

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                sent = message.get("headers", ())
                others = [pair for pair in sent if pair[0] != _HEADER]
                added = [(_HEADER, chosen.encode())]
                if self.readiness.is_draining:
                    added.append(_CLOSE)
                message["headers"] = [*others, *added]
            await send(message)

        scope.setdefault("state", {})["request_id"] = chosen
        token = request_id.set(chosen)
        started = time.perf_counter()
        try:
            await self.app(scope, receive, send_with_id)
        finally:
            level = _level(status)
            is_expected = level == logging.INFO and route_path(scope) in _PROBES
            if not is_expected and logger.isEnabledFor(level):
                _log(level, scope, status, (time.perf_counter() - started) * 1000)
            request_id.reset(token)


def _choose_id(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == _HEADER and _REQUEST_ID.fullmatch(value):
            return str(value, "ascii")
    return str(uuid4())


def _log(level: int, scope: Scope, status: int | None, duration_ms: float) -> None:
    client = scope.get("client")
    fields = {
        "method": scope["method"],
        # Without the query, which may hold secrets.
        "url": printable_path(scope),
        "status": status,
        "durationMs": round(duration_ms, 1),
        "remoteAddress": client[0] if client else None,
    }
    message = f"{fields['method']} {fields['url']} {status}"
    # `logger.log` would search the stack for its caller, which is always this line.
    record = logger.makeRecord(
        logger.name, level, __file__, 0, message, (), None, extra={"fields": fields}
    )
    logger.handle(record)


def _level(status: int | None) -> int:
    # There is no status when the server aborted the response.
    if status is None or status >= 500:
        return logging.ERROR
    return logging.WARNING if status >= 400 else logging.INFO


_CSP = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
_OTHERS = (
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"strict-transport-security", b"max-age=31536000; includeSubDomains"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"SAMEORIGIN"),
)


class SecurityHeaders:
    """Adds the headers to every response that does not have them.

    The pages in `without_csp` load scripts and styles: they get no policy from here, and
    keep one of their own.
    """

    def __init__(self, app: ASGIApp, without_csp: Collection[str] = ()) -> None:
        self.app = app
        self.without_csp = without_csp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = message.get("headers", ())
                names = {name for name, _ in sent}
                added = [pair for pair in _OTHERS if pair[0] not in names]
                if _CSP[0] not in names and route_path(scope) not in self.without_csp:
                    added.append(_CSP)
                message["headers"] = [*sent, *added]
            await send(message)

        await self.app(scope, receive, send_with_headers)


# What a browser lets its page read, besides the few headers that are always readable.
EXPOSED_HEADERS = (
    "ETag",
    "Location",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)


class JsonCors(CORSMiddleware):
    """The middleware of Starlette, which answers refused preflights in plain text."""

    def preflight_response(self, request_headers: Headers) -> Response:
        response = super().preflight_response(request_headers)
        if response.status_code < 400:
            return response
        headers = {
            name: value
            for name, value in response.headers.items()
            if name not in ("content-length", "content-type")
        }
        message = bytes(response.body).decode()
        return error_response(
            response.status_code, message, code="cors_refused", headers=headers
        )


class CatchAll:
    """Answers unexpected errors with a 500 without details, and logs them once.

    A handler for `Exception` would run outside of CORS, so that browsers could not read
    the response, and would raise the error again.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_started = False

        async def watch(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except Exception:
            logging.getLogger("app.catch_all").exception("Unexpected error")
            # Too late for another response: the server aborts this one.
            if not has_started:
                await error_response(500)(scope, receive, send)


_MESSAGE = "Payload Too Large"


class BodyLimit:
    """Answers 413 to a body of more than `max_bytes`, with or without Content-Length."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self.app = app
        self.max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        for name, value in scope["headers"]:
            if name == b"content-length" and self._is_too_large(value):
                await error_response(413, _MESSAGE)(scope, receive, send)
                return
        received = 0

        async def receive_limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.max_bytes:
                raise HTTPException(413, _MESSAGE)
            return message

        await self.app(scope, receive_limited, send)

    def _is_too_large(self, announced: bytes) -> bool:
        return announced.isdigit() and int(announced) > self.max_bytes
