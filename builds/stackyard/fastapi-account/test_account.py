import asyncio
import base64
import hashlib
import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jwt
import pytest
from fastapi import APIRouter
from fastapi.testclient import TestClient
from sqlalchemy import select, text

from app.account import (
    AccountError,
    AccountModule,
    CurrentUser,
    Passwords,
    ScryptCost,
    Tokens,
    User,
    account_module,
    on_user_deleted,
)
from app.account.body import normalize_email
from app.account.config import find_problems, read_config
from app.account.passwords import find_password_fault, try_parse_hash
from app.account.throttle import Attempt, Throttle, to_network
from app.application import create_app
from app.config import Settings
from app.database import database_module, session_scope
from app.module import Module

CHEAP = ScryptCost(4, 1, 1)
SECRET = "a secret of the tests, of enough bytes for other algorithms too"
# Its types name those of a package that is not installed.
_jwt: Any = jwt
PASSWORD = "correct horse battery"
router = APIRouter()


@router.get("/private")
async def read_private(user: CurrentUser) -> dict[str, object]:
    return {"id": user.id, "email": user.email}


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(account_module, "make_passwords", lambda: Passwords(CHEAP))
    env = {"APP_ENV": "test", "JWT_SECRET": SECRET}
    modules: list[Module] = [database_module, account_module]
    app = create_app(Settings(), modules=modules, env=env)
    app.include_router(router)
    with TestClient(app) as client:
        yield client


