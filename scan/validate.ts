/** Validates a build folder: manifest, file kinds, paths and sizes. Collects every fault. */
import {
  INTEGRATION_FILE,
  MANIFEST_FILE,
  MAX_FILES,
  MAX_TEXT_BYTES,
  MAX_UNPACKED_BYTES,
  README_FILE,
} from '../format/build/build-files.ts';
import { compileGlob, selectFiles } from '../format/build/file-glob.ts';
import { checkFilePaths, pathProblem, printable } from '../format/build/file-path.ts';
import { finding, type Finding } from '../format/finding/finding.ts';
import { parseManifest, publishedManifest, type Manifest } from '../format/build/manifest.ts';
import type { BuildContent, BuildFile } from './scanned-file.ts';
import type { Source, SourceFile } from './source.ts';

/** A build folder with its path in the registry. */
export interface SourceBuild {
  readonly owner: string;
  readonly name: string;
  readonly source: Source;
  /** The log has it as a version: what today's rules refuse are findings of it, and it stays published. */
  readonly isPublished?: boolean;
}

/** A build that may be published. */
export interface Build extends BuildContent {
  /** Text of `README.md`, `""` when absent. */
  readonly readme: string;
  /** Text of `INTEGRATION.md`, `""` when absent. */
  readonly integration: string;
  /** Paths of the files that an installation places, sorted by bytes. */
  readonly installed: readonly string[];
}

type Validated =
  | { readonly ok: true; readonly build: Build; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Validates a build folder; `findings` contains errors exactly when `ok` is false, or when it was published before. */
export function validate({ owner, name, source, isPublished = false }: SourceBuild): Validated {
  const findings = [...checkEntries(source.files), ...checkSizes(source)];
  for (const { path, problem } of source.unreadable ?? []) {
    findings.push(finding('build-files-unreadable', printable(path), { problem }));
  }
  const readable = source.files.filter((f) => f.isUtf8Path);
  findings.push(...checkFilePaths(readable.map((f) => f.path)));
  const manifest = readManifest(source, findings, isPublished);
  const texts = [README_FILE, INTEGRATION_FILE].map((file) =>
    readText(source.files, file, findings, isPublished),
  );
  if (manifest !== undefined) findings.push(...checkIdentity(manifest, owner, name));
  const isRefused = findings.some((f) => f.level === 'error');
  if (manifest === undefined || (isRefused && !isPublished)) return { ok: false, findings };
  const files = source.files.map(toBuildFile).sort((a, b) => compareBytes(a.path, b.path));
  const paths = files.map((f) => f.path);
  findings.push(...checkGlobs(manifest, paths));
  const [readme = '', integration = ''] = texts;
  const installed = selectFiles(paths, manifest.files);
  const build = { id: `${owner}/${name}`, manifest, files, readme, integration, installed };
  return { ok: true, build, findings };
}

function checkEntries(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    if (file.type === 'file' && file.isUtf8Path) return [];
    const path = printable(file.path);
    const found: Finding[] = file.isUtf8Path ? [] : [finding('file-path-encoding', path)];
    if (file.type === 'symlink') found.push(finding('file-symlink', path));
    if (file.type === 'submodule') found.push(finding('file-submodule', path));
    if (file.type === 'other') found.push(finding('file-mode', path, { mode: file.mode ?? '' }));
    if (file.type === 'executable') found.push(finding('file-executable', path));
    return found;
  });
}

function checkSizes({ files, isCut }: Source): Finding[] {
  if (isCut || files.length > MAX_FILES) {
    return [
      finding('build-files-count', '', { count: `more than ${MAX_FILES}`, limit: MAX_FILES }),
    ];
  }
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total <= MAX_UNPACKED_BYTES) return [];
  const large = files.filter((f) => f.size > MAX_UNPACKED_BYTES);
  return [
    finding('build-files-size', '', { bytes: total, limit: MAX_UNPACKED_BYTES }),
    ...large.map((f) =>
      finding('file-size', printable(f.path), { bytes: f.size, limit: MAX_UNPACKED_BYTES }),
    ),
  ];
}

function readManifest(
  { files, isCut, unreadable = [] }: Source,
  findings: Finding[],
  isPublished: boolean,
): Manifest | undefined {
  const file = files.find((f) => f.path === MANIFEST_FILE);
  if (file === undefined) {
    // It may be among the files that were not listed.
    const isListed = !isCut && unreadable.length === 0;
    if (isListed) findings.push(finding('manifest-missing', MANIFEST_FILE));
    return undefined;
  }
  // A link or an oversized file has its own finding.
  if (file.bytes === undefined) return undefined;
  const result = parseManifest(file.bytes);
  if (result.ok) return result.manifest;
  findings.push(...result.findings);
  return isPublished ? publishedManifest(file.bytes) : undefined;
}

function readText(
  files: readonly SourceFile[],
  path: string,
  findings: Finding[],
  isPublished: boolean,
): string {
  const bytes = files.find((f) => f.path === path)?.bytes;
  if (bytes === undefined) return '';
  if (bytes.length > MAX_TEXT_BYTES) {
    findings.push(finding('file-size', path, { bytes: bytes.length, limit: MAX_TEXT_BYTES }));
    if (!isPublished) return '';
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    findings.push(finding('file-encoding', path));
    return isPublished ? new TextDecoder().decode(bytes) : '';
  }
}

function checkIdentity(manifest: Manifest, owner: string, name: string): Finding[] {
  const found: Finding[] = [];
  if (manifest.name !== name) {
    const args = { found: manifest.name, folder: name };
    found.push(finding('manifest-name-folder', MANIFEST_FILE, args));
  }
  // Windows cannot check out the folder. A published build with such a name stays.
  if (pathProblem(owner) === 'reserved') found.push(finding('build-id-owner', '', { owner }));
  if (pathProblem(name) === 'reserved') found.push(finding('build-id-name', '', { name }));
  const id = `${owner}/${manifest.name}`;
  if (Object.hasOwn(manifest.builds ?? {}, id)) {
    found.push(finding('manifest-requires-itself', MANIFEST_FILE, { id }));
  }
  return found;
}

function checkGlobs(manifest: Manifest, paths: readonly string[]): Finding[] {
  const unmatched = (manifest.files ?? []).filter((glob) => {
    const matches = compileGlob(glob.replace(/^!/, ''));
    return !paths.some(matches);
  });
  return unmatched.map((glob) => finding('manifest-glob-unmatched', MANIFEST_FILE, { glob }));
}

function toBuildFile({ path, bytes, type }: SourceFile): BuildFile {
  return { path, bytes: bytes ?? Buffer.alloc(0), executable: type === 'executable' };
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
