"""The routes of the accounts."""

import logging
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from . import store
from .body import is_storable, read_credentials, read_password_change
from .errors import AccountError, invalid_token
from .passwords import Passwords
from .store import AccountSession, User
from .throttle import Throttle, to_network
from .tokens import TokenClaims, Tokens, read_bearer, seconds_of

# Highest age of a token that may delete an account.
_RECENT_LOGIN_SECONDS = 900
_MAX_LISTED = 100
_MAX_DEVICE_LENGTH = 200
# Control, format and separator characters, and halves of surrogate pairs.
_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]+"
)


@dataclass(frozen=True)
class Accounts:
    """What the routes work with, from the start of the application to its end."""

    tokens: Tokens
    passwords: Passwords
    throttle: Throttle | None
    log: logging.Logger
    listeners: Sequence[Callable[[int], Awaitable[None] | None]]

    async def authenticate(self, request: Request) -> tuple[User, TokenClaims]:
        """The account behind the token, read fresh, and the claims. Raises a 401."""
        claims = self.tokens.verify(
            read_bearer(request.headers.getlist("authorization"))
        )
        owner = await run_in_threadpool(
            store.find_by_token, claims.user_id, claims.token_id
        )
        # A token older than its account belonged to an earlier account with the same id.
        if owner is None or claims.issued_at < seconds_of(owner.user.created_at):
            raise AccountError("account_gone", challenge="invalid_token")
        if owner.is_revoked or claims.token_version != owner.user.token_version:
            raise invalid_token()
        return owner.user, claims


T = TypeVar("T")
Handler = Callable[[Accounts, Request], Awaitable[Response]]


def make_router(find_accounts: Callable[[], Accounts]) -> APIRouter:
    """The routes, below the prefix of the application."""
    router = APIRouter(tags=["account"])
    _add(router, find_accounts, "/me", {"GET": _show_me, "DELETE": _delete_me})
    _add(router, find_accounts, "/register", {"POST": _register})
    _add(router, find_accounts, "/login", {"POST": _login})
    _add(router, find_accounts, "/logout", {"POST": _logout})
    _add(router, find_accounts, "/logout-all", {"POST": _logout_all})
    _add(router, find_accounts, "/password", {"POST": _change_password})
    _add(router, find_accounts, "/sessions", {"GET": _list_sessions})
    _add(router, find_accounts, "/sessions/{session_id}", {"DELETE": _end_session})
    return router


def _add(
    router: APIRouter,
    find_accounts: Callable[[], Accounts],
    path: str,
    handlers: dict[str, Handler],
) -> None:
    names = [f"{name}, HEAD" if name == "GET" else name for name in handlers]
    allow = {"Allow": ", ".join([*names, "OPTIONS"])}

    async def answer(request: Request) -> Response:
        method = request.method
        handler = handlers.get("GET" if method == "HEAD" else method)
        try:
            if handler is not None:
                return await handler(find_accounts(), request)
            if method == "OPTIONS":
                return _empty(allow)
            text = f"Method {method} is not allowed here"
            raise AccountError("method_not_allowed", message=text, headers=allow)
        except AccountError as error:
            return _answer_error(request, error)

    for method in handlers:
        router.add_api_route(
            path,
            answer,
            methods=[method],
            response_model=None,
            summary=_SUMMARIES[method, path],
            openapi_extra=_describe(method, path),
        )
    others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
    router.add_api_route(
        path,
        answer,
        methods=[name for name in others if name not in handlers],
        response_model=None,
        include_in_schema=False,
    )


async def _register(accounts: Accounts, request: Request) -> Response:
    email, password = await read_credentials(request, is_new=True)

    async def refuse_taken() -> None:
        # It only saves hashes: which of two is first, the unique index decides.
        if await run_in_threadpool(store.find_by_email, email) is not None:
            raise AccountError("email_taken")

    async def add() -> User:
        password_hash = await accounts.passwords.hash(password, refuse_taken)
        created_at = _to_iso(time.time(), "milliseconds")
        user = await run_in_threadpool(store.insert, email, password_hash, created_at)
        if user is None:
            raise AccountError("email_taken")
        return user

    user = await _throttled(accounts, request, None, add)
    return await _answer_token(accounts, request, 201, user)


