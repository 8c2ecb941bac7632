/** The projects of docs/real-projects.md: what each is, what installs it, what it is started with. */

/** What a project needs beside its packages; each is of this machine, on a free port. */
export type Service = 'postgres' | 'mongo';

export interface RealProject {
  readonly repository: string;
  readonly commit: string;
  readonly kind: string;
  readonly build: string;
  /** Its folder in the repository, and the options that name it. */
  readonly folder?: string;
  readonly options?: readonly string[];
  /** What installs its packages and prepares them, one command a line, in the folder of the repository. */
  readonly install?: readonly string[];
  /** The same where the words of a fixed command line do not do: packages that a registry cannot carry. Stated in the table. */
  readonly stubs?: Readonly<Record<string, string>>;
  readonly stubNote?: string;
  readonly services?: readonly Service[];
  /** The linter of the project, whose output is JSON. */
  readonly lint?: string;
  /** The fixers of the project over everything it has. */
  readonly fix?: readonly string[];
  /** The command that the hint of a refusal names; the trial goes on after it. */
  readonly hint?: string;
  /** What starts it, in its folder; without it no login is tried, for the reason in `noStart`. */
  readonly start?: string;
  readonly noStart?: string;
  /** What its own documentation asks for. `$PORT`, `$POSTGRES_*` and `$MONGO` are filled in. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where it listens, if its code has the port. */
  readonly port?: number;
  /** Edits by hand that its guide left to the user: file, what to find, what comes in its place. */
  readonly edits?: readonly (readonly [file: string, find: string, replace: string])[];
  /** One of the five that the issue left to choose. */
  readonly isChosen?: true;
}

const NPM = 'npm ci --ignore-scripts --no-audit --no-fund';
const PNPM = 'pnpm install --frozen-lockfile --ignore-scripts';
const TSX = 'node --import=tsx src/index.ts';
const ESLINT = 'node node_modules/eslint/bin/eslint.js . --format json';
const ESLINT_FIX = 'node node_modules/eslint/bin/eslint.js . --fix';
const ACCOUNT = 'stackyard/account';
const FASTAPI_ACCOUNT = 'stackyard/fastapi-account';

/** Prisma downloads its engines, and no package has them: a client that answers nothing lets the application start. */
const PRISMA_STUB = {
  'node_modules/.prisma/client/index.js': `const model = new Proxy({}, { get: () => async () => null });
class PrismaClient {
  constructor() {
    return new Proxy(this, { get: (_, name) => (name === 'then' ? undefined : String(name).startsWith('$') ? async () => {} : model) });
  }
}
const same = new Proxy({}, { get: (_, name) => name });
module.exports = { PrismaClient, Prisma: { PrismaClientKnownRequestError: Error }, Role: { USER: 'USER', ADMIN: 'ADMIN' }, TokenType: same };
`,
};
const PRISMA_NOTE = 'a stub stands for the client of Prisma, whose engines cannot be installed';

/** Step 1 of the guide, where wiring leaves it to the user. */
const ACCOUNT_WIRE = `import { accountModule, answerBodyErrors } from './account/index';

export function mountAccount(app: { use(path: string, ...handlers: readonly unknown[]): unknown }): void {
  accountModule.assertSettings(process.env);
  app.use('/auth', accountModule.node, answerBodyErrors);
}
`;

