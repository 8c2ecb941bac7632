"""Answers HTTP exceptions and failed validation with the one error body."""

from collections.abc import Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Match

from app.errors import ApiError, Issue, error_response

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def add_error_handlers(app: FastAPI) -> None:
    """Makes `app` answer its failures. `CatchAll` answers unexpected errors."""
    # Starlette's type of a handler takes every `Exception`; it passes those of the class.
    app.exception_handlers[HTTPException] = _handle_http_exception
    app.exception_handlers[RequestValidationError] = _handle_validation_error


def _handle_http_exception(request: Request, error: HTTPException) -> JSONResponse:
    message, details = _read_detail(error.detail)
    code = error.code if isinstance(error, ApiError) else None
    headers = error.headers
    if error.status_code == 405:
        headers = {**(headers or {}), "Allow": ", ".join(_allowed_methods(request))}
    return error_response(
        error.status_code, message, code=code, headers=headers, details=details
    )


def _read_detail(detail: object) -> tuple[str | None, object]:
    """Returns the message and the data. FastAPI permits any value as `detail`."""
    return (detail, None) if isinstance(detail, str) else (None, detail)


def _allowed_methods(request: Request) -> list[str]:
    """Returns all methods of the path. The router names those of one function only."""
    return [
        method
        for method in _METHODS
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL
            for route in request.app.routes
        )
    ]


def _handle_validation_error(
    _request: Request, error: RequestValidationError
) -> JSONResponse:
    found = error.errors()
    if any(issue["type"] == "json_invalid" for issue in found):
        return error_response(400, "Invalid JSON body", code="invalid_json")
    # The input of an issue is not shown: it may be a password.
    issues = [Issue(path=_path(issue["loc"]), message=issue["msg"]) for issue in found]
    if isinstance(error.body, bytes):
        message = "Send it with Content-Type: application/json"
        issues = [Issue(path="body", message=message)]
    text = "; ".join(f"{issue.path}: {issue.message}" for issue in issues)
    return error_response(
        422, f"Invalid request: {text}", code="invalid_request", issues=issues
    )


def _path(location: Sequence[object]) -> str:
    """Returns the dotted path of a field without the part of the request, or `body`."""
    return ".".join(str(part) for part in location[1:]) or "body"
