// Updates of projects whose accounts an earlier version wired: the data and the tokens stay, and the code compiles and works.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { ourRegistry, projectEnvironment, runIn } from '../foundations/our-registry.ts';
import { startServer } from '../foundations/server-process.ts';
import { writeProject } from './account-project.ts';

const EXPRESS_SERVER = `import express from 'express';

const app = express();
app.get('/health', (_req, res) => void res.end());
app.use('/other', express.json());
const server = app.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => server.close());
`;
/** Compiles the project, and returns the errors. */
function compile(folder: string): string {
  return runIn(folder, 'npx', '--no-install', 'tsc');
}

const PACKAGES = {
  dependencies: { express: '^5.0.0', zod: '^4.0.0' },
  devDependencies: { '@types/express': '^5.0.0', typescript: '^5.9.0' },
};

interface Reply {
  readonly status: number;
  readonly token: string;
}

/** Starts the compiled server of a project for one request. */
async function ask(
  folder: string,
  method: string,
  path: string,
  { bearer, email = 'a@example.com' }: { bearer?: string; email?: string } = {},
): Promise<Reply> {
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    NODE_ENV: 'development',
    JWT_SECRET: 'a test secret that is long enough for HS256',
  };
  const server = await startServer(
    { file: process.execPath, args: ['dist/server.js'], cwd: folder, env },
    port,
  );
  try {
    const headers = { ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }) };
    const body = JSON.stringify({ email, password: 'correct horse' });
    const answer = await fetch(server.url + path, {
      method,
      headers,
      ...(method === 'POST' && { body }),
    });
    const text = await answer.text();
    const parsed = (text === '' ? {} : JSON.parse(text)) as { token?: string };
    return { status: answer.status, token: parsed.token ?? '' };
  } finally {
    await server.stop();
  }
}

/** What is installed, with its versions. */
function installed(folder: string): Record<string, string> {
  const lock = JSON.parse(readFileSync(join(folder, 'stackyard.lock.json'), 'utf8')) as {
    builds: Record<string, { version: string }>;
  };
  return Object.fromEntries(Object.entries(lock.builds).map(([id, { version }]) => [id, version]));
}

describe.each(['2.2.1', '3.0.0'])('from stackyard/account %s to 4', (version) => {
  const registry = ourRegistry();
  const other = { email: 'b@example.com' };
  let before: Reply;
  let loggedOut: Reply;
  let logoutStatus: number;
  let typeErrors: string;

  beforeAll(async () => {
    writeProject(registry.folder(), PACKAGES, EXPRESS_SERVER);
    await registry.stackyard('add', `stackyard/account@${version}`, '--wire', '--allow', 'all');
    compile(registry.folder());
    before = await ask(registry.folder(), 'POST', '/auth/register');
    loggedOut = await ask(registry.folder(), 'POST', '/auth/register', other);
    const logout = { bearer: loggedOut.token };
    logoutStatus = (await ask(registry.folder(), 'POST', '/auth/logout', logout)).status;
    await registry.stackyard('update', '--latest', '--allow', 'all');
    typeErrors = compile(registry.folder());
  }, 600_000);

  test('installs it and what it requires alone, and compiles', () => {
    const builds = installed(registry.folder());
    expect(Object.keys(builds).sort()).toEqual(['stackyard/account', 'stackyard/sqlite']);
    expect(builds['stackyard/account']).toMatch(/^4\./);
    for (const left of ['account-core', 'account-sqlite']) {
      expect(existsSync(join(registry.folder(), 'src', left)), left).toBe(false);
    }
    expect(typeErrors).toBe('');
  });

  test('keeps accounts, passwords and tokens', async () => {
    expect(before).toEqual({ status: 201, token: expect.stringContaining('.') });
    const { token: bearer } = before;
    expect((await ask(registry.folder(), 'GET', '/auth/me', { bearer })).status).toBe(200);
    expect((await ask(registry.folder(), 'POST', '/auth/login')).status).toBe(200);
    expect((await ask(registry.folder(), 'POST', '/auth/register')).status).toBe(409);
  });

  test('refuses the token that a logout had ended', async () => {
    expect(logoutStatus).toBe(204);
    const { token: bearer } = loggedOut;
    expect((await ask(registry.folder(), 'GET', '/auth/me', { bearer })).status).toBe(401);
    expect((await ask(registry.folder(), 'POST', '/auth/login', other)).status).toBe(200);
  });
});

