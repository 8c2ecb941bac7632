// Updates of projects whose accounts an earlier version wired: the data and the tokens stay, and the code compiles and works.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { ourRegistry, projectEnvironment, runIn } from '../foundations/our-registry.ts';
import { startServer } from '../foundations/server-process.ts';
import { writeProject } from './account-host-fixture.ts';

const EXPRESS_SERVER = `import express from 'express';

const app = express();
app.get('/health', (_req, res) => void res.end());
app.use('/other', express.json());
const server = app.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => server.close());
`;
const HONO_SERVER = `import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();
app.get('/health', (c) => c.body(null));
const server = serve({ fetch: app.fetch, port: Number(process.env['PORT']), hostname: '127.0.0.1' });
process.once('SIGTERM', () => server.close());
`;

/** Compiles the project, and returns the errors. */
function compile(folder: string): string {
  return runIn(folder, 'npx', '--no-install', 'tsc');
}

interface Case {
  readonly from: string;
  readonly to: string;
  readonly update: readonly string[];
  readonly server: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const CASES: readonly Case[] = [
  {
    // The core alone gets newer: cookies and second factors, with the same store.
    from: 'stackyard/account-core@1.0.0 stackyard/account',
    to: 'stackyard/account',
    update: ['stackyard/account-core', '--latest'],
    server: EXPRESS_SERVER,
    dependencies: { express: '^5.0.0', zod: '^4.0.0' },
    devDependencies: { '@types/express': '^5.0.0', typescript: '^5.9.0' },
  },
  {
    from: 'stackyard/account@2.2.1',
    to: 'stackyard/account',
    update: ['--latest'],
    server: EXPRESS_SERVER,
    dependencies: { express: '^5.0.0', zod: '^4.0.0' },
    devDependencies: { '@types/express': '^5.0.0', typescript: '^5.9.0' },
  },
  {
    from: 'stackyard/account-hono@1.1.1',
    to: 'stackyard/account-sqlite',
    // The versions of the new id begin at 1.0.0.
    update: ['stackyard/account-hono@^1.0.0'],
    server: HONO_SERVER,
    dependencies: { '@hono/node-server': '^2.1.8', hono: '^4.13.0', zod: '^4.0.0' },
    devDependencies: { typescript: '^5.9.0' },
  },
];

describe.each(CASES)(
  'from $from to $to',
  ({ from, to, update, server, dependencies, devDependencies }) => {
    const registry = ourRegistry();
    let token: string;
    let typeErrors: string;

    beforeAll(async () => {
      writeProject(registry.folder(), { dependencies, devDependencies }, server);
      await registry.stackyard('add', ...from.split(' '), '--wire', '--allow', 'all');
      compile(registry.folder());
      token = (await ask('POST', '/auth/register')).token;
      await registry.stackyard('update', ...update, '--wire', '--allow', 'all');
      typeErrors = compile(registry.folder());
    }, 600_000);

    /** Starts the compiled server for one request. */
    async function ask(
      method: string,
      path: string,
      bearer?: string,
    ): Promise<{ status: number; token: string }> {
      const port = await findFreePort();
      const env = {
        PORT: String(port),
        NODE_ENV: 'development',
        JWT_SECRET: 'a test secret that is long enough for HS256',
      };
      const command = { file: process.execPath, args: ['dist/server.js'], cwd: registry.folder() };
      const process_ = await startServer({ ...command, env }, port);
      try {
        const headers = { ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }) };
        const body = JSON.stringify({ email: 'a@example.com', password: 'correct horse' });
        const answer = await fetch(process_.url + path, {
          method,
          headers,
          ...(method === 'POST' && { body }),
        });
        const parsed = (await answer.json()) as { token?: string };
        return { status: answer.status, token: parsed.token ?? '' };
      } finally {
        await process_.stop();
      }
    }

    test('installs the new builds, and compiles', () => {
      const lock = readFileSync(join(registry.folder(), 'stackyard.lock.json'), 'utf8');
      for (const id of [to, 'stackyard/account-core', 'stackyard/account-sqlite'])
        expect(lock).toContain(`"${id}"`);
      expect(lock).not.toContain('"stackyard/account-hono": {');
      expect(typeErrors).toBe('');
    });

    test('keeps accounts, passwords and tokens', async () => {
      expect((await ask('GET', '/auth/me', token)).status).toBe(200);
      expect((await ask('POST', '/auth/login')).status).toBe(200);
      expect((await ask('POST', '/auth/register')).status).toBe(409);
    });
  },
);

describe('a project without a foundation, wired by this version', () => {
  const registry = ourRegistry();

  beforeAll(async () => {
    const { dependencies, devDependencies } = CASES[0]!;
    writeProject(registry.folder(), { dependencies, devDependencies }, EXPRESS_SERVER);
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
      expect(stderr).toMatch(
        /Invalid environment variables:\n {2}JWT_SECRET: (?:is not set|has 5 bytes)/,
      );
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
