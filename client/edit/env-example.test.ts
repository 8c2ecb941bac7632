import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../tests/run/runs.ts';
import { ClientError } from '../errors.ts';
import { editEnvExample } from './env-example.ts';

const build = 'alice/mailer';

describe('editEnvExample()', () => {
  test('appends one block', () => {
    const { text, env } = editEnvExample('A=1\n', build, {
      A: {},
      MAIL_URL: { description: 'Mail\nserver', example: 'smtp://localhost:25', required: true },
      MAIL_FROM: { example: 'Alice "A" <a@x> #1', required: true },
      MAIL_HOST: { description: 'Own name', example: 'mail.example.com' },
    });
    expect(text).toBe(
      [
        'A=1',
        '',
        '# alice/mailer',
        '# Mail server (required)',
        'MAIL_URL=smtp://localhost:25',
        '# (required)',
        `MAIL_FROM='Alice "A" <a@x> #1'`,
        // Who copies the file to .env does not set what is only an example.
        '# Own name (optional, such as mail.example.com)',
        'MAIL_HOST=',
        '',
      ].join('\n'),
    );
    expect(env.map(({ name, action, required }) => [name, action, required])).toEqual([
      ['A', 'kept', false],
      ['MAIL_URL', 'added', true],
      ['MAIL_FROM', 'added', true],
      ['MAIL_HOST', 'added', false],
    ]);
  });

  test.each([
    [undefined, '# alice/mailer\n# (optional)\nA=\n'],
    ['\u{FEFF}', '\u{FEFF}# alice/mailer\n# (optional)\nA=\n'],
    ['# A=1\r\n', '# A=1\r\n\r\n# alice/mailer\r\n# (optional)\r\nA=\r\n'],
    ['B=1', 'B=1\n\n# alice/mailer\n# (optional)\nA='],
    ['B=1\n\n', 'B=1\n\n# alice/mailer\n# (optional)\nA=\n\n'],
    ['export A=1', 'export A=1'],
    ['\u{FEFF}A=', '\u{FEFF}A='],
  ])('returns %o', (before, after) => {
    expect(editEnvExample(before, build, { A: {} }).text).toBe(after);
  });

  test.each(['a\nB=1', 'a\u001Bb', `"'\``, 'a\u{2028}b', '\u{D800}'])(
    'writes no example %o',
    (example) => {
      const { text } = editEnvExample(undefined, build, { A: { example } });
      expect(parseEnv(text ?? '')).toEqual({ A: '' });
      expect(text).toContain('cannot be written');
    },
  );

  test('refuses a file that ends within quotes', () => {
    expect(() => editEnvExample('B="x\n', build, { A: { example: 'a "b" c' } })).toThrow(
      ClientError,
    );
  });

  test('refuses a name that is none', () => {
    expect(() => editEnvExample('', build, { 'A=1\nB': {} })).toThrow(ClientError);
  });

  test('leaves no file where none is needed', () => {
    expect(editEnvExample(undefined, build, undefined)).toEqual({ text: undefined, env: [] });
  });

  test('adds exactly the names, with examples that can be written', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('"', "'", '`', '\n', '\r', '#', '=', '\\', '$', ' ', 'A', '\\n'),
      }),
    );
    const name = fc.stringMatching(/^[A-Z][A-Z_]{0,3}$/);
    const variable = fc.record(
      { description: nasty, example: nasty, required: fc.boolean() },
      { requiredKeys: [] },
    );
    const old = fc
      .array(fc.tuple(name, fc.constantFrom('', '1', '"a b"', "'x'")))
      .map((lines) => lines.map(([key, value]) => `${key}=${value}`).join('\n'));
    fc.assert(
      fc.property(old, fc.dictionary(name, variable), (before, env) => {
        const { text } = editEnvExample(before, build, env);
        const had = parseEnv(before);
        const wanted: Record<string, string> = {};
        for (const [key, { example = '', required = false }] of Object.entries(env)) {
          const isWritten = required && !(text ?? '').includes(`cannot be written here\n${key}=`);
          if (!Object.hasOwn(had, key)) wanted[key] = isWritten ? example : '';
        }
        expect({ ...parseEnv(text ?? '') }).toEqual({ ...had, ...wanted });
        expect(editEnvExample(text, build, env).text).toBe(text);
      }),
      { numRuns: runs(1000) },
    );
  });
});
