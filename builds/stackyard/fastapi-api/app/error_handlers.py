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
    """Makes `app` answer its failures, but for unexpected ones, which `CatchAll` answers."""
    app.add_exception_handler(HTTPException, _handle_http_exception)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)


def _handle_http_exception(request: Request, error: HTTPException) -> JSONResponse:
    message = error.detail if isinstance(error.detail, str) else None
    code = error.code if isinstance(error, ApiError) else None
    headers = error.headers
    if error.status_code == 405:
        headers = {**(headers or {}), "Allow": ", ".join(_allowed_methods(request))}
    return error_response(error.status_code, message, code=code, headers=headers)


def _allowed_methods(request: Request) -> list[str]:
    """All methods of the path. The router names those of one function only."""
    return [
        method
        for method in _METHODS
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL
            for route in request.app.routes
        )
    ]


def _handle_validation_error(_request: Request, error: RequestValidationError) -> JSONResponse:
    found = error.errors()
    if any(issue["type"] == "json_invalid" for issue in found):
        return error_response(400, "Invalid JSON body", code="invalid_json")
    # The input of an issue is not shown: it may be a password.
    issues = [Issue(path=_path(issue["loc"]), message=issue["msg"]) for issue in found]
    if isinstance(error.body, bytes):
        issues = [Issue(path="body", message="Send it with Content-Type: application/json")]
    text = "; ".join(f"{issue.path}: {issue.message}" for issue in issues)
    return error_response(422, f"Invalid request: {text}", code="invalid_request", issues=issues)


def _path(location: Sequence[object]) -> str:
    """The dotted path of a field, without the part of the request (`body`, `query`) in front, or `body`."""
    return ".".join(str(part) for part in location[1:]) or "body"
