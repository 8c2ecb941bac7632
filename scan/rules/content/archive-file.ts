/** Archives within the build: their content is installed without a review. */
import { constants, gunzipSync } from 'node:zlib';
import { finding, type Finding } from '../../../format/finding/finding.ts';
import { ruleOfFiles } from '../../rule.ts';
import type { ScannedBuild, ScannedFile } from '../../scanned-file.ts';
import { contentGroup, contentType } from '../../text/content-type.ts';
import { extensionOf, isTestPath } from '../../text/file-kind.ts';
import { isIdleFile } from '../../text/idle-file.ts';
import { quote } from '../../text/quote.ts';
import { MAX_ZIP_ENTRIES, zipEntries } from '../../text/zip-entries.ts';

/** Document formats that are zip archives; `binary-file` reports jars. */
const DOCUMENTS = new Set(
  'docx xlsx pptx odt ods odp epub jar war ear apk aar vsix sketch'.split(' '),
);
const PROGRAMS = /\.(?:exe|dll|scr|so|dylib|bat|cmd|ps1|vbs|sh|js|py|lnk|jar|msi)$/i;
const ARCHIVES = /\.(?:zip|rar|7z|tar|gz|tgz|xz|bz2|cab|iso|img)$/i;

/** Compressed single files of data, which contain no other files. */
const DATA_FILE = /\.(?:json|csv|tsv|txt|dat|xml|log|svg|npy)\.(?:xz|bz2|zst)$/i;
/** Bytes; enough to recognise what was compressed. */
const MAX_START = 65_536;

export const archiveFile = ruleOfFiles('archive-file', checkFile);

function checkFile(file: ScannedFile, build: ScannedBuild): Finding[] {
  const type = contentType(file.bytes);
  const isDocument = DOCUMENTS.has(extensionOf(file.path)) && type === 'zip';
  if (contentGroup(type) !== 'archive') return [];
  const entries = type === 'zip' ? zipEntries(file.bytes) : [];
  if (isDocument) {
    const macro = entries.find(({ name }) => /vbaProject\.bin$/i.test(name));
    return macro === undefined
      ? []
      : [finding('archive-file', file.path, { type: 'document with macros', holds: '' })];
  }
  if (entries.some(({ isEncrypted }) => isEncrypted)) {
    const level = isIdleFile(build, file.path) ? 'info' : isTestPath(file.path) ? 'warn' : 'error';
    return [finding('archive-file', file.path, { type, holds: ' that a password closes' }, level)];
  }
  if (type === 'gzip' ? isCompressedData(file.bytes) : DATA_FILE.test(file.path)) {
    return [finding('archive-file', file.path, { type, holds: '' }, 'info')];
  }
  const program =
    entries.find(({ name }) => PROGRAMS.test(name)) ??
    entries.find(({ name }) => ARCHIVES.test(name));
  // Its directory shows that it contains only data.
  const isData = entries.length > 0 && entries.length < MAX_ZIP_ENTRIES && program === undefined;
  const holds = program === undefined ? '' : ` with "${quote(program.name, 60)}" in it`;
  const isAside = isTestPath(file.path) || isIdleFile(build, file.path);
  return [finding('archive-file', file.path, { type, holds }, isData || isAside ? 'info' : 'warn')];
}

/** A single file of data, not a tar, program or script. */
function isCompressedData(bytes: Uint8Array): boolean {
  const start = startOf(bytes);
  if (start === undefined || start.length === 0) return false;
  const inner = contentType(start);
  const group = contentGroup(inner);
  return group !== 'archive' && group !== 'binary' && inner !== 'script';
}

/** The first bytes of what a gzip file holds; `undefined` when it cannot be read. */
function startOf(bytes: Uint8Array): Buffer | undefined {
  try {
    return gunzipSync(bytes.subarray(0, MAX_START), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: 64 * MAX_START,
    });
  } catch {
    return undefined;
  }
}
