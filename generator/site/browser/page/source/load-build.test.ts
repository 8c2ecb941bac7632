import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integrityOf } from '../../../../../format/archive/integrity.ts';
import { packTar } from '../../../../../format/archive/tar.ts';
import type { TarballEntry } from '../../../../../format/archive/tar.ts';
import { packTarball } from '../../../../../format/archive/tarball.ts';
import { checkFilePaths } from '../../../../../format/build/file-path.ts';
import {
  SourceProblem,
  baseOf,
  gunzip,
  readCapabilities,
  readHead,
  unpackChecked,
  unsafePath,
  versionOf,
} from './load-build.ts';

const file = (path: string, text = 'x'): TarballEntry => ({
  path,
  bytes: Buffer.from(text),
  executable: false,
});

/** The answer of `unpackChecked` to bytes whose digest the head has. */
async function unpacked(bytes: Uint8Array): Promise<string[] | string> {
  try {
    const own = Uint8Array.from(bytes);
    return (await unpackChecked(own, integrityOf(own))).map(({ path }) => path);
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    return `${error.title}: ${error.message}`;
  }
}

describe('unpackChecked()', () => {
  it('returns the files of a tarball with the digest of the head', async () => {
    const files = [file('a.ts', 'one'), file('src/שלום 🙂.ts'), file('x'.repeat(150))];
    expect(await unpacked(packTarball(files))).toEqual(files.map(({ path }) => path).sort());
  });

  it('shows nothing of a tarball with another digest', async () => {
    const bytes = Uint8Array.from(packTarball([file('a.ts')]));
    const other = integrityOf(packTarball([file('b.ts')]));
    const refused = unpackChecked(bytes, other);
    await expect(refused).rejects.toThrow(/Nothing of it is shown/);
    await expect(refused).rejects.toThrow(other);
  });

  it.each([
    ['that leaves the folder', [file('../a')], 'unsafe path: traversal'],
    ['of the root', [file('/etc/passwd')], 'unsafe path: absolute'],
    ['of git', [file('.git/config')], 'unsafe path: git'],
    ['that hides', [file('a\u202Eb')], 'unsafe path: invisible'],
    ['in two spellings', [file('A'), file('a')], 'twice'],
    ['of a file and a folder', [file('a'), file('a/b')], 'a file and a folder'],
  ])('refuses a path %s', async (_, files, problem) => {
    expect(await unpacked(packTarball(files))).toContain(problem);
  });

  it.each([
    ['no gzip', Buffer.from('hello')],
    ['cut short', packTarball([file('a')]).slice(0, -9)],
    ['two members', Buffer.concat([packTarball([file('a')]), packTarball([file('b')])])],
    ['data behind its end', Buffer.concat([packTarball([file('a')]), Buffer.from('x')])],
    [
      'a wrong checksum',
      packTarball([file('a')])
        .with(-8, 1)
        .with(-7, 2),
    ],
  ])('refuses %s', async (_, bytes) => {
    expect(await unpacked(bytes)).toContain('it is not a whole gzip file');
  });

  it('refuses an archive in another form', async () => {
    const tar = packTar([file('a')]);
    expect(await unpacked(gzipSync(Buffer.concat([tar, Buffer.alloc(512, 1)])))).toContain(
      'end mark',
    );
    expect(await unpacked(gzipSync(tar.with(108, 0x31)))).toContain('Cannot read tarball');
  });
});

it('gunzip() ends a bomb at the limit', async () => {
  const bomb = Uint8Array.from(gzipSync(Buffer.alloc(50_000_000)));
  await expect(gunzip(bomb, 1_000_000)).rejects.toThrow('it unpacks to over 1000000 bytes');
});

it('unsafePath() finds something where clients do', () => {
  const segment = fc.constantFrom(
    'a',
    'A',
    'b',
    '..',
    '.',
    'é',
    'e\u0301',
    'con',
    '.git',
    'x.ts',
    '',
  );
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 5 }), (paths) => {
      // Folders in two spellings are shown as two: nothing is written here.
      const found = checkFilePaths(paths);
      if (unsafePath(paths) !== undefined) expect(found).not.toEqual([]);
      else expect(found.every(({ code }) => code === 'file-path-collision')).toBe(true);
    }),
  );
});

const DIGEST = 'A'.repeat(43);
const row = (version: unknown, integrity: unknown = DIGEST): unknown[] => {
  return [version, integrity, DIGEST, 1_790_000_000, 0];
};
const HEAD = { id: 'a/b', latest: '1.0.0', needs: [{}], states: [], versions: [row('1.0.0')] };

describe('readHead()', () => {
  it('reads versions, yanks and advisories, also of older documents', () => {
    const states = [{ versions: ['0.9.0'], yanked: 'bad', advisories: ['X-1'] }];
    const older = [{ needs: [{}], versions: [row('0.10.0'), row('0.9.0')] }];
    const head = readHead({ ...HEAD, states }, older, 'a/b');
    expect(head?.versions).toMatchObject([
      { version: '1.0.0', integrity: `sha256-${DIGEST}=`, status: { is: 'open' }, advisories: [] },
      { version: '0.10.0', risk: 'ok', status: { is: 'open' } },
      { version: '0.9.0', status: { is: 'yanked', reason: 'bad' }, advisories: ['X-1'] },
    ]);
    expect(versionOf(head!, '0.9.0').status.is).toBe('yanked');
    expect(() => versionOf(head!, '3.0.0')).toThrow(SourceProblem);
  });

  it('gives the reason of a version that was withdrawn, and no version', () => {
    const states = [{ versions: ['1.0.0'], yanked: 'had a token', withdrawn: true }];
    const head = readHead({ ...HEAD, states }, [], 'a/b');
    expect(() => versionOf(head!, '1.0.0')).toThrow('had a token');
  });

  it.each([
    undefined,
    null,
    [],
    { ...HEAD, id: 'other/build' },
    { ...HEAD, versions: [] },
    { ...HEAD, versions: {} },
    { ...HEAD, versions: [row('<script>')] },
    { ...HEAD, versions: [row('1.0.0'), row('1.1.0', 1)] },
    { ...HEAD, versions: [[...row('1.0.0').slice(0, 3), 1e300, 0]] },
    { ...HEAD, states: [{ yanked: 'x' }] },
  ])('refuses %j', (value) => {
    expect(readHead(value, [], 'a/b')).toBeUndefined();
  });

  it('throws nothing, whatever a host sends', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(readHead(value, [], 'a/b')).toBeUndefined();
        expect(readHead(HEAD, [value], 'a/b')).toBeUndefined();
        expect(readCapabilities(value)).toBeUndefined();
      }),
    );
  });
});

it('readCapabilities() reads a document with all lists, and no other one', () => {
  const names = { hosts: [], environment: ['A'], reads: [], writes: [], processes: [], unread: [] };
  expect(readCapabilities({ ...names, dynamic_code: true })).toEqual({
    ...names,
    dynamic_code: true,
  });
  expect(readCapabilities({ ...names, hosts: [1] })).toBeUndefined();
  expect(readCapabilities({ hosts: [] })).toBeUndefined();
});

it.each([
  ['{"base":"src/account"}', 'src/account'],
  ['{"base":"../.."}', ''],
  ['{"base":1}', ''],
  ['{', ''],
  ['null', ''],
])('baseOf() of a manifest %s is "%s"', (text, expected) => {
  expect(baseOf([file('stackyard.json', text)])).toBe(expected);
});
