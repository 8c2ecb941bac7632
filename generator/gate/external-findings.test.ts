import { chmodSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ExternalFinding } from '../../format/registry/external-finding.ts';
import { GeneratorError } from '../errors.ts';
import {
  askReviewer,
  askScanner,
  externalFindingsOf,
  readExternalFindings,
} from './external-findings.ts';
import { FLAT } from '../../format/registry/repository-layout.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'stackyard-sarif-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const FOUND: ExternalFinding = {
  level: 'warn',
  scanner: 'GuardDog',
  version: '3.2.0',
  rule: 'exec-base64',
  path: 'builds/alice/web/src/a.py',
  line: 3,
  message: 'Runs base64',
};

const READ = [{ path: 'src/a.py', bytes: Buffer.from('') }] as never;

describe('readExternalFindings()', () => {
  function written(text: string | Buffer): string {
    const file = join(FOLDER, 'log.sarif');
    writeFileSync(file, text);
    return file;
  }

  it('reads a log', () => {
    expect(readExternalFindings(written('{"version":"2.1.0","runs":[]}'))).toEqual([]);
  });

  it.each(['', '{}', 'no JSON', '{"version":"2.1.0"}'])('refuses %j', (text) => {
    expect(() => readExternalFindings(written(text))).toThrow(GeneratorError);
  });

  it('refuses a hundred megabytes by their size', () => {
    const file = written('{}');
    truncateSync(file, 100_000_000);
    expect(() => readExternalFindings(file)).toThrow('it has 100000000 bytes');
  });

  it.each(['none', '.'])('refuses %s', (name) => {
    expect(() => readExternalFindings(join(FOLDER, name))).toThrow('it is not a file');
  });
});

describe('externalFindingsOf()', () => {
  it('keeps those of the build', () => {
    expect(externalFindingsOf('alice/web', [FOUND], '/repo', FLAT, READ)).toEqual([
      {
        level: 'warn',
        code: 'external',
        file: 'src/a.py',
        line: 3,
        message: 'GuardDog 3.2.0 exec-base64: Runs base64',
      },
    ]);
    const absolute = { ...FOUND, path: '/repo/builds/alice/web/src/a.py' };
    expect(externalFindingsOf('alice/web', [absolute], '/repo', FLAT, READ)).toHaveLength(1);
  });

  it.each([
    'builds/alice/web/src/none.py',
    'builds/alice/web-2/a.py',
    'builds/bob/web/a.py',
    'builds/alice/web/../../bob/web/a.py',
    'builds/alice/web/\u001B[31ma.py',
    'builds/alice/web/\u202Eyp.a',
    'builds/alice/web',
    '../a.py',
    '/etc/passwd',
    '',
  ])('leaves out %j', (path) => {
    expect(externalFindingsOf('alice/web', [{ ...FOUND, path }], '/repo', FLAT, READ)).toEqual([]);
  });

  it('lists a hundred at most', () => {
    expect(
      externalFindingsOf(
        'alice/web',
        Array.from({ length: 500 }, () => FOUND),
        '/',
        FLAT,
        READ,
      ),
    ).toHaveLength(100);
  });
});

describe('askScanner()', () => {
  it('ends a program that does not end, and what it started', async () => {
    const program = join(FOLDER, 'hangs');
    const started = join(FOLDER, 'started');
    writeFileSync(program, `#!/bin/sh\nsleep 1000 &\necho $! > '${started}'\nwait\n`);
    chmodSync(program, 0o755);
    expect(await askScanner(program, 'alice/web', [], FLAT, 1)).toBeUndefined();
    const child = Number(readFileSync(started, 'utf8'));
    await expect.poll(() => isRunning(child), { timeout: 60_000 }).toBe(false);
  });
});

describe('askReviewer()', () => {
  const FILES = [{ path: 'README.md', bytes: Buffer.from('# Hidden text') }] as never;
  const LOG = (message: string, file = 'README.md'): string =>
    JSON.stringify({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Model' } },
          results: [
            {
              ruleId: 'asks',
              level: 'error',
              message: { text: message },
              locations: [
                { physicalLocation: { artifactLocation: { uri: `builds/alice/web/${file}` } } },
              ],
            },
          ],
        },
      ],
    });

  function reviewer(script: string): string {
    const program = join(FOLDER, `reviewer${Math.random()}`);
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    return program;
  }

  it('gives it the text, and makes what it finds a comment', async () => {
    const seen = join(FOLDER, 'seen');
    const log = join(FOLDER, 'review.sarif');
    writeFileSync(log, LOG('Asks for keys'));
    const command = `${reviewer(`cat > '${seen}'; cat "$1"`)} ${log}`;
    expect(await askReviewer(command, 'alice/web', FILES, FLAT)).toEqual([
      {
        level: 'info',
        code: 'reviewer',
        file: 'README.md',
        line: 0,
        message: 'Model asks: Asks for keys',
      },
    ]);
    expect(readFileSync(seen, 'utf8')).toBe('== builds/alice/web/README.md ==\n# Hidden text\n');
  });

  it('masks keys in what it prints', async () => {
    process.env['REVIEWER_KEY'] = 'key-of-the-service';
    const log = join(FOLDER, 'secrets.sarif');
    writeFileSync(log, LOG('key-of-the-service and ghp_0123456789abcdefghij'));
    const [found] = await askReviewer(reviewer(`cat '${log}'`), 'alice/web', FILES, FLAT);
    writeFileSync(log, LOG('A message', 'key-of-the-service'));
    const about = await askReviewer(reviewer(`cat '${log}'`), 'alice/web', FILES, FLAT);
    delete process.env['REVIEWER_KEY'];
    expect(about).toEqual([]);
    expect(found?.message).toBe('Model asks: *** and ***');
  });

  it.each([
    ['hangs', 'sleep 1000', 'The reviewer did not answer: it failed, or took over 1 s'],
    ['fails', 'exit 3', 'The reviewer did not answer: it failed, or took over 60 s'],
    ['chats', 'echo All fine!', 'The reviewer printed no SARIF 2.1.0'],
    ['never stops talking', 'yes | head -c 3000000', 'The reviewer printed no SARIF 2.1.0'],
  ])('reports to the admin one that %s', async (_, script, message) => {
    // A busy machine takes its time for the others.
    const seconds = script.startsWith('sleep') ? 1 : 60;
    const found = await askReviewer(reviewer(script), 'alice/web', FILES, FLAT, seconds);
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toContain(message);
  });
});

/** A process that ended and that nobody waited for has no command line. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}
