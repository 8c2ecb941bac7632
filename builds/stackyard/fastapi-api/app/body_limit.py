"""Refuses request bodies that are too large, before they fill the memory."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import error_response

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
