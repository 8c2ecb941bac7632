/** Files of a project that are those of a build in another formatting: adopted by `add` and `update`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GitFixture, build } from '../generate/git-fixture.ts';
import {
  bringUpToDate,
  makeProject,
  readProject,
  serveRegistry,
  stackyard,
} from './registry-fixture.ts';

const SHIPPED = `export const one = { a: 1, b: 'two' };\nexport function f() {\n  return one;\n}\n`;
const FORMATTED = `export const one = {\n\ta: 1,\n\tb: "two"\n}\nexport function f() { return one }\n`;
const JSON_SHIPPED = '{ "a": [1, 2] }\n';
const JSON_FORMATTED = '{\n  "a": [\n    1,\n    2\n  ]\n}\n';
const OPTIONS = { base: 'src/x', files: ['*.ts', '*.json', '*.txt'] };

it('add adopts a file that is only formatted, verify and remove count it as unmodified', async () => {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0', OPTIONS, { 'one.ts': SHIPPED, 'data.json': JSON_SHIPPED }));
  const { url } = await serveRegistry(git);
  const folder = makeProject({
    'package.json': '{}\n',
    'src/x/one.ts': FORMATTED,
    'src/x/data.json': JSON_FORMATTED,
  });
  const run = (...args: string[]) => stackyard([...args, '-C', folder, '--registry', url]);

  const added = await run('add', 'a/x', '--no-install');
  expect([added.status, added.stderr]).toEqual([0, '']);
  expect(added.stdout).toContain('  = src/x/one.ts  adopted: only its formatting differs\n');
  expect(readFileSync(join(folder, 'src/x/one.ts'), 'utf8')).toBe(FORMATTED);
  const verified = await run('verify', '--verbose');
  expect(verified).toMatchObject({ status: 0 });
  expect(verified.stdout).toContain('reformatted  src/x/one.ts');
  expect((await run('remove', 'a/x')).status).toBe(0);
  expect(Object.keys(readProject(folder))).toEqual(['package.json']);
});

it('update adopts a formatted file where the new version adds one, and refuses an edited one', async () => {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0', OPTIONS, { 'old.ts': 'export {};\n' }));
  const { url, index } = await serveRegistry(git);
  const folder = makeProject();
  const run = (...args: string[]) => stackyard([...args, '-C', folder, '--registry', url]);
  expect((await run('add', 'a/x')).status).toBe(0);
  git.commit(build('a/x', '1.1.0', OPTIONS, { 'one.ts': SHIPPED }));
  await bringUpToDate(git, index);
  const file = join(folder, 'src/x/one.ts');

  writeFileSync(file, FORMATTED.replace('two', 'three'));
  const refused = await run('update', '--no-install');
  expect([refused.status, refused.stderr]).toEqual([5, expect.stringContaining('src/x/one.ts')]);
  writeFileSync(file, FORMATTED);
  const updated = await run('update', '--no-install');
  expect([updated.status, updated.stderr]).toEqual([0, '']);
  expect(readFileSync(file, 'utf8')).toBe(FORMATTED);
  expect((await run('verify', '--verbose')).stdout).toContain('reformatted  src/x/one.ts');
});
