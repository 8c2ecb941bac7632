/**
 * Small real applications of each host with stackyard/better-auth, into which the client has put the builds by their guides. Their
 * packages come from npm, once for all of them.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../tools/free-port.ts';
import { stackyard } from '../client/registry-fixture.ts';
import { projectEnvironment } from '../foundations/our-registry.ts';
import { runServer, type ServerProcess } from '../foundations/server-process.ts';

export type Host = 'express' | 'hono' | 'fastify' | 'nest' | 'next';
export type Database = 'sqlite' | 'postgres';

const BUILDS = join(import.meta.dirname, '../../builds/stackyard');
const SECRET = 'a secret of the tests, 32 bytes or more: 8f1c6a';

/** What all hosts need, with the newest version of the library. */
export const PACKAGES: readonly string[] = [
  'better-auth@^1.7.6',
  'express@5',
  'hono@4',
  '@hono/node-server@2',
  'fastify@5',
  '@nestjs/common@12',
  '@nestjs/core@12',
  '@nestjs/platform-express@12',
  'reflect-metadata@0.2',
  'rxjs@7',
  'next@16',
  'react@19',
  'react-dom@19',
  'better-sqlite3@13',
  'pg@8',
  'nodemailer@10',
  'croner@11',
  'typescript@5.9',
  '@types/node@24',
  '@types/express@5',
  '@types/pg@8',
  '@types/better-sqlite3@7',
  '@types/react@19',
];

const HOST_OF: ReadonlyMap<string, Host> = new Map([
  ['express', 'express'],
  ['hono', 'hono'],
  ['fastify', 'fastify'],
  ['@nestjs/core', 'nest'],
  ['next', 'next'],
]);

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: 'es2023',
    module: 'nodenext',
    skipLibCheck: true,
    types: ['node'],
    rootDir: 'src',
    outDir: 'dist',
    exactOptionalPropertyTypes: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  },
  include: ['src'],
};

/** The files of each host before the build comes. Its own route is added afterwards, since it uses the build. */
const FILES: Readonly<Record<Host, Readonly<Record<string, string>>>> = {
  express: {
    'src/server.ts': `import express from 'express';
import { addPrivate } from './private.js';

const app = express();
app.use(express.json());
addPrivate(app);
app.get('/health', (_req, res) => void res.json({}));
app.listen(Number(process.env['PORT']));
`,
  },
  hono: {
    'src/server.ts': `import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { addPrivate } from './private.js';

const app = new Hono();
addPrivate(app);
app.get('/health', (c) => c.json({}));
serve({ fetch: app.fetch, port: Number(process.env['PORT']) });
`,
  },
  fastify: {
    'src/server.ts': `import fastify from 'fastify';
import { addPrivate } from './private.js';

const app = fastify();
addPrivate(app);
await app.listen({ port: Number(process.env['PORT']), host: '0.0.0.0' });
`,
  },
  nest: {
    'src/main.ts': `import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PrivateController } from './private.js';

@Module({ controllers: [PrivateController] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error'] });
await app.listen(Number(process.env['PORT']));
`,
  },
  next: {
    'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify('ROOT')} } };\n`,
    'app/layout.tsx':
      'export default function Layout({ children }: { children: React.ReactNode }) {\n  return <html><body>{children}</body></html>;\n}\n',
    'app/page.tsx': 'export default function Page() {\n  return null;\n}\n',
  },
};

const PRIVATE: Readonly<Record<Host, readonly [path: string, text: string]>> = {
  express: [
    'src/private.ts',
    `import type { Express } from 'express';
import { currentUser } from './auth.js';
import { requireSession } from './better-auth/express.js';

export function addPrivate(app: Express): void {
  app.all('/private', requireSession, (req, res) => void res.json(currentUser(req)));
}
`,
  ],
  hono: [
    'src/private.ts',
    `import type { Hono } from 'hono';
import { currentUser } from './auth.js';
import { requireSession } from './better-auth/hono.js';

export function addPrivate(app: Hono): void {
  app.all('/private', requireSession, (c) => c.json(currentUser(c)));
}
`,
  ],
  fastify: [
    'src/private.ts',
    `import type { FastifyInstance } from 'fastify';
import { currentUser } from './auth.js';
import { requireSession } from './better-auth/fastify.js';

export function addPrivate(app: FastifyInstance): void {
  app.get('/private', { preHandler: requireSession }, async (request) => currentUser(request));
  app.post('/private', { preHandler: requireSession }, async (request) => currentUser(request));
}
`,
  ],
  nest: [
    'src/private.ts',
    `import { Controller, Get, HttpCode, HttpException, Post, Req, UseGuards } from '@nestjs/common';
import { currentUser } from './auth.js';
import { requireSession } from './better-auth/nest.js';

@Controller('private')
@UseGuards(requireSession(HttpException))
export class PrivateController {
  @Get()
  read(@Req() request: object) {
    return currentUser(request);
  }

  @Post()
  @HttpCode(200)
  write(@Req() request: object) {
    return currentUser(request);
  }
}
`,
  ],
  next: [
    'app/private/route.ts',
    `import '../../src/auth';
import { requireSession } from '../../src/better-auth/next';

export const GET = requireSession((_request, user) => Response.json(user));
export const POST = GET;
`,
  ],
};

