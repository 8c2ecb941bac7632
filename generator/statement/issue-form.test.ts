import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StackyardError } from '../../format/errors.ts';
import { parseIssueForm } from './issue-form.ts';

const AT = '2026-11-21T09:30:00Z';
const DIGEST = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

function form(answers: Readonly<Record<string, string>>): string {
  return Object.entries(answers)
    .map(([label, text]) => `### ${label}\n\n${text}\n\n`)
    .join('');
}

const REPORT = { Build: 'a/x', Version: '1.0.0', Integrity: DIGEST, Outcome: 'success' };

describe('parseIssueForm()', () => {
  it('reads a report, with the account and day of the event', () => {
    const body = form({ ...REPORT, Note: 'Works.\n\nWith Node 24.' }).replaceAll('\n', '\r\n');
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
    const body = form({ ...REPORT, Reason: 'malware', Note: '_No response_', Agreement: 'x' });
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
    ['an empty answer', form({ ...REPORT, Outcome: '' })],
    ['a heading in the note', form({ ...REPORT, Note: 'x\n### Outcome\n\nfailure' })],
    ['a long body', form({ ...REPORT, Note: 'x'.repeat(30_000) })],
  ])('refuses %s', (_, body) => {
    expect(() => parseIssueForm('reports', body, 1, AT)).toThrow(StackyardError);
  });

  it('takes account and day from nowhere else', () => {
    const body = form({ ...REPORT, Account: 'host:1', Day: '2020-01-01' });
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
        const read = parseIssueForm('reports', form({ ...REPORT, Note: note }), 1, AT);
        expect(read['note'] ?? '').toBe(note.trim());
      }),
    );
  });
});
