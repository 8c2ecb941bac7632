/** Two servers that other people wrote: the templates that they publish on npm, with their own tests. */
import { join } from 'node:path';
import { ACCOUNT_USE } from './express-sources.ts';
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

/** @param folder from the file with the application to the folder of the builds */
function accountLines(folder: string): [imports: string, account: string] {
  return [
    `import { accountMigrations, answerBodyErrors, createAccount, readAccountConfigOrExit } from '${folder}/account/index.js';
import { openDatabase } from '${folder}/sqlite/index.js';
`,
    `const db = openDatabase(process.env.SQLITE_PATH ?? ':memory:', { migrations: [accountMigrations] });
const account = createAccount(db, readAccountConfigOrExit(process.env));
`,
  ];
}

const [imports, account] = accountLines('.');
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
          files: {
            'tests/account.test.ts': `${accountTest(
              `import request from 'supertest';

import app from '@src/server';

describe('accounts', () => {`,
              (is, wanted) => `expect(${is}).toBe(${wanted})`,
            )}, 120_000);
});
`,
          },
          edits: {
            'src/server.ts': [
              [
                "import EnvVars, { NodeEnvs } from './common/constants/env';\n",
                `import EnvVars, { NodeEnvs } from './common/constants/env';\n${imports}\n${account}`,
              ],
              [
                'app.use(express.urlencoded({ extended: true }));\n',
                "app.use(express.urlencoded({ extended: true }));\napp.use('/auth', account.router, answerBodyErrors);\n",
              ],
            ],
          },
          command: 'npm run -s type-check && npm test -- --run',
        },
      ],
    },
  ],
};

const [importsAbove, accountAbove] = accountLines('..');
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
          what: `${ACCOUNT_USE}, with zod 3, \`@types/node\` 18 and the \`experimentalResolver\` of ts-node`,
          files: {
            'test/account.ts': `${accountTest(
              `import 'mocha';
import { expect } from 'chai';
import request from 'supertest';
import app from '../server';

describe('Accounts', function () {
  this.timeout(120_000);`,
              (is, wanted) => `expect(${is}).to.equal(${wanted})`,
            )});
});
`,
          },
          edits: {
            'tsconfig.json': [['{', '{\n  "ts-node": { "experimentalResolver": true },']],
            'server/common/server.ts': [
              ["import l from './logger';\n", `import l from './logger';\n${importsAbove}`],
              ['const app = express();\n', `const app = express();\n${accountAbove}`],
              [
                '    app.use(cookieParser(',
                "    app.use('/auth', account.router, answerBodyErrors);\n    app.use(cookieParser(",
              ],
            ],
          },
          command: `npm install --no-save --ignore-scripts zod@3 @types/node@18 && npx tsc --noEmit && PORT=0 NODE_ENV=test ${MOCHA}`,
        },
      ],
    },
  ],
};

export const SERVER_PROJECTS: readonly ProjectKind[] = [GENERATED, GENERATED_BY_YEOMAN];
