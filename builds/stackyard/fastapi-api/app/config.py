"""The environment variables of the server, and the only place that reads them."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.origin import origin_problem

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


def load_settings(env_file: Path = ENV_FILE) -> Settings:
    """Returns the settings of this process; the environment has priority over the file.

    Ends the process when variables are wrong, and names them all.
    """
    # Only pydantic's plugin of mypy knows this parameter; pyright does not.
    options: dict[str, Any] = {"_env_file": env_file}
    try:
        return Settings(**options)
    except ValidationError as error:
        lines = [
            f"  {'.'.join(map(str, issue['loc'])).upper()}: {issue['msg']}"
            for issue in error.errors(include_input=False)
        ]
        message = "\n".join(["Invalid environment variables:", *lines])
        raise SystemExit(message) from None
