"""Starts the server as in production: `python -m app`."""

import asyncio
import logging
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn

from app.main import app, settings

logger = logging.getLogger("app.server")

_POLL_SECONDS = 0.02
# What uvicorn allows a connection to be idle. Longer than any request is on its way.
_KEEP_ALIVE_SECONDS = 5


class Server(uvicorn.Server):
    """A server whose end breaks no request.

    uvicorn closes idle connections at once, with the requests that are on their way. This
    one first reports by `/ready` that it will end, and answers with `Connection: close`.
    Then it stops listening, and closes a connection that is idle only when it was for as
    long as uvicorn keeps one open.
    """

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app.state.readiness.is_draining = True
        delay = settings.shutdown_delay_seconds
        logger.info("Draining: listening ends in %s seconds", delay)
        await self._wait(delay, lambda: True)
        await self._stop_listening()
        began = time.monotonic()
        limit = settings.shutdown_timeout_seconds
        idle = min(_KEEP_ALIVE_SECONDS, limit)
        await self._wait(idle, lambda: bool(self.server_state.connections))
        left = max(0, limit - int(time.monotonic() - began))
        self.config.timeout_graceful_shutdown = left
        await super().shutdown(sockets)

    async def _wait(self, seconds: float, is_needed: Callable[[], bool]) -> None:
        """Waits while it is needed, for `seconds` at most. A second SIGINT ends it."""
        end = time.monotonic() + seconds
        while is_needed() and not self.force_exit and time.monotonic() < end:
            await asyncio.sleep(_POLL_SECONDS)

    async def _stop_listening(self) -> None:
        """Closes the sockets that listen, after it has taken what waits in their queues.

        The system resets connections in the queue of a socket that closes, and with them
        requests that clients have sent already.
        """
        loop = asyncio.get_running_loop()
        listeners = [one.dup() for server in self.servers for one in server.sockets]
        accepted: list[socket.socket] = []
        for server in self.servers:
            # The copies keep the queues open.
            server.close()
        for listener in listeners:
            with listener, suppress(OSError):
                while True:
                    accepted.append(listener.accept()[0])
        for connection in accepted:
            connection.setblocking(False)
            await loop.connect_accepted_socket(self._make_protocol, connection)

    def _make_protocol(self) -> asyncio.Protocol:
        make: Any = self.config.http_protocol_class
        protocol: asyncio.Protocol = make(
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        return protocol


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
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        lifespan="on",
    )
    server = Server(config)
    # uvicorn ends the process when the start fails, and raises the signal again after the
    # shutdown.
    with suppress(KeyboardInterrupt, SystemExit):
        server.run()
    return 0 if server.started else 1


if __name__ == "__main__":
    sys.exit(main())
