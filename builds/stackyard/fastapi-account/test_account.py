import asyncio
import base64
import hashlib
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jwt
import pytest
from fastapi import APIRouter, FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import create_engine, text

from app.account import (
    AccountError,
    CurrentUser,
    User,
    account_module,
    account_router,
    current_user,
    end_tokens,
)
from app.account import passwords as password_limits
from app.account.passwords import Passwords
from app.account.throttle import Throttle, to_network
from app.account.tokens import Tokens
from app.application import create_app
from app.config import Settings
from app.database import database_module, database_router, session_scope
from app.module import Module

CHEAP = (4, 1, 1)
SECRET = "a secret of the tests, of enough bytes for other algorithms too"
EARLIER = "an earlier secret, of enough bytes"
CREATED_AT = "2026-01-01T00:00:00.000Z"
# Its types name those of a package that is not installed.
_jwt: Any = jwt
PASSWORD = "correct horse battery"
MODULES: list[Module] = [database_module, account_module]
router = APIRouter()


@router.get("/private")
async def read_private(user: CurrentUser) -> dict[str, object]:
    return {"id": user.id, "email": user.email}


@pytest.fixture(autouse=True)
def cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_module, "password_cost", CHEAP)


@pytest.fixture
def client() -> Iterator[TestClient]:
    env = {"APP_ENV": "test", "JWT_SECRET": SECRET}
    app = create_app(Settings(), modules=MODULES, env=env)
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


def test_codes_in_an_application_without_handlers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("APP_ENV", "test")
    monkeypatch.setenv("JWT_SECRET", SECRET)
    app = FastAPI()
    app.include_router(database_router)
    app.include_router(account_router)
    with TestClient(app) as client:
        register(client)
        body = {"email": "a@example.com", "password": PASSWORD}
        taken = client.post("/auth/register", json=body)
        assert code_of(taken) == (409, "email_taken")
        assert taken.headers["cache-control"] == "no-store"
        refused = client.get("/auth/me")
        assert code_of(refused) == (401, "missing_token")
        assert refused.headers["www-authenticate"] == 'Bearer realm="account"'
        assert refused.json()["error"]["message"] == "Missing bearer token"


def test_register_login_me_and_a_route_of_the_application(client: TestClient) -> None:
    made = register(client, "\u00a0\ufeff A@Example.com\u2003\n")
    assert list(made["user"]) == ["id", "email", "created_at"]
    assert made["user"]["email"] == "a@example.com"
    body = {"email": "a@EXAMPLE.com", "password": PASSWORD}
    login = client.post("/auth/login", json=body)
    assert login.json()["user"] == made["user"]
    headers = bearer(login.json()["token"])
    me = client.get("/auth/me", headers=headers)
    assert me.json() == {"user": made["user"]}
    assert me.headers["cache-control"] == "no-store"
    assert client.head("/auth/me", headers=headers).status_code == 200
    user = {"id": made["user"]["id"], "email": "a@example.com"}
    assert client.get("/private", headers=headers).json() == user
    refused = client.get("/private")
    assert code_of(refused) == (401, "missing_token")
    assert refused.headers["www-authenticate"] == 'Bearer realm="account"'
    paths = client.get("/openapi.json").json()["paths"]
    assert "requestBody" in paths["/auth/register"]["post"]
    for path in ["/auth/me", "/private"]:
        assert paths[path]["get"]["security"] == [{"HTTPBearer": []}]
    assert current_user.__name__ == "require_auth"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "Invalid JSON body"),
        ("{", "Invalid JSON body"),
        ("NaN", "Invalid JSON body"),
        ('"\ud800"', "Invalid JSON body"),
        ("[" * 16_000, "Invalid JSON body"),
        ("[]", "body: Expected a JSON object"),
        (
            "{}",
            "email: Email must be a string; password: Password must be a string",
        ),
        (
            '{"email":"a@localhost","password":"1234567"}',
            "email: Email must be a valid email address; password: Password must be at least 8 characters",
        ),
        (
            f'{{"email":"{"a" * 250}@x.co","password":"{"p" * 201}"}}',
            "email: Email must be at most 254 characters; password: Password must be at most 200 characters",
        ),
        (
            '{"email":"a@x.co","password":"\\ud800-------"}',
            "password: Password must be well-formed Unicode",
        ),
    ],
)
def test_bodies_that_are_refused(client: TestClient, body: str, message: str) -> None:
    content = body.encode("utf-8", "surrogatepass")
    response = client.post("/auth/register", content=content)
    assert response.status_code == 400
    error = response.json()["error"]
    issues = [f"{one['path']}: {one['message']}" for one in error.get("issues", [])]
    if issues:
        assert "; ".join(issues) == message
        message = f"Invalid request: {message}"
    assert error["message"] == message


