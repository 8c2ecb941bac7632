import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeJson } from './merge-json.ts';

const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

describe('mergeJson()', () => {
  it('does to the text what the new version changed, beside what others added', () => {
    const base = {
      name: 'x',
      dependencies: { express: '^5.0.0' },
      scripts: { dev: 'a', old: 'o' },
    };
    const ours = {
      name: 'app',
      dependencies: { express: '^5.0.0', zod: '^4.0.0' },
      scripts: { dev: 'a', old: 'o', mine: 'm' },
    };
    const theirs = {
      name: 'x',
      dependencies: { express: '^5.1.0', helmet: '^8.0.0' },
      scripts: { dev: 'b' },
      engines: { node: '>=22' },
    };
    const merged = mergeJson(print(base), print(ours), print(theirs));
    expect(merged).toEqual({
      kind: 'clean',
      text: print({
        name: 'app',
        dependencies: { express: '^5.1.0', helmet: '^8.0.0', zod: '^4.0.0' },
        scripts: { dev: 'b', mine: 'm' },
        engines: { node: '>=22' },
      }),
    });
  });

  it('names the keys that both sides changed, or lets one side win', () => {
    const [base, ours, theirs] = ['1', '2', '3'].map((v) => print({ a: { b: v }, c: v === '3' }));
    const merge = (favor?: 'ours' | 'theirs') => mergeJson(base!, ours!, theirs!, favor);
    expect(merge()).toMatchObject({ kind: 'conflict', keys: ['a.b'] });
    expect(merge('ours')).toEqual({ kind: 'clean', text: print({ a: { b: '2' }, c: true }) });
    expect(merge('theirs')).toEqual({ kind: 'clean', text: print({ a: { b: '3' }, c: true }) });
  });

  it('keeps line ends, indentation, byte order mark and the missing final newline', () => {
    const ours = '\uFEFF{\r\n\t"a": "1",\r\n\t"mine": true\r\n}';
    const merged = mergeJson('{"a":"1"}', ours, '{"a":"2","b":["x"]}');
    expect(merged?.text).toContain('\uFEFF{\r\n\t"a": "2",\r\n\t"mine": true,\r\n\t"b": [');
    expect(merged?.text.endsWith('}')).toBe(true);
  });

  it.each([['{'], ['[]'], ['null'], ['{"__proto__": 1}'], ['']])('leaves %j to others', (text) => {
    expect(mergeJson('{}', '{}', text)).toBeUndefined();
  });

  const value = fc.oneof(fc.constantFrom('x', 'y'), fc.boolean(), fc.constant(null), fc.integer());
  const table = fc.dictionary(fc.constantFrom('a', 'b', 'c', '1', 'constructor'), value);
  const object = fc.dictionary(fc.constantFrom('k', 'l', 'm'), fc.oneof(value, table));

  it('returns theirs without edits of ours, and ours without edits of theirs', () => {
    fc.assert(
      fc.property(object, object, (base, other) => {
        const merged = mergeJson(print(base), print(base), print(other));
        expect(merged?.kind).toBe('clean');
        expect(JSON.parse(merged!.text)).toEqual(other);
        expect(mergeJson(print(base), print(other), print(base))?.text).toBe(print(other));
      }),
    );
  });

  it('takes every change of theirs that does not meet one of ours, and none else', () => {
    fc.assert(
      fc.property(object, object, object, (base, ours, theirs) => {
        const merged = mergeJson(print(base), print(ours), print(theirs), 'theirs');
        const result = JSON.parse(merged!.text) as Record<string, unknown>;
        const text = (v: unknown): string => JSON.stringify(v) ?? '';
        const wanted = ['k', 'l', 'm'].map((key) => {
          const [b, o, t, r] = [base, ours, theirs, result].map((side) => side[key]);
          if (text(b) === text(t)) return [key, o];
          return [key, text(b) === text(o) ? t : r];
        });
        const found = ['k', 'l', 'm'].map((key) => [key, result[key]]);
        expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(JSON.stringify(wanted)));
      }),
    );
  });
});
