import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { change, runCommand } from './prove-trial.ts';

const project = mkdtempSync(join(tmpdir(), 'stackyard-change-'));
afterAll(() => rmSync(project, { recursive: true, force: true }));

const read = (path: string): string => readFileSync(join(project, path), 'utf8');

test('change() writes and edits files, and its result takes that back', () => {
  writeFileSync(join(project, 'app.ts'), 'one two one\n');
  writeFileSync(join(project, 'old.ts'), 'old\n');
  const undo = change(
    project,
    { 'old.ts': 'new\n', 'deep/added.ts': 'added\n' },
    {
      'app.ts': [
        ['one', '$&'],
        ['two', '2'],
      ],
    },
  );
  expect(read('app.ts')).toBe('$& 2 one\n');
  expect(read('old.ts')).toBe('new\n');
  expect(read('deep/added.ts')).toBe('added\n');
  undo();
  expect(read('app.ts')).toBe('one two one\n');
  expect(read('old.ts')).toBe('old\n');
  expect(existsSync(join(project, 'deep/added.ts'))).toBe(false);
});

test('change() throws where a text to replace is missing', () => {
  writeFileSync(join(project, 'app.ts'), 'one\n');
  expect(() => change(project, {}, { 'app.ts': [['three', '3']] })).toThrow('has no "three"');
});

test('runCommand() returns the output of both streams and whether the command succeeded', async () => {
  const result = await runCommand('echo out; echo err >&2; exit 3', project, process.env);
  expect(result).toMatchObject({ isOk: false, output: 'out\nerr\n' });
  expect((await runCommand('true', project, process.env)).isOk).toBe(true);
});
