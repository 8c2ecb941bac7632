import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../format/document/canonical-json.ts';
import { StackyardError } from '../format/errors.ts';
import { statementPath } from '../format/statement/statement.ts';
import { checkStatementFile, parseIssueForm } from './statements.ts';

const AT = '2026-11-21T09:30:00Z';
const DIGEST = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

function form(answers: Readonly<Record<string, string>>): string {
  return Object.entries(answers)
    .map(([label, text]) => `### ${label}\n\n${text}\n\n`)
    .join('');
}

const FORM = { Build: 'a/x', Version: '1.0.0', Integrity: DIGEST, Outcome: 'success' };

describe('parseIssueForm()', () => {
  it('reads a report, with the account and day of the event', () => {
    const body = form({ ...FORM, Note: 'Works.\n\nWith Node 24.' }).replaceAll('\n', '\r\n');
    expect(parseIssueForm('reports', body, 123, AT)).toEqual({
      build: 'a/x',
      version: '1.0.0',
      integrity: DIGEST,
      outcome: 'success',
      note: 'Works.\n\nWith Node 24.',
      account: 'host:123',
      day: '2026-11-21',
    });
  });

  it('reads a flag, without what was not answered', () => {
    const body = form({ ...FORM, Reason: 'malware', Note: '_No response_', Agreement: 'x' });
    const read = parseIssueForm('flags', body, 7, AT);
    expect(read).toMatchObject({ reason: 'malware', account: 'host:7' });
    expect(Object.keys(read)).toEqual([
      'build',
      'version',
      'integrity',
      'reason',
      'account',
      'day',
    ]);
  });

  it.each([
    ['no form', 'I like it'],
    ['a missing answer', form({ Build: 'a/x', Version: '1.0.0', Outcome: 'success' })],
    ['an empty answer', form({ ...FORM, Outcome: '' })],
    ['a heading in the note', form({ ...FORM, Note: 'x\n### Outcome\n\nfailure' })],
    ['a long body', form({ ...FORM, Note: 'x'.repeat(30_000) })],
  ])('refuses %s', (_, body) => {
    expect(() => parseIssueForm('reports', body, 1, AT)).toThrow(StackyardError);
  });

  it('takes account and day from nowhere else', () => {
    const body = form({ ...FORM, Account: 'host:1', Day: '2020-01-01' });
    expect(parseIssueForm('reports', body, 123, AT)).toMatchObject({
      account: 'host:123',
      day: '2026-11-21',
    });
  });

  it('keeps a note as it is, whatever is written', () => {
    const text = fc
      .string()
      .filter((note) => !/^### |[\r\n]/m.test(note) && note !== '_No response_');
    fc.assert(
      fc.property(text, (note) => {
        const read = parseIssueForm('reports', form({ ...FORM, Note: note }), 1, AT);
        expect(read['note'] ?? '').toBe(note.trim());
      }),
    );
  });
});

const INTEGRITY = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const REPORT = {
  build: 'a/x',
  version: '1.0.0',
  integrity: INTEGRITY,
  account: 'host:1',
  day: '2026-11-21',
  outcome: 'success',
};
const RECEIVED = '2026-11-21T09:30:00.000Z';
const versions = { find: () => ({ integrity: INTEGRITY }) };

function checkReport(
  changes: object,
  find: typeof versions.find | (() => undefined) = versions.find,
) {
  const report = { ...REPORT, ...changes };
  const bytes = new TextEncoder().encode(canonicalJson(report));
  return checkStatementFile(statementPath('reports', report), bytes, RECEIVED, { find });
}

it('checkStatementFile() takes a report about a published version', () => {
  expect(checkReport({})).toMatchObject({ statement: REPORT, at: RECEIVED });
  expect(checkReport({}, () => undefined)).toMatchObject({ code: 'statement-version' });
});

it.each([
  ['statement-form', { account: 'ci:git.example.org:42' }],
  ['statement-form', { account: 'service:42' }],
  ['statement-integrity', { integrity: INTEGRITY.replace('47', '48') }],
  ['statement-day', { day: '2025-01-01' }],
  ['statement-day', { day: '2026-11-23' }],
  ['statement-personal-data', { note: 'call +49 30 1234 5678' }],
])('checkStatementFile() refuses with %s the report with %j', (code, changes) => {
  expect(checkReport(changes)).toMatchObject({ code });
});

it.each(['\uFE0F', '\u2800', ' ', 'safe\u202Etxt', 'a\u{E0041}'])(
  'refuses the note %j, which people do not see as it is',
  (note) => expect(checkReport({ note })).toMatchObject({ code: 'statement-text' }),
);
