/** Proofs in projects that make trouble, of builds that do, and where someone decided against them. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isOnPath } from '../../client/project/find-program.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { APP, START, add, addWith, project, registry } from './prove-fixture.ts';
import { makeProject, stackyard } from './registry-fixture.ts';

const HELLO = 'a/hello@1.0.0';
const ANSWERED = ['start: listened, as before', 'GET /hello answered 200'];

describe('add --prove', () => {
  it('needs no git', async () => {
    const bin = temporaryFolder();
    mkdirSync(bin, { recursive: true });
    for (const name of ['sh', 'env', 'npm']) symlinkSync(join(pathOf(name), name), join(bin, name));
    symlinkSync(process.execPath, join(bin, 'node'));
    const { status, data } = await addWith({ PATH: bin }, project(START), HELLO, '--prove');
    expect([status, data.proof?.facts]).toEqual([0, ANSWERED]);
  });

  it('does not blame a change for tests and a start that need a database', async () => {
    const needs =
      "import { connect } from 'node:net';\nconnect(1, '127.0.0.1').on('error', (error) => { console.error(error.message); process.exit(1); });\n";
    const scripts = { ...START, test: 'node test.mjs' };
    const text = `${needs}${APP.replace(/app\.listen.*\n/, '')}`;
    const files = { 'test.mjs': needs, 'src/app.js': text };
    const { status, data } = await add(project(scripts, files), HELLO, '--prove');
    expect([status, data.proof]).toEqual([
      0,
      {
        is_good: false,
        facts: [
          'tests: failed, as before',
          'start: did not listen, as before',
          'requests of the guides: not sent, the application did not listen',
        ],
        problems: [],
        output: expect.arrayContaining(['connect ECONNREFUSED 127.0.0.1:1']),
      },
    ]);
  });

  it('starts a member with the packages of its workspace', async () => {
    const text = `import { NAME } from '@a/shared';\n${APP.replace('res.json({})', 'res.json({ NAME })')}`;
    const member = project(START, { 'src/app.js': text });
    const root = makeProject({
      'package.json': '{ "name": "root", "workspaces": ["apps/*", "packages/*"] }',
      'packages/shared/package.json':
        '{ "name": "@a/shared", "type": "module", "exports": "./index.js" }',
      'packages/shared/index.js': "export const NAME = 'shared';\n",
      ...Object.fromEntries(
        ['package.json', 'src/app.js'].map((path) => [
          `apps/api/${path}`,
          readFileSync(join(member, path), 'utf8'),
        ]),
      ),
    });
    mkdirSync(join(root, 'node_modules/@a'), { recursive: true });
    symlinkSync('../../packages/shared', join(root, 'node_modules/@a/shared'));
    symlinkSync(join(member, 'node_modules/express'), join(root, 'node_modules/express'));
    const { status, data } = await add(join(root, 'apps/api'), HELLO, '--prove');
    expect([status, data.proof?.facts]).toEqual([0, ANSWERED]);
  });

  it('sends no request of a guide that names another host', async () => {
    const { status, data } = await add(project(START), 'a/hello@4.0.0', '--prove');
    expect([status, data.proof]).toEqual([
      0,
      {
        is_good: false,
        facts: [
          'start: listened, as before',
          'requests of a/hello: not sent, its guide has a wrong line',
        ],
        problems: [],
      },
    ]);
  });

  it('runs nothing where a setting refuses it, and states it', async () => {
    const mark = join(temporaryFolder(), 'ran');
    const folder = project({ test: `node -e "require('fs').writeFileSync('${mark}', '')"` });
    const never = { STACKYARD_PROVE: 'never' };
    const { status, stderr, data } = await addWith(never, folder, HELLO, '--prove');
    expect([status, data.proof, existsSync(mark)]).toEqual([0, undefined, false]);
    expect(stderr).toContain('Not proved: STACKYARD_PROVE is "never"');
  });

  it('states where the project has nothing that proves it', async () => {
    const { status, stderr } = await add(project({}), HELLO, '--prove');
    expect(status).toBe(0);
    expect(stderr).toContain('Not proved: the project has no type check, lint, tests or start');
  });
});

it('nothing of a proof leaves the machine', async () => {
  const bytes: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      bytes.push(data.toString());
      socket.end('HTTP/1.1 503 Unavailable\r\ncontent-length: 0\r\n\r\n');
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const address = `http://127.0.0.1:${port}`;
  const env = { HTTP_PROXY: address, HTTPS_PROXY: address, https_proxy: address };
  const folder = project(START);
  const { status, data } = await addWith(env, folder, HELLO, '--prove');
  expect([status, data.proof?.facts]).toEqual([0, ANSWERED]);
  expect(bytes).toEqual([]);
});

it('a report of a proof is one of the version that it shows to work', async () => {
  const report = async (folder: string, build: string): Promise<string> => {
    const args = ['report', build, 'proof', '-C', folder, '--registry', await registry()];
    const more = ['--account-id', '77', '--dry-run', '--json'];
    return (await stackyard([...args, ...more], { STACKYARD_REPOSITORY: folder })).stdout;
  };
  const folder = project(START);
  expect(await report(folder, 'a/hello')).toContain('ERR_LOCK');
  await add(folder, HELLO);
  expect(await report(folder, 'a/hello')).toContain('has none');
  const bad = project(START);
  await add(bad, 'a/hello@2.0.0', '--prove');
  expect(await report(bad, 'a/hello')).toContain('does not show that it works');
  expect(await report(bad, 'a/other')).toContain('the last one is about a/hello@2.0.0');
});

function pathOf(program: string): string {
  const folders = (process.env['PATH'] ?? '').split(':');
  const found = folders.find((folder) => existsSync(join(folder, program)));
  if (found === undefined || !isOnPath(program)) throw new Error(`There is no ${program}`);
  return found;
}
