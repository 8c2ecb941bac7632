/** Parses decisions about files of the project that are in the way of a build: `theirs`, `skip:src/a.ts`. */
import { ClientError } from '../errors.ts';
import type { OnExists } from './plan.ts';

export const DECISIONS: readonly OnExists[] = ['fail', 'skip', 'theirs', 'merge'];

export interface FileDecisions {
  readonly onExists: OnExists;
  readonly onExistsAt: ReadonlyMap<string, OnExists>;
}

export const NO_DECISIONS: FileDecisions = { onExists: 'fail', onExistsAt: new Map() };

/** The decisions by path, as data has them. Paths may be written as for the option. */
export function decisionsAt(
  paths: Readonly<Record<string, OnExists>>,
): FileDecisions['onExistsAt'] {
  const texts = Object.entries(paths).map(([path, choice]) => `${choice}:${path}`);
  return texts.reduce((all, text) => parseFileDecision(text, all), NO_DECISIONS).onExistsAt;
}

/**
 * Adds one decision to those `before`.
 * @throws {ClientError} `ERR_USAGE`
 */
export function parseFileDecision(text: string, before: FileDecisions): FileDecisions {
  const [what = '', ...rest] = text.split(':');
  const choice = DECISIONS.find((known) => known === what);
  if (choice === undefined) {
    throw new ClientError('ERR_USAGE', `Option --on-exists is ${JSON.stringify(text)}`, {
      hint: `the choices are ${DECISIONS.join(', ')}, each alone or with a path, such as theirs:src/a.ts; see stackyard add --help`,
    });
  }
  if (rest.length === 0) return { ...before, onExists: choice };
  // Windows paths are accepted too.
  const path = rest.join(':').replaceAll('\\', '/').replace(/^\.\//, '');
  return { ...before, onExistsAt: new Map([...before.onExistsAt, [path, choice]]) };
}
