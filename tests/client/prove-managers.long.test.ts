/** Proofs in projects of real package managers: what they find, and that the folder is as after the same commands by hand. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { installOnce } from '../run/install-once.ts';
import { makeOnce } from '../run/make-once.ts';
import { runNpm } from '../run/provide-node.ts';
import type { Data, Files } from './prove-fixture.ts';
import { makeProject, serveFolder, serveRegistry, stackyard } from './registry-fixture.ts';

const VERIFY = '## Verify\n\n```http expect\nGET /hello -> 200, text = "hello"\n```\n';
const steps = (...of: string[]): string => {
  const fences = of.map((text) => `   \`\`\`${text.replaceAll('\n', '\n   ')}\n   \`\`\`\n`);
  return `## Steps\n\n1. Mount it:\n\n${fences.join('\n')}\n${VERIFY}`;
};
const NODE_GUIDE = steps(
  "ts wire import @express\nimport { text } from './hello/index.js';",
  "ts wire insert @express routes\napp.get('/hello', (_req, res) => res.json({ text }));",
);
const PYTHON_GUIDE = steps(
  'python wire import @fastapi\nfrom app.hello import router as hello_router',
  'python wire insert @fastapi routers:app\napp.include_router(hello_router)',
);
const ROUTER = `import idna
from fastapi import APIRouter

router = APIRouter()


@router.get("/hello")
def hello() -> dict[str, str]:
    return {"text": idna.encode("hello").decode()}
`;

/** Version 2.0.0 of each build ends the application, and has a wrong type. */
async function serve(): Promise<string> {
  const index = await makeOnce('prove-managers', async (folder) => {
    const git = new GitFixture();
    const node = { base: 'src/hello', stack: { requires: { express: '*' } }, files: ['index.ts'] };
    const python = { base: 'app/hello', stack: { requires: { fastapi: '*' } }, files: ['*.py'] };
    const ms = { dependencies: { npm: { ms: '^2.1.3', '@types/ms': '^2.1.0' } } };
    const idna = { dependencies: { pip: { idna: '>=3.4' } } };
    for (const [version, value, end] of [
      ['1.0.0', "ms(60_000) === '1m' ? 'hello' : ''", []],
      ['2.0.0', 'Number(ms(1))', ["throw new Error('No key')", 'raise RuntimeError("No key")']],
    ] as const) {
      const text = `import ms from 'ms';\n\nexport const text: string = ${value};\n${end[0] ?? ''}\n`;
      const files = { 'INTEGRATION.md': NODE_GUIDE, 'index.ts': text };
      git.commit(build('a/node', version, { ...node, ...ms }, files));
      const router = {
        'INTEGRATION.md': PYTHON_GUIDE,
        '__init__.py': `${ROUTER}\n${end[1] ?? ''}\n`,
      };
      git.commit(build('a/python', version, { ...python, ...idna }, router));
    }
    cpSync((await serveRegistry(git)).index, folder, { recursive: true });
  });
  return serveFolder(index);
}

interface Project {
  readonly files: Files;
  /** The project in it. */
  readonly at: string;
  readonly install: string;
  readonly check: string;
  readonly fact: 'type check' | 'tests';
  readonly start: string;
}

const node = (name: string, scripts: Files, dependencies: Files, more: object = {}): string =>
  JSON.stringify({ name, version: '1.0.0', type: 'module', scripts, dependencies, ...more });

/** It has no tests, and writes what it found out about types. */
const typescript = (manager: string, more: Files = {}): Project => ({
  files: {
    'package.json': node(
      'shop',
      { typecheck: 'tsc', dev: 'tsx watch src/app.ts', test: 'echo "no test specified" && exit 1' },
      { express: '^5.0.0' },
      {
        devDependencies: { '@types/express': '5', '@types/node': '24', tsx: '4', typescript: '5' },
      },
    ),
    'tsconfig.json': `{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2023",
      "noEmit": true, "incremental": true, "skipLibCheck": true }, "include": ["src"] }`,
    'src/app.ts': `import express from 'express';\n
const app = express();
app.get('/', (_req, res) => void res.json({}));
app.listen(Number(process.env.PORT ?? 3000));\n`,
    ...more,
  },
  at: '.',
  install: `${manager} install`,
  check: `${manager} run typecheck`,
  fact: 'type check',
  start: `${manager} run dev`,
});

