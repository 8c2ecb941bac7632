"""Starts the server as in production: `python -m app`."""

import uvicorn

from app.config import load_settings

settings = load_settings()
uvicorn.run(
    "app.main:app",
    host=settings.host,
    port=settings.port,
    server_header=False,
    timeout_graceful_shutdown=settings.shutdown_timeout_seconds,
)
