/**
 * The main job, end to end: this repository's index over HTTP, `stackyard/sqlite` into an empty TypeScript
 * project with a real `npm install`, then that project's type check and a program that uses it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { ourIndex } from '../foundations/our-registry.ts';
import { isLong } from '../run/runs.ts';
import { makeProject, serveFolder, stackyard } from './registry-fixture.ts';

const VERSION = '1.2.0';

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
  const record = (await (
    await fetch(`${url}/builds/stackyard/sqlite/${VERSION}.json`)
  ).json()) as Record<string, unknown>;
  expect(Object.keys(record).sort()).toEqual(RECORD_FIELDS);
  const tarball = Buffer.from(
    await (await fetch(`${url}/builds/stackyard/sqlite/${VERSION}.tgz`)).arrayBuffer(),
  );
  const digest = execFileSync('openssl', ['dgst', '-sha256', '-binary'], { input: tarball });
  expect(record['integrity']).toBe(`sha256-${digest.toString('base64')}`);
  const listed = execFileSync('tar', ['tzf', '-'], { input: tarball, encoding: 'utf8' });
  expect(listed.trim().split('\n')).toContain('package/stackyard.json');
});

// In every run of the tests, the tutorial installs this build and the packages of its project.
it.each(isLong() ? ['an empty TypeScript project'] : [])(
  'stackyard/sqlite from the served index into %s',
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
      expect.stringContaining(`stackyard/sqlite ${VERSION}`),
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
