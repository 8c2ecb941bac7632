import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseExpectations } from '../../format/wiring/expectations.ts';
import type { Plan } from '../plan/plan.ts';
import { checkExpectations } from './check-expectations.ts';
import { LIMITS_MS, measure, type Measured, type Result } from './measure.ts';
import type { CheckKind, ProofCommand } from './proof-commands.ts';
import { compareFacts } from './proof.ts';

const { signal } = new AbortController();
const types: ProofCommand = { kind: 'types', command: 'tsc' };
const tests: ProofCommand = { kind: 'tests', command: 'test' };
const start: ProofCommand = { kind: 'start', command: 'start' };

const facts = (...results: [ProofCommand, Result][]): Measured => {
  return { results: new Map(results), answers: [], isUnsent: false };
};
const passed: Result = { state: 'passed', output: [] };
const failed = (...output: string[]): Result => ({ state: 'failed', output });

describe('compareFacts()', () => {
  const file = { path: 'src/b.ts', build: 'a/b' } as Plan['files'][number];
  const step = { step: 1, build: 'a/c', file: 'src/b.ts', action: 'added' };
  const plan = { files: [file], wiring: [step as NonNullable<Plan['wiring']>[number]] };
  it.each<[string, ProofCommand, Result | undefined, Result, string, object[]]>([
    ['the same', types, passed, passed, 'type check: passed, as before', []],
    ['new tests', tests, undefined, passed, 'tests: passed', []],
    ['mended', tests, failed(), passed, 'tests: passed, failed before', []],
    ['failing tests', tests, failed('1'), failed('2'), 'tests: failed, as before', []],
    [
      'broken tests, with the end of their output',
      tests,
      passed,
      failed(...Array.from({ length: 30 }, (_, at) => `line ${at}`)),
      'tests: failed, passed before',
      [{ output: Array.from({ length: 20 }, (_, at) => `line ${at + 10}`) }],
    ],
    [
      'errors at other lines',
      types,
      failed('src/a.ts(3,5): error TS1: a', 'Found 1 error in 2s'),
      failed('src/a.ts(9,5): error TS1: a', 'Found 1 error in 900ms'),
      'type check: failed, as before',
      [],
    ],
    [
      'an error more, which a file of the change has',
      types,
      failed('src/b.ts:3:5 - error TS1: a'),
      failed('src/b.ts:3:5 - error TS1: a', 'src/b.ts:9:5 - error TS1: a'),
      'type check: failed, with 1 new lines about problems',
      [{ output: ['src/b.ts:9:5 - error TS1: a'], cause: 'step 1 of a/c, a file of a/b' }],
    ],
    [
      'no longer an end',
      tests,
      passed,
      { state: 'endless', output: ['x'] },
      'tests: did not end within 120 seconds, passed before',
      [{ output: ['x'] }],
    ],
    [
      'no start any more',
      start,
      passed,
      failed('x'),
      'start: did not listen, listened before',
      [{ output: ['x'] }],
    ],
    ['no start', start, failed(), failed('x'), 'start: did not listen, as before', []],
    [
      'a port of another program',
      start,
      passed,
      { ...failed('x'), taken: '3000' },
      'start: not measured, port 3000 is in use',
      [],
    ],
  ])('%s', (_, command, before, after, fact, problems) => {
    const old = before === undefined ? undefined : facts([command, before]);
    expect(compareFacts(old, facts([command, after]), plan)).toMatchObject({
      facts: [fact],
      problems: problems.map((one) => ({ text: fact, ...one })),
    });
  });

  it('has the output of an application that does not listen', () => {
    expect(compareFacts(undefined, facts([start, failed('No database')]), plan)).toEqual({
      is_good: true,
      facts: ['start: did not listen'],
      problems: [],
      output: ['No database'],
    });
  });
});

describe('measure()', () => {
  const promised = {
    method: 'GET' as const,
    path: '/',
    headers: [],
    status: 200,
    members: [],
    captures: [],
    line: 1,
  };
  const project = (files: Readonly<Record<string, string>> = {}): string => {
    const folder = mkdtempSync(join(tmpdir(), 'measure-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    return folder;
  };
  const run = (folder: string, command: ProofCommand, limits = LIMITS_MS): Promise<Measured> =>
    measure(folder, { commands: [command], requests: [promised], signal, note: () => {} }, limits);

  it.each<[CheckKind, string]>([
    ['tests', 'sleep 600 & sleep 600'],
    ['start', 'sleep 600'],
    ['start', 'setsid sh -c "echo \\$\\$ > pid; sleep 600"; sleep 600'],
  ])('ends %s that hangs with all that it started: %s', async (kind, command) => {
    const folder = project();
    const limits = { ...LIMITS_MS, tests: 500, start: 500 };
    const started = { kind, command: `echo $$ > pid; ${command}` };
    const measured = await run(folder, started, limits);
    expect(measured.results.get(started)?.state).toBe(kind === 'tests' ? 'endless' : 'failed');
    expect(measured.isUnsent).toBe(true);
    const pid = readFileSync(join(folder, 'pid'), 'utf8').trim();
    expect(existsSync(`/proc/${pid}/cwd`)).toBe(false);
  });

  it('shows what an application wrote that ended', async () => {
    const folder = project({ 'main.cjs': 'throw new TypeError("No key")' });
    const command: ProofCommand = { kind: 'start', command: 'node main.cjs' };
    const { results } = await run(folder, command);
    expect(results.get(command)?.output).toContain('TypeError: No key');
  });

  it.each(['127.0.0.1', '::1'])('finds a fixed port at %s, and one that is taken', async (host) => {
    const server = createServer().listen(0, host);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const text = `require('node:http').createServer((_, res) => res.end()).listen(${port}, '${host}');`;
    const command: ProofCommand = { kind: 'start', command: 'node --watch main.cjs' };
    const limits = { ...LIMITS_MS, start: 3_000 };
    const folder = project({ 'main.cjs': text });
    const taken = await run(folder, command, limits);
    expect(taken.results.get(command)).toMatchObject({ state: 'failed', taken: String(port) });
    server.close();
    await once(server, 'close');
    const free = await run(folder, command);
    expect(free.answers).toEqual([{ request: 'GET /', status: 200 }]);
  });

  it('gives no command the identity of the CI run, and none colours', async () => {
    vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'secret');
    vi.stubEnv('NO_COLOR', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const command: ProofCommand = { kind: 'tests', command: 'env' };
    const { results } = await run(project(), command);
    const { output = [] } = results.get(command) ?? {};
    expect(output).toContain('NO_COLOR=1');
    expect(output.join('\n')).not.toContain('ID_TOKEN');
  });
});

it('waits longer for the first answer, for which a server may compile', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    if (requests === 1) setTimeout(() => response.writeHead(201).end(), 500);
  });
  onTestFinished(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const guide = '```http expect\nPOST /a -> 201\nPOST /b -> 201\n```\n';
  const { requests: expected } = parseExpectations(guide);
  const timeouts = { first: 30_000, later: 100 };
  const answers = await checkExpectations(`http://127.0.0.1:${port}`, expected, signal, timeouts);
  expect(answers.map(({ status }) => status)).toEqual([201, undefined]);
});
