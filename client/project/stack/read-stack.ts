/**
 * The stack tags of a project, each with the file that it comes from. The first source of a tag has
 * priority: runtimes, npm packages, Python distributions. The tags of installed builds are in the lock.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StackFact } from '../../../format/project/stack-fact.ts';
import { DEV_REQUIREMENTS, PYPROJECT, REQUIREMENTS } from '../../edit/edited-files.ts';
import { javaScriptForm } from './javascript-form.ts';
import { npmFacts } from './npm.ts';
import { pipFacts } from './pip.ts';
import { nodeFact, pythonFact } from './runtimes.ts';

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
