import { describe, expect, it } from 'vitest';
import { mayMatch } from './may-match.ts';

function fileOf(text: string | undefined): { text: string | undefined; bytes: Uint8Array } {
  return { text, bytes: Buffer.from(text ?? '') };
}

describe('mayMatch()', () => {
  it('keeps the patterns apart, and takes one after a scan', () => {
    const [hasNumber, hasKey] = [mayMatch(/\d{3}/), mayMatch(/\bkey\b/i)];
    const files = ['a 123', 'Key é', 'nothing', '', undefined].map(fileOf);
    expect(files.map(hasNumber)).toEqual([true, false, false, false, false]);
    expect(files.map(hasKey)).toEqual([false, true, false, false, false]);
    const hasSpace = mayMatch(/ /);
    expect(files.map(hasSpace)).toEqual([true, true, false, false, false]);
    expect(files.map(hasNumber)).toEqual([true, false, false, false, false]);
  });
});