/** A member with tests, a package of its workspace, a setting in `.env`, and a start that watches. */
const member = (manager: string, range: string, more: Files = {}): Project => ({
  files: {
    'package.json': '{ "name": "root", "private": true, "workspaces": ["apps/*", "packages/*"] }',
    'packages/shared/package.json': node('@shop/shared', {}, {}, { exports: './index.js' }),
    'packages/shared/index.js': "export const NAME = 'shared';\n",
    'apps/api/package.json': node(
      'api',
      { test: 'node --test', start: 'node --watch --env-file=.env src/server.js' },
      { express: '^5.0.0', '@shop/shared': range },
    ),
    'apps/api/.env': 'GREETING=hello\n',
    'apps/api/src/app.js': `import express from 'express';
import { NAME } from '@shop/shared';\n
export const app = express();
app.get('/', (_req, res) => res.json({ NAME }));\n`,
    'apps/api/src/server.js': `import { app } from './app.js';\n
if (process.env.GREETING !== 'hello') throw new Error('no greeting');
app.listen(process.env.PORT);\n`,
    'apps/api/app.test.js': "import './src/app.js';\n",
    ...more,
  },
  at: 'apps/api',
  install: `${manager} install`,
  check: `${manager} run test`,
  fact: 'tests',
  start: `${manager} run start`,
});

const fastapi = (
  install: string,
  files: Files,
  at = '.',
  python = '.venv/bin/python',
): Project => ({
  files: {
    [join(at, 'app/__init__.py')]: '',
    [join(at, 'app/main.py')]: 'from fastapi import FastAPI\n\napp = FastAPI()\n',
    [join(at, 'tests/test_app.py')]: `from app.main import app\n\n
def test_title() -> None:
    assert app.title == "FastAPI"\n`,
    ...files,
  },
  at,
  install,
  check: `${python} -m pytest`,
  fact: 'tests',
  start: `${python} -m uvicorn app.main:app --port $PORT`,
});
const pyproject = (name: string, ...dependencies: string[]): string => `[project]
name = "${name}"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ${JSON.stringify(dependencies)}\n`;
const API = `${pyproject('shop', 'fastapi>=0.115', 'uvicorn>=0.30', 'pytest>=8')}
[tool.pytest.ini_options]
pythonpath = ["."]\n`;
const PIP = 'python3 -m venv .venv && .venv/bin/python -m pip install -q';

const PROJECTS: Readonly<Record<string, Project>> = {
  'npm, TypeScript': typescript('npm'),
  'npm, a workspace': member('npm', '*'),
  'pnpm, TypeScript': typescript('pnpm', {
    'pnpm-workspace.yaml': 'allowBuilds: { esbuild: true }\n',
  }),
  'pnpm, a workspace': member('pnpm', 'workspace:*', {
    'pnpm-workspace.yaml': 'packages: ["apps/*", "packages/*"]\n',
  }),
  'yarn, TypeScript': typescript('yarn'),
  'yarn, a workspace': member('yarn', '1.0.0'),
  'bun, TypeScript': typescript('bun'),
  'bun, a workspace': member('bun', 'workspace:*'),
  'pip, requirements.txt': fastapi(`${PIP} -r requirements.txt`, {
    'requirements.txt': 'fastapi>=0.115\nuvicorn>=0.30\npytest>=8\n',
    'pytest.ini': '[pytest]\npythonpath = .\n',
  }),
  'pip, pyproject.toml': fastapi(`${PIP} -e .`, {
    'pyproject.toml': `${API}\n[tool.setuptools]\npackages = ["app"]\n`,
  }),
  'uv, a lock': fastapi('uv sync', { 'pyproject.toml': API }),
  'uv, a workspace': fastapi(
    'uv sync --all-packages',
    {
      'pyproject.toml': `${pyproject('root')}\n[tool.uv.workspace]\nmembers = ["services/*"]\n`,
      'services/api/pyproject.toml': API,
    },
    'services/api',
    '../../.venv/bin/python',
  ),
};

let environment: Record<string, string> = {};
const missing = new Map<string, string>();

