import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ClientError } from '../errors.ts';
import { plainText } from '../terminal/styled-text.ts';
import { externalFindings, externalLines } from './check.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'stackyard-external-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const bytes = Buffer.from('x');
const file = { path: 'src/a.py', isUtf8Path: true, type: 'file', size: 1, bytes } as const;
const SOURCE = { files: [file], isCut: false };

function written(...uris: string[]): string {
  const results = uris.map((uri) => ({
    ruleId: 'rule',
    level: 'error',
    message: { text: 'A message' },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 2 } } }],
  }));
  const driver = { name: 'GuardDog', version: '3.2.0' };
  const path = join(FOLDER, 'log.sarif');
  writeFileSync(path, JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver }, results }] }));
  return path;
}

describe('externalFindings()', () => {
  it('keeps those about files of the build, at warn at most', () => {
    const log = written('src/a.py', `file://${FOLDER}/src/a.py`, 'src/b.py', '../a.py');
    const { findings, outside } = externalFindings(FOLDER, log, SOURCE, FOLDER);
    expect(findings.map(({ path, level, line }) => [path, level, line])).toEqual([
      ['src/a.py', 'warn', 2],
      ['src/a.py', 'warn', 2],
    ]);
    expect(outside).toBe(2);
  });

  it('reads paths that begin where the command runs, which is where scanners run', () => {
    const name = basename(FOLDER);
    const log = written(`${name}/src/a.py`, `./${name}/src/a.py`, `other/src/a.py`);
    const { findings, outside } = externalFindings(FOLDER, log, SOURCE, dirname(FOLDER));
    expect([findings.map(({ path }) => path), outside]).toEqual([['src/a.py', 'src/a.py'], 1]);
    const elsewhere = externalFindings(FOLDER, log, SOURCE, join(FOLDER, 'src'));
    expect(elsewhere.outside).toBe(3);
  });

  it.each(['', '{}', 'no JSON', '{"version":"2.1.0"}'])('refuses %j', (text) => {
    const path = join(FOLDER, 'bad.sarif');
    writeFileSync(path, text);
    expect(() => externalFindings(FOLDER, path, SOURCE, FOLDER)).toThrow(ClientError);
  });

  it('refuses a hundred megabytes by their size', () => {
    const path = written('src/a.py');
    truncateSync(path, 100_000_000);
    expect(() => externalFindings(FOLDER, path, SOURCE, FOLDER)).toThrow('it has 100000000 bytes');
  });

  it.each(['none.sarif', '.'])('refuses %s', (name) => {
    expect(() => externalFindings(FOLDER, join(FOLDER, name), SOURCE, FOLDER)).toThrow(
      'it is not a file',
    );
  });
});

describe('externalLines()', () => {
  it('shows place, scanner, version and rule', () => {
    const found = externalFindings(FOLDER, written('src/a.py', 'other.py'), SOURCE, FOLDER);
    expect(externalLines(found).map(plainText)).toEqual([
      'external',
      '  warn  src/a.py:2',
      '      GuardDog 3.2.0 rule: A message',
      '  1 about files that are not part of the build',
      '',
    ]);
    expect(externalLines({ findings: [], outside: 0 }).map(plainText)).toContain('  none');
  });
});
