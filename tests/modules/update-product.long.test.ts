/**
 * Products of the first versions of builds that have a second one, edited as people do, and updated: with routes and settings of
 * their own, and with files of builds edited at several places. What they did stays, what is new comes, and all of it runs.
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

/** The commit before the second versions: `express-api` 3.0.0, `hono-api` 2.0.0, `account-core` 1.0.0 and so on are the newest there. */
const BEFORE = '1e9fa473f582f0605c81f59df014d881aeacce68';

/** The first versions all have another one. */
function newestOf(id: string): string {
  const path = join(import.meta.dirname, '../../builds/stackyard', id, 'stackyard.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

type Edits = readonly (readonly [file: string, at: string, to: string])[];

interface Product {
  readonly name: string;
  /** Of a project that no foundation starts: its own files. */
  readonly files?: Readonly<Record<string, string>>;
  readonly make: string;
  readonly edits: Edits;
  /** Builds that the update brings. */
  readonly to: readonly string[];
}

const recoveryWith = (
  account: string,
): string => `import { accountModule } from './${account}/index.js';
import { createRecoveryModule } from './account-recovery/index.js';

export const recoveryModule = createRecoveryModule(accountModule, {
  link: 'http://localhost:3000',
  async sendMail({ to, subject }) {
    console.error(\`\${to}: \${subject}\`);
  },
});
`;

/** A route of the user's own, for accounts. */
const ordersOf = (framework: 'express' | 'hono'): string => {
  const isHono = framework === 'hono';
  const [type, c] = isHono ? ['Hono', 'c'] : ['Router', 'req'];
  const answer = isHono ? 'return c.json({ item }, 201);' : 'res.status(201).json({ item });';
  const body = isHono ? "c.get('body')" : 'req.body';
  return `import { ${type} } from '${framework}';
import { z } from 'zod';
import { currentUser, requireAuth } from '../../${isHono ? 'account-sqlite' : 'account'}/index.js';
import { parseInput } from '../../http/input.js';
${isHono ? "import type { AppEnv } from '../../http/context.js';\n" : ''}import type { Module } from '../../module.js';
import { database } from '../../sqlite/index.js';

const NewOrder = z.object({ item: z.string().min(1) });
const router = ${isHono ? 'new Hono<AppEnv>()' : 'Router()'};
router.use(requireAuth);
router.post('/', (${isHono ? 'c' : 'req, res'}) => {
  const { item } = parseInput(NewOrder, ${body});
  database().prepare('INSERT INTO orders (user_id, item) VALUES (?, ?)').run(currentUser(${c}).id, item);
  ${answer}
});

export const ordersModule: Module = {
  name: 'orders',
  migrations: [{ id: '0001_orders_create', sql: 'CREATE TABLE orders (user_id INTEGER NOT NULL, item TEXT NOT NULL)' }],
  routes: [{ prefix: '/orders', router }],
};
`;
};

const APP: Edits = [
  ['.env.example', 'PORT=3000', 'PORT=4000'],
  ['package.json', '"lint": "oxlint"', '"lint": "oxlint --deny-warnings", "seed": "node seed.js"'],
  [
    'src/modules.ts',
    'import type { Module }',
    "import { ordersModule } from './features/orders/module.js';\nimport { recoveryModule } from './recovery.js';\nimport type { Module }",
  ],
  ['src/modules.ts', 'modules.push(', 'modules.push(recoveryModule, ordersModule);\nmodules.push('],
  [
    'src/app.ts',
    '/** What the application is made of',
    "const VERSION = '7';\n\n/** What the application is made of",
  ],
  ['src/account-core/errors.ts', "'Invalid email or password'", "'Wrong e-mail or password'"],
  ['src/account-recovery/mail.ts', "'Reset your password'", "'Shop: reset your password'"],
  [
    'src/account-recovery/mail.ts',
    "email_verification: 'verify-email',",
    "email_verification: 'confirm',",
  ],
  ['src/account-recovery/mail.ts', "[1, 'second']", "[1, 'moment']"],
];

const WITH = '--with account,sqlite,stackyard/account-recovery';
const PACKAGE = { name: 'shop', private: true, type: 'module' };
const tsconfig = (more: object): string =>
  JSON.stringify({
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
      ...more,
    },
    include: ['src', 'app'],
  });

const PRODUCTS: readonly Product[] = [
  {
    name: 'express-api',
    make: `new stackyard/express-api shop ${WITH}`,
    edits: [
      ...APP,
      [
        'src/app.ts',
        '  app.use(securityHeaders);',
        "  app.use(securityHeaders);\n  app.use((_req, res, next) => (res.setHeader('X-App-Version', VERSION), next()));",
      ],
      [
        'src/app.ts',
        '  app.use(createHealthRouter(modules, isDraining));',
        "  app.use(createHealthRouter(modules, isDraining));\n  app.get('/version', (_req, res) => void res.json({ version: VERSION }));",
      ],
    ],
    to: ['express-api', 'account-core', 'account-recovery'],
  },
  {
    name: 'hono-api',
    make: `new stackyard/hono-api shop ${WITH}`,
    edits: [
      ...APP,
      [
        'src/app.ts',
        '  app.onError(handleError);',
        "  app.onError(handleError);\n  app.use(async (c, next) => (await next(), c.header('X-App-Version', VERSION)));",
      ],
      [
        'src/app.ts',
        "  app.route('/', createHealthRouter(modules, isDraining));",
        "  app.route('/', createHealthRouter(modules, isDraining));\n  app.get('/version', (c) => c.json({ version: VERSION }));",
      ],
    ],
    to: ['hono-api', 'account-core', 'account-recovery'],
  },
  {
    name: 'account-nest',
    files: {
      'package.json': JSON.stringify({
        ...PACKAGE,
        dependencies: {
          '@nestjs/common': '^11.0.0',
          '@nestjs/core': '^11.0.0',
          '@nestjs/platform-express': '^11.0.0',
          'reflect-metadata': '^0.2.0',
          rxjs: '^7.8.0',
          zod: '^4.0.0',
        },
        devDependencies: { '@types/node': '^22.0.0', typescript: '^5.9.0' },
      }),
      'tsconfig.json': tsconfig({ experimentalDecorators: true, emitDecoratorMetadata: true }),
      'src/main.ts':
        "import 'reflect-metadata';\nimport { Module } from '@nestjs/common';\nimport { NestFactory } from '@nestjs/core';\n\n@Module({})\nclass AppModule {}\n\nconst app = await NestFactory.create(AppModule);\nawait app.listen(3000);\n",
    },
    make: 'add stackyard/account-nest --wire',
    edits: [
      ['src/account-nest/index.ts', 'Bearer realm="account"', 'Bearer realm="shop"'],
      [
        'src/account-nest/index.ts',
        '  accounts.assertSettings(process.env);',
        "  accounts.assertSettings({ ...process.env, SHOP: '1' });",
      ],
      [
        'src/account-nest/index.ts',
        'export { currentUser }',
        "export const SHOP = 'shop';\nexport { currentUser }",
      ],
    ],
    to: ['account-nest', 'account-core'],
  },
  {
    name: 'account-next',
    files: {
      'package.json': JSON.stringify({
        ...PACKAGE,
        dependencies: { next: '^16.0.0', react: '^19.0.0', 'react-dom': '^19.0.0', zod: '^4.0.0' },
        devDependencies: {
          '@types/node': '^22.0.0',
          '@types/react': '^19.0.0',
          typescript: '^5.9.0',
        },
      }),
      'tsconfig.json': tsconfig({ module: 'preserve', jsx: 'preserve', lib: ['es2023', 'dom'] }),
      'app/page.tsx': 'export default function Page() {\n  return null;\n}\n',
    },
    make: 'add stackyard/account-next --wire',
    edits: [
      ['src/account-next/index.ts', "'account_session'", "'shop_session'"],
      [
        'src/account-next/index.ts',
        'if (origin === null) return true;',
        "if (origin === null) return headers.get('x-shop') === null;",
      ],
      ['src/account-next/index.ts', "message: 'Not found'", "message: 'Nothing here'"],
    ],
    to: ['account-next', 'account-core'],
  },
];

describe.each(PRODUCTS)('$name', ({ name, files, make, edits, to }) => {
  const above = mkdtempSync(join(tmpdir(), 'stackyard-update-'));
  const project = join(above, 'shop');
  const registry = join(above, 'index');
  const isApi = files === undefined;
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
    for (const [path, text] of Object.entries(files ?? {})) write(path, text);
    const made = await client(...make.split(' '), '-C', isApi ? above : project);
    if (made.status !== 0) throw new Error(made.stderr);
    for (const [path, at, replacement] of edits) {
      if (!read(path).includes(at)) throw new Error(`${path} does not have: ${at}`);
      write(
        path,
        read(path).replace(at, () => replacement),
      );
    }
    if (isApi) {
      // On Express the accounts are those of stackyard/account.
      const isHono = name === 'hono-api';
      write('src/recovery.ts', recoveryWith(isHono ? 'account-sqlite' : 'account'));
      write('src/features/orders/module.ts', ordersOf(isHono ? 'hono' : 'express'));
    }
    serve(await ourIndex());
    updated = await client('update', '-C', project, ...(isApi ? ['--prove'] : []));
  });
  afterAll(() => rmSync(above, { recursive: true, force: true }));

  test('is merged: each build has its newest version, and each edit is there', () => {
    expect([updated.status, updated.stderr]).toEqual([0, expect.any(String)]);
    const { builds } = JSON.parse(read('stackyard.lock.json')) as {
      builds: Record<string, { version: string }>;
    };
    for (const id of to)
      expect([id, builds[`stackyard/${id}`]?.version]).toEqual([id, newestOf(id)]);
    for (const [path, , replacement] of edits) expect(read(path)).toContain(replacement);
    expect(runIn(project, 'npx', '--no-install', 'tsc', '--noEmit')).toBe('');
  });

  if (!isApi) return;
  test('passes its tests, and answers as before and as it is new', async () => {
    expect(updated.stdout).toMatch(/type check: 0 new errors[\s\S]*tests: pass/);
    expect(updated.stdout).toContain('GET /ready answered 200');
    expect(runIn(project, 'npm', 'run', 'build')).not.toMatch(/^status/);
    const port = await findFreePort();
    const env = { NODE_ENV: 'development', PORT: String(port), SQLITE_PATH: join(above, 'app.db') };
    const command = { file: process.execPath, args: ['dist/server.js'], cwd: project, env };
    const server = await startServer(command, port);
    try {
      const send = (path: string, body: object, headers: object = {}) =>
        fetch(server.url + path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
      const account = { email: 'a@example.com', password: 'correct horse' };
      const registered = await send('/auth/register', account);
      const { token } = (await registered.json()) as { token: string };
      const own = { Authorization: `Bearer ${token}` };
      expect((await send('/orders', { item: 'tea' }, own)).status).toBe(201);
      const wrong = await send('/auth/login', { ...account, password: 'wrong' });
      expect(await wrong.text()).toContain('Wrong e-mail or password');
      expect(wrong.headers.get('x-app-version')).toBe('7');
      expect(await (await fetch(`${server.url}/version`)).json()).toEqual({ version: '7' });
      await send('/auth/password-reset', { email: account.email });
      await expect
        .poll(() => server.stderr())
        .toContain('a@example.com: Shop: reset your password');
      // The second versions have it.
      const byCookie = await send('/auth/login', account, {
        'X-Session': 'cookie',
        Origin: server.url,
      });
      expect(byCookie.headers.get('set-cookie')).toContain('auth_session=');
    } finally {
      await server.stop();
    }
  });
});
