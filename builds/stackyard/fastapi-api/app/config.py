"""The environment variables of the server, and the only place that reads them."""

import os
import re
from collections.abc import Mapping, Sequence
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from pathlib import Path
from typing import Annotated, Any, Literal

from dotenv import dotenv_values
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.module import Module

# Of the project, whatever the working directory is.
ENV_FILE = Path(__file__).resolve().parent.parent / ".env"


class Settings(BaseSettings):
    """Settings from the environment. `load_settings` adds those of `.env`."""

    model_config = SettingsConfigDict(
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        # Values may be secrets, and errors end up in logs.
        hide_input_in_errors=True,
    )

    app_env: Literal["development", "test", "production"] = "production"
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    log_level: Literal["debug", "info", "warning", "error", "critical"] = "info"
    docs: bool = True
    max_body_bytes: int = Field(default=102_400, ge=0)
    shutdown_delay_seconds: int = Field(default=0, ge=0)
    shutdown_timeout_seconds: int = Field(default=10, ge=0)
    forwarded_allow_ips: str = "127.0.0.1"
    # NoDecode: the value is a list with commas, where pydantic-settings would expect JSON.
    cors_origins: Annotated[tuple[str, ...], NoDecode] = ()

    @field_validator("log_level", mode="before")
    @classmethod
    def _ignore_case(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    @field_validator("cors_origins", mode="before")
    @classmethod
    def _split_origins(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return tuple(origin.strip() for origin in value.split(",") if origin.strip())

    @field_validator("cors_origins")
    @classmethod
    def _check_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for position, origin in enumerate(origins, 1):
            problem = origin_problem(origin)
            if problem is not None:
                example = "expected an origin such as https://app.example"
                raise ValueError(f"entry {position} {problem}; {example}")
        return origins


def read_environment(env_file: Path = ENV_FILE) -> Mapping[str, str]:
    """Returns the variables of this process and of the file, for the modules."""
    found = {**dotenv_values(env_file), **os.environ}
    return {name: value for name, value in found.items() if value is not None}


def load_settings(
    env_file: Path = ENV_FILE, modules: Sequence[Module] = ()
) -> Settings:
    """Returns the settings of this process; the environment has priority over the file.

    Ends the process when variables are wrong, those of modules as well, and names them all.
    """
    env = read_environment(env_file)
    lines = [
        f"  {name}: {message}"
        for module in modules
        for name, message in module.check_settings(env)
    ]
    # Only pydantic's plugin of mypy knows this parameter; pyright does not.
    options: dict[str, Any] = {"_env_file": env_file}
    settings: Settings | None = None
    try:
        settings = Settings(**options)
    except ValidationError as error:
        lines[:0] = [
            f"  {'.'.join(map(str, issue['loc'])).upper()}: {issue['msg']}"
            for issue in error.errors(include_input=False)
        ]
    if settings is None or lines:
        raise SystemExit("\n".join(["Invalid environment variables:", *lines]))
    return settings


_DEFAULT_PORTS = {"http": "80", "https": "443"}
_PARTS = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[^\[\]]+\]|[^\[\]:]+)(?::(?P<port>.*))?"
)
_NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")
_PORT = re.compile(r"[1-9][0-9]{0,4}")


def origin_problem(text: str) -> str | None:
    """Returns why no browser sends `text` as its origin; `None` for an origin.

    A browser compares nothing: the server compares the header with the setting, so that a
    setting in another form never matches. The reason does not repeat the text.
    """
    if "*" in text:
        return "has a wildcard"
    if text != text.lower():
        return "is not in lower case"
    if "@" in text:
        return "has a user"
    scheme, separator, rest = text.partition("://")
    if not separator or scheme not in _DEFAULT_PORTS:
        return "does not begin with http:// or https://"
    if re.search(r"[/?#\\]", rest):
        return "has a path"
    parts = _PARTS.fullmatch(text)
    if parts is None or not _is_host(parts["host"]):
        return "has no valid host"
    port = parts["port"]
    if port is None:
        return None
    if not _PORT.fullmatch(port) or int(port) > 65_535:
        return "has no valid port"
    return "has the default port" if port == _DEFAULT_PORTS[scheme] else None


def _is_host(host: str) -> bool:
    """Whether `host` is a name in ASCII, or an address in its only form."""
    try:
        if host.startswith("["):
            return str(IPv6Address(host[1:-1])) == host[1:-1]
        if host.rpartition(".")[2].isdecimal():
            return str(IPv4Address(host)) == host
    except AddressValueError:
        return False
    return _NAME.fullmatch(host) is not None
