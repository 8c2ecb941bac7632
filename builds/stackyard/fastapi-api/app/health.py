"""What `GET /health` and `GET /ready` report to whatever watches the server."""

import asyncio
import logging
from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from app.errors import ApiError
from app.module import Check

logger = logging.getLogger(__name__)

CHECK_TIMEOUT_SECONDS = 2


class Readiness:
    """The named checks of the application, and whether the server is shutting down."""

    def __init__(self, checks: Mapping[str, Check]) -> None:
        self.is_draining = False
        self._checks = dict(checks)

    async def find_failures(self) -> list[str]:
        """Runs all checks at the same time; returns the names of those that failed."""
        names = list(self._checks)
        passed = await asyncio.gather(*(self._passes(name) for name in names))
        return [
            name for name, is_good in zip(names, passed, strict=True) if not is_good
        ]

    async def _passes(self, name: str) -> bool:
        try:
            async with asyncio.timeout(CHECK_TIMEOUT_SECONDS):
                await self._checks[name]()
        except Exception:
            logger.warning("Check %s failed", name, exc_info=True)
            return False
        return True


_NO_STORE = {"Cache-Control": "no-store"}


class Status(BaseModel):
    status: str


_HEALTHY = JSONResponse({"status": "ok"}, headers=_NO_STORE)
_READY = JSONResponse({"status": "ready"}, headers=_NO_STORE)


def add_probes(app: FastAPI) -> None:
    """Adds `/health` and `/ready`. The routes of a router would take longer to find."""
    app.get("/health", response_model=Status)(read_health)
    app.head("/health", include_in_schema=False)(read_health)
    app.get("/ready", response_model=Status)(read_ready)
    app.head("/ready", include_in_schema=False)(read_ready)


# Not `def`: that would wait for a free thread behind slow requests.
async def read_health() -> JSONResponse:
    """The process responds. Restart it when this fails."""
    return _HEALTHY


async def read_ready(request: Request) -> JSONResponse:
    """The process can do its work. Send it no requests while this fails."""
    readiness: Readiness = request.app.state.readiness
    if readiness.is_draining:
        raise ApiError(
            503, "The server is shutting down", code="draining", headers=_NO_STORE
        )
    failed = await readiness.find_failures()
    if failed:
        message = f"Not ready: {', '.join(failed)}"
        raise ApiError(503, message, code="not_ready", headers=_NO_STORE)
    return _READY
