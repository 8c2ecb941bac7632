"""The errors that the account routes answer."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exception_handlers import http_exception_handler
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

_ERRORS = {
    "invalid_json": (400, "Invalid JSON body"),
    "invalid_request": (400, "Invalid request"),
    "missing_token": (401, "Missing bearer token"),
    "invalid_token": (401, "Invalid or expired token"),
    "account_gone": (401, "Account no longer exists"),
    "invalid_credentials": (401, "Invalid email or password"),
    "email_taken": (409, "Email is already registered"),
    "payload_too_large": (413, "Request body is too large"),
    "rate_limited": (429, "Too many attempts, try again later"),
    "overloaded": (503, "Too many requests in progress, try again later"),
}


class AccountError(HTTPException):
    """A request that is refused. `code` is stable; status and message follow from it.

    `issues` are dotted paths of fields, or `body`, with the rules that they break.
    An application with a handler for `HTTPException` answers it, as all its failures.
    """

    def __init__(
        self, code: str, *issues: tuple[str, str], retry_after: int | None = None
    ) -> None:
        status, message = _ERRORS[code]
        self.code = code
        self.issues = issues
        if issues:
            message += ": " + "; ".join(f"{path}: {text}" for path, text in issues)
        headers = {"Cache-Control": "no-store"}
        if retry_after is not None:
            headers["Retry-After"] = str(retry_after)
        if status == 401:
            # A request without credentials gets no error code (RFC 6750 section 3.1).
            error = "" if code == "missing_token" else ', error="invalid_token"'
            headers["WWW-Authenticate"] = f'Bearer realm="account"{error}'
        super().__init__(status, message, headers)


class AccountRoute(APIRoute):
    """Answers `AccountError` with its code where the application has only the handler of FastAPI."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handle(request)
            except AccountError as error:
                if _has_handler(request.app):
                    raise
                failure = {"code": error.code, "message": error.detail}
                return JSONResponse(
                    {"error": failure}, error.status_code, error.headers
                )

        return answer


def _has_handler(app: FastAPI) -> bool:
    handlers = (app.exception_handlers.get(kind) for kind in AccountError.__mro__)
    return any(one not in (None, http_exception_handler) for one in handlers)
