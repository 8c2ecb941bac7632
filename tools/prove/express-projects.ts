/** Two servers on Express as their people write them, with a test program of their own each. */
import type { ProjectKind } from './project-kind.ts';

const APP = `import express from 'express';

export const app = express();
app.use(express.json());
app.get('/hello/:name', (req, res) => {
  res.json({ hello: req.params.name });
});
`;

const APP_WITH_ACCOUNTS = `import express from 'express';
import { accountMigrations, answerBodyErrors, createAccount, readAccountConfigOrExit } from './account/index.js';
import { openDatabase } from './sqlite/index.js';

const db = openDatabase(process.env.SQLITE_PATH ?? ':memory:', { migrations: [accountMigrations] });
const account = createAccount(db, readAccountConfigOrExit(process.env));

export const app = express();
app.use(express.json());
app.use('/auth', account.router, answerBodyErrors);
app.get('/hello/:name', (req, res) => {
  res.json({ hello: req.params.name });
});
`;

const REQUEST = `import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

/** Sends a request to the application on a free port. */
export async function ask(app: Express, path: string, init?: RequestInit): Promise<[number, string]> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(\`http://127.0.0.1:\${port}\${path}\`, init);
  const text = await answer.text();
  await new Promise((resolve) => server.close(resolve));
  return [answer.status, text];
}
`;

function appTest(imports: string, ending: string): string {
  return `${imports}import { app } from '../src/app${ending}';
import { ask } from './request${ending}';

test('greets by name', async () => {
  expect(await ask(app, '/hello/you')).toEqual([200, '{"hello":"you"}']);
});
`;
}

function accountTest(imports: string, ending: string): string {
  return `${imports}import { app } from '../src/app${ending}';
import { ask } from './request${ending}';

const post = (path: string, body: string) =>
  ask(app, path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
const BODY = JSON.stringify({ email: 'a@example.com', password: '12345678' });

test('registers, logs in and returns the account', async () => {
  const [status, text] = await post('/auth/register', BODY);
  expect(status).toBe(201);
  const { token } = JSON.parse(text) as { token: string };
  const headers = { Authorization: \`Bearer \${token}\` };
  expect((await ask(app, '/auth/me', { headers }))[0]).toBe(200);
  expect((await post('/auth/register', BODY))[0]).toBe(409);
  expect((await post('/auth/login', BODY))[0]).toBe(200);
});

test('answers malformed JSON behind the parser', async () => {
  expect(await post('/auth/login', '{"email":')).toEqual([
    400,
    '{"error":{"status":400,"code":"invalid_json","message":"Invalid JSON body"}}',
  ]);
});
`;
}

function packageJson(name: string, content: object): string {
  return `${JSON.stringify({ name, version: '1.0.0', private: true, ...content }, null, 2)}\n`;
}

const JEST = { preset: 'ts-jest', testEnvironment: 'node', testTimeout: 120_000 };

const JEST_PACKAGE = {
  scripts: { build: 'tsc --outDir dist', typecheck: 'tsc --noEmit', test: 'jest' },
  dependencies: { express: '^4.21.2' },
  devDependencies: {
    '@types/express': '^4.17.21',
    '@types/jest': '^29.5.14',
    '@types/node': '^20.19.0',
    jest: '^29.7.0',
    'ts-jest': '^29.4.0',
    typescript: '~5.9.3',
  },
};

/** CommonJS, because package.json has no "type", and the compiler settings that `tsc --init` wrote for years. */
export const EXPRESS_4_JEST: ProjectKind = {
  name: 'Express 4, CommonJS, jest, TypeScript 5.9',
  builds: ['stackyard/sqlite', 'stackyard/account'],
  files: {
    'package.json': packageJson('express-4', JEST_PACKAGE),
    'jest.config.js': `module.exports = ${JSON.stringify(JEST)};\n`,
    'tsconfig.json': `${JSON.stringify(
      {
        compilerOptions: {
          target: 'es2020',
          module: 'commonjs',
          strict: true,
          esModuleInterop: true,
          skipLibCheck: true,
          forceConsistentCasingInFileNames: true,
        },
        include: ['src', 'test'],
      },
      null,
      2,
    )}\n`,
    'src/app.ts': APP,
    'test/request.ts': REQUEST,
    'test/app.test.ts': appTest('', ''),
  },
  typeCheck: 'npm run -s typecheck',
  test: 'npm test',
  use: {
    files: {
      'jest.config.js': `module.exports = ${JSON.stringify({
        ...JEST,
        moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
      })};\n`,
      'src/app.ts': APP_WITH_ACCOUNTS,
      'test/account.test.ts': accountTest('', ''),
    },
    command: 'npm run -s typecheck && npm test',
  },
};

const VITEST_IMPORT = `import { expect, test } from 'vitest';\n`;

export const EXPRESS_5_ESM: ProjectKind = {
  name: 'Express 5, ES modules, vitest, TypeScript 7',
  builds: ['stackyard/sqlite', 'stackyard/account'],
  files: {
    'package.json': packageJson('express-5', {
      type: 'module',
      scripts: { typecheck: 'tsc --noEmit', test: 'vitest run --testTimeout 120000' },
      dependencies: { express: '^5.1.0', zod: '^4.1.0' },
      devDependencies: {
        '@types/express': '^5.0.3',
        '@types/node': '^24.0.0',
        typescript: '^7.0.2',
        vitest: '^4.0.0',
      },
    }),
    'tsconfig.json': `${JSON.stringify(
      {
        compilerOptions: {
          target: 'es2023',
          module: 'nodenext',
          strict: true,
          types: [],
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
          verbatimModuleSyntax: true,
          isolatedModules: true,
          skipLibCheck: true,
        },
        include: ['src', 'test'],
      },
      null,
      2,
    )}\n`,
    'src/app.ts': APP,
    'test/request.ts': `/// <reference types="node" />\n${REQUEST}`,
    'test/app.test.ts': appTest(VITEST_IMPORT, '.js'),
  },
  typeCheck: 'npm run -s typecheck',
  test: 'npm test',
  use: {
    files: {
      'src/app.ts': APP_WITH_ACCOUNTS,
      'test/account.test.ts': accountTest(VITEST_IMPORT, '.js'),
    },
    command: 'npm run -s typecheck && npm test',
  },
};
