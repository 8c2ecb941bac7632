"""Starts the server as in production: `python -m app`."""

import asyncio
import socket
import sys
from contextlib import suppress

import uvicorn

from app.main import app, settings

_POLL_SECONDS = 0.1


class Server(uvicorn.Server):
    """A server that first reports by `/ready` that it will end, then stops listening."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app.state.readiness.is_draining = True
        remaining = float(settings.shutdown_delay_seconds)
        # A second SIGINT ends the delay.
        while remaining > 0 and not self.force_exit:
            await asyncio.sleep(_POLL_SECONDS)
            remaining -= _POLL_SECONDS
        await super().shutdown(sockets)


def main() -> int:
    """Runs the server until a signal ends it; returns the exit status."""
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        # `app.main` has configured the log.
        log_config=None,
        server_header=False,
        forwarded_allow_ips=settings.forwarded_allow_ips,
        timeout_graceful_shutdown=settings.shutdown_timeout_seconds,
    )
    server = Server(config)
    # uvicorn raises the signal again after the shutdown.
    with suppress(KeyboardInterrupt):
        server.run()
    return 0 if server.started else 3


if __name__ == "__main__":
    sys.exit(main())
