"""Gives every request an id and a line in the log."""

import logging
import re
import time
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.log import request_id

logger = logging.getLogger(__name__)

# Ids of a proxy or client that are safe to log and to send back.
_REQUEST_ID = re.compile(r"[\w.:-]{1,128}", re.ASCII)


class RequestLog:
    """Sets `request_id` and the header `X-Request-Id`, and logs each answer but those of `/health`."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        chosen = given if _REQUEST_ID.fullmatch(given) else str(uuid4())
        status: int | None = None

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = chosen
            await send(message)

        token = request_id.set(chosen)
        started = time.perf_counter()
        try:
            await self.app(scope, receive, send_with_id)
        finally:
            if scope["path"] != "/health":
                _log(scope, status, (time.perf_counter() - started) * 1000)
            request_id.reset(token)


def _log(scope: Scope, status: int | None, duration_ms: float) -> None:
    url = scope["raw_path"].decode("latin-1")
    if scope["query_string"]:
        url += "?" + scope["query_string"].decode("latin-1")
    fields = {
        "method": scope["method"],
        "url": url,
        "status": status,
        "durationMs": round(duration_ms, 1),
    }
    message = f"{scope['method']} {url} {status}"
    logger.log(_level(status), "%s", message, extra={"fields": fields})


def _level(status: int | None) -> int:
    # There is no status when the server broke the answer off.
    if status is None or status >= 500:
        return logging.ERROR
    return logging.WARNING if status >= 400 else logging.INFO
