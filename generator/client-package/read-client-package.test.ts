import { describe, expect, it } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import { packTarball } from '../../format/archive/tarball.ts';
import type { TarballEntry } from '../../format/archive/tar.ts';
import { readClientPackage } from './read-client-package.ts';

function entry(path: string, text: string, executable = false): TarballEntry {
  return { path, bytes: Buffer.from(text), executable };
}

const BIN = 'dist/stackyard.mjs';

function manifest(changes: object = {}): TarballEntry {
  const value = { name: 'stackyard', version: '1.2.0', bin: { stackyard: BIN }, ...changes };
  return entry('package.json', JSON.stringify(value));
}

describe('readClientPackage()', () => {
  it('reads the version and the digest', () => {
    const bytes = packTarball([manifest(), entry(BIN, '', true)]);
    const wanted = { version: '1.2.0', bytes, integrity: integrityOf(bytes) };
    expect(readClientPackage(bytes, 'x.tgz')).toEqual(wanted);
  });

  it.each([
    ['text', Buffer.from('hello'), ''],
    ['no manifest', packTarball([entry(BIN, '', true)]), 'not JSON'],
    ['another name', packTarball([manifest({ name: 'other' }), entry(BIN, '', true)]), '"name"'],
    ['no version', packTarball([manifest({ version: '1' }), entry(BIN, '', true)]), '"version"'],
    ['another program', packTarball([manifest({ bin: { stackyard: 'x' } })]), '"bin.stackyard"'],
    ['no program', packTarball([manifest()]), `has no program "${BIN}"`],
    ['a program that cannot run', packTarball([manifest(), entry(BIN, '')]), 'has no program'],
  ])('refuses %s', (_what, bytes, message) => {
    const read = (): unknown => readClientPackage(bytes, 'x.tgz');
    expect(read).toThrow(expect.objectContaining({ code: 'ERR_CLIENT_PACKAGE' }));
    expect(read).toThrow(message);
  });
});
