import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import { editDeprecation, editWithdrawal, editYank, newOwnerFile } from './owner-edit.ts';

const names = fc.constantFrom('web', 'constructor', 'to-string', 'a');
const versions = fc.constantFrom('1.0.0', '1.0.1', '2.0.0-rc.1', '1.0.0+b');
const reasons = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const yanked = fc.dictionary(names, fc.dictionary(versions, reasons, { minKeys: 1 }));
const files = fc.record(
  {
    account_id: fc.integer({ min: 1 }),
    maintainers: fc.array(fc.constantFrom('bob', 'Carol')),
    yanked,
    deprecated: fc.dictionary(names, fc.record({ reason: reasons })),
  },
  { requiredKeys: [] },
);
/** The same value as people write it. */
const texts = fc
  .tuple(files, fc.constantFrom(undefined, 2, 4, '\t'))
  .map(([file, indent]) => `${JSON.stringify(file, null, indent)}\n`);

function read(text: string): OwnerFile {
  return OwnerFile.parse(JSON.parse(text));
}

describe('editYank()', () => {
  it('adds one reason and changes nothing else', () => {
    fc.assert(
      fc.property(texts, names, versions, reasons, (text, name, version, reason) => {
        const before = read(text);
        const known = Object.hasOwn(before.yanked ?? {}, name) ? before.yanked?.[name] : undefined;
        fc.pre(known?.[version] !== reason);
        const after = read(editYank(text, name, version, reason));
        expect(after).toEqual({
          ...before,
          yanked: { ...before.yanked, [name]: { ...known, [version]: reason } },
        });
      }),
    );
  });

  it('is reverted to the same bytes', () => {
    fc.assert(
      fc.property(texts, names, versions, reasons, (text, name, version, reason) => {
        const before = read(text);
        const known = Object.hasOwn(before.yanked ?? {}, name) ? before.yanked?.[name] : undefined;
        fc.pre(known === undefined || !Object.hasOwn(known, version));
        // An empty object of the original text is removed together with the last entry.
        fc.pre(before.yanked === undefined || Object.keys(before.yanked).length > 0);
        const there = editYank(text, name, version, reason);
        expect(editYank(there, name, version, undefined)).toBe(text);
      }),
    );
  });

  it('refuses an edit that changes nothing, and a text that cannot be parsed', () => {
    const text = editYank('{}', 'web', '1.0.0', 'x');
    const conflict = expect.objectContaining({ code: 'ERR_CONFLICT' });
    expect(() => editYank(text, 'web', '1.0.0', 'x')).toThrow(conflict);
    expect(() => editYank(text, 'web', '1.0.1', undefined)).toThrow(conflict);
    for (const bad of ['', '[]', '{ "yanked": 1 }', '{ "other": {} }']) {
      expect(() => editYank(bad, 'web', '1.0.0', 'x')).toThrow(
        expect.objectContaining({ code: 'ERR_REGISTRY_ANSWER' }),
      );
    }
  });
});

describe('editDeprecation()', () => {
  it('replaces reason and replacement, and can be reverted', () => {
    fc.assert(
      fc.property(texts, names, reasons, fc.boolean(), (text, name, reason, hasOther) => {
        const before = read(text);
        const deprecation = hasOther ? { reason, replacement: 'bob/tool' } : { reason };
        const known = Object.hasOwn(before.deprecated ?? {}, name)
          ? before.deprecated?.[name]
          : undefined;
        fc.pre(known?.reason !== reason);
        const there = editDeprecation(text, name, deprecation);
        expect(read(there).deprecated).toEqual({ ...before.deprecated, [name]: deprecation });
        const { [name]: _, ...others } = before.deprecated ?? {};
        expect(read(editDeprecation(there, name, undefined)).deprecated ?? {}).toEqual(others);
      }),
    );
  });
});

it('newOwnerFile() is canonical', () => {
  expect(newOwnerFile(7, [{ login: 'Bob', account_id: 8 }])).toBe(
    '{"account_id":7,"maintainers":[{"account_id":8,"login":"Bob"}]}\n',
  );
});

it('editWithdrawal() adds a withdrawal beside the other fields, once', () => {
  const text = editWithdrawal('{\n  "account_id": 1\n}\n', 'web', '1.0.0', 'Has a key');
  expect(JSON.parse(text)).toEqual({ account_id: 1, withdrawn: { web: { '1.0.0': 'Has a key' } } });
  expect(() => editWithdrawal(text, 'web', '1.0.0', 'Other')).toThrow('is withdrawn already');
});
