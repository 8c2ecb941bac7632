/**
 * Reads a project for a change: follows what the user moved, gives the builds their places and the style of the project, and reads
 * the files that the plan may change. Writes nothing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { EDITED_FILES, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { isPoetryProject } from '../edit/python/pyproject-tables.ts';
import { parseToml } from '../edit/toml/toml-value.ts';
import { targetPaths } from '../plan/files.ts';
import { movedNotes } from '../plan/moved-files.ts';
import { placeBuilds, placeInstalled } from '../plan/place/place-builds.ts';
import { checkFolders } from '../plan/place/placement-folder.ts';
import type { ByHand, Change } from '../plan/plan.ts';
import type { ProjectStyle, ProjectView } from '../plan/project-view.ts';
import type { Question } from '../plan/question.ts';
import { findAdoptable, findReformatted } from '../plan/reformatted-files.ts';
import { findPythonManager, isDenoProject } from '../project/package-managers.ts';
import { openProjectCode } from '../project/project-code.ts';
import { takeSnapshot } from '../project/project.ts';
import { readText } from '../project/read-file.ts';
import { placedForm, readCompiledTo } from '../project/stack/javascript-form.ts';
import { decideStyle } from '../style/decide-style.ts';
import { type Fixer, findFixers } from '../style/fixers.ts';
import { styleBuilds } from '../style/style-builds.ts';
import { followMovedFiles } from './follow-moved-files.ts';

/**
 * @param asked with its builds as they were published
 * @returns the question that must be answered first, where there is one
 * @throws {ClientError} `ERR_CONFLICT`, `ERR_USAGE`, `ERR_PATH_POLICY`, `ERR_PROJECT_FILE`
 */
export async function viewProject(
  project: string,
  asked: Change,
  signal: AbortSignal,
): Promise<ProjectView | { readonly open: Question }> {
  const { to = {}, style } = asked.choices;
  const { fixers, open } = await decideStyle(project, style);
  if (open !== undefined) return { open };
  const code = openProjectCode(project);
  const followed =
    asked.lock === undefined || asked.command === 'add'
      ? { lock: asked.lock, moved: [] }
      : await followMovedFiles(project, asked.lock, asked.bases, code);
  const { lock } = followed;
  const change = { ...asked, lock };
  checkFolders(to, change.builds, lock);
  const form = change.builds.length === 0 ? undefined : placedForm(project);
  const placed = await placeBuilds(change, { to, form }, code);
  const wired = lock === undefined ? [] : await placeInstalled(lock, change.wired ?? [], code);
  const changing = Object.entries(lock?.builds ?? {}).filter(
    ([id]) => change.leaving.has(id) || placed.builds.some((build) => build.id === id),
  );
  const present = changing.flatMap(([, { files }]) => Object.keys(files));
  const paths = [...targetPaths(placed.builds), ...present, ...EDITED_FILES, LOCK_FILE];
  const snapshot = await takeSnapshot(project, paths);
  const styling = { fixers, installed: new Map(changing), present: snapshot.project, signal };
  const { builds, bases, warnings } = await styleBuilds(project, placed, styling);
  const notes = [...movedNotes(followed.moved), ...placed.warnings, ...warnings];
  const reformatted = new Set([
    ...(await findReformatted(changing, snapshot.project, bases)),
    ...(await findAdoptable(builds, lock, snapshot.project)),
  ]);
  const hasScripts = builds.some(({ manifest }) => manifest.scripts !== undefined);
  const compiled = hasScripts ? readCompiledTo(project) : undefined;
  const isStyled = style === 'project' || fixers.length > 0;
  const choices = { ...asked.choices, style: isStyled ? ('project' as const) : style };
  return {
    change: { ...change, builds, bases, wired, warnings: [...change.warnings, ...notes], choices },
    state: { ...snapshot, reformatted, byHand: findByHand(project), scriptFacts: { compiled } },
    code,
    read: (more) => takeSnapshot(project, more),
    fixers: () => findFixers(project).map(({ command }) => command),
    ...(fixers.length === 0 ? {} : { style: styleOf(project, fixers, signal) }),
  };
}

/** The fixers are loaded when they run. */
function styleOf(project: string, fixers: readonly Fixer[], signal: AbortSignal): ProjectStyle {
  return {
    ofWiring: async (texts) => {
      const { findWiringStyle } = await import('../style/style-wiring.ts');
      return findWiringStyle(project, fixers, texts, signal);
    },
    ofLock: async (text) => {
      const formatters = fixers.filter(({ files }) => files.test(LOCK_FILE));
      if (formatters.length === 0) return text;
      const { runFixers } = await import('../style/run-fixers.ts');
      const ran = await runFixers(project, formatters, [new Map([[LOCK_FILE, text]])], signal);
      const styled = 'problem' in ran ? undefined : ran.styled[0]?.get(LOCK_FILE)?.stages.at(-1);
      const isSame = styled !== undefined && isDeepStrictEqual(tryParse(styled), tryParse(text));
      return isSame ? styled : text;
    },
  };
}

function tryParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Set only where there is no file of the same ecosystem that is edited. */
export function findByHand(project: string): ByHand {
  const isEdited = existsSync(join(project, REQUIREMENTS)) || hasPyproject(project);
  const manager = isEdited ? 'pip' : findPythonManager(project);
  return {
    npm: isDenoProject(project) ? 'deno' : undefined,
    pip: manager === 'pipenv' || manager === 'conda' ? manager : undefined,
  };
}

/** A file that cannot be read counts: its editor reports the error. */
function hasPyproject(project: string): boolean {
  if (!existsSync(join(project, PYPROJECT))) return false;
  try {
    return isPoetryProject(parseToml(readText(join(project, PYPROJECT)))) !== undefined;
  } catch {
    return true;
  }
}
