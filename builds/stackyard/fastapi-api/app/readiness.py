"""Whether the process can do its work: what `GET /ready` reports."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

logger = logging.getLogger(__name__)

CHECK_TIMEOUT_SECONDS = 2

Check = Callable[[], Awaitable[object]]
"""Returns when a part works, such as a database that answers; raises otherwise."""


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
