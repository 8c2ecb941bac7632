/** Parses decisions about files of the project that are in the way of a build: `theirs`, `skip:src/a.ts`. */
import { ClientError } from '../errors.ts';
import type { OnExists } from './plan.ts';

export const DECISIONS: readonly OnExists[] = ['fail', 'skip', 'theirs', 'merge'];

export const WANTED_DECISION = `the choices are ${DECISIONS.join(', ')}, each alone or with a path, such as theirs:src/a.ts`;

export interface FileDecisions {
  readonly onExists: OnExists;
  readonly onExistsAt: ReadonlyMap<string, OnExists>;
}

/** Whether `--on-exists` takes `text`. */
export function isFileDecision(text: string): boolean {
  return DECISIONS.some((known) => text === known || text.startsWith(`${known}:`));
}

/** The decisions as `--on-exists` has them: of two about the same, the last one counts. @throws {ClientError} `ERR_USAGE` */
export function fileDecisions(texts: readonly string[]): FileDecisions {
  let onExists: OnExists = 'fail';
  const onExistsAt = new Map<string, OnExists>();
  for (const text of texts) {
    const [what = '', ...rest] = text.split(':');
    const choice = DECISIONS.find((known) => known === what);
    if (choice === undefined) {
      throw new ClientError('ERR_USAGE', `A decision about files is ${JSON.stringify(text)}`, {
        hint: WANTED_DECISION,
      });
    }
    // Windows paths are accepted too.
    const path = rest.join(':').replaceAll('\\', '/').replace(/^\.\//, '');
    if (rest.length === 0) onExists = choice;
    else onExistsAt.set(path, choice);
  }
  return { onExists, onExistsAt };
}
