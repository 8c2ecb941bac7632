/**
 * Plans an install, and asks the user about each file of the project that is in the way. There is no question
 * without a terminal: then the error of the plan names the options that decide.
 */
import { createTwoFilesPatch } from 'diff';
import { ClientError } from '../errors.ts';
import type { FileInTheWay } from '../plan/existing-file.ts';
import { FilesInTheWay } from '../plan/existing-file.ts';
import type { MadePlan, OnExists } from '../plan/plan.ts';
import type { AskChoice, Choose } from '../terminal/choose.ts';

/** Time limit for the comparison of one file. */
const TIMEOUT_MS = 1000;
const MAX_SHOWN_LINES = 60;

/**
 * @param choose `undefined` when nobody can answer
 * @param make plans with decisions by path
 * @throws {ClientError} `ERR_DECLINED` when the user stops, and those of `make`
 */
export async function decideFiles<Made extends MadePlan | undefined>(
  decided: ReadonlyMap<string, OnExists>,
  choose: Choose | undefined,
  make: (decided: ReadonlyMap<string, OnExists>) => Promise<Made>,
): Promise<Made> {
  try {
    return await make(decided);
  } catch (error) {
    if (!(error instanceof FilesInTheWay) || choose === undefined) throw error;
    const { files } = error;
    const answers = await choose(async (ask) => {
      const choices = new Map(decided);
      for (const [at, file] of files.entries()) {
        const place = files.length === 1 ? '' : ` (${at + 1} of ${files.length})`;
        choices.set(file.path, await decide(file, place, ask));
      }
      return choices;
    });
    return make(answers);
  }
}

async function decide(file: FileInTheWay, place: string, ask: AskChoice): Promise<OnExists> {
  const { build, path, canMerge } = file;
  const answer = await ask(
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
  throw new ClientError('ERR_DECLINED', 'Nothing was changed: you stopped', {
    hint:
      answer === 'other'
        ? `run the command again with --to <folder>, which places ${build} there`
        : 'run the command again, or decide with --on-exists',
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
