/** Two servers that other people wrote: the templates that they publish on npm, with their own tests. */
import { join } from 'node:path';
import { ACCOUNT_USE, WIRED } from './express-sources.ts';
import { NPM_INSTALL } from './package-json.ts';
import type { ProjectKind } from './project-kind.ts';
import { NPM_TOOLS } from './toolbox.ts';

const TYPESCRIPT_GENERATOR = 'express-generator-typescript';
const NO_STRESS = 'generator-express-no-stress-typescript';
const YEOMAN = join(import.meta.dirname, 'yeoman-run.ts');

/**
 * The beginning of a test file, up to the end of the test's function.
 * @param head what comes before the test; it imports `app` and `request`
 * @param expectStatus formats the comparison of an expression
 */
function accountTest(head: string, expectStatus: (is: string, wanted: number) => string): string {
  return `${head}
  it('registers, logs in and returns the account', async () => {
    const body = { email: 'a@example.com', password: '12345678' };
    const registered = await request(app).post('/auth/register').send(body);
    ${expectStatus('registered.status', 201)};
    const { token } = registered.body as { token: string };
    const me = await request(app).get('/auth/me').set('Authorization', \`Bearer \${token}\`);
    ${expectStatus('me.status', 200)};
    const again = await request(app).post('/auth/register').send(body);
    ${expectStatus('again.status', 409)};
    const broken = await request(app).post('/auth/login').type('json').send('{"email":');
    ${expectStatus('broken.status', 400)};
  }`;
}

const GENERATED: ProjectKind = {
  name: TYPESCRIPT_GENERATOR,
  made: `the template of \`${TYPESCRIPT_GENERATOR}\` ${NPM_TOOLS[TYPESCRIPT_GENERATOR]}, with the ranges of its own package.json; Express 5, CommonJS, TypeScript 5.9, vitest`,
  create: [
    `cp -r "$TOOLS/${TYPESCRIPT_GENERATOR}/lib/project-files" "$NAME" && mv "$NAME/gitignore" "$NAME/.gitignore"`,
  ],
  files: {},
  install: [NPM_INSTALL],
  typeCheck: 'npm run -s type-check',
  test: 'npm test -- --run',
  isTimed: true,
  written: ['src/repos/common/database.test.json'],
  trials: [
    { build: 'stackyard/sqlite' },
    {
      build: 'stackyard/account',
      uses: [
        {
          what: ACCOUNT_USE,
          wire: WIRED,
          files: {
            'tests/account.test.ts': `${accountTest(
              `import request from 'supertest';

import app from '@src/server';

process.env.SQLITE_PATH = ':memory:';

describe('accounts', () => {`,
              (is, wanted) => `expect(${is}).toBe(${wanted})`,
            )}, 120_000);
});
`,
          },
          command: 'npm run -s type-check && npm test -- --run',
        },
      ],
    },
  ],
};

/** Its own limit of two seconds is too short on a busy machine. */
const MOCHA = 'npm test -- --timeout 60000';
const PLACED: readonly (readonly string[])[] = [
  ['stackyard/sqlite', '--to', 'server/sqlite'],
  ['stackyard/account', '--to', 'server/account'],
];
const GENERATED_BY_YEOMAN: ProjectKind = {
  name: NO_STRESS,
  made: `\`yo\` with \`${NO_STRESS}\` ${NPM_TOOLS[NO_STRESS]} and its default answers; Express 4, CommonJS, TypeScript 4.9, ts-node, mocha. The builds go into its folder \`server\``,
  create: [`node "${YEOMAN}" "$TOOLS" ${NO_STRESS} "$NAME"`],
  files: {},
  install: [],
  typeCheck: 'npx tsc --noEmit',
  test: `PORT=0 ${MOCHA}`,
  isTimed: true,
  trials: [
    { build: 'stackyard/sqlite', add: PLACED.slice(0, 1) },
    {
      build: 'stackyard/account',
      add: PLACED,
      limit: {
        output: 'node_modules/zod/v4/',
        why: 'npm chooses zod 4, whose types need TypeScript 5; and the project keeps `@types/node` 17, which is too old (a warning names it)',
      },
      uses: [
        {
          wire: WIRED,
          what: `${ACCOUNT_USE}, with zod 3, \`@types/node\` 18, the \`experimentalResolver\` of ts-node, and \`/auth\` in its \`ignorePaths\`: its validator answers 404 to every path that its own description does not have`,
          files: {
            'test/account.ts': `${accountTest(
              `import 'mocha';
import { expect } from 'chai';
import request from 'supertest';
import app from '../server';

process.env.SQLITE_PATH = ':memory:';

describe('Accounts', function () {
  this.timeout(120_000);`,
              (is, wanted) => `expect(${is}).to.equal(${wanted})`,
            )});
});
`,
          },
          edits: {
            'tsconfig.json': [['{', '{\n  "ts-node": { "experimentalResolver": true },']],
            'server/common/server.ts': [['(\\/|$)/', '(\\/|$)|^\\/auth\\//']],
          },
          command: `npm install --no-save --ignore-scripts zod@3 @types/node@18 && npx tsc --noEmit && PORT=0 NODE_ENV=test ${MOCHA}`,
        },
      ],
    },
  ],
};

export const SERVER_PROJECTS: readonly ProjectKind[] = [GENERATED, GENERATED_BY_YEOMAN];
