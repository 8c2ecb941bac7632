// Hosts of the account routes in Python: projects of stackyard/fastapi-api into which the client has installed
// stackyard/fastapi-account, each a process as in production.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../tools/free-port.ts';
import { type ServerProcess, startServer } from '../foundations/server-process.ts';

const PRIVATE_ROUTER = `
from fastapi import APIRouter

from app.account import CurrentUser

router = APIRouter()


@router.get("/private")
def read_private(user: CurrentUser) -> dict[str, object]:
    return {"id": user.id, "email": user.email}
`;

/** Adds \`/private\` behind \`require_auth\` to the project, the way a user adds a feature. */
export function addPrivateRoute(project: string): void {
  writeFileSync(join(project, 'app/routers/private.py'), PRIVATE_ROUTER);
  const file = join(project, 'app/routers/__init__.py');
  const text = readFileSync(file, 'utf8')
    .replace('import example', 'import example, private')
    .replace('    example.router,', '    example.router,\n    private.router,');
  writeFileSync(file, text);
  // Hashes that cost little, set where a user would set them.
  const modules = join(project, 'app/modules.py');
  const cheap =
    '\nif os.environ.get("CHEAP_HASHES"):\n    account_module.password_cost = (4, 1, 1)\n';
  writeFileSync(modules, `import os\n${readFileSync(modules, 'utf8')}${cheap}`);
}

/** The server of the project on a free port, in development. */
export async function startProject(
  project: string,
  variables: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const port = await findFreePort();
  const env = {
    APP_ENV: 'development',
    PYTHONDONTWRITEBYTECODE: '1',
    PORT: `${port}`,
    ...variables,
  };
  const python = join(project, '.venv/bin/python');
  return startServer({ file: python, args: ['-m', 'app'], cwd: project, env }, port);
}