def test_a_login_takes_any_two_strings(client: TestClient) -> None:
    register(client)
    for email in ["a@example.com", "b@example.com", "", "\0", "\ud800"]:
        body = f'{{"email":"{email}","password":"x"}}'.replace("\0", "\\u0000")
        content = body.replace("\ud800", "\\ud800").encode()
        response = client.post("/auth/login", content=content)
        assert response.status_code == 401
        assert response.json()["error"]["message"] == "Invalid email or password"


def test_a_large_body_is_refused(client: TestClient) -> None:
    for path in ["/auth/register", "/auth/login"]:
        response = client.post(path, content=b"[" + b" " * 16_384)
        assert code_of(response) == (413, "payload_too_large")


def test_of_many_registrations_of_one_address_one_succeeds(client: TestClient) -> None:
    def add(_: int) -> int:
        body = {"email": "a@example.com", "password": PASSWORD}
        return client.post("/auth/register", json=body).status_code

    with ThreadPoolExecutor(16) as threads:
        statuses = sorted(threads.map(add, range(40)))
    assert statuses == [201] + [409] * 39
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM users")).scalar_one() == 1


def test_all_tokens_of_an_account_are_ended(client: TestClient) -> None:
    made = register(client)
    other = register(client, "b@example.com")
    assert end_tokens(made["user"]["id"])
    assert not end_tokens(10**6)
    response = client.get("/auth/me", headers=bearer(made["token"]))
    assert code_of(response) == (401, "invalid_token")
    assert client.get("/auth/me", headers=bearer(other["token"])).status_code == 200


def test_the_token_of_a_deleted_account_is_refused(client: TestClient) -> None:
    made = register(client)
    with session_scope() as session:
        session.delete(session.get_one(User, made["user"]["id"]))
    response = client.get("/auth/me", headers=bearer(made["token"]))
    assert code_of(response) == (401, "account_gone")
    assert register(client)["user"]["id"] > made["user"]["id"]
    response = client.get("/auth/me", headers=bearer(made["token"]))
    assert response.json()["error"]["message"] == "Account no longer exists"


def test_a_database_of_version_1_keeps_its_accounts_and_ended_tokens(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'app.db'}"
    engine = create_engine(url)
    old = [
        "CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT UNIQUE,"
        + " password_hash TEXT, token_version INTEGER, created_at TEXT)",
        "CREATE TABLE revoked_tokens (jti TEXT PRIMARY KEY, expires_at BIGINT)",
        "CREATE TABLE account_sessions (jti TEXT PRIMARY KEY, user_id INTEGER)",
        "CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY)",
        "INSERT INTO alembic_version VALUES ('account_0001')",
        f"INSERT INTO users VALUES (1, 'a@x.co', '', 0, '{CREATED_AT}')",
        f"INSERT INTO users VALUES (2, 'b@x.co', '', 0, '{CREATED_AT}')",
        "INSERT INTO account_sessions VALUES ('ended', 1), ('open', 2)",
        "INSERT INTO revoked_tokens VALUES ('ended', 0)",
    ]
    with engine.begin() as connection:
        for statement in old:
            connection.execute(text(statement))
    engine.dispose()
    env = {"APP_ENV": "test", "JWT_SECRET": SECRET, "DATABASE_URL": url}
    payload = {"sub": "1", "ver": 0, "iat": 1_790_000_000, "exp": 4_000_000_000}
    with TestClient(create_app(Settings(), modules=MODULES, env=env)) as client:
        statuses: list[int] = []
        for user_id in ["1", "2"]:
            token = _jwt.encode(
                {**payload, "sub": user_id}, SECRET, headers={"kid": "x"}
            )
            response = client.get("/auth/me", headers=bearer(token))
            statuses.append(response.status_code)
    assert statuses == [401, 200]


