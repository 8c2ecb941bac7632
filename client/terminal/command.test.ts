import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { ClientError } from '../errors.ts';
import { outputSchema } from '../../tests/client/output-schema.ts';
import { failureEnvelope, formatEnvelope, outcomeEnvelope, wrapLine } from './command.ts';

const DONE = { status: 'done', data: { builds: [], registries: [] }, text: [] } as const;

describe('outcomeEnvelope()', () => {
  test('conforms to the schema of its command', async () => {
    const warnings = [{ code: 'x', message: 'y', path: '' }];
    const envelope = outcomeEnvelope('list', { ...DONE, warnings });
    expect((await outputSchema('list')).safeParse(envelope).error?.message).toBeUndefined();
    expect(envelope).toMatchObject({ schema: 'stackyard/list@1', ok: true, warnings });
  });

  test.each(['different', 'error'] as const)('is not ok with the status %s', (status) => {
    expect(outcomeEnvelope('list', { ...DONE, status }).ok).toBe(false);
  });

  test('is not ok with an error', async () => {
    const error = new ClientError('ERR_PACKAGES', 'npm failed', { hint: 'run it again' });
    const envelope = outcomeEnvelope('list', { ...DONE, error });
    expect((await outputSchema('list')).safeParse(envelope).error?.message).toBeUndefined();
    expect(envelope).toMatchObject({ ok: false, error: { code: 'ERR_PACKAGES' } });
  });
});

describe('failureEnvelope()', () => {
  test.each([
    ['ERR_NEEDS_ANSWER', 'action_required'],
    ['ERR_LOCK', 'error'],
  ])('%s has the status %s', async (code, status) => {
    const question = { lines: ['c\u001b[2Jd'], choices: [{ key: 'yes', label: '' }] };
    const envelope = failureEnvelope('list', { code, message: 'a\u001b[2Jb', question });
    expect((await outputSchema('list')).safeParse(envelope).error?.message).toBeUndefined();
    const error = { message: 'a[2Jb', hint: '', question: { ...question, lines: ['c[2Jd'] } };
    expect(envelope).toMatchObject({ ok: false, status, error });
  });
});

test('formatEnvelope() escapes what controls a terminal, and loses nothing', () => {
  const data = { text: 'a\u001b[2J\u202eb\u{E0041}' };
  const text = formatEnvelope(outcomeEnvelope('list', { ...DONE, data }));
  expect(text).toContain('\\u001b[2J\\u202eb\\udb40\\udc41');
  expect(JSON.parse(text)).toMatchObject({ data });
});

describe('wrapLine()', () => {
  test('leaves a line as it is where there is no terminal, or the terminal is very narrow', () => {
    const line = 'word '.repeat(40);
    expect(wrapLine(line, undefined)).toBe(line);
    expect(wrapLine(line, 20)).toBe(line);
  });

  test('indents a continuation by two columns', () => {
    expect(wrapLine('  one two three four five six seven eight nine ten', 40)).toBe(
      '  one two three four five six seven\n    eight nine ten',
    );
  });

  test('places a continuation below the text after a label', () => {
    expect(wrapLine('  requires    one two three four five six seven', 40)).toBe(
      '  requires    one two three four five\n              six seven',
    );
  });

  test('keeps a long path whole', () => {
    const path = 'src/'.repeat(20);
    expect(wrapLine(`see ${path} for it`, 40)).toBe(`see\n  ${path}\n  for it`);
  });

  test('wraps each part of a text with line breaks', () => {
    const long = 'word '.repeat(12).trim();
    expect(wrapLine(`${long}\n\nshort`, 40).split('\n')).toHaveLength(4);
  });

  test('neither loses nor adds a word, and colours take no room', () => {
    const word = fc.stringMatching(/^[a-z/.]{1,12}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1 }),
        fc.integer({ min: 40, max: 120 }),
        (words, columns) => {
          const colored = words
            .map((w, at) => (at % 3 === 0 ? `\u{1B}[36m${w}\u{1B}[39m` : w))
            .join(' ');
          const wrapped = stripVTControlCharacters(wrapLine(colored, columns));
          expect(wrapped.split(/\s+/)).toEqual(words);
          for (const line of wrapped.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });
});
