/** An issue form becomes a statement by the rules of the gate and the ingest, or a list of corrections. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parseStatementPath, statementPath } from '../../format/statement/statement.ts';
import { formStatement } from '../../generator/host/forms.ts';
import { ObjectReader } from '../../generator/git/object-reader.ts';
import { openRepository } from '../../generator/git/repository.ts';
import type { Repository } from '../../generator/git/repository.ts';
import { ID, formBody, integrityOf } from './form-fixture.ts';
import { GateFixture } from './gate-fixture.ts';

const NOW = '2026-11-21T09:30:00Z';

let integrity: string;
let repository: Repository;
let reader: ObjectReader;

beforeEach(async () => {
  const { git } = new GateFixture();
  integrity = await integrityOf(git.folder);
  repository = await openRepository(git.folder);
  reader = new ObjectReader(git.folder);
  onTestFinished(() => reader.close());
});

describe('formStatement()', () => {
  it.each<[string, Record<string, string>, string]>([
    ['another digest', { Integrity: `sha256-${'A'.repeat(43)}=` }, 'has integrity'],
    ['a version that is not there', { Version: '9.9.9' }, 'is not published'],
    ['a build that is not there', { Build: 'alice/nothing' }, 'is not published'],
    ['no build id', { Build: '../../etc' }, 'build'],
    ['a long note', { Note: 'x'.repeat(501) }, 'more than 500 characters'],
    ['an e-mail address', { Note: 'Ask bob@example.org' }, 'an e-mail address'],
    ['another choice', { Outcome: 'perhaps' }, 'outcome'],
    ['no answer', { Integrity: '_No response_' }, 'Integrity'],
    ['a heading in the note', { Note: 'x\n### Outcome\n\nfailure' }, 'is there twice'],
  ])('refuses %s', async (_, answers, problem) => {
    const form = {
      kind: 'reports',
      body: formBody(integrity, answers),
      account: 7,
      at: NOW,
    } as const;
    const made = await formStatement(repository, reader, form);
    expect('problem' in made ? made.problem : '').toContain(problem);
  });

  it('takes account and day from the event, not from the text', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        ...formBody(integrity).split('\r\n'),
        '### Account',
        'host:1',
        '### Day',
        '### note',
        '#',
      ),
    );
    const hostile = fc.oneof(
      fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n')),
      fc
        .string({ unit: 'binary', maxLength: 700 })
        .map((note) => formBody(integrity, { Note: note })),
    );
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const form = { kind: 'reports', body: text, account: 7, at: NOW } as const;
        const made = await formStatement(repository, reader, form);
        if ('problem' in made) {
          expect(made.problem.length).toBeLessThan(5_000);
          return;
        }
        taken += 1;
        const { account, day, note = '', ...fields } = made;
        expect([account, day]).toEqual(['host:7', NOW.slice(0, 10)]);
        expect(fields).toEqual({ build: ID, version: '1.0.0', integrity, outcome: 'success' });
        expect(Array.from(note).length).toBeLessThanOrEqual(500);
        expect(parseStatementPath(statementPath('reports', made))?.build).toBe(ID);
      }),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(20);
  });
});
