import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCheckpoint, parseCheckpoint, parseUnverifiedNote } from './checkpoint.ts';
import { EMPTY_ROOT } from './hash.ts';
import { parseNote } from './note.ts';

const TEXT =
  'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';

describe('parseCheckpoint()', () => {
  test('reads the example of C2SP tlog-checkpoint', () => {
    const note = parseNote(
      new TextEncoder().encode(
        `${TEXT}\n— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n`,
      ),
    );
    const { origin, size, root } = parseCheckpoint(note.text);
    expect([origin, size]).toEqual(['example.com/behind-the-sofa', 20_852_163]);
    expect(Buffer.from(root).toString('base64')).toBe(
      'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
    );
  });

  test('and formatCheckpoint() are inverse', () => {
    const line = fc.stringMatching(/^[^\n]+$/);
    const root = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(
        line,
        fc.maxSafeNat(),
        root,
        fc.array(line, { maxLength: 2 }),
        (origin, size, hash, more) => {
          const extensions = more.length === 0 ? {} : { extensions: more };
          const checkpoint = { origin, size, root: hash, ...extensions };
          expect(parseCheckpoint(formatCheckpoint(checkpoint))).toEqual(checkpoint);
        },
      ),
    );
  });

  test.each([
    ['nothing', ''],
    ['no newline at the end', TEXT.slice(0, -1)],
    ['two lines', 'a\n1\n'],
    ['an empty origin', TEXT.replace(/^.*/, '')],
    ['an empty extension', `${TEXT}\n`],
    ['a size with a leading zero', TEXT.replace('208', '0208')],
    ['a negative size', TEXT.replace('208', '-208')],
    ['a size of 2^53', TEXT.replace('20852163', '9007199254740992')],
    ['a size of words', TEXT.replace('20852163', 'many')],
    ['a root of 31 bytes', `a\n1\n${Buffer.alloc(31).toString('base64')}\n`],
    ['a root in hexadecimal', `a\n1\n${'00'.repeat(32)}\n`],
  ])('refuses %s', (_, text) => {
    expect(() => parseCheckpoint(text)).toThrow(
      expect.objectContaining({ code: 'ERR_CHECKPOINT' }),
    );
  });
});

test('formatCheckpoint() refuses what no checkpoint can have', () => {
  const good = { origin: 'a', size: 0, root: EMPTY_ROOT };
  expect(formatCheckpoint(good)).toBe('a\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n');
  expect(() => formatCheckpoint({ ...good, origin: '' })).toThrow('a line is empty');
  expect(() => formatCheckpoint({ ...good, origin: 'a\nb' })).toThrow('a line is empty');
  expect(() => formatCheckpoint({ ...good, size: -1 })).toThrow('-1 is no size');
  expect(() => formatCheckpoint({ ...good, root: new Uint8Array(31) })).toThrow(
    'its root has 31 bytes',
  );
});

test('parseUnverifiedNote() reads the text before the signatures', () => {
  const note = `${TEXT}\n— example.com/behind-the-sofa Az3grg==\n`;
  expect(parseUnverifiedNote(note)).toEqual(parseCheckpoint(TEXT));
  expect(() => parseUnverifiedNote(TEXT)).toThrow('Cannot read the checkpoint');
});
