import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../document/canonical-json.ts';
import {
  Flag,
  Report,
  MAX_NOTE_CHARACTERS,
  parseStatementPath,
  statementId,
  statementPath,
} from './statement.ts';
import { sha256Hex } from '../archive/integrity.ts';

const REPORT: Report = {
  build: 'a/x',
  version: '1.0.0',
  integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  account: 'host:123',
  day: '2026-11-21',
  outcome: 'success',
};

describe('Report and Flag', () => {
  it('read every field', () => {
    expect(Report.parse({ ...REPORT, note: 'Fine' })).toEqual({ ...REPORT, note: 'Fine' });
    const { build, version, integrity, account, day } = REPORT;
    const flag = { build, version, integrity, account, day, reason: 'malware' };
    expect(Flag.parse(flag)).toEqual(flag);
  });

  it.each([
    { build: 'a' },
    { version: '1.0' },
    { integrity: 'sha256-x' },
    { account: 'bob' },
    { account: 'host:0' },
    { account: 'host:1.5' },
    { account: 'service:Bob@example.org' },
    { day: '2026-02-30' },
    { day: '21.11.2026' },
    { outcome: 'great' },
    { note: 'x'.repeat(501) },
    { note: '\ud800' },
    { note: 1 },
    { extra: 1 },
  ])('refuse %j', (change) => {
    expect(Report.safeParse({ ...REPORT, ...change }).success).toBe(false);
  });

  it('count the characters of a note, not its code units', () => {
    expect(Report.safeParse({ ...REPORT, note: '😀'.repeat(MAX_NOTE_CHARACTERS) }).success).toBe(
      true,
    );
    expect(
      Report.safeParse({ ...REPORT, note: '😀'.repeat(MAX_NOTE_CHARACTERS + 1) }).success,
    ).toBe(false);
  });
});

describe('statementId()', () => {
  it('is the SHA-256 of the file', () => {
    const bytes = new TextEncoder().encode(canonicalJson(REPORT));
    expect(statementId(REPORT)).toBe(sha256Hex(bytes));
    expect(statementId({ ...REPORT, day: '2026-11-22' } as Report)).not.toBe(statementId(REPORT));
  });
});

describe('parseStatementPath()', () => {
  it('is the inverse of statementPath()', () => {
    const part = fc.stringMatching(/^[a-z0-9]{1,9}$/);
    const kind = fc.constantFrom('reports' as const, 'flags' as const);
    fc.assert(
      fc.property(kind, part, part, fc.nat(99), (k, owner, name, major) => {
        const statement = { build: `${owner}/${name}`, version: `${major}.0.0` };
        const id = statementId(statement);
        const path = statementPath(k, statement);
        expect(parseStatementPath(path)).toEqual({ kind: k, ...statement, id });
      }),
    );
  });

  const id = '0'.repeat(64);
  it.each([
    `signals/a/x/1.0.0/${id}.json`,
    `reports/a/1.0.0/${id}.json`,
    `reports/a/x/1.0/${id}.json`,
    `reports/A/x/1.0.0/${id}.json`,
    `reports/a/x/1.0.0/${id}`,
    `reports/a/x/1.0.0/${id.slice(1)}.json`,
    `reports/a/x/1.0.0/${id.replace('0', 'A')}.json`,
    `reports/a/x/1.0.0/${id}.json/more`,
    `reports/a/x/1.0.0/../${id}.json`,
    '',
  ])('refuses %s', (path) => {
    expect(parseStatementPath(path)).toBeUndefined();
  });
});
