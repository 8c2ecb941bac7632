/** What to do in a project that was just started: go there, set variables, run it, test it. Reads only. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { field } from '../../format/document/canonical-json.ts';
import { tableAt } from '../../format/project/pyproject.ts';
import { ENV_EXAMPLE, PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import { parseToml } from '../edit/toml/toml-value.ts';
import type { Plan } from '../plan/plan.ts';
import { findNodeManager } from '../project/package-managers.ts';
import { readLock } from '../project/project.ts';
import { readJson, readNames, readText } from '../project/read-file.ts';
import type { NextStep } from '../terminal/envelope.ts';
import { formatCommand } from './package-command.ts';
import { venvPython } from './python-packages.ts';

const RUN_SCRIPTS = ['dev', 'start'];

/** @param folder as the user wrote it */
export function enterStep(folder: string): NextStep {
  const command = formatCommand({ program: 'cd', args: [folder], isRunnable: false });
  return { command, why: 'the new project' };
}

/** Those in the folder of the project. */
export async function firstSteps(project: string, plan: Plan): Promise<NextStep[]> {
  return [
    ...variableSteps(project, plan),
    ...(await scriptSteps(project)),
    ...pythonSteps(project),
  ];
}

function variableSteps(project: string, { env }: Plan): NextStep[] {
  const required = [...new Set(env.filter((one) => one.required).map(({ name }) => name))];
  const example = join(project, ENV_EXAMPLE);
  if (required.length === 0 || !existsSync(example)) return [];
  const values = parseEnv(readText(example));
  const unset = required.filter((name) => (values[name] ?? '') === '');
  const why =
    unset.length === 0
      ? 'the variables, which have examples'
      : `then set ${unset.join(', ')} in .env`;
  return [{ command: `cp ${ENV_EXAMPLE} .env`, why }];
}

async function scriptSteps(project: string): Promise<NextStep[]> {
  const scripts = field(readJson(join(project, PACKAGE_JSON)), 'scripts');
  const has = (name: string): boolean => typeof field(scripts, name) === 'string';
  const { name: manager } = await findNodeManager(project);
  const run = manager === 'deno' ? 'deno task' : `${manager} run`;
  const started = RUN_SCRIPTS.find(has);
  return [
    ...(started === undefined ? [] : [{ command: `${run} ${started}`, why: 'runs it' }]),
    ...(has('test')
      ? [{ command: `${run} test`, why: `runs its tests${needOfTests(project)}` }]
      : []),
  ];
}

export function needOfTests(project: string): string {
  const tags = Object.values(readLock(project)?.builds ?? {}).flatMap((one) => one.provides);
  const need = ', with DATABASE_URL in the environment: they do not read .env';
  return tags.includes('postgres') ? need : '';
}

/** A package with `__main__.py` can be run; the table of pytest shows that it tests the project. */
export function pythonSteps(project: string): NextStep[] {
  const python = venvPython();
  const main = readNames(project).find((name) => existsSync(join(project, name, '__main__.py')));
  return [
    ...(main === undefined ? [] : [{ command: `${python} -m ${main}`, why: 'runs it' }]),
    ...(usesPytest(project) ? [{ command: `${python} -m pytest`, why: 'runs its tests' }] : []),
  ];
}

function usesPytest(project: string): boolean {
  if (existsSync(join(project, 'pytest.ini'))) return true;
  try {
    return tableAt(parseToml(readText(join(project, PYPROJECT))), ['tool', 'pytest']) !== undefined;
  } catch {
    return false;
  }
}
