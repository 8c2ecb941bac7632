/** An agent that follows the tools alone reaches a proven login in a project of each kind, with real packages and our own index. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ourRegistry, projectEnvironment, runIn } from '../foundations/our-registry.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { reach } from './mcp-agent.ts';
import { Session } from './mcp-session.ts';

const registry = ourRegistry();

const TYPESCRIPT = { typescript: '^5.0.0', tsx: '^4.0.0', '@types/node': '^24.0.0' };
const SCRIPTS = { start: 'node --import tsx src/index.ts', typecheck: 'tsc --noEmit' };
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  },
  include: ['src'],
});
const EXPRESS = `import express from 'express';

const app = express();
app.use(express.json());
app.get('/', (_req, res) => {
  res.json({ ok: true });
});
app.listen(Number(process.env.PORT ?? 3000));
`;
const HONO = `import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();
app.get('/', (c) => c.json({ ok: true }));
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
`;
const FASTAPI = `from fastapi import FastAPI

app = FastAPI()


@app.get("/")
def root() -> dict[str, bool]:
    return {"ok": True}
`;

const manifest = (fields: object): string =>
  `${JSON.stringify({ name: 'shop', private: true, type: 'module', ...fields }, null, 2)}\n`;

const NPM = [['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']];
const PIP = [
  ['python3', '-m', 'venv', '.venv'],
  ['.venv/bin/python', '-m', 'pip', 'install', '-q', '-r', 'requirements.txt'],
];

/** What `stackyard/account` and `stackyard/fastapi-account` answer. */
const ACCOUNT = [
  'POST /auth/register answered 201',
  'POST /auth/login answered 200',
  'GET /auth/me answered 200',
];
const BETTER_AUTH = [
  'POST /api/auth/sign-up/email answered 200',
  'POST /api/auth/sign-in/email answered 401',
];

type Kind = readonly [
  files: Readonly<Record<string, string>>,
  commands: readonly string[][],
  facts: readonly string[],
];

/** What people have before they ask for accounts; the commands install its packages. */
const KINDS: Readonly<Record<string, Kind>> = {
  'Express in TypeScript': [
    {
      'package.json': manifest({
        scripts: SCRIPTS,
        dependencies: { express: '^5.0.0' },
        devDependencies: { ...TYPESCRIPT, '@types/express': '^5.0.0' },
      }),
      'tsconfig.json': TSCONFIG,
      'src/index.ts': EXPRESS,
    },
    NPM,
    ACCOUNT,
  ],
  'Express in JavaScript': [
    {
      'package.json': manifest({
        scripts: { start: 'node src/app.js' },
        dependencies: { express: '^5.0.0' },
      }),
      'src/app.js': EXPRESS,
    },
    NPM,
    ACCOUNT,
  ],
  Hono: [
    {
      'package.json': manifest({
        scripts: SCRIPTS,
        dependencies: { hono: '^4.10.0', '@hono/node-server': '^1.19.0' },
        devDependencies: TYPESCRIPT,
      }),
      'tsconfig.json': TSCONFIG,
      'src/index.ts': HONO,
    },
    NPM,
    BETTER_AUTH,
  ],
  FastAPI: [
    { 'requirements.txt': 'fastapi>=0.115\nuvicorn>=0.30\n', 'app/main.py': FASTAPI },
    PIP,
    ACCOUNT,
  ],
};

function proved(facts: readonly string[]): object {
  const all = [expect.stringMatching(/^start: listened/), ...facts];
  const proof = { is_good: true, facts: expect.arrayContaining(all), problems: [] };
  return { ok: true, data: { proof } };
}

it.each(Object.entries(KINDS))('in a project of %s', async (_, [files, commands, facts]) => {
  const project = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(project, dirname(path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  for (const [program = '', ...args] of commands)
    expect(runIn(project, program, ...args)).not.toMatch(/^status/);
  // It stores in the database that the project has.
  const database = ['add', 'stackyard/sqlite', '--wire', '--allow', 'all', '-C', project];
  if (facts === BETTER_AUTH) await registry.stackyard(...database);
  const session = await Session.open(project, registry.url(), projectEnvironment());
  const { answer, commands: left } = await reach(session.client, 'auth');
  expect(answer).toMatchObject(proved(facts));
  expect(left).toEqual([]);
});

it.each([
  ['express', 'sqlite', ACCOUNT],
  ['hono', 'sqlite', BETTER_AUTH],
  // Its accounts bring their database.
  ['fastapi', undefined, ACCOUNT],
])('in an empty folder, from %s', async (words, database, facts) => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const session = await Session.open(folder, registry.url(), projectEnvironment());
  const start = { words: [words], folder: 'shop', accounts: true, ...(database && { database }) };
  const { answer } = await reach(session.client, 'auth', start);
  expect(answer).toMatchObject(proved(facts));
});
