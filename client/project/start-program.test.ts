import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { captureProgram, runProgram, startProgram } from './start-program.ts';

const LIMITS = { timeoutMs: 60_000, maxBytes: 1_000_000 };

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Arguments that shells would interpret; on Windows those of `cmd.exe` too. */
const STRANGE = ['a b', '>=1,<2', '"q"', '%PATH%', '$HOME', '^', '&&', '|', '', '!x!', '(1)', "'"];

test('startProgram() passes arguments as they are', async () => {
  const file = join(temporary(), 'print.cjs');
  writeFileSync(file, 'process.stdout.write(JSON.stringify(process.argv.slice(2)))');
  const output = await captureProgram(process.execPath, [file, ...STRANGE], LIMITS);
  expect(JSON.parse(output!)).toEqual(STRANGE);
});

test.each(['a\nb', 'a\rb', 'a\0b'])('startProgram() refuses the argument %j', (argument) => {
  const start = (): unknown => startProgram('git', [argument], { cwd: temporary() });
  expect(start).toThrow(TypeError);
});

test('startProgram() starts no program of the folder that only has its name', () => {
  const folder = temporary();
  const name = 'stackyard-no-such-program';
  for (const ending of ['', '.cmd', '.exe', '.bat']) {
    writeFileSync(join(folder, name + ending), '#!/bin/sh\ntouch started\n');
    chmodSync(join(folder, name + ending), 0o755);
  }
  const before = process.env['PATH'];
  onTestFinished(() => void (process.env['PATH'] = before));
  process.env['PATH'] = '.';
  expect(() => startProgram(name, [], { cwd: folder })).toThrow('no program');
  expect(() => readFileSync(join(folder, 'started'))).toThrow('ENOENT');
});

test('captureProgram() returns nothing for a failure, a missing program and too much output', async () => {
  const run = (code: string, maxBytes = 1_000_000): Promise<string | undefined> =>
    captureProgram(process.execPath, ['-e', code], { ...LIMITS, maxBytes });
  expect(await run('process.exit(1)')).toBeUndefined();
  expect(await run('console.log("x".repeat(10_000))', 100)).toBeUndefined();
  expect(await captureProgram('stackyard-no-such-program', [], LIMITS)).toBeUndefined();
  // A timer that stays would keep the program from ending.
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((r) => r === 'Timeout').length;
  const before = timers();
  const cwd = '/no/such/folder';
  expect(await captureProgram(process.execPath, ['-v'], { ...LIMITS, cwd })).toBeUndefined();
  expect(timers()).toBe(before);
  expect(await run('console.log(1)')).toBe('1\n');
});

test('captureProgram() rejects when it is aborted', async () => {
  const controller = new AbortController();
  const work = captureProgram(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], {
    ...LIMITS,
    signal: controller.signal,
  });
  controller.abort(new Error('stopped'));
  await expect(work).rejects.toThrow('stopped');
});

test('runProgram() gives input, and ends all processes at the limit of time or where a watch finds a problem', async () => {
  const given = await runProgram('cat', [], { ...LIMITS, input: 'given' });
  expect(given).toMatchObject({ status: 0, stdout: 'given' });
  const file = join(temporary(), 'beat');
  // The second process holds the output open, and outlives the first.
  const script = `(while :; do date +%s%N > ${file}; sleep 0.05; done) & sleep 600`;
  const late = await runProgram('sh', ['-c', script], { ...LIMITS, timeoutMs: 700 });
  expect(late).toEqual({ problem: 'no answer in 0.7 seconds' });
  const last = readFileSync(file, 'utf8');
  const watched = await runProgram('sh', ['-c', 'sleep 600'], {
    ...LIMITS,
    watch: () => 'too large',
  });
  expect(watched).toEqual({ problem: 'too large' });
  expect(readFileSync(file, 'utf8')).toBe(last);
});

test('runProgram() leaves no terminal to ask at, also where the caller has one', async () => {
  const run = join(import.meta.dirname, 'start-program.ts');
  const code = `const { runProgram } = await import(${JSON.stringify(run)});
const ran = await runProgram('sh', ['-c', 'echo question > /dev/tty && read line < /dev/tty'], { timeoutMs: 20000, maxBytes: 9 });
console.log('status ' + ran.status);`;
  const spawn = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)';
  const args = ['-c', spawn, process.execPath, '--input-type=module', '-e', code];
  const { stdout } = await promisify(execFile)('python3', args, { timeout: 60_000 });
  expect(stdout).toMatch(/status [12]\r\n$/);
  expect(stdout).not.toContain('question');
});