def test_a_burst_is_refused_and_not_queued_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(password_limits, "MAX_QUEUED", 3)

    async def burst() -> list[object]:
        passwords = Passwords((14, 8, 1))
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


def test_who_waits_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(password_limits, "MAX_WAIT_SECONDS", 0)

    async def wait() -> list[object]:
        passwords = Passwords((14, 8, 1))
        waiting = [passwords.hash(PASSWORD) for _ in range(6)]
        return list(await asyncio.gather(*waiting, return_exceptions=True))

    assert any(isinstance(one, AccountError) for one in asyncio.run(wait()))


def test_hashes_are_those_of_the_other_implementation() -> None:
    salt = b"s" * 16
    key = hashlib.scrypt("pässword".encode(), salt=salt, n=2**4, r=1, p=1, dklen=32)
    parts = [base64.b64encode(one).decode().rstrip("=") for one in (salt, key)]
    stored = f"$scrypt$ln=4,r=1,p=1${parts[0]}${parts[1]}"

    def verify(password: str, stored: str | None) -> bool:
        return asyncio.run(Passwords(CHEAP).verify(password, stored))

    assert verify("pa\u0308ssword", stored)
    assert not verify("password", stored)
    assert not verify("pässword", None)
    broken = [
        "",
        "no hash",
        stored[:-30],
        stored.replace("ln=4", "ln=24"),
        stored + "=",
    ]
    assert not any(verify("pässword", one) for one in broken)
    fresh = asyncio.run(Passwords().hash(PASSWORD))
    assert fresh.startswith("$scrypt$ln=15,r=8,p=3$")
    assert verify(PASSWORD, fresh)


def test_tokens_are_read_in_one_spelling_only() -> None:
    tokens = Tokens([SECRET, EARLIER], 60)
    user = User(id=42, email="a@x.co", token_version=3, created_at=CREATED_AT)
    token = tokens.issue(user)
    payload = dict(tokens.verify(token) or {})
    assert list(payload) == ["sub", "email", "ver", "jti", "iat", "exp"]
    assert (payload["sub"], payload["ver"]) == ("42", 3)
    assert payload["exp"] - payload["iat"] == 60
    assert tokens.verify(Tokens([EARLIER], 60).issue(user)) is not None
    assert (
        tokens.verify(
            Tokens(["a third secret, which is of enough bytes"], 60).issue(user)
        )
        is None
    )

    def forge(header: dict[str, Any] | None = None, **changes: object) -> str:
        changed = {**payload, **changes}
        claims = {name: value for name, value in changed.items() if value is not None}
        return str(_jwt.encode(claims, SECRET, algorithm="HS256", headers=header))

    assert tokens.verify(forge({"kid": "of version 1"})) is not None
    deep = base64.urlsafe_b64encode(b"[" * 3000).decode().rstrip("=")
    spelling = token[:-1] + chr(ord(token[-1]) + 1)
    bad = [
        token + "=",
        token[:-1],
        spelling,
        f"{token}.x",
        token.replace(".", " .", 1),
        f"{deep}.{token.partition('.')[2]}",
        forge({"crit": ["x"], "x": 1}),
        forge({"typ": "at+jwt"}),
        forge(iss="x"),
        forge(aud="x"),
        forge(ver=None),
        forge(exp=None),
        forge(exp=time.time() + 9.5),
        forge(exp=float("inf")),
        forge(exp=int(time.time())),
        forge(iat=int(time.time()) + 70),
        forge(nbf=int(time.time()) + 10),
        forge(ver=True),
        forge(ver=-1),
        forge(pad="x" * 4096),
        _jwt.encode(payload, SECRET, algorithm="HS384"),
    ]
    for subject in ["0", "01", "1 ", "9007199254740993", "1e0", "\u0661", ""]:
        bad.append(forge(sub=subject))
    for forged in bad:
        assert tokens.verify(forged) is None, forged


