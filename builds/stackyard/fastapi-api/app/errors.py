"""The one error body of the API, and the error that a feature raises to choose it:

{ "error": { "status": 404, "code": "not_found", "message": "...", "requestId": "..." } }
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi.encoders import jsonable_encoder
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

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
