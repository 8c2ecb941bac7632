// Hosts of the account routes in Python: a project of stackyard/fastapi-api into which the client has installed
// stackyard/fastapi-account, with the routes of the contract's app of a user.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../tools/free-port.ts';
import { startServer } from '../foundations/server-process.ts';
import { type Environment, querySqlite, type StartHost } from './account-host-fixture.ts';
import type { PostgresServer } from './postgres-fixture.ts';

/** `/private`, and the account routes once more at `/v2/accounts`. */
const PRIVATE_ROUTER = `
from itertools import count

from fastapi import APIRouter, Request

from app.account import CurrentUser, account_module, current_user

router = APIRouter()
_calls = count(1)


@router.get("/private")
async def read_private(user: CurrentUser, request: Request) -> dict[str, object]:
    local = await current_user(request)
    return {"user": user, "local": local, "calls": next(_calls)}


for _, account_routes in account_module.routers:
    router.include_router(account_routes, prefix="/v2/accounts")
`;

/**
 * For tests that are not about hashes: \`scrypt\` of the process is cheap, whatever cost is requested, as cheap-scrypt.ts
 * makes it in Node.js.
 */
const CHEAP_SCRYPT = `
import hashlib

_scrypt = hashlib.scrypt


def scrypt(password, *, salt, n, r, p, maxmem=0, dklen=64):
    return _scrypt(password, salt=salt, n=2, r=1, p=1, dklen=dklen)


hashlib.scrypt = scrypt
`;

let databases = 0;

/** Adds the routes of the contract to the project, the way a user adds a feature. */
export function addPrivateRoutes(project: string): void {
  writeFileSync(join(project, 'app/routers/private.py'), PRIVATE_ROUTER);
  const file = join(project, 'app/routers/__init__.py');
  const text = readFileSync(file, 'utf8')
    .replace('import example', 'import example, private')
    .replace('    example.router,', '    example.router,\n    private.router,');
  writeFileSync(file, text);
  mkdirSync(join(project, 'cheap'), { recursive: true });
  writeFileSync(join(project, 'cheap/sitecustomize.py'), CHEAP_SCRYPT);
}

/** The server as in production, with a database of its own: a SQLite file, or one of `postgres`. */
export function fastapiProject(project: () => string, postgres?: () => PostgresServer): StartHost {
  return async ({ NODE_ENV = 'development', NODE_OPTIONS, ...env }) => {
    const port = await findFreePort();
    const file = join(project(), `host${++databases}.sqlite`);
    const url = await postgres?.().createDatabase(`fastapi${databases}`);
    const variables: Environment = {
      APP_ENV: NODE_ENV,
      DATABASE_URL: url ?? `sqlite:///${file}`,
      // The limit of the account routes is the subject, not that of the application.
      MAX_BODY_BYTES: '50000000',
      PORT: `${port}`,
      PYTHONDONTWRITEBYTECODE: '1',
      ...(NODE_OPTIONS !== undefined && { PYTHONPATH: join(project(), 'cheap') }),
      ...env,
    };
    const python = join(project(), '.venv/bin/python');
    const command = { file: python, args: ['-m', 'app'], cwd: project(), env: variables };
    const server = await startServer(command, port);
    return {
      url: `${server.url}/auth`,
      origin: server.url,
      pid: server.pid,
      output: () => server.stdout() + server.stderr(),
      query: url === undefined ? querySqlite(file) : (sql: string) => postgres!().query(url, sql),
      async stop(signal = 'SIGKILL') {
        let hasEnded = false;
        void server.exit.then(() => (hasEnded = true));
        await Promise.resolve();
        if (!hasEnded) process.kill(server.pid, signal);
        const exit = await server.exit;
        // After an orderly end uvicorn raises the signal again.
        const isOrderly = exit.signal === 'SIGTERM' && server.stdout().includes('Finished server');
        return isOrderly ? 0 : exit.code;
      },
    };
  };
}