async def _login(accounts: Accounts, request: Request) -> Response:
    email, password = await read_credentials(request, is_new=False)

    async def check() -> User:
        user: User | None = None
        if is_storable(email):
            user = await run_in_threadpool(store.find_by_email, email)
        stored = None if user is None else user.password_hash
        found = await accounts.passwords.verify(password, stored)
        if user is not None and found.is_unreadable:
            accounts.log.error(
                "Cannot verify the password of account %s: its stored hash is not valid",
                user.id,
            )
        if user is None or not found.matches:
            raise AccountError("invalid_credentials")
        if found.is_outdated:
            await _rehash(accounts, user, password)
        return user

    user = await _throttled(accounts, request, email, check)
    # With the token version read before the password was checked: a password change
    # meanwhile ends this session too.
    return await _answer_token(accounts, request, 200, user)


async def _rehash(accounts: Accounts, user: User, password: str) -> None:
    # The login has succeeded, so a server that is too busy leaves this to the next one.
    try:
        new_hash = await accounts.passwords.hash(password)
    except AccountError:
        return
    # Only where the old hash still stands.
    await run_in_threadpool(store.replace_hash, user.id, user.password_hash, new_hash)


async def _show_me(accounts: Accounts, request: Request) -> Response:
    user, _ = await accounts.authenticate(request)
    return _json(200, {"user": _public(user)})


async def _delete_me(accounts: Accounts, request: Request) -> Response:
    user, claims = await accounts.authenticate(request)
    # A deletion cannot be undone, so a token that may be days old is not enough.
    if time.time() - claims.issued_at > _RECENT_LOGIN_SECONDS:
        raise AccountError("recent_login_required")
    await run_in_threadpool(store.delete_user, user.id)
    for listener in accounts.listeners:
        try:
            waiting = listener(user.id)
            if waiting is not None:
                await waiting
        except Exception:
            accounts.log.exception("A listener of on_user_deleted failed")
    return _empty()


async def _logout(accounts: Accounts, request: Request) -> Response:
    _, claims = await accounts.authenticate(request)
    await _revoke(claims.token_id, claims.expires_at)
    return _empty()


async def _logout_all(accounts: Accounts, request: Request) -> Response:
    user, _ = await accounts.authenticate(request)
    await run_in_threadpool(store.raise_token_version, user.id)
    return _empty()


async def _change_password(accounts: Accounts, request: Request) -> Response:
    user, _ = await accounts.authenticate(request)
    current, new = await read_password_change(request)

    async def check() -> None:
        found = await accounts.passwords.verify(current, user.password_hash)
        if not found.matches:
            raise AccountError("wrong_password")

    await _throttled(accounts, request, user.email, check)
    new_hash = await accounts.passwords.hash(new)
    changed = await run_in_threadpool(
        store.change_password, user.id, user.password_hash, new_hash
    )
    if changed is None:
        raise AccountError("conflict")
    return await _answer_token(accounts, request, 200, changed)


async def _list_sessions(accounts: Accounts, request: Request) -> Response:
    user, claims = await accounts.authenticate(request)
    listed = await run_in_threadpool(
        store.list_sessions, user, int(time.time()), _MAX_LISTED
    )
    sessions = list(listed)
    if all(one.jti != claims.token_id for one in sessions):
        sessions.insert(0, _make_session(claims, request))
    return _json(
        200,
        {
            "sessions": [
                {
                    "id": one.jti,
                    "device": one.device,
                    "created_at": _to_iso(one.created_at, "milliseconds"),
                    "expires_at": _to_iso(one.expires_at, "milliseconds"),
                    "current": one.jti == claims.token_id,
                }
                for one in sessions
            ]
        },
    )


async def _end_session(accounts: Accounts, request: Request) -> Response:
    user, claims = await accounts.authenticate(request)
    session_id: str = request.path_params["session_id"]
    if not is_storable(session_id):
        raise AccountError("session_not_found")
    if session_id == claims.token_id:
        return await _logout(accounts, request)
    found = await run_in_threadpool(
        store.list_sessions, user, int(time.time()), 1, session_id
    )
    if not found:
        raise AccountError("session_not_found")
    await _revoke(session_id, found[0].expires_at)
    return _empty()


async def _throttled(
    accounts: Accounts,
    request: Request,
    email: str | None,
    work: Callable[[], Awaitable[T]],
) -> T:
    """Runs one attempt, if the throttle admits it, and tells the throttle how it ended."""
    throttle = accounts.throttle
    if throttle is None:
        return await work()
    client = request.client
    attempt = throttle.admit(to_network(client.host if client else ""), email)
    if isinstance(attempt, int):
        raise AccountError("rate_limited", headers={"Retry-After": str(attempt)})
    try:
        result = await work()
    except BaseException as error:
        # Any other error, such as that of a database, does not show that the password
        # was wrong.
        if not isinstance(error, AccountError) or error.status_code >= 500:
            throttle.withdraw(attempt)
        raise
    throttle.succeed(attempt)
    return result


