/** Archives that `packTarball` cannot write, made byte by byte. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../errors.ts';
import { TARBALL_LIMITS } from './tar.ts';
import type { TarballLimits } from './tar.ts';
import { packTarball, readTarball } from './tarball.ts';
import { runs } from '../../tests/run/runs.ts';

interface Raw {
  readonly name: string | Buffer;
  readonly type?: string;
  readonly data?: string | Buffer;
  readonly mode?: string;
  readonly size?: string;
  readonly link?: string;
  readonly prefix?: string;
  readonly magic?: string;
  readonly owner?: string;
  readonly time?: string;
  readonly user?: string;
  readonly checksum?: number;
}

const END = Buffer.alloc(1_024);

/** One header with its data, every field as it is given. */
function raw(of: Raw): Buffer {
  const data = Buffer.from(of.data ?? '');
  const header = Buffer.alloc(512);
  Buffer.from(of.name).copy(header, 0, 0, 100);
  header.write(of.mode ?? '0000644\0', 100, 'latin1');
  header.write(of.owner ?? '0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  header.write(of.size ?? `${data.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write(of.time ?? '00000000000\0', 136, 'latin1');
  header.write(`        ${of.type ?? '0'}`, 148, 'latin1');
  header.write(of.link ?? '', 157, 'latin1');
  header.write(of.magic ?? 'ustar\u000000', 257, 'latin1');
  header.write(of.user ?? '', 265, 'latin1');
  header.write('0000000\u00000000000\0', 329, 'latin1');
  header.write(of.prefix ?? '', 345, 'latin1');
  const sum = of.checksum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return Buffer.concat([header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

const tgz = (...parts: Buffer[]): Buffer => gzipSync(Buffer.concat([...parts, END]));
const files = (...names: string[]): Buffer =>
  tgz(...names.map((name) => raw({ name: `package/${name}` })));
const pax = (record: string): Buffer => raw({ name: 'package/pax', type: 'x', data: record });
const paxPath = (path: string): Buffer => {
  const rest = Buffer.byteLength(path) + ' path=\n'.length;
  const length = [1, 2, 3, 4]
    .map((digits) => rest + digits)
    .find((n) => `${n}`.length === n - rest);
  return pax(`${length} path=${path}\n`);
};
const good = raw({ name: 'package/a', data: 'hello' });

function read(bytes: Uint8Array, limits?: TarballLimits): string {
  try {
    const entries = readTarball(bytes, limits);
    return `read: ${entries.map((e) => e.path).join(', ')}`;
  } catch (error) {
    if (!(error instanceof FormatError) || error.code !== 'ERR_TARBALL') throw error;
    return error.message.replace('Cannot read tarball: ', '');
  }
}

test('readTarball() reads an archive made by hand as packTarball() makes it', () => {
  expect(read(tgz(good))).toBe('read: a');
  expect(read(tgz(paxPath('package/é'), raw({ name: 'package/é' })))).toBe('read: é');
});

describe('readTarball() rejects the path', () => {
  test.each([
    ['../../pwn', 'has a ".." segment'],
    ['/abs/path', 'is absolute'],
    ['..\\..\\x', 'has a backslash'],
    ['C:/x', 'is absolute'],
    ['.git/hooks/x', '".git" folder'],
    ['.GIT/config', '".git" folder'],
    ['git~1/config', '".git" folder'],
    ['CON', 'device name of Windows'],
    ['aux.c', 'device name of Windows'],
    ['trail. ', 'ends with a dot or a space'],
    ['x?', 'one of the characters'],
    ['dir/a:b', 'one of the characters'],
    ['\u202Ex', 'control or invisible'],
    ['a\u200bb', 'control or invisible'],
    ['\u0001', 'control or invisible'],
    ['a\nb', 'control or invisible'],
    ['e\u0301', 'only spelling'],
    ['a//b', 'only spelling'],
    ['./a', 'only spelling'],
    ['', 'is empty'],
  ])('%j', (path, problem) => {
    expect(read(files(path))).toContain(problem);
  });

  test.each(['/etc/passwd', '../package/a', 'other/a', 'package', 'Package/a', '', 'packagea'])(
    '%j, which is not below package/',
    (name) => {
      expect(read(tgz(raw({ name })))).toContain('is not below "package/"');
    },
  );

  test('1,500 levels deep', () => {
    const path = `package/${'a/'.repeat(1_500)}b`;
    expect(read(tgz(paxPath(path), raw({ name: 'package/b' })))).toContain('longer than 255 bytes');
  });

  test('33 levels deep', () => {
    expect(read(files(`${'a/'.repeat(32)}b`))).toContain('more than 32 segments deep');
  });

  test('that is not UTF-8', () => {
    const name = Buffer.from('package/\u00ff', 'latin1');
    expect(read(tgz(raw({ name })))).toBe('a path is not UTF-8');
  });
});

test.each([
  ['two names by case', ['Foo.txt', 'foo.txt']],
  ['a duplicate', ['a', 'a']],
  ['a file that is a folder too', ['a', 'a/b']],
  ['folders by case', ['A/x', 'a/y']],
])('readTarball() rejects %s', (_, names) => {
  expect(read(files(...names))).toContain('are one file where case is not kept');
});

test('readTarball() rejects a name in two normal forms', () => {
  const names = ['\u00e9', 'e\u0301'].map((name) => raw({ name: `package/${name}` }));
  expect(read(tgz(...names))).toContain('only spelling');
});

test.each([
  ['1', 'a hard link'],
  ['2', 'a symbolic link'],
  ['3', 'a character device'],
  ['4', 'a block device'],
  ['5', 'a folder entry'],
  ['6', 'a pipe'],
  ['7', 'of type "7"'],
  ['g', 'of type "g"'],
  ['L', 'of type "L"'],
  ['K', 'of type "K"'],
  ['S', 'of type "S"'],
  ['\0', 'of type "\\u0000"'],
])('readTarball() rejects an entry of type %j', (type, problem) => {
  const link = raw({ name: 'package/d', type, link: '/etc' });
  expect(read(tgz(link))).toBe(`entry "package/d" is ${problem}, not a file`);
  expect(read(tgz(good, link))).toContain(problem);
});

test('readTarball() rejects a link with a file that goes through it', () => {
  const link = raw({ name: 'package/d', type: '2', link: '../..' });
  expect(read(tgz(link, raw({ name: 'package/d/pwn.txt' })))).toContain('a symbolic link');
});

test.each(['0004755', '0002755', '0001755', '0000777', '0000600', '0000000', '0100644'])(
  'readTarball() rejects mode %s',
  (mode) => {
    expect(read(tgz(raw({ name: 'package/a', mode: `${mode}\0` })))).toContain('not 644 or 755');
  },
);

describe('readTarball() rejects a header', () => {
  test.each([
    ['with a wrong checksum', { checksum: 1 }, 'wrong checksum'],
    ['without magic', { magic: '\0\0\0\0\0\0\0\0' }, 'not ustar'],
    ['of old GNU tar', { magic: 'ustar  \0' }, 'not ustar'],
    ['with a size in base 256', { size: '\u0080\0\0\0\0\0\0\0\0\0\0\u0001' }, 'not octal'],
    ['with a negative size', { size: '-0000000001\0' }, 'not octal'],
    ['with an empty size', { size: '\0'.repeat(12) }, 'not octal'],
    ['with the digit 8', { size: '00000000008\0' }, 'not octal'],
    ['with a size over the limit', { size: '77777777777\0' }, 'longer than the archive'],
    ['with a size behind the end', { size: '00000010000\0' }, 'longer than the archive'],
    ['with an owner', { owner: '0001750\0' }, 'not in the one form'],
    ['with a user name', { user: 'root' }, 'not in the one form'],
    ['with a time', { time: '00000000001\0' }, 'not in the one form'],
    ['with a link name', { link: 'b' }, 'not in the one form'],
    ['with a needless prefix', { name: 'a', prefix: 'package' }, 'not in the one form'],
  ])('%s', (_, fields, problem) => {
    expect(read(tgz(raw({ name: 'package/a', ...fields })))).toContain(problem);
  });

  test('with text behind the end of the name', () => {
    expect(read(tgz(raw({ name: 'package/a\0b' })))).toContain('not in the one form');
  });
});

describe('readTarball() rejects a pax header', () => {
  const a = raw({ name: 'package/a' });
  const one = '18 path=package/b\n';

  test.each([
    ['that leaves the build', [paxPath('package/../x'), a], 'has a ".." segment'],
    ['that leaves package/', [paxPath('other/x'), a], 'is not below'],
    ['with an end of text', [paxPath('package/a\0b'), a], 'control or invisible'],
    ['with two lines', [paxPath('package/a\nb'), a], 'control or invisible'],
    ['with another key', [pax('15 size=100000\n'), a], 'something else than one path'],
    ['with a link path', [pax('19 linkpath=/etc/x\n'), a], 'something else than one path'],
    ['with two records', [pax(`${one}${one}`), a], 'something else than one path'],
    ['with a wrong length', [pax('19 path=package/b\n'), a], 'something else than one path'],
    [
      'with a huge length',
      [pax('999999999999 path=package/b\n'), a],
      'something else than one path',
    ],
    ['with a padded length', [pax('018 path=package/b'), a], 'something else than one path'],
    ['without a final newline', [pax('18 path=package/bc'), a], 'something else than one path'],
    ['without data', [pax(''), a], 'something else than one path'],
    ['twice', [pax(one), pax(one), a], 'two pax headers follow each other'],
    ['without an entry', [good, pax(one)], 'a pax header has no entry'],
    ['before a link', [pax(one), raw({ name: 'package/a', type: '2' })], 'a symbolic link'],
    ['that ustar could do without', [pax(one), raw({ name: 'package/b' })], 'not in the one form'],
  ])('%s', (_, parts, problem) => {
    expect(read(tgz(...parts))).toContain(problem);
  });
});

describe('readTarball() rejects an archive', () => {
  const whole = packTarball([
    { path: 'a', bytes: Buffer.from('hello'), executable: false },
    { path: 'b', bytes: Buffer.alloc(2_000, 'x'), executable: true },
  ]);

  test('cut anywhere', () => {
    for (let length = 0; length < whole.length; length += 1) {
      expect(read(whole.subarray(0, length))).toContain('it is not a whole gzip file');
    }
  });

  test.each([
    ['text', Buffer.from('junk')],
    ['zeros', Buffer.alloc(8)],
    ['its own trailer again', Buffer.from(whole.subarray(-8))],
    ['a second, empty member', gzipSync('')],
    ['a second archive', Buffer.from(whole)],
  ])('with %s behind it', (_, junk) => {
    expect(read(Buffer.concat([whole, junk]))).toMatch(/behind its end|not a whole gzip file/);
  });

  test('with a wrong gzip checksum or length', () => {
    for (const at of [whole.length - 8, whole.length - 4]) {
      const bytes = Uint8Array.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(read(bytes)).toContain('its checksum or length differs');
    }
  });

  test('with a name in the gzip header', () => {
    const bytes = Buffer.concat([whole.subarray(0, 10), Buffer.from('x\0'), whole.subarray(10)]);
    bytes[3] = 8;
    expect(read(bytes)).toContain('it is not a whole gzip file');
  });

  test.each([
    ['that is empty', tgz(), 'it is empty'],
    ['without an end mark', gzipSync(good), 'it is truncated'],
    ['with half an end mark', gzipSync(Buffer.concat([good, END.subarray(512)])), 'behind its end'],
    ['that ends in a header', gzipSync(good.subarray(0, 300)), 'it is truncated'],
    ['that ends in a file', gzipSync(good.subarray(0, 600)), 'longer than the archive'],
    ['with a file behind the end mark', tgz(good, END, good), 'behind its end mark'],
    ['with more zeros', tgz(good, END), 'not in the one form'],
    ['that is not gzip', Buffer.concat([good, END]), 'not a whole gzip file'],
    ['of no bytes', Buffer.alloc(0), 'not a whole gzip file'],
    ['of files in another order', files('b', 'a'), 'not in the one form'],
    [
      'with data in the padding',
      tgz(good.subarray(0, 600), Buffer.alloc(424, 'x')),
      'not in the one form',
    ],
  ])('%s', (_, bytes, problem) => {
    expect(read(bytes)).toContain(problem);
  });

  test('of 300 MB of zeros in 0.3 MB', () => {
    const size = 300_000_000;
    const header = raw({ name: 'package/z', size: `${size.toString(8).padStart(11, '0')}\0` });
    const bomb = gzipSync(Buffer.concat([header, Buffer.alloc(size)]), { level: 1 });
    expect(bomb.length).toBeLessThan(TARBALL_LIMITS.packedBytes);
    expect(read(bomb)).toContain('it unpacks to over');
  });

  test('of too many files', () => {
    const names = Array.from({ length: 10_001 }, (_, at) => `f${String(at).padStart(5, '0')}`);
    expect(read(files(...names))).toBe('it has more than 10000 files');
    expect(read(files(...names.slice(1)))).toMatch(/^read: f00001/);
  });

  test.each([
    ['packed bytes', { packedBytes: whole.length - 1 }, 'at most'],
    ['unpacked bytes', { unpackedBytes: 2_004 }, 'it unpacks to over 2004 bytes'],
    ['files', { files: 1 }, 'more than 1 files'],
  ])('over the limit of %s', (_, limits, problem) => {
    expect(read(whole, { ...TARBALL_LIMITS, ...limits })).toContain(problem);
  });

  test('but not one at every limit', () => {
    const limits = { packedBytes: whole.length, unpackedBytes: 2_005, files: 2 };
    expect(read(whole, limits)).toBe('read: a, b');
  });
});

test('readTarball() gives a FormatError or safe entries for any change of the tar bytes', () => {
  const tar = Buffer.concat([good, paxPath('package/é'), raw({ name: 'package/é' }), END]);
  const change = fc.record({ at: fc.nat(tar.length - 1), to: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const bytes = Buffer.from(tar);
      for (const { at, to } of changes) bytes[at] = to;
      const result = read(gzipSync(bytes));
      expect(result.startsWith('read') ? result : 'read: a, é').toBe('read: a, é');
    }),
    { numRuns: runs(1_500) },
  );
});

test('readTarball() never throws anything else, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1_500 }), fc.boolean(), (bytes, isPacked) => {
      expect(read(isPacked ? gzipSync(bytes) : bytes)).not.toContain('read');
    }),
    { numRuns: 300 },
  );
});
