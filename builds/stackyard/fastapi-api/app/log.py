"""The log: JSON lines on standard output, or readable text at a terminal."""

import json
import logging
import logging.config
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that is being answered."""

_encode = json.JSONEncoder(default=str).encode


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message, request id, traceback.

    A dict in `extra={"fields": ...}` is added.
    """

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "requestId": request_id.get(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return _encode(entry)


def configure_logging(level: str) -> None:
    """Sends records of at least `level` to standard output, also those of the server."""
    formatter = (
        {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}
        if sys.stdout.isatty()
        else {"()": JsonFormatter}
    )
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"default": formatter},
            "handlers": {
                "stdout": {
                    "class": "logging.StreamHandler",
                    "formatter": "default",
                    "stream": "ext://sys.stdout",
                }
            },
            "root": {"handlers": ["stdout"], "level": level.upper()},
            "loggers": {
                "uvicorn": {"handlers": [], "level": "NOTSET", "propagate": True},
                "uvicorn.error": {"level": "NOTSET"},
                # RequestLog writes these lines, with the request id.
                "uvicorn.access": {"handlers": [], "propagate": False},
            },
        }
    )
