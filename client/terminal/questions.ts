/** The questions about a plan: files of the project that are in the way of a build, and steps of guides. */
import { createTwoFilesPatch } from 'diff';
import { ClientError } from '../errors.ts';
import type { FileInTheWay } from '../plan/existing-file.ts';
import type { OnExists, PlanChoices } from '../plan/plan.ts';
import type { WiringEntry } from '../plan/planned-entries.ts';
import type { Asker, Choose } from './choose.ts';
import { parsePlacement } from '../plan/place/placement-folder.ts';
import { describeWiring } from './plan-text.ts';

/** Time limit for the comparison of one file. */
const TIMEOUT_MS = 1000;
const MAX_SHOWN_LINES = 60;

/**
 * Asks about each file in the way.
 * @returns the choices with the answers
 * @throws {ClientError} `ERR_DECLINED` when the user stops
 */
export async function askAboutFiles(
  files: readonly FileInTheWay[],
  choices: PlanChoices,
  ask: Asker,
): Promise<PlanChoices> {
  const decided = new Map(Object.entries(choices.on_exists_at ?? {}));
  const moved = new Map<string, string>();
  for (const [at, file] of files.entries()) {
    if (moved.has(file.build)) continue;
    const place = files.length === 1 ? '' : ` (${at + 1} of ${files.length})`;
    const answer = await decide(file, place, ask);
    if (answer !== 'other') {
      decided.set(file.path, answer);
      continue;
    }
    moved.set(file.build, await askFolder(file.build, ask));
    // What was decided is about the place that the build leaves.
    for (const { build, path } of files) if (build === file.build) decided.delete(path);
  }
  const to = { ...choices.to, ...Object.fromEntries(moved) };
  return { ...choices, on_exists_at: Object.fromEntries(decided), to };
}

/** Asks until the answer may be a folder for the build. */
async function askFolder(build: string, ask: Asker): Promise<string> {
  for (let lines: string[] = []; ;) {
    const typed = await ask.text(lines, `Folder for ${build} in the project, such as src/auth:`);
    if (typed === '') continue;
    try {
      return parsePlacement([{ id: build }], typed)[build]!;
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
  throw new ClientError('ERR_DECLINED', 'Nothing was changed: you stopped', {
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

/** The questions about blocks of guides: whether they go in, and whether their new text may do more. */
const WIRING_QUESTIONS = {
  steps: {
    head: 'These steps can be carried out in your files:',
    yes: ': carry them out',
    no: ' them to me',
  },
  gains: {
    head: 'The update has text for your files that can do more than before:',
    yes: ': put it in',
    no: ' the present text',
  },
} as const;

/** Shows blocks of guides, and asks whether they are put into the files of the project. */
export async function askToWire(
  about: keyof typeof WIRING_QUESTIONS,
  entries: readonly WiringEntry[],
  choose: Choose,
): Promise<boolean> {
  const { head, yes, no } = WIRING_QUESTIONS[about];
  const answer = await choose((ask) =>
    ask.choice(
      [head, ...describeWiring(entries)],
      [
        { key: 'wire', label: yes },
        { key: 'leave', label: no },
      ],
    ),
  );
  return answer === 'wire';
}
