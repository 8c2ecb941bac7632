/** The files under `signals/` of a registry's working tree, each replaced as a whole. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isBuildId } from '../../format/build/build-id.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { NO_SIGNALS, Signals } from '../../format/registry/signals.ts';
import { GeneratorError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';

const FOLDER = 'signals';

/**
 * The signals of a build; none when there is no file.
 * @param repo top folder of the registry's working tree
 * @throws {GeneratorError} `ERR_SIGNALS` for a file that is no signals file
 */
export function readSignals(repo: string, id: string): Signals {
  const path = `${FOLDER}/${id}.json`;
  const file = join(repo, path);
  if (!existsSync(file)) return NO_SIGNALS;
  try {
    return parseDocument(Signals, readFileSync(file), `"${path}"`);
  } catch (cause) {
    if (!(cause instanceof StackyardError)) throw cause;
    throw new GeneratorError('ERR_SIGNALS', cause.message, {
      cause,
      hint: `restore the file: git checkout -- ${path}`,
    });
  }
}

/** Writes the signals of a build if they differ from the file; answers whether they did. */
export function writeSignals(repo: string, id: string, signals: Signals): boolean {
  const text = canonicalJson(signals);
  const file = join(repo, FOLDER, `${id}.json`);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeWhole(file, text);
  return true;
}

/** Ids of the builds that have a file, sorted. */
export function listSignals(repo: string): string[] {
  const folder = join(repo, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .map((path) => path.slice(0, -'.json'.length).replaceAll('\\', '/'))
    .filter(isBuildId)
    .sort();
}
