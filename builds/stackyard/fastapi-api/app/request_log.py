"""Gives every request an id and a line in the log."""

import logging
import re
import time
from uuid import uuid4

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.log import request_id
from app.path import printable_path, route_path

logger = logging.getLogger(__name__)

# Ids of a proxy or client that are safe to log and to send back.
_REQUEST_ID = re.compile(rb"[\w.:-]{1,128}")
_HEADER = b"x-request-id"

# Asked every few seconds by what watches the server: only their failures are logged.
_PROBES = ("/health", "/ready")


class RequestLog:
    """Sets `request_id` and the header `X-Request-Id`, and logs each request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

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
                message["headers"] = [*others, (_HEADER, chosen.encode())]
            await send(message)

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
