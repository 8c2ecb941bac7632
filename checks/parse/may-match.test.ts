import { describe, expect, it } from 'vitest';
import { InternalError } from '../../format/errors.ts';
import { mayMatch } from './may-match.ts';

function fileOf(text: string | undefined): { text: string | undefined; bytes: Uint8Array } {
  return { text, bytes: Buffer.from(text ?? '') };
}

describe('mayMatch()', () => {
  it('keeps the patterns apart, and takes none after the first scan', () => {
    const [hasNumber, hasKey] = [mayMatch(/\d{3}/), mayMatch(/\bkey\b/i)];
    const files = ['a 123', 'Key é', 'nothing', '', undefined].map(fileOf);
    expect(files.map(hasNumber)).toEqual([true, false, false, false, false]);
    expect(files.map(hasKey)).toEqual([false, true, false, false, false]);
    expect(() => mayMatch(/a/)).toThrow(InternalError);
  });
});