/** The mail of a project without stackyard/mail. */
const OWN_MAIL = `import { createTransport } from 'nodemailer';
import type { SendMail } from './better-auth/index.js';

export const sendMail: SendMail | undefined = (mail) =>
  createTransport(process.env['SMTP_URL'] ?? '').sendMail({ from: 'app@example.com', ...mail });
`;

/** An installation of packages, in whose folder projects are. */
export class Projects {
  readonly folder = mkdtempSync(join(tmpdir(), 'better-auth-'));

  static async install(packages: readonly string[]): Promise<Projects> {
    const projects = new Projects();
    projects.#write('package.json', '{ "name": "hosts", "private": true }\n');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
    await run(projects.folder, 'npm', 'install', ...options, ...packages);
    return projects;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Makes a project of a host, with the steps of the guides carried out by the client, and `edits` of src/auth.ts. */
  async make(
    name: string,
    host: Host,
    database: Database,
    edits: readonly Edit[] = [],
  ): Promise<Project> {
    const { dependencies } = JSON.parse(
      readFileSync(join(this.folder, 'package.json'), 'utf8'),
    ) as {
      dependencies: Readonly<Record<string, string>>;
    };
    // The client decides by the packages which host it is.
    const own = Object.entries(dependencies).filter(([one]) => (HOST_OF.get(one) ?? host) === host);
    const manifest = {
      name,
      private: true,
      type: 'module',
      dependencies: Object.fromEntries(own),
    };
    const tsconfig =
      host === 'next'
        ? { compilerOptions: { ...NEXT_OPTIONS }, include: ['src', 'app'] }
        : TSCONFIG;
    const files = {
      'package.json': JSON.stringify(manifest),
      'tsconfig.json': JSON.stringify(tsconfig),
      '.nvmrc': process.versions.node,
      ...FILES[host],
    };
    for (const [path, text] of Object.entries(files))
      this.#write(join(name, path), text.replace('ROOT', this.folder));
    const project = join(this.folder, name);
    await addBuilds(project, [database, 'better-auth']);
    this.#write(join(name, PRIVATE[host][0]), PRIVATE[host][1]);
    this.#write(join(name, 'src/auth.mail.ts'), OWN_MAIL);
    for (const [at, text] of edits) this.#edit(join(name, 'src/auth.ts'), at, text);
    if (host === 'next') await run(project, 'npx', '--no-install', 'next', 'build');
    else await run(project, 'npx', '--no-install', 'tsc');
    return { folder: project, host, database };
  }

  /** Makes a project of a foundation with mail and a module of its own. */
  async makeFoundation(
    foundation: 'express-api' | 'hono-api',
    database: Database,
    edits: readonly Edit[],
  ): Promise<Project> {
    const project = join(this.folder, foundation);
    cpSync(join(BUILDS, foundation), project, { recursive: true });
    writeFileSync(join(project, '.nvmrc'), process.versions.node);
    const builds = [database, 'sql', 'module-routes', 'jobs', 'mail', 'better-auth'];
    await addBuilds(project, builds);
    this.#write(join(foundation, 'src/private.ts'), PRIVATE_MODULE);
    const modules = join(foundation, 'src/modules.ts');
    this.#edit(modules, 'import type { Module }', `${IMPORT_PRIVATE}import type { Module }`);
    this.#edit(modules, 'modules.push(', 'modules.push(privateModule);\nmodules.push(');
    for (const [at, text] of edits) this.#edit(join(foundation, 'src/auth.ts'), at, text);
    await run(project, 'npx', '--no-install', 'tsc', '-p', 'tsconfig.build.json');
    return { folder: project, host: foundation === 'hono-api' ? 'hono' : 'express', database };
  }

  /** Makes a project of Express whose src/auth.ts has an adapter, by these programs of npm after the build is there. */
  async makeWithAdapter(
    name: string,
    auth: string,
    edits: readonly Edit[],
    more: Readonly<Record<string, string>>,
    programs: readonly (readonly string[])[],
  ): Promise<Project> {
    const project = join(this.folder, name);
    const files = {
      'package.json': JSON.stringify({ name, private: true, type: 'module' }),
      'tsconfig.json': JSON.stringify(TSCONFIG),
      '.nvmrc': process.versions.node,
      ...FILES.express,
      ...more,
      'src/auth.ts': auth,
      'src/auth.mail.ts': OWN_MAIL,
      [PRIVATE.express[0]]: PRIVATE.express[1],
    };
    for (const [path, text] of Object.entries(files)) this.#write(join(name, path), text);
    for (const [at, text] of edits) this.#edit(join(name, 'src/auth.ts'), at, text);
    const build = join(project, 'src/better-auth');
    cpSync(join(BUILDS, 'better-auth'), build, {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    });
    this.#edit(join(name, 'src/server.ts'), "import express from 'express';", MOUNT[0]);
    this.#edit(join(name, 'src/server.ts'), 'app.listen(', MOUNT[1]);
    for (const args of programs) await run(project, 'npx', '--no-install', ...args);
    await run(project, 'npx', '--no-install', 'tsc');
    return { folder: project, host: 'express', database: 'sqlite' };
  }

  #write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  #edit(path: string, at: string, text: string): void {
    const before = readFileSync(join(this.folder, path), 'utf8');
    if (!before.includes(at)) throw new Error(`${path} does not have: ${at}`);
    this.#write(
      path,
      before.replace(at, () => text),
    );
  }
}

