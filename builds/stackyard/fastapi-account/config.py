"""The environment variables of the accounts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

DEFAULT_TTL_SECONDS = 604_800
# Everybody can read this secret here: a token signed with it proves nothing.
_DEVELOPMENT_SECRET = (
    "stackyard/account: built-in secret for tests and development only"
)
# A key for HS256 has at least as many bytes as a SHA-256 (RFC 7518 section 3.2).
_MIN_SECRET_BYTES = 32
_WANTED = (
    f"at least {_MIN_SECRET_BYTES} random bytes, "
    'such as the output of "openssl rand -hex 32"'
)
# Exactly these: a server with any other value, or without one, may be one that strangers
# can reach.
_DEVELOPMENT_MODES = ("development", "test")
_TTL = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


@dataclass(frozen=True)
class AccountConfig:
    """What the variables say."""

    secret: str
    ttl_seconds: int
    is_production: bool
    notices: Sequence[str]
    """Warnings for the log."""


def find_problems(env: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns the names of all wrong variables with what is expected, never their values."""
    problems: list[tuple[str, str]] = []
    ttl = _value(env, "JWT_TTL_SECONDS")
    # Not `int`: it reads 1_0 and digits of other scripts.
    if ttl != "" and not _TTL.fullmatch(ttl):
        wanted = "use a whole number of seconds from 1 to 999999999"
        problems.append(
            ("JWT_TTL_SECONDS", f'{wanted}, such as "{DEFAULT_TTL_SECONDS}"')
        )
    length = len(_secret(env).encode())
    if _value(env, "JWT_SECRET") == "":
        if _is_production(env):
            mode = _value(env, "APP_ENV")
            missing = "is not set" if mode else "is not set, and neither is APP_ENV"
            hint = "" if mode else '; in development set APP_ENV to "development"'
            problems.append(("JWT_SECRET", f"{missing}: use {_WANTED}{hint}"))
    elif length < _MIN_SECRET_BYTES:
        if _value(env, "JWT_SECRET_STRICT") == "1":
            why = f"has {length} bytes, and JWT_SECRET_STRICT is 1"
            problems.append(("JWT_SECRET", f"{why}: use {_WANTED}"))
        elif _is_production(env) and _value(env, "JWT_SECRET_ALLOW_SHORT") != "1":
            problems.append(("JWT_SECRET", f"has {length} bytes: use {_WANTED}"))
    return problems


def read_config(env: Mapping[str, str]) -> AccountConfig:
    """Reads the variables. Raises `ValueError` with the list of problems."""
    problems = find_problems(env)
    if problems:
        lines = [f"  {name}: {message}" for name, message in problems]
        raise ValueError("\n".join(["Invalid environment variables:", *lines]))
    secret = _secret(env)
    is_production = _is_production(env)
    notices: list[str] = []
    if _value(env, "JWT_SECRET") == "":
        secret = _DEVELOPMENT_SECRET
        notices.append(
            "JWT_SECRET is not set: "
            "login tokens are signed with the built-in development secret"
        )
    elif is_production and len(secret.encode()) < _MIN_SECRET_BYTES:
        short = f"JWT_SECRET has {len(secret.encode())} bytes"
        notices.append(f"{short}, which JWT_SECRET_ALLOW_SHORT allows: use {_WANTED}")
    ttl = _value(env, "JWT_TTL_SECONDS")
    return AccountConfig(
        secret, int(ttl or DEFAULT_TTL_SECONDS), is_production, notices
    )


def _is_production(env: Mapping[str, str]) -> bool:
    return env.get("APP_ENV") not in _DEVELOPMENT_MODES


def _secret(env: Mapping[str, str]) -> str:
    """As it is, spaces included: they are part of the key."""
    return env.get("JWT_SECRET", "")


def _value(env: Mapping[str, str], name: str) -> str:
    return env.get(name, "").strip()
