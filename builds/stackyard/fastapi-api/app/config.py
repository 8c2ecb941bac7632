"""The environment variables of the server, and the only place that reads them."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from dotenv import dotenv_values
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.module import Module

# Of the project, whatever the working directory is.
ENV_FILE = Path(__file__).resolve().parent.parent / ".env"
# As a browser sends it: in lower case, without user, path and default port.
_ORIGIN = re.compile(
    r"(?!http://.*:80$|https://.*:443$)https?://"
    r"(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?"
)


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
            if not _ORIGIN.fullmatch(origin):
                wanted = "use the form in which a browser sends it"
                example = "such as https://app.example"
                raise ValueError(f"entry {position} is no origin: {wanted}, {example}")
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
