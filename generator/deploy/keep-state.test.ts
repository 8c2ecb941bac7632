import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteSigner } from '../../format/log/note-key.ts';
import { formatKeptState, parseKeptState, partPath } from './keep-state.ts';

const [OURS, THEIRS] = [1, 2].map((byte) => {
  return noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(byte));
});
const digest = fc.stringMatching(/^[0-9a-f]{64}$/);
const states: fc.Arbitrary<Parameters<typeof formatKeptState>[0]> = fc.record({
  format: fc.constant(1),
  origin: fc.string(),
  head: fc.stringMatching(/^[0-9a-f]{40}$/),
  registry: digest,
  kept_at: fc.nat(),
  size: fc.integer({ min: 1, max: 1e12 }),
  parts: fc.array(digest, { maxLength: 3 }),
});

describe('parseKeptState()', () => {
  it('reads what formatKeptState() wrote with one of the keys', () => {
    fc.assert(
      fc.property(states, (state) => {
        const bytes = Buffer.from(formatKeptState(state, OURS!));
        expect(parseKeptState(bytes, [THEIRS!, OURS!], 'x')).toEqual(state);
        expect(parseKeptState(bytes, [THEIRS!], 'x')).toBeUndefined();
        expect(parseKeptState(bytes, [], 'x')).toBeUndefined();
      }),
    );
  });

  it('takes no document of which a letter was changed', () => {
    const [state] = fc.sample(states, { numRuns: 1, seed: 1 });
    const text = formatKeptState({ ...state!, parts: ['a'.repeat(64)] }, OURS!);
    const isTaken = (changed: string): boolean => {
      try {
        return parseKeptState(Buffer.from(changed), [OURS!], 'x') !== undefined;
      } catch {
        return false;
      }
    };
    expect(isTaken(text)).toBe(true);
    for (const at of Array.from(text).keys()) {
      const letter = text[at] === '0' ? '1' : '0';
      const changed = text.slice(0, at) + letter + text.slice(at + 1);
      expect(isTaken(changed), changed).toBe(false);
    }
  });
});

it('partPath() is no path that clients read', () => {
  expect(partPath('ab')).toBe('.deploy/state/ab.gz');
});
