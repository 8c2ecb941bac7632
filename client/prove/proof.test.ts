import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseExpectations } from '../../format/wiring/expectations.ts';
import { checkExpectations } from './check-expectations.ts';
import type { ProofCommand } from './proof-commands.ts';
import { lintProblems, typeErrors } from './found-problems.ts';
import { LIMITS_MS, measureCopy, type Measured } from './measure-copy.ts';
import { compareCopies } from './proof.ts';

const COPY = '/state/proofs/1-a/after/project';

describe('typeErrors()', () => {
  it.each([
    ['src/a.ts(3,5): error TS2322: No', ['src/a.ts: error TS2322: No']],
    [`${COPY}/src/a.ts:3:5 - error TS2322: No`, ['src/a.ts: error TS2322: No']],
    ['app/a.py:3: error: No  [arg-type]', ['app/a.py: error: No [arg-type]']],
    ['Found 2 errors.', []],
  ])('%s', (output, expected) => {
    expect(typeErrors(output, COPY)).toEqual(expected);
  });
});

describe('lintProblems()', () => {
  it.each<[string, unknown, string[]]>([
    [
      'eslint',
      [{ filePath: `${COPY}/a.ts`, messages: [{ ruleId: 'quotes', message: '' }] }],
      ['a.ts: quotes'],
    ],
    ['ruff', [{ filename: `${COPY}/a.py`, code: 'F401', message: '' }], ['a.py: F401']],
    [
      'oxlint',
      { diagnostics: [{ filename: 'a.ts', code: 'eslint(no-var)' }] },
      ['a.ts: eslint(no-var)'],
    ],
    [
      'biome',
      { diagnostics: [{ category: 'lint/x', location: { path: { file: 'a.ts' } } }] },
      ['a.ts: lint/x'],
    ],
    [
      'biome 2',
      { diagnostics: [{ category: 'lint/x', location: { path: 'a.ts' } }] },
      ['a.ts: lint/x'],
    ],
    ['something else', { a: 1 }, []],
  ])('of %s', (_, value, expected) => {
    expect(lintProblems(JSON.stringify(value), COPY)).toEqual(expected);
  });

  it('is empty for what is no JSON', () => {
    expect(lintProblems('Oops', COPY)).toEqual([]);
  });
});

describe('compareCopies()', () => {
  const types: ProofCommand = { kind: 'types', command: 'tsc' };
  const measured = (...problems: string[]): Measured => ({
    results: new Map([[types, { state: 'failed', problems, tail: '' }]]),
    answers: [],
  });
  const plan = { files: [] };

  it('counts a problem as often as it is more', () => {
    const proof = compareCopies(measured('a', 'b'), measured('b', 'a', 'a'), plan);
    expect(proof.problems).toEqual([{ text: 'a' }]);
    expect(proof.facts).toEqual(['type check: 1 new errors (it failed before the change as well)']);
  });

  it('is no proof where a copy is not complete', () => {
    const missing = { results: new Map(), answers: [], missing: 'it has more than 2 files' };
    const proof = compareCopies(missing, measured(), plan);
    expect(proof.is_good).toBe(false);
    expect(proof.facts[0]).toBe(
      'not proved: the project is too large for a copy: it has more than 2 files',
    );
  });
});

describe('measureCopy()', () => {
  const { signal } = new AbortController();
  const tests: ProofCommand = { kind: 'tests', command: 'echo $$ > tests; sleep 600 & sleep 600' };
  const start: ProofCommand = { kind: 'start', command: 'echo $$ > start; sleep 600' };
  const promised = {
    method: 'GET' as const,
    path: '/',
    headers: [],
    status: 200,
    members: [],
    captures: [],
    line: 1,
  };

  it('ends tests that hang and a start that never listens, at their limits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'measure-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const copy = { folder, missing: undefined, pythonPath: [] };
    const measuring = { commands: [tests, start], paths: [], requests: [promised], signal };
    const limits = { ...LIMITS_MS, tests: 500, start: 500 };
    const measured = await measureCopy(copy, { ...measuring, note: () => {} }, limits);
    for (const name of ['tests', 'start']) {
      const pid = readFileSync(join(folder, name), 'utf8').trim();
      expect([name, existsSync(`/proc/${pid}/cwd`)]).toEqual([name, false]);
    }
    const plan = { files: [] };
    expect(compareCopies(measured, measured, plan)).toEqual({
      is_good: false,
      facts: [
        'tests: did not end within 120 seconds',
        'start: the application does not listen here, as before the change',
        'requests of the guides: not sent, the application does not listen',
      ],
      problems: [],
    });
    const passed = { state: 'passed' as const, problems: [], tail: '' };
    const before = { results: new Map([[tests, passed]]), answers: [] };
    expect(compareCopies(before, measured, plan).problems).toEqual([
      { text: 'tests: no longer ends in time' },
    ]);
  });

  it('names the error of a program that ends with its details', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proof-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const details =
      'throw Object.assign(new TypeError("No key"), { a: [1, { b: [{ c: 1 }], d: { e: [] } }, "x".repeat(80)] })';
    writeFileSync(join(folder, 'main.cjs'), details);
    const start: ProofCommand = { kind: 'start', command: 'node main.cjs' };
    const measuring = { commands: [start], paths: [], requests: [], note: () => {} };
    const copy = { folder, missing: undefined, pythonPath: [] };
    const { signal } = new AbortController();
    const ended = await measureCopy(copy, { ...measuring, signal });
    expect(ended.results.get(start)?.tail).toMatch(/TypeError: No key \| .* \| Node\.js v/);
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
  const { signal } = new AbortController();
  const answers = await checkExpectations(`http://127.0.0.1:${port}`, expected, signal, timeouts);
  expect(answers.map(({ status }) => status)).toEqual([201, undefined]);
});
