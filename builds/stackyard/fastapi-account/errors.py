"""The errors that the account routes answer."""

from fastapi import HTTPException

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
    The application answers it, as all its failures.
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