describe('an edited 3.0.0', () => {
  const registry = ourRegistry();
  const edits = {
    'src/account/index.ts': '// An edit of the user.',
    'src/account-core/tokens.ts': '// Another edit of the user.',
    'src/account.wire.ts': '// A third edit of the user.',
  };
  const read = (path: string) => readFileSync(join(registry.folder(), path), 'utf8');

  beforeAll(async () => {
    writeProject(registry.folder(), PACKAGES, EXPRESS_SERVER);
    await registry.stackyard('add', 'stackyard/account@3.0.0', '--wire', '--allow', 'all');
    for (const [path, text] of Object.entries(edits)) {
      // In the build beside lines that the new version changes; in the wired file behind them, where both fit.
      const lines = read(path).split('\n');
      const at = path.endsWith('.wire.ts') ? lines.length - 1 : 3;
      const edited = [...lines.slice(0, at), text, ...lines.slice(at)];
      writeFileSync(join(registry.folder(), path), edited.join('\n'));
    }
  }, 600_000);

  test('is refused with the conflict, and then updated without the loss of an edit', async () => {
    const update = ['update', '--latest', '--allow', 'all'] as const;
    await expect(registry.stackyard(...update)).rejects.toThrow(/src\/account\/index\.ts/);
    for (const [path, text] of Object.entries(edits)) expect(read(path)).toContain(text);
    const both = registry.stackyard(...update, '--conflict', 'markers');
    await expect(both).rejects.toThrow(/between markers in src\/account\/index\.ts/);
    for (const [path, text] of Object.entries(edits)) expect(read(path), path).toContain(text);
    expect(installed(registry.folder())['stackyard/account']).toMatch(/^4\./);
  });
});

describe('a project without a foundation, wired by this version', () => {
  const registry = ourRegistry();

  beforeAll(async () => {
    writeProject(registry.folder(), PACKAGES, EXPRESS_SERVER);
    await registry.stackyard('add', 'stackyard/account', '--wire', '--allow', 'all');
    compile(registry.folder());
  }, 600_000);

  function start(env: Readonly<Record<string, string>>) {
    const variables = { ...projectEnvironment(), PORT: '0', ...env };
    const options = {
      cwd: registry.folder(),
      env: variables,
      encoding: 'utf8',
      timeout: 20_000,
    } as const;
    return spawnSync(process.execPath, ['dist/server.js'], options);
  }

  test('does not start in production without a secret, and prints why', () => {
    for (const env of [
      { NODE_ENV: 'production' },
      { NODE_ENV: '' },
      { NODE_ENV: 'production', JWT_SECRET: 'short' },
    ]) {
      const { status, stderr } = start({ JWT_SECRET: '', ...env });
      expect(status).toBe(1);
      expect(stderr).toMatch(/Invalid environment variables: JWT_SECRET is not set or too short/);
    }
  });

  // A second run of a project's tests found the accounts of the first one.
  test('its tests write no database, so that a second run answers as the first one', () => {
    const file = join(registry.folder(), 'run.mjs');
    writeFileSync(
      file,
      `import express from 'express';
import { mountAccount } from './dist/account.wire.js';

const app = express();
mountAccount(app);
const server = app.listen(0, '127.0.0.1', async () => {
  const url = \`http://127.0.0.1:\${server.address().port}/auth/register\`;
  const body = JSON.stringify({ email: 'a@example.com', password: 'correct horse' });
  const answer = await fetch(url, { method: 'POST', body, headers: { Connection: 'close' } });
  console.log(answer.status);
  server.close();
});
`,
    );
    const env = { ...projectEnvironment(), NODE_ENV: 'test' };
    const run = () =>
      spawnSync(process.execPath, [file], {
        cwd: registry.folder(),
        env,
        encoding: 'utf8',
      }).stdout.trim();
    expect([run(), run()]).toEqual(['201', '201']);
  });
});
