"""The routes: register, login, and the account behind a token."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from fastapi.security import HTTPBearer

from . import store
from .body import read_credentials
from .errors import AccountError, AccountRoute
from .passwords import Passwords
from .store import User
from .throttle import Throttle
from .tokens import Tokens, seconds_of

# RFC 6750 section 2.1.
_BEARER = re.compile(r"bearer +([\w.~+/-]+=*)", re.ASCII | re.IGNORECASE)

bearer = HTTPBearer(auto_error=False)
"""Shows in `/docs` that a route needs a token, which `authenticate` reads."""


@dataclass(frozen=True)
class Accounts:
    """From the start of the application to its end. All methods raise `AccountError`."""

    tokens: Tokens
    passwords: Passwords
    throttle: Throttle | None

    async def register(self, request: Request) -> User:
        email, password = await read_credentials(request, is_new=True)
        with self._attempt(request, None):
            # The check saves a hash. Which of two is first, the unique index decides.
            user = None
            if await run_in_threadpool(store.find, User.email == email) is None:
                stored = await self.passwords.hash(password)
                user = await run_in_threadpool(store.insert, email, stored)
            if user is None:
                raise AccountError("email_taken")
            return user

    async def login(self, request: Request) -> User:
        """An unknown address and a wrong password are one error after the same work."""
        email, password = await read_credentials(request, is_new=False)
        with self._attempt(request, email):
            user = None
            # PostgreSQL fails on NUL, and half a surrogate pair has no form in UTF-8.
            if not re.search(r"[\0\ud800-\udfff]", email):
                user = await run_in_threadpool(store.find, User.email == email)
            stored = None if user is None else user.password_hash
            if not await self.passwords.verify(password, stored) or user is None:
                raise AccountError("invalid_credentials")
            return user

    async def authenticate(self, request: Request) -> User:
        """The account behind the token, read fresh."""
        value = request.headers.get("authorization", "")
        if value.split(" ")[0].lower() != "bearer":
            raise AccountError("missing_token")
        found = _BEARER.fullmatch(value)
        claims = self.tokens.verify(found[1]) if found else None
        if claims is None:
            raise AccountError("invalid_token")
        user = await run_in_threadpool(store.find, User.id == int(claims["sub"]))
        # A token older than its account belonged to an earlier account with the same id.
        if user is None or claims["iat"] < seconds_of(user.created_at):
            raise AccountError("account_gone")
        if claims["ver"] != user.token_version:
            raise AccountError("invalid_token")
        return user

    def _attempt(
        self, request: Request, email: str | None
    ) -> AbstractContextManager[None]:
        address = request.client.host if request.client else ""
        return self.throttle.attempt(address, email) if self.throttle else nullcontext()


def make_router(get_accounts: Callable[[], Accounts]) -> APIRouter:
    router = APIRouter(tags=["account"], route_class=AccountRoute)

    @router.post("/register", status_code=201, openapi_extra=_CREDENTIALS)
    async def register(request: Request) -> Response:
        """A new account, and a token for it."""
        accounts = get_accounts()
        user = await accounts.register(request)
        return _answer(201, **_public(user), token=accounts.tokens.issue(user))

    @router.post("/login", openapi_extra=_CREDENTIALS)
    async def login(request: Request) -> Response:
        """A token for an account."""
        accounts = get_accounts()
        user = await accounts.login(request)
        return _answer(200, **_public(user), token=accounts.tokens.issue(user))

    @router.head("/me", include_in_schema=False)
    @router.get("/me", dependencies=[Depends(bearer)])
    async def show_me(request: Request) -> Response:
        """The account behind the token."""
        return _answer(200, **_public(await get_accounts().authenticate(request)))

    return router


_TEXTS = {name: {"type": "string"} for name in ("email", "password")}
_SCHEMA = {"type": "object", "required": [*_TEXTS], "properties": _TEXTS}
# For `/docs`: FastAPI does not see the bodies that are read here.
_CREDENTIALS = {"requestBody": {"content": {"application/json": {"schema": _SCHEMA}}}}


def _public(user: User) -> dict[str, Any]:
    shown = {"id": user.id, "email": user.email, "created_at": user.created_at}
    return {"user": shown}


def _answer(status: int, **body: object) -> Response:
    return JSONResponse(body, status, {"Cache-Control": "no-store"})
