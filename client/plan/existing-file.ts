/** Decides about a file of a new build where the project has one. Pure. */
import { integrityOf } from '../../format/archive/integrity.ts';
import { ClientError } from '../errors.ts';
import { mergeShipped } from './merge-shipped.ts';
import type { OnExists, PlannedFile } from './plan.ts';

/** A file of the project that differs from the one of a build. */
export interface FileInTheWay {
  readonly build: string;
  readonly path: string;
  /** Content in the project. */
  readonly ours: Uint8Array;
  /** Content in the build. */
  readonly theirs: Uint8Array;
  /** Whether both can be written between markers. */
  readonly canMerge: boolean;
}

/** What happens with the file; `bytes` is the new content, if it changes. */
interface ExistingFilePlan {
  readonly action: PlannedFile['action'];
  readonly after: string;
  readonly shipped?: string;
  readonly reformatted?: true;
  readonly bytes?: Uint8Array;
}

/** No decision was made about files of the project that are in the way. */
export class FilesInTheWay extends ClientError {
  readonly files: readonly FileInTheWay[];

  constructor(files: readonly FileInTheWay[]) {
    const paths = files.map(({ path, canMerge }) => (canMerge ? path : `${path} (not text)`));
    const count = paths.length === 1 ? 'a file that is' : `${paths.length} files that are`;
    const [{ path: first, canMerge } = { path: '', canMerge: false }] = files;
    const merging = canMerge ? `, merge:${first} writes both between markers` : '';
    super(
      'ERR_CONFLICT',
      `Cannot install: the project has ${count} different: ${paths.join(', ')}`,
      {
        hint: `decide for each file: --on-exists skip:${first} keeps yours, theirs:${first} takes that of the build${merging}; without a path it is for all files. --to <folder> places the build elsewhere`,
      },
    );
    this.files = files;
  }
}

/**
 * @param isReformatted whether the file is that of the build in another formatting
 * @returns `undefined` when there is no decision, or when the file cannot be merged
 */
export function planExisting(
  path: string,
  ours: Uint8Array,
  theirs: Uint8Array,
  choice: OnExists,
  isReformatted = false,
): ExistingFilePlan | undefined {
  const before = integrityOf(ours);
  const after = integrityOf(theirs);
  if (before === after) return { action: 'identical', after };
  if (isSameContent(ours, theirs)) return { action: 'keep', after: before, shipped: after };
  if (isReformatted && choice !== 'theirs') {
    return { action: 'keep', after: before, shipped: after, reformatted: true };
  }
  if (choice === 'skip') return { action: 'skip', after };
  if (choice === 'theirs') return { action: 'replace', after, bytes: theirs };
  if (choice === 'fail') return undefined;
  const bytes = markBoth(path, ours, theirs);
  if (bytes === undefined) return undefined;
  return { action: 'conflict', after: integrityOf(bytes), shipped: after, bytes };
}

/** Both texts between markers; `undefined` when one is not text, or too large. */
export function markBoth(
  path: string,
  ours: Uint8Array,
  theirs: Uint8Array,
): Uint8Array | undefined {
  const merge = mergeShipped(path, undefined, ours, theirs, {});
  return merge.kind === 'conflict' ? merge.marked?.bytes : undefined;
}

/**
 * Refuses decisions about paths that no build places.
 * @throws {ClientError} `ERR_USAGE`
 */
export function checkDecidedPaths(decided: Iterable<string>, placed: ReadonlySet<string>): void {
  const unknown = [...decided].filter((path) => !placed.has(path));
  if (unknown.length === 0) return;
  const names = unknown.map((path) => JSON.stringify(path)).join(', ');
  throw new ClientError('ERR_USAGE', `Option --on-exists names ${names}, which no build places`, {
    hint: 'give paths from the root of the project, as --dry-run prints them',
  });
}

/**
 * Whether both are the same text apart from line ends, which a checkout may have changed. Such a file is
 * adopted: it counts as placed by the build and stays as it is.
 */
function isSameContent(ours: Uint8Array, theirs: Uint8Array): boolean {
  const [a, b] = [ours, theirs].map((bytes) => Buffer.from(bytes));
  if (a === undefined || b === undefined || a.includes(0) || b.includes(0)) return false;
  // Bytes, not text: invalid UTF-8 must not become equal by replacement characters.
  return withoutReturns(a).equals(withoutReturns(b));
}

function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
