/**
 * The stack tags that a project has, each with the file that says so. The first that has a tag gives it:
 * runtimes, npm packages, Python distributions. What installed builds provide is known to the lock.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PYPROJECT, REQUIREMENTS, DEV_REQUIREMENTS } from '../../edit/edited-files.ts';
import type { StackFact } from '../../resolve/stack-tags.ts';
import { npmFacts } from './npm.ts';
import { pipFacts } from './pip.ts';
import { nodeFact, pythonFact } from './runtimes.ts';

const PYTHON_MARKS = [PYPROJECT, REQUIREMENTS, DEV_REQUIREMENTS, '.venv'];

/**
 * Reads the tags of the project in the folder `project`.
 * @param nodeVersion the Node.js in use, such as `24.1.0`
 * @param isNew whether the project is only being made: then Python in use counts as well
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
  return facts;
}