beforeAll(async () => {
  const folders = [dirname(process.execPath), process.env['PATH'] ?? ''];
  const provide = async (managers: string[], bin: () => Promise<string>): Promise<void> => {
    try {
      folders.unshift(await bin());
    } catch (error) {
      for (const name of managers) missing.set(name, `Cannot install ${name}: ${String(error)}`);
    }
  };
  await provide(['pnpm', 'yarn', 'bun'], async () => {
    const home = await installOnce('node-managers-11', async (folder) => {
      writeFileSync(join(folder, 'package.json'), '{"private":true}');
      const packages = ['pnpm@11.28.10', 'yarn@1.22.22', 'bun@1.4.5'];
      await runNpm(folder, ['install', '--no-audit', '--no-fund', ...packages]);
    });
    return join(home, 'node_modules/.bin');
  });
  await provide(['uv'], async () => {
    const home = await installOnce('uv-1', async (folder) => {
      execFileSync('python3', ['-m', 'pip', 'install', '-q', '--target', folder, 'uv']);
    });
    return join(home, 'bin');
  });
  environment = { PATH: folders.join(delimiter), CI: '' };
});

function run(cwd: string, command: string): string {
  const env = { ...process.env, ...environment };
  return execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' });
}

/** Starts the application until it listens. */
async function start(cwd: string, command: string): Promise<void> {
  const PORT = String(await findFreePort());
  const env = { ...process.env, ...environment, PORT };
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: 'ignore', detached: true });
  await vi.waitFor(async () => {
    const socket = connect(Number(PORT), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.destroy();
  }, 60_000);
  process.kill(-child.pid!, 'SIGTERM');
  await once(child, 'exit');
}

/** What git says, and the packages, with where their links lead. */
function stateOf(root: string): object {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const packages = entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    if (!/\/(?:node_modules|\.venv)\//.test(path) || path.includes('/__pycache__')) return [];
    const to = entry.isSymbolicLink() ? ` -> ${readlinkSync(path)}` : '';
    return [`${path}${to}${existsSync(path) ? '' : ' (leads nowhere)'}`];
  });
  return { git: run(root, 'git status --porcelain --ignored'), packages: packages.sort() };
}

const IGNORED = 'node_modules/\n.venv/\n__pycache__/\n.pytest_cache/\n*.egg-info/\n';

it.for(Object.entries(PROJECTS))(
  '%s',
  async ([name, { at, check, fact, ...project }], { skip }) => {
    const [manager = ''] = name.split(',');
    skip(missing.has(manager), missing.get(manager));
    const root = makeProject({ '.gitignore': IGNORED, ...project.files });
    const [folder, kept] = [join(root, at), join(temporaryFolder(), 'kept')];
    const [registry, state] = [
      await serve(),
      { ...environment, STACKYARD_STATE: temporaryFolder() },
    ];
    const restore = (): void => {
      rmSync(root, { recursive: true });
      cpSync(kept, root, { recursive: true, verbatimSymlinks: true });
    };
    const add = async (version: string, ...more: string[]) => {
      const id = `a/${['pip', 'uv'].includes(manager) ? 'python' : 'node'}@${version}`;
      const args = ['add', id, '-C', folder, '--wire', '--json', '--registry', registry, ...more];
      const { status, stdout } = await stackyard(args, state);
      const { data, next } = JSON.parse(stdout) as { data: Data; next: { command: string }[] };
      return { status, data, next };
    };
    run(root, project.install);
    run(root, 'git init -q && git add -A && git -c user.name=a -c user.email=a@a commit -qm a');
    cpSync(root, kept, { recursive: true, verbatimSymlinks: true });

    const { next } = await add('1.0.0', '--no-prove', '--no-install');
    const installs = next.filter(({ command }) => command.includes(manager));
    expect(installs).toHaveLength(1);
    for (const command of [installs[0]!.command, check]) run(folder, command);
    await start(folder, project.start);
    const byHand = stateOf(root);

    restore();
    const good = await add('1.0.0', '--prove');
    const facts = [`${fact}: passed, as before`, 'start: listened, as before'];
    expect(good.data.proof).toEqual({
      is_good: true,
      facts: [...facts, 'GET /hello answered 200'],
      problems: [],
    });
    expect([good.status, stateOf(root)]).toEqual([0, byHand]);

    restore();
    const { status, data } = await add('2.0.0', '--prove');
    const lost = [`${fact}: failed, passed before`, 'start: did not listen, listened before'];
    expect([status, data.proof?.problems.map(({ text }) => text)]).toEqual([12, lost]);
    expect(data.proof?.problems.at(-1)?.output?.join('\n')).toContain('No key');
    expect(await stackyard(['undo', '-C', folder], state)).toMatchObject({ status: 0 });
    expect(run(root, 'git diff --name-only')).toBe('');
  },
);
