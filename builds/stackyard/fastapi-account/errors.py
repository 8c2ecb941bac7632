"""The errors that the account routes answer: one table from code to status and message."""

from collections.abc import Mapping, Sequence

from fastapi import HTTPException

_ANSWERS = {
    "invalid_json": (400, "Invalid JSON body"),
    "invalid_request": (400, "Invalid request"),
    "missing_token": (401, "Missing bearer token"),
    "invalid_token": (401, "Invalid or expired token"),
    "token_expired": (401, "Invalid or expired token"),
    "account_gone": (401, "Account no longer exists"),
    "invalid_credentials": (401, "Invalid email or password"),
    "wrong_password": (403, "Current password is wrong"),
    "recent_login_required": (403, "Log in again to do this"),
    "session_not_found": (404, "Session not found"),
    "method_not_allowed": (405, "Method not allowed"),
    "email_taken": (409, "Email is already registered"),
    "conflict": (409, "The account was changed at the same time, try again"),
    "payload_too_large": (413, "Request body is too large"),
    "rate_limited": (429, "Too many attempts, try again later"),
    "internal": (500, "Internal Server Error"),
    "overloaded": (503, "Too many requests in progress, try again later"),
}

Issue = tuple[str, str]
"""The dotted path of a field, or `body`, and the rule that it breaks."""


class AccountError(HTTPException):
    """A request that is refused. `code` is stable; status and message follow from it.

    Outside of the account routes, behind `require_auth`, the application answers it.
    """

    def __init__(
        self,
        code: str,
        *,
        message: str | None = None,
        issues: Sequence[Issue] = (),
        headers: Mapping[str, str] | None = None,
        challenge: str | None = None,
    ) -> None:
        status, standard = _ANSWERS[code]
        self.code = code
        self.issues = issues
        all_headers = dict(headers or {})
        if status == 401:
            # A request without credentials gets no error code (RFC 6750 section 3.1).
            error = f', error="{challenge}"' if challenge is not None else ""
            all_headers["WWW-Authenticate"] = f'Bearer realm="account"{error}'
        super().__init__(status, detail=message or standard, headers=all_headers)


def invalid_request(issues: Sequence[Issue]) -> AccountError:
    """400 with all issues in one message."""
    text = "; ".join(f"{path}: {message}" for path, message in issues)
    return AccountError(
        "invalid_request", message=f"Invalid request: {text}", issues=issues
    )


def invalid_token() -> AccountError:
    """401 for a token that does not verify, without the reason."""
    return AccountError("invalid_token", challenge="invalid_token")
