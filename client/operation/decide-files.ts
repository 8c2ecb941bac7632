/**
 * Plans an install, and asks the user about each file of the project that is in the way. There is no question
 * without a terminal: then the error of the plan names the options that decide.
 */
import { createTwoFilesPatch } from 'diff';
import { ClientError } from '../errors.ts';
import type { FileInTheWay } from '../plan/existing-file.ts';
import { FilesInTheWay } from '../plan/existing-file.ts';
import type { MadePlan, OnExists } from '../plan/plan.ts';
import type { Asker, Choose } from '../terminal/choose.ts';
import { parsePlacement } from './placement-folder.ts';

/** Time limit for the comparison of one file. */
const TIMEOUT_MS = 1000;
const MAX_SHOWN_LINES = 60;

export interface Decisions {
  /** By path in the project. */
  readonly onExistsAt: ReadonlyMap<string, OnExists>;
  /** The folder for a build, by id. */
  readonly to: Readonly<Record<string, string>>;
}

/**
 * @param choose `undefined` when nobody can answer
 * @param make plans with the decisions, again after each round of questions
 * @throws {ClientError} `ERR_DECLINED` when the user stops, and those of `make`
 */
export async function decideFiles<Made extends MadePlan | undefined>(
  decided: Decisions,
  choose: Choose | undefined,
  make: (decided: Decisions) => Promise<Made>,
): Promise<Made> {
  const first = await attempt(decided, make);
  if (!(first instanceof FilesInTheWay)) return first;
  if (choose === undefined) throw first;
  return choose(async (ask) => {
    let [found, decisions]: [FilesInTheWay, Decisions] = [first, decided];
    for (;;) {
      decisions = await decideAll(found.files, decisions, ask);
      const made = await attempt(decisions, make);
      if (!(made instanceof FilesInTheWay)) return made;
      // A build that went elsewhere may find other files there.
      found = made;
    }
  });
}

async function attempt<Made>(
  decided: Decisions,
  make: (decided: Decisions) => Promise<Made>,
): Promise<Made | FilesInTheWay> {
  try {
    return await make(decided);
  } catch (error) {
    if (error instanceof FilesInTheWay) return error;
    throw error;
  }
}

async function decideAll(
  files: readonly FileInTheWay[],
  { onExistsAt, to }: Decisions,
  ask: Asker,
): Promise<Decisions> {
  const choices = new Map(onExistsAt);
  const moved = new Map<string, string>();
  for (const [at, file] of files.entries()) {
    if (moved.has(file.build)) continue;
    const place = files.length === 1 ? '' : ` (${at + 1} of ${files.length})`;
    const answer = await decide(file, place, ask);
    if (answer !== 'other') {
      choices.set(file.path, answer);
      continue;
    }
    moved.set(file.build, await askFolder(file.build, ask));
    // What was decided is about the place that the build leaves.
    for (const { build, path } of files) if (build === file.build) choices.delete(path);
  }
  return { onExistsAt: choices, to: { ...to, ...Object.fromEntries(moved) } };
}

/** Asks until the answer may be a folder for the build. */
async function askFolder(build: string, ask: Asker): Promise<string> {
  for (let lines: string[] = []; ;) {
    const typed = await ask.text(lines, `Folder for ${build} in the project, such as src/auth:`);
    if (typed === undefined) throw stopped();
    if (typed === '') continue;
    try {
      return parsePlacement([{ id: build }], typed).get(build)!;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      lines = [error.message];
    }
  }
}

async function decide(file: FileInTheWay, place: string, ask: Asker): Promise<OnExists | 'other'> {
  const { build, path, canMerge } = file;
  const answer = await ask.choice(
    [`"${path}" differs from the file of ${build}${place}:`, ...differenceOf(file)],
    [
      { key: 'keep', label: ' yours' },
      { key: 'replace', label: ' it by that of the build' },
      ...(canMerge ? [{ key: 'merge', label: ' with both between markers' } as const] : []),
      { key: 'other', label: ' folder for the build' },
      { key: 'stop', label: '' },
    ],
  );
  if (answer === 'keep') return 'skip';
  if (answer === 'replace') return 'theirs';
  if (answer === 'merge') return 'merge';
  if (answer === 'other') return answer;
  throw stopped();
}

function stopped(): ClientError {
  return new ClientError('ERR_DECLINED', 'Nothing was changed: you stopped', {
    hint: 'run the command again, or decide with --on-exists or --to',
  });
}

/** From the project's file to the build's, as a patch. */
function differenceOf({ path, ours, theirs, build }: FileInTheWay): string[] {
  const [old, fresh] = [ours, theirs].map((bytes) => Buffer.from(bytes));
  if (old === undefined || fresh === undefined || old.includes(0) || fresh.includes(0)) {
    return [`  not text: ${ours.length} bytes, in the build ${theirs.length} bytes`];
  }
  const names = [path, path, old.toString('utf8'), fresh.toString('utf8'), 'yours', build] as const;
  const patch = createTwoFilesPatch(...names, { context: 3, timeout: TIMEOUT_MS });
  if (patch === undefined) return ['  too different to be compared line by line'];
  // The first line is a separator that a patch does not need.
  const lines = patch.replace(/^=+\n/, '').trimEnd().split('\n');
  const more = lines.length - MAX_SHOWN_LINES;
  return more <= 0 ? lines : [...lines.slice(0, MAX_SHOWN_LINES), `... ${more} more lines`];
}