async def _revoke(token_id: str, expires_at: int) -> None:
    now = int(time.time())
    await run_in_threadpool(store.revoke_token, token_id, expires_at, now)


async def _answer_token(
    accounts: Accounts, request: Request, status: int, user: User
) -> Response:
    """`{ user, token }`, with a token that is among the sessions of the account."""
    token = accounts.tokens.issue(
        user.id, user.email, user.token_version, user.created_at
    )
    try:
        session = _make_session(accounts.tokens.verify(token), request)
        await run_in_threadpool(store.add_session, session, int(time.time()))
    except Exception:
        # It is not listed, and ends like all others.
        accounts.log.exception("Cannot store a session of account %s", user.id)
    return _json(status, {"user": _public(user), "token": token})


def _make_session(claims: TokenClaims, request: Request) -> AccountSession:
    return AccountSession(
        jti=claims.token_id,
        user_id=claims.user_id,
        token_version=claims.token_version,
        device=_device_name(request.headers.get("user-agent", "")),
        created_at=claims.issued_at,
        expires_at=claims.expires_at,
    )


def _device_name(user_agent: str) -> str | None:
    """In one line and of at most 200 characters. Still chosen by a stranger."""
    text = _INVISIBLE.sub(" ", user_agent[: 4 * _MAX_DEVICE_LENGTH])
    name = re.sub(" {2,}", " ", text).strip()[:_MAX_DEVICE_LENGTH].strip()
    return name or None


def _public(user: User) -> dict[str, object]:
    return {"id": user.id, "email": user.email, "created_at": user.created_at}


def _to_iso(seconds: float, unit: str) -> str:
    time_in_utc = datetime.fromtimestamp(seconds, UTC)
    return time_in_utc.isoformat(timespec=unit).replace("+00:00", "Z")


def _json(
    status: int, body: object, headers: dict[str, str] | None = None
) -> JSONResponse:
    return JSONResponse(
        body,
        status,
        {"Cache-Control": "no-store", **(headers or {})},
        media_type="application/json; charset=utf-8",
    )


def _empty(headers: dict[str, str] | None = None) -> Response:
    return Response(
        status_code=204, headers={"Cache-Control": "no-store", **(headers or {})}
    )


def _answer_error(request: Request, error: AccountError) -> JSONResponse:
    failure: dict[str, object] = {
        "status": error.status_code,
        "code": error.code,
        "message": error.detail,
    }
    if error.issues:
        failure["issues"] = [
            {"path": path, "message": message} for path, message in error.issues
        ]
    request_id = getattr(request.state, "request_id", None)
    if isinstance(request_id, str):
        failure["requestId"] = request_id
    return _json(error.status_code, {"error": failure}, dict(error.headers or {}))


_SUMMARIES = {
    ("GET", "/me"): "The account behind the token",
    ("DELETE", "/me"): "Delete the account, by a token of the last 15 minutes",
    ("POST", "/register"): "A new account, and a token for it",
    ("POST", "/login"): "A token for an account",
    ("POST", "/logout"): "End this session",
    ("POST", "/logout-all"): "End all sessions",
    ("POST", "/password"): "Change the password, and end all other sessions",
    ("GET", "/sessions"): "Where the account is logged in",
    ("DELETE", "/sessions/{session_id}"): "End one session",
}
_BODIES = {
    "/register": ("email", "password"),
    "/login": ("email", "password"),
    "/password": ("current_password", "new_password"),
}


def _describe(method: str, path: str) -> dict[str, object]:
    """What OpenAPI cannot see, because the bodies are read here."""
    found: dict[str, object] = {}
    names = _BODIES.get(path)
    if names is not None:
        properties = {name: {"type": "string"} for name in names}
        schema = {"type": "object", "required": [*names], "properties": properties}
        content = {"application/json": {"schema": schema}}
        found["requestBody"] = {"required": True, "content": content}
    if path not in ("/register", "/login"):
        header = {"name": "Authorization", "in": "header", "required": True}
        found["parameters"] = [{**header, "schema": {"type": "string"}}]
    return found
