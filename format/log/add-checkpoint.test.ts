import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAddCheckpoint, parseAddCheckpoint } from './add-checkpoint.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const NOTE =
  'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— x y\n';

describe('parseAddCheckpoint()', () => {
  test('reads what formatAddCheckpoint() writes', () => {
    const request = fc.record({
      oldSize: fc.maxSafeNat(),
      proof: fc.array(hash, { maxLength: 63 }),
      note: fc.string({ unit: 'binary' }),
    });
    fc.assert(
      fc.property(request, (added) => {
        expect(parseAddCheckpoint(bytesOf(formatAddCheckpoint(added)))).toEqual(added);
      }),
    );
  });

  test('reads the example of the specification', () => {
    const proof = [
      'PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=',
      'jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=',
    ];
    const read = parseAddCheckpoint(bytesOf(`old 20852014\n${proof.join('\n')}\n\n${NOTE}`));
    expect([read.oldSize, read.proof.length, read.note]).toEqual([20_852_014, 2, NOTE]);
  });

  test.each([
    ['', /no empty line/],
    [`old 1\n${NOTE.replace('\n\n', '\n')}`, /no empty line/],
    [`old 01\n\n${NOTE}`, /not "old" and a size/],
    [`old -1\n\n${NOTE}`, /not "old" and a size/],
    [`old 9007199254740992\n\n${NOTE}`, /not "old" and a size/],
    [`1\n\n${NOTE}`, /not "old" and a size/],
    [`old 1\nAAAA\n\n${NOTE}`, /not the base64 of 32 bytes/],
    [`old 1\n${'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'.repeat(64)}\n${NOTE}`, /64 lines/],
  ])('refuses %j', (text, problem) => {
    expect(() => parseAddCheckpoint(bytesOf(text))).toThrow(problem);
  });

  test('refuses what is not UTF-8', () => {
    expect(() => parseAddCheckpoint(Uint8Array.of(0xff))).toThrow(/not UTF-8/);
  });
});
