// The routes of account in projects of users: installed packages at the ends of the ranges, each compiler, ES modules and
// CommonJS, started as processes. All answer all requests of the suite as the specification says.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../tools/free-port.ts';
import { startServer } from '../foundations/server-process.ts';
import { findDifferences } from './account-suite.ts';

const SECRET = 'a secret that the test knows, of enough bytes';
const BUILDS = new URL('../../builds/stackyard/', import.meta.url).pathname;

// Hashes that cost little: the suite registers dozens of accounts. Without `res.json`, as Express 4.10 needs on a new Node.
const SERVER = `import express from 'express';
import { accountModule, answerBodyErrors, createPasswords, currentUser, requireAuth } from './account/index.js';

accountModule.assertSettings();
accountModule.configure({ passwords: createPasswords({ cost: { ln: 4, r: 1, p: 1 } }) });
const app = express();
app.get('/health', (_req, res) => void res.end());
app.get('/private', requireAuth, (req, res) => {
  const { id, email } = currentUser(req);
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(req.user?.id === id ? { id, email } : {}));
});
app.use('/auth', accountModule.node, answerBodyErrors);
const server = app.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => void server.close());
`;

const COMPILERS = { '4.9': '4.9.5', '5.4': '5.4.5', '7': '7.0.2' } as const;

interface Packages {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string>>;
  /** zod 4 needs TypeScript 5. */
  readonly compilers: readonly (keyof typeof COMPILERS)[];
}

const PACKAGES: readonly Packages[] = [
  {
    name: 'Express 4.10.0, zod 3.23.0',
    dependencies: { express: '4.10.0', zod: '3.23.0' },
    types: { '@types/express': '4.17.21', '@types/node': '18.19.0' },
    compilers: ['4.9'],
  },
  {
    name: 'Express 5, zod 4',
    dependencies: { express: '5.3.0', zod: '4.6.7' },
    types: { '@types/express': '5.0.6', '@types/node': '24.19.2' },
    compilers: ['5.4', '7'],
  },
];

describe.each(PACKAGES)('$name', ({ dependencies, types, compilers }) => {
  const folder = mkdtempSync(join(tmpdir(), 'account-matrix-'));
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { cwd: folder, encoding: 'utf8' });

  beforeAll(() => {
    const aliases = compilers.map((name) => [
      `typescript-${name}`,
      `npm:typescript@${COMPILERS[name]}`,
    ]);
    const devDependencies = {
      '@types/better-sqlite3': '7.6.13',
      ...types,
      ...Object.fromEntries(aliases),
    };
    const all = { 'better-sqlite3': '13.2.0', ...dependencies };
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, dependencies: all, devDependencies }),
    );
    const { status, stderr } = run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts');
    if (status !== 0) throw new Error(stderr);
  }, 600_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const rows = compilers.flatMap((compiler) =>
    (['module', 'commonjs'] as const).map((type) => ({ compiler, type })),
  );

  test.each(rows)('TypeScript $compiler, $type', async ({ compiler, type }) => {
    const project = join(folder, `${type}-${compiler}`);
    for (const build of ['account', 'sqlite']) {
      const filter = (path: string) => !path.endsWith('.test.ts');
      cpSync(join(BUILDS, build), join(project, 'src', build), { recursive: true, filter });
    }
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, 'src/server.ts'), SERVER);
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type }));
    const module =
      type === 'module'
        ? { module: 'node16' }
        : { module: 'commonjs', ...(compiler !== '7' && { moduleResolution: 'node' }) };
    const compilerOptions = {
      strict: true,
      target: 'es2021',
      esModuleInterop: true,
      skipLibCheck: true,
      rootDir: 'src',
      outDir: 'dist',
      types: ['node'],
      ...module,
    };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['src'] }),
    );
    const tsc = join(folder, `node_modules/typescript-${compiler}/bin/tsc`);
    expect(run(process.execPath, tsc, '-p', project).stdout).toBe('');

    const port = await findFreePort();
    const env = {
      PORT: `${port}`,
      NODE_ENV: 'development',
      JWT_SECRET: SECRET,
      SQLITE_PATH: join(project, 'app.db'),
    };
    const server = await startServer(
      { file: process.execPath, args: ['dist/server.js'], cwd: project, env },
      port,
    );
    try {
      const host = {
        base: `${server.url}/auth`,
        secret: SECRET,
        privateUrl: `${server.url}/private`,
      };
      const { requests, differences } = await findDifferences(host);
      expect(differences).toEqual([]);
      expect(requests).toBeGreaterThanOrEqual(150);
    } finally {
      await server.stop();
    }
  });
});
