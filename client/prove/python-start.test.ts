import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { proofCommands } from './proof-commands.ts';

type Files = Readonly<Record<string, string>>;

const APP = 'from fastapi import FastAPI\n\napp = FastAPI()\n';
const MAKER =
  'from fastapi import FastAPI\n\n\ndef create_app() -> FastAPI:\n    return FastAPI()\n';
const PYTHON = '.venv/bin/python';
const VENV = { [PYTHON]: '' };

function project(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function startOf(folder: string): Promise<string | undefined> {
  return (await proofCommands(folder)).find(({ kind }) => kind === 'start')?.command;
}

const served = (target: string): string =>
  `${PYTHON} -m uvicorn ${target} --host 127.0.0.1 --port $PORT`;

it.each<[string, Files, string]>([
  [
    'the entry point of [tool.fastapi]',
    { 'pyproject.toml': '[tool.fastapi]\nentrypoint = "shop.web:api"\n', 'shop/web.py': APP },
    'shop.web:api',
  ],
  [
    'a script of a tool',
    {
      'pyproject.toml': '[tool.pdm.scripts]\nstart = "uvicorn shop.web:api --reload"\n',
      'shop/web.py': APP,
    },
    'shop.web:api',
  ],
  [
    'a Procfile, which names a factory',
    { Procfile: 'web: uvicorn --factory shop.web:create_app --port $PORT\n', 'shop/web.py': MAKER },
    '--factory shop.web:create_app',
  ],
  [
    'the list of CMD',
    {
      Dockerfile: 'CMD ["uvicorn", "web.main:app", "--host", "0.0.0.0:80"]\n',
      'web/main.py': APP,
      'admin/main.py': APP,
    },
    'web.main:app',
  ],
  [
    'a folder of modules',
    { Makefile: 'run:\n\tuvicorn shop.web:api --app-dir backend\n', 'backend/shop/web.py': APP },
    '--app-dir backend shop.web:api',
  ],
  [
    'fastapi run with a file',
    { Dockerfile: 'CMD ["fastapi", "run", "--port", "80", "shop/web.py"]\n', 'shop/web.py': APP },
    'shop.web:app',
  ],
  [
    'fastapi run without one',
    { Dockerfile: 'CMD ["fastapi", "run"]\n', 'app/main.py': APP, 'api/a.py': APP },
    'app.main:app',
  ],
  [
    'what the code starts',
    {
      'run.py': 'import uvicorn\n\nuvicorn.run("shop.web:create_app", factory=True)\n',
      'shop/web.py': MAKER,
    },
    '--factory shop.web:create_app',
  ],
  ['an application', { 'main.py': APP }, 'main:app'],
  [
    'an application in a folder of sources',
    {
      'src/shop/main.py': APP,
      'src/shop/__init__.py': '',
      'pyproject.toml': '[project]\nname = "shop"\n',
    },
    '--app-dir src shop.main:app',
  ],
  [
    'an application that imports what is beside it',
    { 'app/main.py': `from routers import all\n${APP}`, 'app/routers/all.py': '' },
    '--app-dir app main:app',
  ],
  [
    'an application that a function makes',
    {
      'app/main.py': 'from app.factory import create_app\n\napp = create_app()\n',
      'app/factory.py': MAKER,
    },
    'app.main:app',
  ],
  ['a function that makes one', { 'app/factory.py': MAKER }, '--factory app.factory:create_app'],
])('an application of FastAPI is started by %s', async (_, files, target) => {
  expect(await startOf(project({ ...VENV, ...files }))).toBe(served(target));
});

it.each<[string, Files]>([
  ['no application', { 'main.py': 'print(1)\n' }],
  ['another server', { Procfile: 'web: uvicorn elsewhere.web:app\n', 'main.py': 'print(1)\n' }],
  ['a name that a shell would read', { 'a$(id).py': APP }],
])('nothing is started for %s', async (_, files) => {
  expect(await startOf(project({ ...VENV, ...files }))).toBeUndefined();
});

it('the environment is that of the workspace, of pdm, or the one in use', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('VIRTUAL_ENV', undefined);
  vi.stubEnv('CONDA_PREFIX', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const workspace = '[tool.uv.workspace]\nmembers = ["services/*"]\n';
  const member = { 'services/api/pyproject.toml': '[project]\nname = "api"\n' };
  const files = { 'pyproject.toml': workspace, ...member, 'services/api/main.py': APP };
  const shared = join(project({ ...VENV, ...files }), 'services/api');
  expect(await startOf(shared)).toMatch(/^\.\.\/\.\.\/\.venv\/bin\/python -m uvicorn main:app /);
  const bare = project({ 'main.py': APP });
  expect(await startOf(bare)).toBeUndefined();
  writeFileSync(join(bare, '.pdm-python'), `${process.execPath}\n`);
  expect(await startOf(bare)).toMatch(new RegExp(`^${process.execPath} -m uvicorn main:app `));
  vi.stubEnv('VIRTUAL_ENV', '/venv');
  expect(await startOf(project({ 'main.py': APP }))).toMatch(/^python -m uvicorn main:app /);
});