def register(client: TestClient, email: str = "a@example.com") -> dict[str, Any]:
    body = {"email": email, "password": PASSWORD}
    response = client.post("/auth/register", json=body)
    assert response.status_code == 201
    found: dict[str, Any] = response.json()
    return found


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def code_of(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def test_register_login_me_and_a_route_of_the_application(client: TestClient) -> None:
    made = register(client, " A@Example.com")
    assert made["user"]["email"] == "a@example.com"
    body = {"email": "a@EXAMPLE.com", "password": PASSWORD}
    login = client.post("/auth/login", json=body)
    assert login.json()["user"] == made["user"]
    headers = bearer(login.json()["token"])
    assert client.get("/auth/me", headers=headers).json() == {"user": made["user"]}
    user = {"id": made["user"]["id"], "email": "a@example.com"}
    assert client.get("/private", headers=headers).json() == user
    assert code_of(client.get("/private")) == (401, "missing_token")
    assert "/auth/register" in client.get("/openapi.json").json()["paths"]


def test_sessions_end_one_by_one_and_all(client: TestClient) -> None:
    first = bearer(register(client)["token"])
    body = {"email": "a@example.com", "password": PASSWORD}
    second = bearer(client.post("/auth/login", json=body).json()["token"])
    sessions = client.get("/auth/sessions", headers=first).json()["sessions"]
    assert [one["current"] for one in sessions].count(True) == 1
    other = next(one["id"] for one in sessions if not one["current"])
    assert client.delete(f"/auth/sessions/{other}", headers=first).status_code == 204
    assert code_of(client.get("/auth/me", headers=second)) == (401, "invalid_token")
    change = {"current_password": PASSWORD, "new_password": "another password"}
    changed = client.post("/auth/password", json=change, headers=first)
    third = bearer(changed.json()["token"])
    assert code_of(client.get("/auth/me", headers=first)) == (401, "invalid_token")
    wrong = client.post("/auth/password", json=change, headers=third)
    assert code_of(wrong) == (403, "wrong_password")
    assert client.post("/auth/logout-all", headers=third).status_code == 204
    assert code_of(client.get("/auth/me", headers=third)) == (401, "invalid_token")


def test_the_deletion_of_an_account_is_told(
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    deleted: list[int] = []

    async def tell(user_id: int) -> None:
        deleted.append(user_id)

    def fail(user_id: int) -> None:
        raise ConnectionError(str(user_id))

    listeners: list[Any] = account_module.accounts.listeners  # type: ignore[assignment]
    monkeypatch.setattr(account_module, "_listeners", listeners)
    on_user_deleted(fail)
    on_user_deleted(tell)
    try:
        made = register(client)
        headers = bearer(made["token"])
        assert client.delete("/auth/me", headers=headers).status_code == 204
        assert deleted == [made["user"]["id"]]
        assert "A listener of on_user_deleted failed" in caplog.text
        assert code_of(client.get("/auth/me", headers=headers)) == (401, "account_gone")
        assert register(client)["user"]["id"] > made["user"]["id"]
    finally:
        listeners.clear()


def test_an_old_token_deletes_nothing(client: TestClient) -> None:
    made = register(client)
    with session_scope() as session:
        user = session.scalars(select(User)).one()
        user.created_at = "2020-01-01T00:00:00.000Z"
        old = Tokens(SECRET, 10**6, now=lambda: time.time() - 901)
        token = old.issue(user.id, user.email, user.token_version, user.created_at)
    response = client.delete("/auth/me", headers=bearer(token))
    assert code_of(response) == (403, "recent_login_required")
    assert client.get("/auth/me", headers=bearer(made["token"])).status_code == 200


def test_of_many_registrations_of_one_address_one_succeeds(client: TestClient) -> None:
    def add(_: int) -> int:
        body = {"email": "a@example.com", "password": PASSWORD}
        return client.post("/auth/register", json=body).status_code

    with ThreadPoolExecutor(16) as threads:
        statuses = sorted(threads.map(add, range(40)))
    assert statuses == [201] + [409] * 39
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM users")).scalar_one() == 1


def test_a_burst_is_refused_and_not_queued_without_end() -> None:
    async def burst() -> list[object]:
        passwords = Passwords(ScryptCost(14, 8, 1), max_running=1, max_queued=3)
        waiting = [passwords.hash(PASSWORD) for _ in range(10)]
        return list(await asyncio.gather(*waiting, return_exceptions=True))

    results = asyncio.run(burst())
    refused = [one for one in results if isinstance(one, AccountError)]
    assert 1 <= len(refused) <= 7
    for error in refused:
        assert (error.status_code, error.code) == (503, "overloaded")
        assert (error.headers or {})["Retry-After"] == "5"
    hashes = [one for one in results if isinstance(one, str)]
    assert len(hashes) + len(refused) == 10


def test_who_waits_too_long_is_refused() -> None:
    async def wait() -> None:
        passwords = Passwords(CHEAP, max_running=1, max_wait_seconds=0)
        begun = asyncio.Event()

        async def block() -> None:
            begun.set()
            await asyncio.sleep(0.2)

        first = asyncio.create_task(passwords.hash(PASSWORD, block))
        await begun.wait()
        with pytest.raises(AccountError, match="Too many requests"):
            await passwords.hash(PASSWORD)
        await first

    asyncio.run(wait())


def test_hashes_are_those_of_the_other_implementation() -> None:
    salt = b"s" * 16
    key = hashlib.scrypt("pässword".encode(), salt=salt, n=2**4, r=1, p=1, dklen=32)
    parts = [base64.b64encode(one).decode().rstrip("=") for one in (salt, key)]
    stored = f"$scrypt$ln=4,r=1,p=1${parts[0]}${parts[1]}"

    async def verify(password: str, stored: str | None) -> tuple[bool, bool, bool]:
        found = await Passwords(CHEAP).verify(password, stored)
        return found.matches, found.is_outdated, found.is_unreadable

    assert asyncio.run(verify("pa\u0308ssword", stored)) == (True, False, False)
    assert asyncio.run(verify("password", stored)) == (False, False, False)
    assert asyncio.run(verify("password", None)) == (False, False, False)
    assert asyncio.run(verify("\ud800" * 8, stored)) == (False, False, False)
    for broken in [
        "",
        "no hash",
        stored[:-30],
        stored.replace("ln=4", "ln=24"),
        stored + "=",
    ]:
        assert try_parse_hash(broken) is None
        assert asyncio.run(verify("pässword", broken)) == (False, False, True)
    fresh = asyncio.run(Passwords().hash(PASSWORD))
    assert fresh.startswith("$scrypt$ln=15,r=8,p=3$")
    with pytest.raises(ValueError, match="log_n to 17"):
        Passwords(ScryptCost(18, 8, 1))


def test_tokens_are_read_in_one_spelling_only() -> None:
    now = 1_800_000_000
    tokens = Tokens(SECRET, 60, ["an earlier secret, of enough bytes"], now=lambda: now)
    created_at = "2026-01-01T00:00:00.000Z"
    token = tokens.issue(42, "a@example.com", 3, created_at)
    claims = tokens.verify(token)
    assert (claims.user_id, claims.token_version) == (42, 3)
    assert (claims.issued_at, claims.expires_at) == (now, now + 60)
    payload = _jwt.decode(
        token,
        SECRET,
        algorithms=["HS256"],
        options={"verify_exp": False, "verify_iat": False},
    )
    assert list(payload) == ["sub", "email", "ver", "jti", "iat", "exp"]
    assert jwt.get_unverified_header(token).keys() == {"alg", "typ", "kid"}
    earlier = Tokens("an earlier secret, of enough bytes", 60, now=lambda: now)
    assert tokens.verify(earlier.issue(1, "b@example.com", 0, created_at)).user_id == 1

    def forge(header: dict[str, Any] | None = None, **changes: object) -> str:
        changed = {**payload, **changes}
        claims = {name: value for name, value in changed.items() if value is not None}
        token: str = _jwt.encode(claims, SECRET, algorithm="HS256", headers=header)
        return token

    assert tokens.verify(forge()).user_id == 42
    bad = [
        token + "=",
        token[:-1],
        f"{token}.x",
        token.replace(".", " .", 1),
        forge({"jku": "x"}),
        forge({"typ": "at+jwt"}),
        forge({"kid": "other"}),
        forge(jti="short"),
        forge(iss="x"),
        forge(aud="x"),
        forge(exp=None),
        forge(exp=1.5),
        forge(iat=now + 61),
        forge(nbf=now + 1),
        forge(ver=True),
        forge(ver=-1),
        forge(pad="x" * 4096),
        _jwt.encode(payload, SECRET, algorithm="HS384"),
        _jwt.encode(payload, "another secret, also of enough bytes", algorithm="HS256"),
    ]
    for subject in ["0", "01", "1 ", "9007199254740993", "1e0", "\u0661", ""]:
        bad.append(forge(sub=subject))
    for forged in bad:
        with pytest.raises(AccountError) as caught:
            tokens.verify(forged)
        assert caught.value.code == "invalid_token"
    with pytest.raises(AccountError) as caught:
        tokens.verify(forge(iat=now - 60, exp=now))
    assert caught.value.code == "token_expired"


@pytest.mark.parametrize(
    ("env", "names"),
    [
        ({}, ["JWT_SECRET"]),
        ({"APP_ENV": "production"}, ["JWT_SECRET"]),
        ({"APP_ENV": "Development"}, ["JWT_SECRET"]),
        ({"JWT_SECRET": " "}, ["JWT_SECRET"]),
        ({"JWT_SECRET": "short"}, ["JWT_SECRET"]),
        ({"JWT_SECRET": "short", "JWT_SECRET_ALLOW_SHORT": "1"}, []),
        ({"APP_ENV": "test", "JWT_SECRET": "short"}, []),
        (
            {"APP_ENV": "test", "JWT_SECRET": "x", "JWT_SECRET_STRICT": "1"},
            ["JWT_SECRET"],
        ),
        ({"JWT_SECRET": SECRET, "JWT_TTL_SECONDS": "60s"}, ["JWT_TTL_SECONDS"]),
        ({"JWT_TTL_SECONDS": "1e3"}, ["JWT_TTL_SECONDS", "JWT_SECRET"]),
        ({"JWT_SECRET": SECRET, "JWT_TTL_SECONDS": " 60 "}, []),
        ({"APP_ENV": "development"}, []),
    ],
)
def test_wrong_variables_are_named(env: dict[str, str], names: list[str]) -> None:
    problems = find_problems(env)
    assert [name for name, _ in problems] == names
    assert AccountModule().check_settings(env) == problems
    assert all("short" not in message for _, message in problems)
    if names:
        with pytest.raises(ValueError, match="Invalid environment variables:"):
            read_config(env)
    else:
        assert read_config(env).secret != ""


def test_the_development_secret_is_announced(caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(
        Settings(), modules=[database_module, account_module], env={"APP_ENV": "test"}
    )
    with caplog.at_level(logging.WARNING, "app.account"), TestClient(app) as client:
        assert client.get("/auth/me").status_code == 401
    assert "signed with the built-in development secret" in caplog.text


def test_the_throttle_doubles_its_waits_and_forgets_after_a_success() -> None:
    now = 1000.0
    throttle = Throttle(now=lambda: now)
    email = "a@example.com"
    for _ in range(10):
        assert isinstance(throttle.admit("203.0.113.7", email), Attempt)
    assert throttle.admit("203.0.113.7", email) == 1
    assert isinstance(throttle.admit("203.0.113.8", email), Attempt)
    now += 1
    attempt = throttle.admit("203.0.113.7", email)
    assert isinstance(attempt, Attempt)
    assert throttle.admit("203.0.113.7", email) == 2
    throttle.withdraw(attempt)
    again = throttle.admit("203.0.113.7", email)
    assert isinstance(again, Attempt)
    throttle.succeed(again)
    assert isinstance(throttle.admit("203.0.113.7", email), Attempt)
    for _ in range(100):
        throttle.admit("203.0.113.9", None)
    assert throttle.admit("203.0.113.9", None) == 1


def test_texts_are_those_of_the_other_implementation() -> None:
    assert normalize_email("\u00a0\ufeff A@X.co\u2003\n") == "a@x.co"
    assert normalize_email("\u212aate@x.co") == "kate@x.co"
    # What JavaScript does not trim stays, and is refused.
    assert normalize_email("\x1ca@x.co\x85") == "\x1ca@x.co\x85"
    assert to_network("::ffff:203.0.113.7") == "203.0.113.7"
    assert to_network("2001:db8:1:2:3::4") == "2001:0db8:0001:0002::/64"
    assert find_password_fault("\U0001f600" * 8) is None
    assert find_password_fault("\U0001f600" * 4) is not None
    assert find_password_fault("\ud800" * 8) == "Password must be well-formed Unicode"
