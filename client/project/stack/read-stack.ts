/**
 * The stack tags of a project, each with the file that it comes from. The first source of a tag has
 * priority: runtimes, npm packages, Python distributions. The tags of installed builds are in the lock.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as pep440 from '@renovatebot/pep440';
import { field } from '../../../format/document/canonical-json.ts';
import {
  readRequirements,
  toSemver,
  lowestPipVersion,
} from '../../../format/project/requirement.ts';
import { distributionFacts, type StackFact } from '../../../format/project/stack-fact.ts';
import {
  PYPROJECT,
  REQUIREMENTS,
  DEV_REQUIREMENTS,
  PACKAGE_JSON,
} from '../../edit/project-file.ts';
import { javaScriptForm } from './javascript-form.ts';
import { npmFacts } from './npm.ts';
import { normalizePipName } from '../../../format/version/pep440.ts';
import { readPyproject } from '../../edit/python/pyproject-tables.ts';
import { readNames, readText, readJson } from '../read-file.ts';
import { isRange, lowestVersion, satisfies } from '../../../format/version/semver-range.ts';
import { pythonRoot } from '../package-managers.ts';
import { captureProgram } from '../start-program.ts';

const PYTHON_MARKS = [PYPROJECT, REQUIREMENTS, DEV_REQUIREMENTS, '.venv'];

/**
 * Reads the tags of the project in the folder `project`.
 * @param nodeVersion the Node.js in use, such as `24.1.0`
 * @param isNew whether the project is being created: then the Python in use counts as well
 * @throws {ClientError} `ERR_PROJECT_FILE` when a file of the project cannot be read
 */
export async function readStack(
  project: string,
  nodeVersion: string,
  isNew = false,
): Promise<Map<string, StackFact>> {
  const facts = new Map<string, StackFact>([['node', nodeFact(project, nodeVersion)]]);
  const isPython = isNew || PYTHON_MARKS.some((name) => existsSync(join(project, name)));
  const python = isPython ? await pythonFact(project) : undefined;
  if (python !== undefined) facts.set('python', python);
  for (const more of [npmFacts(project), isPython ? pipFacts(project) : new Map()]) {
    for (const [tag, fact] of more) if (!facts.has(tag)) facts.set(tag, fact);
  }
  // Types are removed for it; what needs a version of the compiler does not fit.
  if (!isNew && !facts.has('typescript') && javaScriptForm(project) !== undefined) {
    facts.set('typescript', { version: undefined, source: 'types are removed' });
  }
  return facts;
}

// Versions of Python distributions: those installed in `.venv`, otherwise the lowest that requirements.txt
// or pyproject.toml permits. Versions have the form of semver, which stack ranges use.

/**
 * Facts about the distributions of a Python project, by normalised name.
 * @throws {ClientError} `ERR_PROJECT_FILE`
 */
function pipFacts(project: string): Map<string, StackFact> {
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

/**
 * Versions of the runtimes. A pin of the project has priority over the version in use, because the project
 * may run elsewhere: `.nvmrc`, `.node-version`, `.tool-versions`, then `engines.node`; for Python `.venv`,
 * `.python-version`, `.tool-versions`, then `requires-python`, then `python3` on this machine. If a pin is a
 * range, the version in use counts if it is in the range, otherwise the lowest version of the range.
 */
const PYTHON_TIMEOUT_MS = 5_000;
const MAX_PYTHON_BYTES = 10_000;

/** The Node.js version that the project runs on; `inUse` such as `24.1.0`. */
function nodeFact(project: string, inUse: string): StackFact {
  for (const file of ['.nvmrc', '.node-version', '.tool-versions']) {
    const version = versionFor(pinIn(project, file, 'nodejs')?.replace(/^v/, ''), inUse);
    if (version !== undefined) return { version, source: file };
  }
  const engines = field(field(readJson(join(project, PACKAGE_JSON)), 'engines'), 'node');
  const version = versionFor(typeof engines === 'string' ? engines : undefined, inUse);
  if (version !== undefined) return { version, source: `${PACKAGE_JSON}, engines` };
  return { version: inUse, source: 'the Node.js in use' };
}

/** The Python version that the project runs on, or `undefined` when it is unknown. */
async function pythonFact(project: string): Promise<StackFact | undefined> {
  const root = pythonRoot(project);
  const config = readText(join(root, '.venv', 'pyvenv.cfg'));
  const version = toSemver(/^version(?:_info)?\s*=\s*(\S+)/m.exec(config)?.[1] ?? '');
  if (version !== undefined) return { version, source: '.venv' };
  for (const folder of new Set([project, root])) {
    for (const file of ['.python-version', '.tool-versions']) {
      const pin = toSemver(pinIn(folder, file, 'python') ?? '');
      if (pin !== undefined) return { version: pin, source: file };
    }
  }
  const { requiresPython, isPoetryRange } = readPyproject(readText(join(project, PYPROJECT)));
  if (requiresPython === undefined) return installedPython();
  const field = isPoetryRange ? 'tool.poetry.dependencies.python' : 'requires-python';
  const lowest = { version: lowestPipVersion(requiresPython), source: `${PYPROJECT}, ${field}` };
  const inUse = await installedPython();
  const isAdmitted =
    inUse?.version !== undefined &&
    (isPoetryRange
      ? satisfies(inUse.version, requiresPython.replaceAll(',', ' '))
      : pep440.satisfies(inUse.version, requiresPython));
  return isAdmitted ? { ...inUse, lowest } : lowest;
}

async function installedPython(): Promise<StackFact | undefined> {
  const options = { timeoutMs: PYTHON_TIMEOUT_MS, maxBytes: MAX_PYTHON_BYTES };
  const output = await captureProgram('python3', ['--version'], options);
  const version = toSemver(output?.replace(/^Python /, '') ?? '');
  return version === undefined ? undefined : { version, source: 'the python3 in use' };
}

/** The first line of a pin file, or the tool's line of `.tool-versions`. */
function pinIn(project: string, file: string, tool: string): string | undefined {
  const text = readText(join(project, file));
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*$/, '').trim());
  if (file !== '.tool-versions') return lines.find((line) => line !== '');
  return lines.find((line) => line.startsWith(`${tool} `))?.split(/\s+/)[1];
}

function versionFor(range: string | undefined, inUse: string): string | undefined {
  if (range === undefined || !isRange(range)) return undefined;
  return satisfies(inUse, range) ? inUse : lowestVersion(range);
}
