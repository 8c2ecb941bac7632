// The store of stackyard/account-prisma with a client that Prisma has generated from the models of its guide, on a real
// PostgreSQL. Prisma's own engines are programs that it loads from the network: the client is generated and runs without them.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPrismaStore,
  type PrismaAccountClient,
} from '../../builds/stackyard/account-prisma/index.js';
import { describeAccountStore } from './account-store.contract.ts';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';

type Client = PrismaAccountClient & { $disconnect(): Promise<void> };

interface Generated {
  readonly PrismaClient: new (options: { adapter: unknown }) => Client;
}

interface Adapters {
  readonly PrismaPg: new (options: { connectionString: string }) => unknown;
}

const ROOT = new URL('../..', import.meta.url).pathname;
const BUILDS = join(ROOT, 'builds/stackyard');
const TABLES = `
  CREATE TABLE account_users (
    id SERIAL PRIMARY KEY, email TEXT NOT NULL UNIQUE, password_hash TEXT NOT NULL,
    token_version INTEGER NOT NULL DEFAULT 0, created_at TIMESTAMP(3) NOT NULL
  );
  CREATE TABLE account_revoked_tokens (jti TEXT PRIMARY KEY, expires_at BIGINT NOT NULL);
  CREATE TABLE account_sessions (
    jti TEXT PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES account_users (id) ON DELETE CASCADE,
    token_version INTEGER NOT NULL, device TEXT, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL
  );
  CREATE TABLE account_recovery_tokens (
    id SERIAL PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE, purpose TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES account_users (id) ON DELETE CASCADE,
    email TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL
  );
  CREATE TABLE account_verified_emails (
    user_id INTEGER PRIMARY KEY REFERENCES account_users (id) ON DELETE CASCADE,
    email TEXT NOT NULL, verified_at BIGINT NOT NULL
  );`;

const project = mkdtempSync(join(tmpdir(), 'account-prisma-'));
let server: PostgresServer;
let databases = 0;

beforeAll(async () => {
  server = await startPostgres();
  const guide = readFileSync(join(BUILDS, 'account-prisma/INTEGRATION.md'), 'utf8');
  const models = /```prisma\n([^]*?)```/.exec(guide)?.[1] ?? '';
  const files = {
    'package.json': JSON.stringify({
      name: 'app',
      private: true,
      type: 'module',
      dependencies: { '@prisma/adapter-pg': '^6.19.0', '@prisma/client': '^6.19.0', zod: '^4.0.0' },
      devDependencies: { '@types/node': '^24.0.0', prisma: '^6.19.0' },
    }),
    'prisma.config.ts':
      "import { defineConfig } from 'prisma/config';\nexport default defineConfig({ schema: 'prisma/schema.prisma' });\n",
    'prisma/schema.prisma': `generator client {
        provider   = "prisma-client"
        output     = "../src/generated"
        engineType = "client"
      }
      datasource db {
        provider = "postgresql"
        url      = env("DATABASE_URL")
      }
      ${models}`,
    'src/prisma.ts': `import { PrismaPg } from '@prisma/adapter-pg';
      import { useAccountClient } from './account-prisma/index.js';
      import { PrismaClient } from './generated/client.ts';
      export const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: 'postgres://db' }) });
      useAccountClient(prisma);\n`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        module: 'nodenext',
        target: 'es2024',
        noEmit: true,
        skipLibCheck: true,
        types: ['node'],
        allowImportingTsExtensions: true,
        exactOptionalPropertyTypes: true,
      },
      include: ['src'],
    }),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  for (const build of ['account-core', 'account-prisma']) {
    const isInstalled = (file: string) => !/\.test\.ts$|\/test-|\.json$|\.md$/.test(file);
    cpSync(join(BUILDS, build), join(project, 'src', build), {
      recursive: true,
      filter: isInstalled,
    });
  }
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: project });
  // Named programs are not loaded from the network; none of them is started.
  const noEngines = {
    PRISMA_QUERY_ENGINE_LIBRARY: process.execPath,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  };
  execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], {
    cwd: project,
    env: { ...process.env, ...noEngines, DATABASE_URL: 'postgres://db' },
  });
});

afterAll(() => {
  server?.remove();
  rmSync(project, { recursive: true, force: true });
});

test('a generated client fits the type that the store takes', () => {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc], { cwd: project, encoding: 'utf8' });
  expect([stdout, status]).toEqual(['', 0]);
});

describe.each([
  ['PostgreSQL', ''],
  [
    'PostgreSQL with serializable transactions',
    '?options=-cdefault_transaction_isolation%3Dserializable',
  ],
])('a generated client on %s', (name, parameters) => {
  describeAccountStore(`Prisma on ${name}`, async () => {
    const { PrismaClient } = (await import(join(project, 'src/generated/client.ts'))) as Generated;
    const adapter = join(project, 'node_modules/@prisma/adapter-pg/dist/index.mjs');
    const { PrismaPg } = (await import(adapter)) as Adapters;
    const url = await server.createDatabase(`p${++databases}`);
    await server.query(url, TABLES);
    const clients: Client[] = [];
    return {
      async open() {
        const client = new PrismaClient({
          adapter: new PrismaPg({ connectionString: `${url}${parameters}` }),
        });
        clients.push(client);
        return createPrismaStore(client);
      },
      remove: async () => void (await Promise.all(clients.map((client) => client.$disconnect()))),
    };
  });
});
