/**
 * The main job, end to end: this repository's index over HTTP, `stackyard/sqlite` into an empty TypeScript project with a real
 * `npm install`, then that project's type check and a program that uses it; and our modules, wired without a question.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { ourIndex } from '../foundations/our-registry.ts';
import { makeProject, serveFolder, stackyard } from './registry-fixture.ts';

/** A program of the project. */
const USE = `import { closeDatabase, openDatabase } from './sqlite/index.js';
const migrations = [{ id: '0001_app_create', sql: 'CREATE TABLE t (x); INSERT INTO t VALUES (1)' }];
const db = openDatabase(':memory:', { migrations });
console.log(db.prepare('SELECT x FROM t').pluck().get());
closeDatabase(db);
`;

/** The fields of the spec's package record, and no other. */
const RECORD_FIELDS = (
  'agent_reports checks description downloads files flags id integration integrity keywords kind latest license ' +
  'manifest provides published_at publisher quality readme repository reputation requires risk updated_at version versions'
).split(' ');

it('stackyard/sqlite has the record of the specification, and a tarball of its integrity', async () => {
  const url = await serveFolder(await ourIndex());
  const record = (await (await fetch(`${url}/builds/stackyard/sqlite.json`)).json()) as Record<
    string,
    unknown
  >;
  expect(Object.keys(record).sort()).toEqual(RECORD_FIELDS);
  const path = `builds/stackyard/sqlite/${String(record['version'])}.tgz`;
  const tarball = Buffer.from(await (await fetch(`${url}/${path}`)).arrayBuffer());
  const digest = execFileSync('openssl', ['dgst', '-sha256', '-binary'], { input: tarball });
  expect(record['integrity']).toBe(`sha256-${digest.toString('base64')}`);
  const listed = execFileSync('tar', ['tzf', '-'], { input: tarball, encoding: 'utf8' });
  expect(listed.trim().split('\n')).toContain('package/stackyard.json');
});

it(
  'stackyard/sqlite is installed into an empty TypeScript project, which compiles and runs',
  { timeout: 300_000 },
  async () => {
    const url = await serveFolder(await ourIndex());
    const project = makeProject({
      'package.json': JSON.stringify(
        { name: 'app', private: true, type: 'module', devDependencies: { typescript: '^5.9.0' } },
        null,
        2,
      ),
      'src/main.ts': USE,
      'tsconfig.json': JSON.stringify({
        compilerOptions: { strict: true, module: 'nodenext', target: 'es2024', noEmit: true },
        include: ['src'],
      }),
    });
    // The project runs on the Node.js of this test.
    const variables = { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` };
    const added = await stackyard(
      ['add', 'stackyard/sqlite', '-C', project, '--registry', url],
      variables,
    );
    expect([added.status, added.stdout]).toEqual([
      0,
      expect.stringMatching(/^stackyard\/sqlite \d+\.\d+\.\d+ from /),
    ]);
    expect(existsSync(join(project, 'node_modules/better-sqlite3/package.json'))).toBe(true);

    const run = (program: string, ...args: string[]): string => {
      const env = { ...process.env, ...variables };
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd: project,
        env,
        encoding: 'utf8',
      });
      return stripVTControlCharacters(
        status === 0 ? stdout : `status ${status}: ${stdout}${stderr}`,
      );
    };
    expect(run('npx', 'tsc')).toBe('');
    expect(run('npx', 'tsc', '--noEmit', 'false', '--outDir', 'dist')).toBe('');
    expect(run('node', 'dist/main.js')).toBe('1\n');
    const placed = readdirSync(join(project, 'src/sqlite'));
    expect(placed.filter((name) => name.includes('test'))).toEqual([]);
    expect((await stackyard(['verify', '-C', project])).status).toBe(0);
  },
);

it.each([
  ['stackyard/account', 'express'],
  ['stackyard/sqlite', 'hono'],
])('%s is installed and wired without a question', async (id, framework) => {
  const url = await serveFolder(await ourIndex());
  const packages = {
    [framework]: framework === 'hono' ? '4.12.0' : '5.0.0',
    typescript: '5.9.0',
  };
  const project = makeProject({
    'package.json': JSON.stringify({ name: 'app', type: 'module', dependencies: packages }),
    'tsconfig.json': '{}\n',
  });
  const args = ['add', id, '--wire', '--no-install', '--no-input', '--json'];
  const ended = await stackyard([...args, '-C', project, '--registry', url]);
  const { data, error } = JSON.parse(ended.stdout) as { data: any; error: unknown };
  expect([error, ended.status]).toEqual([undefined, 0]);
  expect(data.plan.consent).toBeUndefined();
  expect(data.plan.wiring.filter((one: any) => one.action === 'added')).not.toEqual([]);
});
