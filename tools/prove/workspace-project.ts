/** A workspace of pnpm as its documentation shows it: a library, a server that uses it, versions from a catalog. */
import { ACCOUNT_USE, REQUEST, WIRED, accountTest } from './express-sources.ts';
import { VITEST_IMPORT, packageJson } from './package-json.ts';
import type { ProjectKind } from './project-kind.ts';
import { NPM_TOOLS } from './toolbox.ts';

const SERVER = 'apps/server';

const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ['src', 'test'],
  },
  null,
  2,
)}\n`;

const APP = `import { greet } from '@shop/greeting';
import express from 'express';

export const app = express();
app.use(express.json());
app.get('/hello/:name', (req, res) => {
  res.json({ hello: greet(req.params.name) });
});
`;

const APP_TEST = `${VITEST_IMPORT}import { app } from '../src/app.js';
import { ask } from './request.js';

test('greets by name', async () => {
  expect(await ask(app, '/hello/you')).toEqual([200, '{"hello":"Hello you"}']);
});
`;

export const PNPM_WORKSPACE: ProjectKind = {
  name: 'pnpm workspace, Express 5, vitest',
  made: `by hand; pnpm ${NPM_TOOLS.pnpm}. The builds go into the member \`${SERVER}\``,
  files: {
    'pnpm-workspace.yaml': `packages:
  - packages/*
  - apps/*

catalog:
  typescript: ~5.9.3
  vitest: ^4.0.0
`,
    'package.json': packageJson('shop', {
      scripts: { typecheck: 'pnpm -r typecheck', test: 'pnpm -r test' },
    }),
    'packages/greeting/package.json': packageJson('@shop/greeting', {
      type: 'module',
      exports: './src/index.ts',
      scripts: { typecheck: 'tsc' },
      devDependencies: { typescript: 'catalog:' },
    }),
    'packages/greeting/tsconfig.json': TSCONFIG,
    'packages/greeting/src/index.ts': `export function greet(name: string): string {
  return \`Hello \${name}\`;
}
`,
    [`${SERVER}/package.json`]: packageJson('@shop/server', {
      type: 'module',
      scripts: { typecheck: 'tsc', test: 'vitest run --testTimeout 120000' },
      dependencies: { '@shop/greeting': 'workspace:*', express: '^5.1.0' },
      devDependencies: {
        '@types/express': '^5.0.3',
        '@types/node': '^24.0.0',
        typescript: 'catalog:',
        vitest: 'catalog:',
      },
    }),
    [`${SERVER}/tsconfig.json`]: TSCONFIG,
    [`${SERVER}/src/app.ts`]: APP,
    [`${SERVER}/test/request.ts`]: REQUEST,
    [`${SERVER}/test/app.test.ts`]: APP_TEST,
  },
  install: ['pnpm install --ignore-scripts'],
  member: { name: '@shop/server', folder: SERVER },
  typeCheck: 'pnpm typecheck',
  test: 'pnpm test',
  trials: [
    { build: 'stackyard/sqlite' },
    {
      build: 'stackyard/account',
      uses: [
        {
          what: ACCOUNT_USE,
          wire: WIRED,
          files: {
            [`${SERVER}/test/account.test.ts`]: accountTest(VITEST_IMPORT, '.js'),
          },
          command: 'pnpm typecheck && pnpm test',
        },
      ],
    },
  ],
};
