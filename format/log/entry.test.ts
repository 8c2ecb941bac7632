import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatLogEntry, parseLogEntry, type LogEntry } from './entry.ts';
import { MAX_ENTRY_BYTES, formatBundle, parseBundle } from './bundle.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const PUBLISH: LogEntry = {
  type: 'publish',
  id: 'alice/web',
  version: '1.0.0',
  integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  tree: COMMIT,
  commit: COMMIT,
  published_at: '2026-01-01T00:00:00.000Z',
};
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('formatLogEntry()', () => {
  test('writes canonical JSON with its newline', () => {
    expect(new TextDecoder().decode(formatLogEntry(PUBLISH))).toBe(
      `{"commit":"${COMMIT}","id":"alice/web","integrity":"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",` +
        `"published_at":"2026-01-01T00:00:00.000Z","tree":"${COMMIT}","type":"publish","version":"1.0.0"}\n`,
    );
  });

  test('and parseLogEntry() are inverse', () => {
    const {
      type: _type,
      tree: _tree,
      integrity,
      version,
      ...place
    } = PUBLISH as never as Record<string, string>;
    const { id: _id, ...run } = place;
    const entries = [
      PUBLISH,
      { ...place, type: 'yank', version },
      { ...place, type: 'unyank', version },
      { ...place, type: 'deprecate', integrity },
      { ...place, type: 'owner', id: 'alice', integrity },
      { ...place, type: 'key', id: 'registry.example', key: 'x' },
      { ...run, type: 'map', integrity },
    ] as LogEntry[];
    fc.assert(
      fc.property(fc.constantFrom(...entries), (entry) => {
        expect(parseLogEntry(formatLogEntry(entry))).toEqual(entry);
      }),
    );
  });
});

describe('parseLogEntry() refuses', () => {
  const text = new TextDecoder().decode(formatLogEntry(PUBLISH));
  test.each([
    ['nothing', ''],
    ['what is no JSON', 'publish'],
    ['spaces', text.replace(',', ', ')],
    ['no newline', text.trimEnd()],
    ['another order', `{"type":"publish",${text.slice(1).replace('"type":"publish",', '')}`],
    ['a field more', text.replace('{', '{"a":1,')],
    ['a field less', text.replace(/"tree":"[^"]*",/, '')],
    ['an unknown type', text.replace('publish"', 'delete"')],
    ['an id that is none', text.replace('alice/web', 'alice')],
    ['a short digest', text.replace('47DE', '7DE')],
    ['a key twice', text.replace('"id"', '"id":"alice/api","id"')],
  ])('%s', (_, bytes) => {
    expect(() => parseLogEntry(encode(bytes))).toThrow(
      expect.objectContaining({ code: 'ERR_LOG_ENTRY' }),
    );
  });
});

const entries = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 256 });

describe('entry bundles', () => {
  test('have the length of each entry before it', () => {
    const bytes = formatBundle([Uint8Array.of(97, 98, 99), new Uint8Array()]);
    expect([...bytes]).toEqual([0, 3, 97, 98, 99, 0, 0]);
  });

  test('parse and format are inverse', () => {
    fc.assert(
      fc.property(entries, (list) => {
        expect(parseBundle(formatBundle(list), list.length)).toEqual(list);
      }),
    );
  });

  test('cut anywhere, they are refused', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (list, at) => {
        fc.pre(list.length > 0);
        const bytes = formatBundle(list);
        const cut = bytes.subarray(0, at % bytes.length);
        expect(() => parseBundle(cut, list.length)).toThrow('Cannot read an entry bundle');
      }),
    );
  });

  test('with another number of entries they are refused', () => {
    expect(() => parseBundle(Uint8Array.of(0, 0), 2)).toThrow('it has 1 entries, not 2');
  });

  test('too long an entry and too many entries are programming errors', () => {
    expect(() => formatBundle([new Uint8Array(MAX_ENTRY_BYTES + 1)])).toThrow(RangeError);
    expect(() => formatBundle(Array.from({ length: 257 }, () => new Uint8Array()))).toThrow(
      RangeError,
    );
  });
});
