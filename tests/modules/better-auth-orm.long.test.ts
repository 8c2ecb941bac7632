/** stackyard/better-auth over the adapters of the library for Drizzle and Prisma, as its guide says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PACKAGES, type RunningHost, startProject } from './better-auth-hosts.ts';
import { useServices } from './better-auth-services.ts';
import { describeBetterAuth, SWITCHED_ON } from './better-auth.contract.ts';

/** The program of the library, and what the two need. */
const OF_ORMS = [
  ...PACKAGES.filter(
    (one) => !/^(?:next|react|@types\/react|@nestjs|fastify|hono|@hono)/.test(one),
  ),
  'auth@1.7',
  'drizzle-orm@0.45',
  'drizzle-kit@0.31',
  'prisma@6',
  '@prisma/client@6',
  '@prisma/adapter-pg@6',
];

const GUIDE = readFileSync(
  join(import.meta.dirname, '../../builds/stackyard/better-auth/INTEGRATION.md'),
  'utf8',
);

/** src/auth.ts of the guide, with the lines that it gives for an adapter. */
function authFile(adapter: 'drizzleAdapter' | 'prismaAdapter'): string {
  const blocks = Array.from(GUIDE.matchAll(/^ {3}```ts([^\n]*)\n([^]*?)^ {3}```$/gm), (match) => ({
    info: match[1] ?? '',
    text: (match[2] ?? '').replaceAll(/^ {3}/gm, ''),
  }));
  const file = blocks.find(({ info }) => info === ' wire file src/auth.ts')!.text;
  const lines = blocks.find(({ text }) => text.includes(`import { ${adapter} }`))!.text.split('\n');
  const option = lines.find((line) => line.startsWith('//'))!.replace(/^\/\/ +/, '');
  const imports = lines.filter((line) => line.startsWith('import')).join('\n');
  return file
    .replace("import { database } from 'tag:database';", imports)
    .replace('database: database(),', option.replace("provider: 'pg'", "provider: 'sqlite'"));
}

const services = useServices(OF_ORMS);

describe('Drizzle', () => {
  let running: RunningHost;
  beforeAll(async () => {
    const project = await services.projects.makeWithAdapter(
      'drizzle',
      authFile('drizzleAdapter'),
      SWITCHED_ON,
      {
        'src/db.ts': `import Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';

export const db = drizzle(new Sqlite(process.env['SQLITE_PATH']));
`,
        'drizzle.config.ts':
          "export default { dialect: 'sqlite', schema: './src/auth-schema.ts', out: './drizzle' };\n",
      },
      [
        ['auth', 'generate', '--config', 'src/auth.ts', '--output', 'src/auth-schema.ts', '-y'],
        ['drizzle-kit', 'generate', '--name', 'auth'],
      ],
    );
    const file = join(project.folder, 'app.db');
    const tables = new Sqlite(file);
    tables.exec(readFileSync(join(project.folder, 'drizzle/0000_auth.sql'), 'utf8'));
    tables.close();
    running = await startProject(project, { SQLITE_PATH: file, SMTP_URL: services.mails.url });
  });
  afterAll(() => running?.stop());

  describeBetterAuth(
    () => running,
    () => services.mails,
  );
});

describe('Prisma', () => {
  let running: RunningHost;
  let url: string;
  beforeAll(async () => {
    const project = await services.projects.makeWithAdapter(
      'prisma',
      authFile('prismaAdapter'),
      SWITCHED_ON,
      {
        'prisma/schema.prisma': `generator client {
  provider   = "prisma-client"
  output     = "../src/generated"
  engineType = "client"
}

datasource db {
  provider = "postgresql"
  url      = env("DATABASE_URL")
}
`,
        'prisma.config.ts': "export default { schema: 'prisma/schema.prisma' };\n",
        'src/prisma.ts': `import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';

export const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env['DATABASE_URL'] ?? '' }) });
`,
        // The client does not exist while the program of the library reads src/auth.ts.
        'src/generated/client.ts': 'export class PrismaClient { constructor(_: object) {} }\n',
      },
      [
        ['auth', 'generate', '--config', 'src/auth.ts', '--output', 'prisma/schema.prisma', '-y'],
        ['prisma', 'generate'],
      ],
    );
    url = await services.postgres.createDatabase('prisma');
    await services.postgres.query(
      url,
      tablesOf(readFileSync(join(project.folder, 'prisma/schema.prisma'), 'utf8')),
    );
    running = await startProject(project, { DATABASE_URL: url, SMTP_URL: services.mails.url });
  });
  afterAll(() => running?.stop());

  test('stores users in its own tables', async () => {
    expect(await services.postgres.query(url, 'SELECT count(*)::int AS count FROM "user"')).toEqual(
      [{ count: expect.any(Number) }],
    );
  });

  describeBetterAuth(
    () => running,
    () => services.mails,
  );
});

/** Tables for the models of a schema: the engine of Prisma that migrates is a program from the network. */
function tablesOf(schema: string): string {
  const types: Readonly<Record<string, string>> = {
    String: 'TEXT',
    Boolean: 'BOOLEAN',
    DateTime: 'TIMESTAMP(3)',
    Int: 'INTEGER',
    BigInt: 'BIGINT',
  };
  const models = Array.from(schema.matchAll(/^model \w+ \{([^]*?)^\}/gm), ([, body = '']) => {
    const name = /@@map\("(\w+)"\)/.exec(body)?.[1];
    const columns = Array.from(body.matchAll(/^ +(\w+) +(\w+)(\??)(?: +(.*))?$/gm), (match) => {
      const [, column = '', type = '', optional, rest = ''] = match;
      if (types[type] === undefined) return [];
      const key = rest.includes('@id') ? ' PRIMARY KEY' : rest.includes('@unique') ? ' UNIQUE' : '';
      const initial = rest.includes('now()')
        ? ' DEFAULT now()'
        : (/@default\((false|true|\d+)\)/.exec(rest)?.[1] ?? '').replace(/^(.+)$/, ' DEFAULT $1');
      return [`"${column}" ${types[type]}${optional === '?' ? '' : ' NOT NULL'}${initial}${key}`];
    });
    return `CREATE TABLE "${name}" (${columns.flat().join(', ')});`;
  });
  return models.join('\n');
}