export const PROJECTS: readonly RealProject[] = [
  {
    repository: 'w3cj/express-api-starter-ts',
    commit: 'c46ad4526400',
    kind: 'Express 5, TypeScript',
    build: ACCOUNT,
    install: [PNPM, 'cp .env.sample .env'],
    fix: [ESLINT_FIX],
    lint: ESLINT,
    start: TSX,
  },
  {
    repository: 'gothinkster/node-express-realworld-example-app',
    commit: '30b68e1e8814',
    kind: 'Express 4, Nx',
    build: ACCOUNT,
    install: [NPM],
    stubs: PRISMA_STUB,
    stubNote: PRISMA_NOTE,
    fix: [ESLINT_FIX, 'node node_modules/prettier/bin-prettier.js --write src'],
    lint: ESLINT,
    start: 'node -r ts-node/register/transpile-only src/main.ts',
    variables: { TS_NODE_COMPILER_OPTIONS: '{"module":"commonjs"}' },
  },
  {
    repository: 'edwinhern/express-typescript',
    commit: 'f795eab92073',
    kind: 'Express 5, Biome',
    build: ACCOUNT,
    install: [PNPM],
    fix: ['node_modules/.bin/biome check --write'],
    lint: 'node_modules/.bin/biome check --reporter=json --max-diagnostics=none',
    start: TSX,
    variables: {
      HOST: 'localhost',
      CORS_ORIGIN: 'http://localhost:1',
      COMMON_RATE_LIMIT_MAX_REQUESTS: '1000',
      COMMON_RATE_LIMIT_WINDOW_MS: '1000',
    },
  },
  {
    repository: 'santiq/bulletproof-nodejs',
    commit: '7ce1b4690c4e',
    kind: 'Express 4, TypeScript 4.0.3',
    build: ACCOUNT,
    install: [NPM, 'cp .env.example .env'],
    // Its native code is compiled with headers that are downloaded.
    stubs: { 'node_modules/argon2/argon2.js': 'module.exports = {};\n' },
    stubNote: 'a stub stands for argon2, whose binary cannot be installed',
    hint: 'npm update typescript --ignore-scripts --no-audit --no-fund',
    services: ['mongo'],
    lint: 'node node_modules/eslint/bin/eslint.js --ext .ts src --format json',
    start: 'node -r ts-node/register/transpile-only -r tsconfig-paths/register src/app.ts',
    edits: [
      ['src/account.wire.ts', '', ACCOUNT_WIRE],
      [
        'src/loaders/express.ts',
        "import config from '@/config';",
        "import config from '@/config';\nimport { mountAccount } from '../account.wire';",
      ],
      ['src/loaders/express.ts', 'routes());', 'routes());\n  mountAccount(app);'],
    ],
    variables: { MONGODB_URI: '$MONGO' },
  },
  {
    repository: 'w3cj/express-api-starter',
    commit: 'ece2dc561ada',
    kind: 'Express, JavaScript, ES modules',
    build: ACCOUNT,
    install: [PNPM, 'cp .env.sample .env'],
    fix: ['node_modules/.bin/eslint --fix src'],
    // Its configuration brings the linter.
    lint: 'node node_modules/.pnpm/node_modules/eslint/bin/eslint.js . --format json',
    start: 'node src/index.js',
  },
  {
    repository: 'hagopj13/node-express-boilerplate',
    commit: '179ae84efec6',
    kind: 'Express 4, JavaScript, CommonJS',
    build: ACCOUNT,
    install: ['yarn install --frozen-lockfile --ignore-scripts --non-interactive'],
    services: ['mongo'],
    fix: [ESLINT_FIX],
    lint: ESLINT,
    start: 'node src/index.js',
    variables: { MONGODB_URL: '$MONGO' },
  },
  {
    repository: 'fastapi/full-stack-fastapi-template',
    commit: '68adb40d3742',
    kind: 'FastAPI, uv workspace',
    build: FASTAPI_ACCOUNT,
    options: ['-w', 'backend'],
    folder: 'backend',
    install: ['uv sync --frozen --all-packages'],
    services: ['postgres'],
    fix: ['../.venv/bin/ruff check --fix --exit-zero .', '../.venv/bin/ruff format .'],
    lint: '../.venv/bin/ruff check --output-format json --exit-zero .',
    start: '../.venv/bin/uvicorn app.main:app --port $PORT',
    variables: { DATABASE_URL: '$POSTGRES', APP_ENV: 'development', FASTAPI_ENV: 'development' },
  },
  {
    repository: 'nsidnev/fastapi-realworld-example-app',
    commit: '029eb7781c60',
    kind: 'FastAPI, poetry',
    build: FASTAPI_ACCOUNT,
    noStart:
      'its packages cannot be installed: poetry finds its wemake-python-styleguide 0.16.1 no more, and its databases 0.6.1 needs SQLAlchemy before 1.5, the build 2.0.40',
  },
  { repository: 'wsvincent/djangox', commit: '56aa62e0e2e9', kind: 'Django', build: ACCOUNT },
  {
    repository: 'alan2207/bulletproof-react',
    commit: '9506629ed003',
    kind: 'Vite, React',
    folder: 'apps/react-vite',
    build: ACCOUNT,
  },
  {
    repository: 'antonio-lazaro/prisma-express-typescript-boilerplate',
    commit: '346d60f',
    kind: 'Express 4, TypeScript, Prisma',
    build: ACCOUNT,
    install: ['yarn install --frozen-lockfile --ignore-scripts --non-interactive'],
    stubs: PRISMA_STUB,
    stubNote: PRISMA_NOTE,
    lint: ESLINT,
    start: 'node -r ts-node/register/transpile-only src/index.ts',
    variables: {
      JWT_ACCESS_EXPIRATION_MINUTES: '30',
      SMTP_HOST: 'localhost',
      EMAIL_FROM: 'a@example.org',
    },
    isChosen: true,
  },
  {
    repository: 'danielfsousa/express-rest-boilerplate',
    commit: 'b8bed6d',
    kind: 'Express 4, JavaScript, CommonJS',
    build: ACCOUNT,
    install: ['yarn install --ignore-scripts --non-interactive', 'cp .env.example .env'],
    services: ['mongo'],
    lint: 'node node_modules/eslint/bin/eslint.js src --format json',
    start: 'node src/index.js',
    variables: {
      MONGO_URI: '$MONGO',
      EMAIL_PORT: '25',
      EMAIL_HOST: 'localhost',
      EMAIL_USERNAME: 'a',
      EMAIL_PASSWORD: 'a',
    },
    isChosen: true,
  },
  {
    repository: 'rafsaf/minimal-fastapi-postgres-template',
    commit: '5a39f65',
    kind: 'FastAPI, uv, asyncpg',
    build: FASTAPI_ACCOUNT,
    install: ['uv sync --frozen'],
    services: ['postgres'],
    lint: '.venv/bin/ruff check --output-format json --exit-zero .',
    start: '.venv/bin/uvicorn app.main:app --port $PORT',
    variables: {
      DATABASE_URL: '$POSTGRES',
      APP_ENV: 'development',
      DATABASE__HOSTNAME: '127.0.0.1',
      DATABASE__USERNAME: 'app',
      DATABASE__PORT: '$POSTGRES_PORT',
    },
    isChosen: true,
  },
];