@pytest.mark.parametrize(
    ("env", "names"),
    [
        ({}, ["JWT_SECRET"]),
        ({"APP_ENV": "production"}, ["JWT_SECRET"]),
        ({"APP_ENV": "Development"}, ["JWT_SECRET"]),
        ({"JWT_SECRET": " " * 40}, ["JWT_SECRET"]),
        ({"JWT_SECRET": "short"}, ["JWT_SECRET"]),
        ({"APP_ENV": "test", "JWT_SECRET": "short"}, []),
        ({"JWT_SECRET": SECRET, "JWT_TTL_SECONDS": "60s"}, ["JWT_TTL_SECONDS"]),
        ({"JWT_TTL_SECONDS": "1e3"}, ["JWT_TTL_SECONDS", "JWT_SECRET"]),
        ({"JWT_SECRET": SECRET, "JWT_TTL_SECONDS": " 60 "}, []),
        ({"APP_ENV": "development"}, []),
    ],
)
def test_wrong_variables_are_named(env: dict[str, str], names: list[str]) -> None:
    problems = account_module.check_settings(env)
    assert [name for name, _ in problems] == names
    assert all("short" not in message for _, message in problems)


def test_the_start_is_refused_with_wrong_variables(tmp_path: Path) -> None:
    env = {"DATABASE_URL": f"sqlite:///{tmp_path / 'app.db'}"}
    app = create_app(Settings(), modules=MODULES, env=env)
    with pytest.raises(ValueError, match="JWT_SECRET"), TestClient(app):
        raise AssertionError("It must not start")


def test_the_development_secret_is_announced(caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(Settings(), modules=MODULES, env={"APP_ENV": "test"})
    with TestClient(app) as client:
        assert client.get("/auth/me").status_code == 401
    assert "the secret is the built-in one" in caplog.text


def test_the_throttle_doubles_its_waits_and_forgets_after_a_success() -> None:
    now = 1000.0
    throttle = Throttle(now=lambda: now)

    def fail(address: str, error: Exception | None = None) -> int:
        """Returns the seconds to wait, 0 when the attempt was admitted."""
        failure = error or AccountError("invalid_credentials")
        try:
            with throttle.attempt(address, "a@x.co"):
                raise failure
        except type(failure) as caught:
            if isinstance(caught, AccountError) and caught.code == "rate_limited":
                return int((caught.headers or {})["Retry-After"])
            return 0

    assert [fail("203.0.113.7") for _ in range(12)] == [0] * 10 + [1, 1]
    assert fail("203.0.113.8") == 0
    for wait in [2, 4, 8]:
        now += wait / 2
        assert fail("203.0.113.7") == 0
        assert fail("203.0.113.7") == wait
    now += 8
    with throttle.attempt("203.0.113.7", "a@x.co"):
        pass
    assert [fail("203.0.113.7") for _ in range(11)] == [0] * 10 + [1]
    # A database that fails does not count, and neither does a registration.
    assert [fail("203.0.113.9", OSError()) for _ in range(9)] == [0] * 9
    assert [fail("203.0.113.9") for _ in range(11)] == [0] * 10 + [1]
    for _ in range(100):
        with throttle.attempt("203.0.113.10", None):
            pass
    refused = pytest.raises(AccountError, match="Too many attempts")
    with refused, throttle.attempt("203.0.113.10", None):
        raise AssertionError("It must not be admitted")


def test_clients_are_counted_by_network() -> None:
    assert to_network("203.0.113.7") == "203.0.113.7"
    assert to_network("::ffff:203.0.113.7") == "203.0.113.7"
    assert to_network("2001:db8:1:2:3::4%eth0") == "2001:0db8:0001:0002::/64"
    assert to_network("x" * 100) == "x" * 64
