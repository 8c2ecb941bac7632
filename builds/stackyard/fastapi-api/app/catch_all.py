"""Answers errors that nobody expected."""

import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import error_response

logger = logging.getLogger(__name__)


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
            logger.exception("Unexpected error")
            # Too late for another response: the server aborts this one.
            if not has_started:
                await error_response(500)(scope, receive, send)
