/** A build that answers a request, in a project without an install: what proofs are tried with. */
import { cpSync } from 'node:fs';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { makeOnce } from '../run/make-once.ts';
import type { Ended } from '../run/script-process.ts';
import { makeProject, serveFolder, serveRegistry, stackyard } from './registry-fixture.ts';

/** A build that answers `GET /hello`; its guide promises `promised`. */
function hello(version: string, promised: string): ReturnType<typeof build> {
  const guide = `## Steps

1. Mount it:

   \`\`\`ts wire insert @express routes
   app.get('/hello', (_req, res) => res.json({ text: 'hello' }));
   \`\`\`

2. **Your own routes** (nothing to do when there are none): call them in the same way.

## Verify

\`\`\`http expect
${promised}
\`\`\`
`;
  const at = { base: 'src/hello', files: ['src/**'] };
  return build('a/hello', version, at, { 'INTEGRATION.md': guide });
}

export async function registry(): Promise<string> {
  const folder = await makeOnce('prove', async (made) => {
    const git = new GitFixture();
    git.commit(hello('1.0.0', 'GET /hello -> 200, text = "hello"'));
    git.commit(hello('2.0.0', 'GET /hello -> 201'));
    git.commit(hello('4.0.0', 'GET /hello -> 200\nGET //elsewhere.example/hello -> 200'));
    cpSync((await serveRegistry(git)).index, made, { recursive: true });
  });
  return serveFolder(folder);
}

/** Stands for the package: enough of Express for the projects here, which need no install. */
const EXPRESS = `import { createServer } from 'node:http';
export default () => {
  const routes = new Map();
  const json = (res) => Object.assign(res, { json: (value) => res.end(JSON.stringify(value)) });
  return {
    get: (path, handler) => routes.set(path, handler),
    listen: (port) => createServer((req, res) => {
      const found = routes.get(req.url);
      if (found === undefined) res.writeHead(404).end('{}');
      else found(req, json(res));
    }).listen(port),
  };
};
`;
export const APP = `import express from 'express';

const app = express();
app.get('/', (_req, res) => res.json({}));
app.listen(Number(process.env.PORT ?? 3000));
`;

export type Files = Readonly<Record<string, string>>;

export function project(scripts: Files, files: Files = {}): string {
  const manifest = { name: 'app', type: 'module', dependencies: { express: '^5.0.0' }, scripts };
  return makeProject({
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'src/app.js': APP,
    'node_modules/express/package.json':
      '{ "name": "express", "version": "5.1.0", "type": "module", "exports": "./index.js" }',
    'node_modules/express/index.js': EXPRESS,
    ...files,
  });
}

export async function add(
  folder: string,
  id: string,
  ...more: readonly string[]
): Promise<Ended & { data: Data }> {
  return addWith({}, folder, id, ...more);
}

/** @param env variables of the user */
export async function addWith(
  env: NodeJS.ProcessEnv,
  folder: string,
  id: string,
  ...more: readonly string[]
): Promise<Ended & { data: Data }> {
  const args = [
    'add',
    id,
    '-C',
    folder,
    '--wire',
    '--no-install',
    '--json',
    '--registry',
    await registry(),
    ...more,
  ];
  const ended = await stackyard(args, { STACKYARD_STATE: temporaryFolder(), ...env });
  return { ...ended, data: (JSON.parse(ended.stdout) as { data: Data }).data };
}

export interface Data {
  readonly proof?: {
    readonly is_good: boolean;
    readonly facts: string[];
    readonly problems: { text: string; cause?: string; output?: string[] }[];
    readonly output?: string[];
  };
  readonly prove?: { readonly commands: string[]; readonly runs: boolean };
}

export const START = { start: 'node src/app.js' };
