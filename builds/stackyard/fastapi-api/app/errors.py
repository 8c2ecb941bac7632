"""The one error body of the API, the error that a feature raises to choose it, and how failures are answered:

{ "error": { "status": 404, "code": "not_found", "message": "...", "requestId": "..." } }
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Match

from app.log import request_id

# Where the name of the status is not suitable, or differs between versions of Python.
_CODES = {
    413: "payload_too_large",
    414: "uri_too_long",
    416: "range_not_satisfiable",
    422: "unprocessable_entity",
    500: "internal",
}


class Issue(BaseModel):
    """One reason why a request was refused. `path` is dotted; `body` is the whole body."""

    path: str
    message: str


class Failure(BaseModel):
    """What went wrong. `code` is for programs, `message` for people."""

    status: int
    code: str
    message: str
    requestId: str | None
    issues: list[Issue] | None = None
    details: Any = None


class ErrorBody(BaseModel):
    """The body of every failed request."""

    error: Failure


class ApiError(HTTPException):
    """A failure with a stable `code` for programs, such as `email_taken`.

    A plain `HTTPException` works too: its code comes from the status, such as
    `not_found`, and a `detail` that is not a text is sent as `details`.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, detail=message, headers=headers)
        self.code = code


def error_response(
    status: int,
    message: str | None = None,
    *,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
    issues: list[Issue] | None = None,
    details: object = None,
) -> JSONResponse:
    """Returns the response to a failed request. The status gives message and code."""
    standard = _standard(status)
    failure = Failure(
        status=status,
        code=code or _CODES.get(status) or standard.name.lower(),
        message=message or standard.phrase,
        requestId=request_id.get(),
        issues=issues,
    )
    body = failure.model_dump(exclude_none=True)
    if details is not None:
        # Values that JSON cannot hold raise an error here, which answers 500.
        body["details"] = jsonable_encoder(details)
    return JSONResponse({"error": body}, status_code=status, headers=headers)


def _standard(status: int) -> HTTPStatus:
    try:
        return HTTPStatus(status)
    except ValueError:
        return HTTPStatus(status // 100 * 100)


_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def add_error_handlers(app: FastAPI) -> None:
    """Makes `app` answer its failures. `CatchAll` answers unexpected errors."""
    # Starlette's type of a handler takes every `Exception`; it passes those of the class.
    app.exception_handlers[HTTPException] = _handle_http_exception
    app.exception_handlers[RequestValidationError] = _handle_validation_error


def _handle_http_exception(request: Request, error: HTTPException) -> JSONResponse:
    message, details = _read_detail(error.detail)
    # As `ApiError` has it; the errors of modules, which do not know that class, do as well.
    code = getattr(error, "code", None)
    issues = [
        Issue(path=path, message=text) for path, text in getattr(error, "issues", ())
    ]
    headers = error.headers
    if error.status_code == 405:
        headers = {**(headers or {}), "Allow": ", ".join(_allowed_methods(request))}
    return error_response(
        error.status_code,
        message,
        code=code,
        headers=headers,
        issues=issues or None,
        details=details,
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
