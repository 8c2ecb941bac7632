/**
 * Versions of Python distributions: those installed in `.venv`, otherwise the lowest that requirements.txt
 * or pyproject.toml permits. Versions have the form of semver, which stack ranges use.
 */
import { join } from 'node:path';
import semver from 'semver';
import { normalizePipName } from '../../../format/version/pep440.ts';
import type { FoundPip } from '../../edit/python/pip-dependencies.ts';
import { readPyproject } from '../../edit/python/pyproject-tables.ts';
import { readRequirements } from '../../edit/python/requirements.ts';
import { DEV_REQUIREMENTS, PYPROJECT, REQUIREMENTS } from '../../edit/edited-files.ts';
import type { StackFact } from '../../resolve/stack-tags.ts';
import { readNames, readText } from '../read-file.ts';

/**
 * Facts about the distributions of a Python project, by normalised name.
 * @throws {ClientError} `ERR_PROJECT_FILE`
 */
export function pipFacts(project: string): Map<string, StackFact> {
  const facts = new Map<string, StackFact>();
  for (const [name, version] of installedDistributions(project)) {
    facts.set(name, { version, source: '.venv' });
  }
  const declared: [string, ReadonlyMap<string, FoundPip>][] = [
    [REQUIREMENTS, readRequirements(readText(join(project, REQUIREMENTS)))],
    [DEV_REQUIREMENTS, readRequirements(readText(join(project, DEV_REQUIREMENTS)))],
    [PYPROJECT, readPyproject(readText(join(project, PYPROJECT))).distributions],
  ];
  for (const [source, found] of declared) {
    for (const [name, { specifier }] of found) {
      if (!facts.has(name)) facts.set(name, { version: lowestPipVersion(specifier), source });
    }
  }
  return facts;
}

/** A Python version in the form of semver: `3.12` is `3.12.0`, `2.0rc1` is `2.0.0`. */
export function toSemver(version: string): string | undefined {
  const release = /^\s*v?(?:\d+!)?(\d+(?:\.\d+)*)/.exec(version)?.[1];
  return semver.coerce(release ?? '')?.version;
}

/** The highest lower bound of a specifier; `0.0.0` without one. */
export function lowestPipVersion(specifier: string): string {
  const bounds = [...specifier.matchAll(/(?:^|[^<!>=~])(?:===?|>=|~=|>|\^|~)\s*(\d[^\s,;]*)/g)];
  const versions = bounds.flatMap((bound) => toSemver(bound[1] ?? '') ?? []);
  return versions.sort(semver.compare).at(-1) ?? '0.0.0';
}

function installedDistributions(project: string): Map<string, string> {
  const found = new Map<string, string>();
  const lib = join(project, '.venv', 'lib');
  const folders = [join(project, '.venv', 'Lib', 'site-packages')];
  for (const name of readNames(lib)) folders.push(join(lib, name, 'site-packages'));
  for (const folder of folders) {
    for (const entry of readNames(folder)) {
      const [, name, text] = /^(.+?)-(\d[^-]*)\.dist-info$/.exec(entry) ?? [];
      const version = toSemver(text ?? '');
      if (name !== undefined && version !== undefined) found.set(normalizePipName(name), version);
    }
  }
  return found;
}
