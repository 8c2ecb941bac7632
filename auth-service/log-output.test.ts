// The buffer in front of the standard output, also in processes that end in different ways.

import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bufferLines } from './log-output.ts';

function capture() {
  const written: string[] = [];
  const output = bufferLines({ write: (text: string) => void written.push(text) });
  return { output, written };
}

test('bufferLines() writes the lines of one turn together, in order', async () => {
  const { output, written } = capture();
  for (const line of ['a\n', 'b\n', 'c\n']) output.write(line);
  expect(written).toEqual([]);
  await setImmediate();
  expect(written).toEqual(['a\nb\nc\n']);
  output.write('d\n');
  await setImmediate();
  expect(written).toEqual(['a\nb\nc\n', 'd\n']);
});

test('bufferLines() does not collect without end, and loses nothing', async () => {
  const { output, written } = capture();
  const line = `${'x'.repeat(999)}\n`;
  for (let count = 0; count < 1000; count++) output.write(line);
  expect(written.length).toBeGreaterThan(10);
  await setImmediate();
  expect(written.join('')).toBe(line.repeat(1000));
});

test('flush() writes what there is, once', async () => {
  const { output, written } = capture();
  output.write('a\n');
  output.flush();
  output.flush();
  await setImmediate();
  expect(written).toEqual(['a\n']);
});

const MODULE = JSON.stringify(join(import.meta.dirname, 'log-output.ts'));
const write = `import { openStandardOutput } from ${MODULE};
for (let n = 0; n < 5000; n++) openStandardOutput().write('line ' + n + '\\n');`;
const ALL = Array.from({ length: 5000 }, (_, n) => `line ${n}\n`).join('');
const run = (end: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', `${write}\n${end}`], {
    encoding: 'utf8',
  });

test.each([
  ['comes to its end', '', 0],
  ['calls exit', 'process.exit(3);', 3],
  ['crashes', 'throw new Error("crash");', 1],
  ['crashes by a promise', 'await Promise.reject(new Error("crash"));', 1],
])('openStandardOutput() has written all lines when the process %s', (_name, end, status) => {
  const ended = run(end);
  expect([ended.status, ended.stdout]).toEqual([status, ALL]);
});

test('openStandardOutput() does not keep a process whose reader has gone', () => {
  const script = `${write}\nsetTimeout(() => {}, 100);`;
  const args = ['-c', '"$0" --input-type=module -e "$1" | head -n 1', process.execPath, script];
  expect(execFileSync('sh', args, { encoding: 'utf8' })).toBe('line 0\n');
});
