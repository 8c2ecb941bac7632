/**
 * A product of an older version of a starter, edited as people do, and updated: with a module of its own, and with files of the
 * starter edited at several places. What they did stays, what is new comes, and all of it runs.
 */
import { mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { stackyard } from '../client/registry-fixture.ts';
import { ourIndex, projectEnvironment, runIn } from '../foundations/our-registry.ts';
import { startServer } from '../foundations/server-process.ts';

/** The commit in which `express-api` 3.0.0 and `sqlite` 1.3.0 are the newest. */
const BEFORE = '1e9fa473f582f0605c81f59df014d881aeacce68';

function newestOf(name: string): string {
  const path = join(import.meta.dirname, '../../builds/stackyard', name, 'stackyard.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

type Edits = readonly (readonly [file: string, at: string, to: string])[];

/** A module of the user's own. */
const ORDERS = `import { Router } from 'express';
import { z } from 'zod';
import { parseInput } from '../../http/input.js';
import type { Module } from '../../module.js';
import { database } from '../../sqlite/index.js';

const NewOrder = z.object({ item: z.string().min(1) });
const router = Router();
router.post('/', (req, res) => {
  const { item } = parseInput(NewOrder, req.body);
  database().prepare('INSERT INTO orders (item) VALUES (?)').run(item);
  res.status(201).json({ item });
});

export const ordersModule: Module = {
  name: 'orders',
  migrations: [{ id: '0001_orders_create', sql: 'CREATE TABLE orders (item TEXT NOT NULL)' }],
  routes: [{ prefix: '/orders', router }],
};
`;

const EDITS: Edits = [
  ['package.json', '"lint": "oxlint"', '"lint": "oxlint --deny-warnings", "seed": "node seed.js"'],
  [
    'src/modules.ts',
    'import type { Module }',
    "import { ordersModule } from './features/orders/module.js';\nimport type { Module }",
  ],
  ['src/modules.ts', 'modules.push(', 'modules.push(ordersModule);\nmodules.push('],
  [
    'src/app.ts',
    '/** What the application is made of',
    "const VERSION = '7';\n\n/** What the application is made of",
  ],
  [
    'src/app.ts',
    "  app.disable('x-powered-by');",
    "  app.disable('x-powered-by');\n  app.use((_req, res, next) => (res.setHeader('X-App-Version', VERSION), next()));",
  ],
];

describe('express-api', () => {
  const above = mkdtempSync(join(tmpdir(), 'stackyard-update-'));
  const project = join(above, 'shop');
  const registry = join(above, 'index');
  let updated: Awaited<ReturnType<typeof stackyard>>;

  const client = (...args: string[]) =>
    stackyard([...args, '--yes', '--allow', 'all'], {
      ...projectEnvironment(),
      STACKYARD_REGISTRY: pathToFileURL(registry).href,
      STACKYARD_CACHE: join(above, 'cache'),
    });
  const serve = (index: string): void => {
    rmSync(registry, { force: true });
    symlinkSync(index, registry);
  };
  const write = (path: string, text: string): void => {
    mkdirSync(join(project, path, '..'), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  const read = (path: string): string => readFileSync(join(project, path), 'utf8');

  beforeAll(async () => {
    serve(await ourIndex(BEFORE));
    const make = 'new stackyard/express-api shop --with sqlite';
    const made = await client(...make.split(' '), '-C', above);
    if (made.status !== 0) throw new Error(made.stderr);
    for (const [path, at, replacement] of EDITS) {
      if (!read(path).includes(at)) throw new Error(`${path} does not have: ${at}`);
      write(
        path,
        read(path).replace(at, () => replacement),
      );
    }
    write('src/features/orders/module.ts', ORDERS);
    serve(await ourIndex());
    updated = await client('update', '-C', project, '--prove');
  });
  afterAll(() => rmSync(above, { recursive: true, force: true }));

  test('is merged: each build has its newest version, and each edit is there', () => {
    expect([updated.status, updated.stderr]).toEqual([0, expect.any(String)]);
    const { builds } = JSON.parse(read('stackyard.lock.json')) as {
      builds: Record<string, { version: string }>;
    };
    for (const name of ['express-api', 'sqlite']) {
      expect([name, builds[`stackyard/${name}`]?.version]).toEqual([name, newestOf(name)]);
    }
    for (const [path, , replacement] of EDITS) expect(read(path)).toContain(replacement);
    expect(runIn(project, 'npx', '--no-install', 'tsc', '--noEmit')).toBe('');
  });

  test('passes its tests, and answers as before', async () => {
    expect(updated.stdout).toMatch(/type check: passed[\s\S]*tests: passed/);
    expect(updated.stdout).toContain('GET /ready answered 200');
    expect(runIn(project, 'npm', 'run', 'build')).not.toMatch(/^status/);
    const port = await findFreePort();
    const env = { NODE_ENV: 'development', PORT: String(port), SQLITE_PATH: join(above, 'app.db') };
    const command = { file: process.execPath, args: ['dist/server.js'], cwd: project, env };
    const server = await startServer(command, port);
    try {
      const headers = { 'Content-Type': 'application/json' };
      const send = (body: object) =>
        fetch(`${server.url}/orders`, { method: 'POST', headers, body: JSON.stringify(body) });
      const ordered = await send({ item: 'tea' });
      expect([ordered.status, ordered.headers.get('x-app-version')]).toEqual([201, '7']);
      expect((await send({ item: '' })).status).toBe(400);
    } finally {
      await server.stop();
    }
  });
});
