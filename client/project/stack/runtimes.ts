/**
 * Versions of the runtimes. A pin of the project has priority over the version in use, because the project
 * may run elsewhere: `.nvmrc`, `.node-version`, `.tool-versions`, then `engines.node`; for Python `.venv`,
 * `.python-version`, `.tool-versions`, then `requires-python`, then `python3` on this machine. If a pin is a
 * range, the version in use counts if it is in the range, otherwise the lowest version of the range.
 */
import type { StackFact } from '../../../format/project/declared-stack.ts';
import { lowestPipVersion, toSemver } from '../../../format/project/requirement.ts';
import { join } from 'node:path';
import { isRange, lowestVersion, satisfies } from '../../../format/version/semver-range.ts';
import { readPyproject } from '../../edit/python/pyproject-tables.ts';
import { PACKAGE_JSON, PYPROJECT } from '../../edit/edited-files.ts';
import { field } from '../../../format/project/declared-stack.ts';
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
  const config = readText(join(project, '.venv', 'pyvenv.cfg'));
  const version = toSemver(/^version(?:_info)?\s*=\s*(\S+)/m.exec(config)?.[1] ?? '');
  if (version !== undefined) return { version, source: '.venv' };
  for (const file of ['.python-version', '.tool-versions']) {
    const pin = toSemver(pinIn(project, file, 'python') ?? '');
    if (pin !== undefined) return { version: pin, source: file };
  }
  const { requiresPython, isPoetryRange } = readPyproject(readText(join(project, PYPROJECT)));
  if (requiresPython !== undefined) {
    const lowest = lowestPipVersion(requiresPython);
    const field = isPoetryRange ? 'tool.poetry.dependencies.python' : 'requires-python';
    return { version: lowest, source: `${PYPROJECT}, ${field}` };
  }
  return installedPython();
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
