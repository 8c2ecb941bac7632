import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gzipSync } from 'fflate';
import { FormatError } from '../errors.ts';
import { checkFilePaths, isFilePath } from '../build/file-path.ts';
import { integrityOf } from './integrity.ts';
import type { TarballEntry } from './tar.ts';
import { packTarball, readTarball } from './tarball.ts';
import { gzip } from './gzip.ts';
import { runs } from '../../tests/run/runs.ts';

const entry = (path: string, text = '', executable = false): TarballEntry => ({
  path,
  bytes: new TextEncoder().encode(text),
  executable,
});

/** Every form of a path: ustar name, ustar prefix, pax for length, pax for letters beyond ASCII. */
const GOLDEN: readonly TarballEntry[] = [
  entry('stackyard.json', '{"name":"golden"}\n'),
  entry('README.md', '# Golden\n'),
  entry('bin/run.sh', '#!/bin/sh\n', true),
  entry('empty'),
  entry(`${'d'.repeat(60)}/${'e'.repeat(90)}.txt`, 'prefix'),
  entry(`${'f'.repeat(120)}.txt`, 'pax, long'),
  entry('docs/grüße-😀.md', 'pax, letters'),
  entry(`x${'ü'.repeat(80)}.txt`, 'pax, cut between two bytes'),
  entry('block', 'x'.repeat(512)),
];

const GOLDEN_INTEGRITY = 'sha256-YCoEGYauOBcmEhI3e5JVIbDkvc/Fv9anFk29d0Pc6wM=';

/** Entries by path bytes, with plain arrays, for comparing. */
function plain(entries: readonly TarballEntry[]): unknown[] {
  return entries
    .map((e) => ({ ...e, bytes: [...e.bytes] }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

describe('packTarball()', () => {
  test('writes the bytes that every version of this code has written', () => {
    expect(integrityOf(packTarball(GOLDEN))).toBe(GOLDEN_INTEGRITY);
  });

  test('does not depend on the order of the entries', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...GOLDEN], { minLength: GOLDEN.length }), (entries) => {
        expect(integrityOf(packTarball(entries))).toBe(GOLDEN_INTEGRITY);
      }),
      { numRuns: 20 },
    );
  });

  test('writes a pax header only where ustar cannot hold the path', () => {
    const firstType = (path: string): string =>
      gunzipSync(packTarball([entry(path)])).toString('latin1', 156, 157);
    const prefix = 'd'.repeat(155 - 'package/'.length);
    expect(firstType('a')).toBe('0');
    expect(firstType('a'.repeat(100))).toBe('0');
    expect(firstType('a'.repeat(101))).toBe('x');
    expect(firstType(`${prefix}/${'e'.repeat(100)}`)).toBe('0');
    expect(firstType(`${prefix}/${'e'.repeat(101)}`)).toBe('x');
    expect(firstType(`${prefix}d/${'e'.repeat(100)}`)).toBe('x');
    expect(firstType('é')).toBe('x');
  });
});

describe('readTarball()', () => {
  test('reads back the golden archive', () => {
    expect(plain(readTarball(packTarball(GOLDEN)))).toEqual(plain(GOLDEN));
  });

  test('reads back whatever packTarball() wrote', () => {
    const segment = fc.oneof(
      fc.stringMatching(/^[a-zA-Z0-9_-]{1,8}$/),
      fc.stringMatching(/^[a-z]{40,90}$/),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    );
    const path = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('/'))
      .filter(isFilePath);
    const file = fc.record({
      path,
      bytes: fc.uint8Array({ maxLength: 1_200 }),
      executable: fc.boolean(),
    });
    const files = fc
      .array(file, { minLength: 1, maxLength: 6 })
      .filter((list) => checkFilePaths(list.map((f) => f.path)).length === 0);
    fc.assert(
      fc.property(files, (entries) => {
        const bytes = packTarball(entries);
        const read = readTarball(bytes);
        expect(plain(read)).toEqual(plain(entries));
        expect(read.map((e) => e.path)).toEqual(
          plain(entries).map((e) => (e as TarballEntry).path),
        );
        expect(packTarball(read)).toEqual(bytes);
      }),
      { numRuns: 150 },
    );
  });

  test('gives a FormatError or safe entries for any change of the bytes', () => {
    const original = packTarball(GOLDEN);
    const change = fc.record({ at: fc.nat(original.length - 1), to: fc.nat(255) });
    const survivors: Uint8Array[] = [];
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = Uint8Array.from(original);
        for (const { at, to } of changes) bytes[at] = to;
        try {
          survivors.push(packTarball(readTarball(bytes)));
        } catch (error) {
          if (!(error instanceof FormatError)) throw error;
        }
      }),
      { numRuns: runs(1_000) },
    );
    // Only the header fields that gzip ignores (time, flags of the packer, system) may differ.
    for (const bytes of survivors) expect(bytes).toEqual(original);
  });
});

describe('packTarball(), for the tar program of the system', () => {
  let folder: string;
  let archive: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'stackyard-tarball-'));
    archive = join(folder, 'golden.tgz');
    writeFileSync(archive, packTarball(GOLDEN));
    execFileSync('tar', ['-xzf', archive, '-C', folder]);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test('lists every path in the order of its bytes', () => {
    const listing = execFileSync('tar', ['--quoting-style=literal', '-tzf', archive], {
      encoding: 'utf8',
    });
    const wanted = plain(GOLDEN).map((e) => `package/${(e as TarballEntry).path}`);
    expect(listing.trimEnd().split('\n')).toEqual(wanted);
  });

  test.each(GOLDEN.map((e) => [e.path, e] as const))(
    'extracts %s',
    (path, { bytes, executable }) => {
      const file = join(folder, 'package', path);
      expect(readFileSync(file)).toEqual(Buffer.from(bytes));
      expect((statSync(file).mode & 0o100) !== 0).toBe(executable);
      expect(statSync(file).mtimeMs).toBe(0);
    },
  );
});

const parts = fc.array(
  fc.oneof(
    fc.uint8Array(),
    fc.string().map((text) => Buffer.from(text.repeat(99))),
  ),
);

test('gzip() returns the bytes of gzipSync() of fflate, which zlib reads', () => {
  fc.assert(
    fc.property(parts, (list) => {
      const bytes = new Uint8Array(Buffer.concat(list));
      const packed = gzip(bytes);
      expect(Buffer.from(packed)).toEqual(Buffer.from(gzipSync(bytes, { level: 6, mtime: 0 })));
      expect(gunzipSync(packed)).toEqual(Buffer.from(bytes));
    }),
  );
});

test('gzip() takes a view into a larger buffer', () => {
  const view = new Uint8Array([1, 2, 3, 4, 5, 6]).subarray(2, 5);
  expect([...gunzipSync(gzip(view))]).toEqual([3, 4, 5]);
});
