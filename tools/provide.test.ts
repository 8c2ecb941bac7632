import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { missingPrograms } from './provide.ts';

test('missingPrograms() names what no folder of the path has as a program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-provide-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['here', 'text']) writeFileSync(join(folder, name), '');
  chmodSync(join(folder, 'here'), 0o755);
  const programs = ['here', 'text', 'absent'].map((name) => ({ name, debian: name, why: '' }));
  const found = (path: string): string[] => missingPrograms(programs, path).map((p) => p.name);
  expect(found(`/nowhere${delimiter}${folder}`)).toEqual(['text', 'absent']);
  expect(found('')).toEqual(['here', 'text', 'absent']);
});

test('without the programs the tool fails and names all of them', () => {
  const tool = join(import.meta.dirname, 'provide.ts');
  const ended = spawnSync(process.execPath, [tool], {
    env: { PATH: '/nowhere' },
    encoding: 'utf8',
  });
  expect(ended.status).toBe(1);
  for (const name of ['git', 'tar', 'openssl']) expect(ended.stderr).toContain(`"${name}"`);
});
