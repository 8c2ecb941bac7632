/**
 * Versions of Python distributions: those installed in `.venv`, otherwise the lowest that requirements.txt
 * or pyproject.toml permits. Versions have the form of semver, which stack ranges use.
 */
import { join } from 'node:path';
import { distributionFacts, type StackFact } from '../../../format/project/stack-fact.ts';
import { readRequirements, toSemver } from '../../../format/project/requirement.ts';
import { normalizePipName } from '../../../format/version/pep440.ts';
import { DEV_REQUIREMENTS, PYPROJECT, REQUIREMENTS } from '../../edit/edited-files.ts';
import { readPyproject } from '../../edit/python/pyproject-tables.ts';
import { pythonRoot } from '../package-managers.ts';
import { readNames, readText } from '../read-file.ts';

/**
 * Facts about the distributions of a Python project, by normalised name.
 * @throws {ClientError} `ERR_PROJECT_FILE`
 */
export function pipFacts(project: string): Map<string, StackFact> {
  const facts = new Map<string, StackFact>();
  for (const [name, version] of installedDistributions(pythonRoot(project))) {
    facts.set(name, { version, source: '.venv' });
  }
  const declared = [
    distributionFacts(readRequirements(readText(join(project, REQUIREMENTS))), REQUIREMENTS),
    distributionFacts(
      readRequirements(readText(join(project, DEV_REQUIREMENTS))),
      DEV_REQUIREMENTS,
    ),
    distributionFacts(readPyproject(readText(join(project, PYPROJECT))).distributions, PYPROJECT),
  ];
  for (const [name, fact] of declared.flatMap((found) => [...found])) {
    if (!facts.has(name)) facts.set(name, fact);
  }
  return facts;
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
