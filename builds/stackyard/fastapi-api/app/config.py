"""The environment variables of the server, and the only place that reads them."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


class Settings(BaseSettings):
    """Settings from the environment and `.env`; the environment wins.

    Tests pass `_env_file=None`, so that a `.env` file does not change them.
    """

    model_config = SettingsConfigDict(
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        # Values may be secrets, and errors end up in logs.
        hide_input_in_errors=True,
    )

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    log_level: Literal["debug", "info", "warning", "error", "critical"] = "info"
    max_body_bytes: int = Field(default=102_400, ge=0)
    shutdown_timeout_seconds: int = Field(default=10, ge=0)
    # NoDecode: the value is a list with commas, where pydantic-settings would expect JSON.
    cors_origins: Annotated[tuple[str, ...], NoDecode] = ()

    @field_validator("cors_origins", mode="before")
    @classmethod
    def _split_origins(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return tuple(origin.strip() for origin in value.split(",") if origin.strip())

    @field_validator("cors_origins")
    @classmethod
    def _check_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            parts = urlsplit(origin)
            if not parts.hostname or origin != f"{parts.scheme}://{parts.netloc}":
                raise ValueError("Expected origins such as https://app.example")
        return origins


def load_settings() -> Settings:
    """The settings of this process. Ends the process when variables are wrong, naming them all."""
    try:
        return Settings()
    except ValidationError as error:
        lines = [
            f"  {'.'.join(map(str, issue['loc'])).upper()}: {issue['msg']}"
            for issue in error.errors(include_input=False)
        ]
        raise SystemExit("\n".join(["Invalid environment variables:", *lines])) from None