/** Adds builds of this repository, and carries out the steps of stackyard/better-auth. */
async function addBuilds(project: string, builds: readonly string[]): Promise<void> {
  const folders = builds.map((build) => join(BUILDS, build));
  const flags = ['--wire', '--yes', '--no-install', '--no-prove', '--allow', 'all', '-C', project];
  const env = projectEnvironment() as Record<string, string>;
  const { status, stdout, stderr } = await stackyard(['add', ...folders, ...flags], env);
  if (status !== 0) throw new Error(stderr + stdout);
  const left = /^ {2}step \d+(?: of stackyard\/better-auth)?, .*/m.exec(stdout);
  if (left !== null) throw new Error(left[0]);
}

const MOUNT = [
  "import express from 'express';\nimport './auth.js';\nimport { mountAuth } from './better-auth/express.js';",
  'mountAuth(app);\napp.listen(',
] as const;

const IMPORT_PRIVATE = "import { privateModule } from './private.js';\n";

/** A module of the project, by what the tag `auth` promises. */
const PRIVATE_MODULE = `import type { IncomingMessage, ServerResponse } from 'node:http';
import { authenticate, currentUser } from './auth.js';
import { requireSession } from './better-auth/express.js';

export const privateModule = {
  name: 'private',
  routes: [
    {
      prefix: '/private',
      node(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void {
        requireSession(req, res, (error) => {
          if (error !== undefined) return next(error);
          res.setHeader('Content-Type', 'application/json').end(JSON.stringify(currentUser(req)));
        });
      },
      async fetch(request: Request): Promise<Response> {
        const user = await authenticate(request);
        return user instanceof Response ? user : Response.json(user);
      },
    },
  ],
};
`;

const NEXT_OPTIONS = {
  strict: true,
  target: 'es2023',
  lib: ['es2023', 'dom'],
  module: 'preserve',
  moduleResolution: 'bundler',
  jsx: 'preserve',
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
};

/** What `at` becomes in src/auth.ts. */
export type Edit = readonly [at: string, text: string];

export interface Project {
  readonly folder: string;
  readonly host: Host;
  readonly database: Database;
}

export interface RunningHost extends ServerProcess {
  readonly origin: string;
}

/** Starts a project in production, with these variables. Rejects with its output where it ends. */
export async function startProject(
  { folder, host }: Project,
  env: Readonly<Record<string, string>>,
  port?: number,
): Promise<RunningHost> {
  const used = port ?? (await findFreePort());
  const origin = `http://localhost:${used}`;
  const isNext = host === 'next';
  const file = isNext
    ? join(folder, '../node_modules/next/dist/bin/next')
    : join(folder, host === 'nest' ? 'dist/main.js' : 'dist/server.js');
  const server = runServer(
    {
      file: process.execPath,
      args: [file, ...(isNext ? ['start', '-p', String(used)] : [])],
      cwd: folder,
      env: {
        NODE_ENV: 'production',
        PORT: String(used),
        BETTER_AUTH_URL: origin,
        BETTER_AUTH_SECRET: SECRET,
        ...env,
      },
    },
    used,
  );
  let hasEnded = false;
  void server.exit.then(() => (hasEnded = true));
  for (let tries = 0; tries < 600 && !hasEnded; tries += 1) {
    const answer = await fetch(`${origin}/api/auth/ok`).catch(() => undefined);
    if (answer !== undefined) return { ...server, origin };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await server.stop();
  throw new Error(`The host did not start: ${server.stdout()}${server.stderr()}`);
}

async function run(cwd: string, program: string, ...args: string[]): Promise<void> {
  const env = {
    ...projectEnvironment(),
    NEXT_TELEMETRY_DISABLED: '1',
    // Prisma loads its programs from the network unless they are named; none of them is started.
    PRISMA_QUERY_ENGINE_LIBRARY: process.execPath,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    DATABASE_URL: 'postgres://db',
  };
  const options = { cwd, env, maxBuffer: 10_000_000 };
  await promisify(execFile)(program, args, options).catch(
    (error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${program} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
    },
  );
}
