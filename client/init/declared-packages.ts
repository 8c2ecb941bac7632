/** The packages that a project declares, with ranges that a manifest may have. */
import { join } from 'node:path';
import { field } from '../../format/document/canonical-json.ts';
import { DEPENDENCY_TABLES } from '../../format/project/stack-fact.ts';
import { readRequirements } from '../../format/project/requirement.ts';
import { isPipSpecifier, normalizePipName } from '../../format/version/pep440.ts';
import { isRange } from '../../format/version/semver-range.ts';
import { DEV_REQUIREMENTS, PACKAGE_JSON, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { readPyproject } from '../edit/python/pyproject-tables.ts';
import { readJson, readText } from '../project/read-file.ts';
import { npmFacts } from '../project/stack/npm.ts';
import { catalogRange, findWorkspaceRoot } from '../project/workspace.ts';

export interface DeclaredPackages {
  readonly npm: ReadonlyMap<string, string>;
  /** By normalised name. */
  readonly pip: ReadonlyMap<string, string>;
  readonly requiresPython: string | undefined;
}

/** @throws {ClientError} `ERR_PROJECT_FILE` */
export function declaredPackages(project: string): DeclaredPackages {
  const pyproject = readPyproject(readText(join(project, PYPROJECT)));
  const sources = [
    readRequirements(readText(join(project, DEV_REQUIREMENTS))),
    pyproject.distributions,
    readRequirements(readText(join(project, REQUIREMENTS))),
  ];
  const pip = new Map<string, string>();
  for (const source of sources) {
    for (const [name, { specifier }] of source) {
      pip.set(normalizePipName(name), isPipSpecifier(specifier) ? specifier : '*');
    }
  }
  return { npm: npmRanges(project), pip, requiresPython: pyproject.requiresPython };
}

function npmRanges(project: string): Map<string, string> {
  const root = findWorkspaceRoot(project);
  const ranges = new Map<string, string>();
  // Members of a workspace may import the packages of its root.
  for (const folder of new Set([root, project])) {
    const manifest = readJson(join(folder, PACKAGE_JSON));
    const facts = npmFacts(folder);
    for (const table of [...DEPENDENCY_TABLES].reverse()) {
      for (const [name, written] of Object.entries(field(manifest, table) ?? {})) {
        const isCatalog = typeof written === 'string' && written.startsWith('catalog:');
        const range: unknown = isCatalog ? catalogRange(root, written, name) : written;
        const installed = facts.get(name)?.version;
        // A path, an address or a tag has no meaning elsewhere; the installed version has.
        if (typeof range === 'string' && isRange(range)) ranges.set(name, range);
        else if (installed !== undefined) ranges.set(name, `^${installed}`);
      }
    }
  }
  return ranges;
}
