/**
 * Reads the build folder of a pull request. Sizes are read first, so that no content over the limits is ever
 * loaded: neither a file of a gigabyte nor the fifty-thousandth file.
 */
import { MAX_FILES, MAX_UNPACKED_BYTES } from '../../format/build/build-files.ts';
import { GeneratorError } from '../errors.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { readSource } from '../git/source.ts';
import { entryTypeOf } from '../git/tree-entries.ts';
import type { Source, SourceFile } from '../../examine/source.ts';
import { gateGit } from './gate-git.ts';

/**
 * The folder with tree id `tree`, without content where it is over the limits.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function readCandidate(
  folder: string,
  reader: ObjectReader,
  tree: string,
): Promise<Source> {
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', tree];
  const { status, stdout, isCut, stderr } = await gateGit(folder, args);
  if (status !== 0 && !isCut) {
    throw new GeneratorError('ERR_GIT', `Cannot list a build: git reports: ${stderr}`);
  }
  const files = listedFiles(stdout);
  if (isCut || files.length > MAX_FILES) return { files: files.slice(0, MAX_FILES), isCut: true };
  const total = files.reduce((sum, file) => sum + file.size, 0);
  return total > MAX_UNPACKED_BYTES ? { files, isCut: false } : readSource(reader, tree);
}

/** Parses `<mode> <type> <oid> <size>\t<path>\0`; at most one more than are allowed. */
function listedFiles(stdout: Buffer): SourceFile[] {
  const files: SourceFile[] = [];
  let start = 0;
  for (let end = stdout.indexOf(0); end >= 0; end = stdout.indexOf(0, start)) {
    const line = stdout.subarray(start, end);
    start = end + 1;
    const tab = line.indexOf(0x09);
    const [mode = '', , , size = ''] = line.toString('latin1', 0, tab).split(/ +/);
    const bytes = line.subarray(tab + 1);
    const path = bytes.toString('utf8');
    const type = entryTypeOf(mode);
    files.push({
      path,
      isUtf8Path: Buffer.from(path).equals(bytes),
      type: type === 'folder' ? 'other' : type,
      size: mode.startsWith('100') ? Number(size) : 0,
      bytes: undefined,
    });
    if (files.length > MAX_FILES) break;
  }
  return files;
}
