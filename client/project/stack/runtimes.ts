/**
 * Versions of the runtimes. A pin of the project has priority over the version in use, because the project
 * may run elsewhere: `.nvmrc`, `.node-version`, `.tool-versions`, then `engines.node`; for Python `.venv`,
 * `.python-version`, `.tool-versions`, then `requires-python`, then `python3` on this machine. If a pin is a
 * range, the version in use counts if it is in the range, otherwise the lowest version of the range.
 */
import { join } from 'node:path';
import * as pep440 from '@renovatebot/pep440';
import { field } from '../../../format/document/canonical-json.ts';
import { lowestPipVersion, toSemver } from '../../../format/project/requirement.ts';
import { type StackFact } from '../../../format/project/stack-fact.ts';
import { isRange, lowestVersion, satisfies } from '../../../format/version/semver-range.ts';
import { PACKAGE_JSON, PYPROJECT } from '../../edit/edited-files.ts';
import { readPyproject } from '../../edit/python/pyproject-tables.ts';
import { pythonRoot } from '../package-managers.ts';
import { readJson, readText } from '../read-file.ts';
import { captureProgram } from '../start-program.ts';

const PYTHON_TIMEOUT_MS = 5_000;
const MAX_PYTHON_BYTES = 10_000;

/** The Node.js version that the project runs on; `inUse` such as `24.1.0`. */
export function nodeFact(project: string, inUse: string): StackFact {
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
export async function pythonFact(project: string): Promise<StackFact | undefined> {
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
