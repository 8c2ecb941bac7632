/**
 * The steps of every command that changes a project between "fetch" and "apply": places the builds, reads the project,
 * plans files and edits, asks about what is in the way, carries out guides, completes the plan. Writes nothing.
 */
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isFilePath } from '../../format/build/file-path.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { findAdoptable, findReformatted } from '../plan/reformatted-files.ts';
import { EDITED_FILES, PYPROJECT, REQUIREMENTS } from '../edit/edited-files.ts';
import { tryDecodeText } from '../edit/project-file.ts';
import { ClientError } from '../errors.ts';
import { followMovedFiles } from './follow-moved-files.ts';
import { movedNotes } from '../plan/moved-files.ts';
import { placeBuilds, placeInstalled } from '../plan/place/place-builds.ts';
import { findFixers } from '../style/fixers.ts';
import { styleBuilds } from '../style/style-builds.ts';
import { checkFolders } from '../plan/place/placement-folder.ts';
import { FilesInTheWay } from '../plan/existing-file.ts';
import { targetPaths } from '../plan/files.ts';
import { completePlan, type Draft, draftPlan } from '../plan/make-plan.ts';
import type { ByHand, Change, MadePlan, PlanChoices, Warning } from '../plan/plan.ts';
import type { PlannedWiring, WiringEntry } from '../plan/planned-entries.ts';
import { folderGit } from '../project/folder-git.ts';
import { openProjectCode } from '../project/project-code.ts';
import { takeSnapshot } from '../project/project.ts';
import { checkTargets, checkWritable } from '../project/safe-path.ts';
import type { Choose } from '../terminal/choose.ts';
import { askAboutFiles, askToWire } from '../terminal/questions.ts';
import { isPoetryProject } from '../edit/python/pyproject-tables.ts';
import { parseToml } from '../edit/toml/toml-value.ts';
import { findPythonManager, isDenoProject } from '../project/package-managers.ts';
import { readText } from '../project/read-file.ts';
import { placedForm, readCompiledTo } from '../project/stack/javascript-form.ts';
import { unmadeSources } from '../plan/project-scripts.ts';

/** A draft with what the guides of its builds change; `wired` is `undefined` where no build is wired or was. */
interface WiredDraft {
  readonly draft: Draft;
  readonly wired: PlannedWiring | undefined;
  /** The files that steps create, before they get the style of the project. */
  readonly created: ReadonlyMap<string, string>;
}

const MAX_LISTED = 5;

/**
 * Plans the change of a project without a question.
 * @throws {ClientError} those of the plan
 */
export async function planChange(
  project: string,
  change: Change,
  choices: PlanChoices,
  signal: AbortSignal = new AbortController().signal,
): Promise<MadePlan> {
  const draft = await draftChange(project, change, choices, signal);
  return finishPlan(project, await wireDraft(project, draft), signal);
}

/**
 * The files and edits of a change, without the steps of guides.
 * @param change with its builds as they were published
 * @throws {FilesInTheWay} {@link ClientError} those of the plan
 */
async function draftChange(
  project: string,
  asked: Change,
  choices: PlanChoices,
  signal: AbortSignal,
): Promise<Draft> {
  const { to = {} } = choices;
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
  const fixers = choices.style === 'project' ? findFixers(project) : [];
  const styling = { fixers, installed: new Map(changing), present: snapshot.project, signal };
  const styled = await styleBuilds(project, placed, styling);
  const { builds, bases } = styled;
  const notes = [...movedNotes(followed.moved), ...placed.warnings, ...styled.warnings];
  const warnings = [...change.warnings, ...notes];
  const reformatted = new Set([
    ...(await findReformatted(changing, snapshot.project, bases)),
    ...(await findAdoptable(builds, lock, snapshot.project)),
  ]);
  const hasScripts = builds.some(({ manifest }) => manifest.scripts !== undefined);
  const compiled = hasScripts ? readCompiledTo(project) : undefined;
  const byHand = findByHand(project);
  const state = { ...snapshot, reformatted, byHand, scriptFacts: { compiled } };
  return draftPlan({ ...change, builds, bases, wired, warnings }, choices, state);
}

/**
 * As `draftChange`, and asks about each file in the way of a build; again where a build that went elsewhere finds other
 * files there.
 * @param choose `undefined` where nobody can answer
 * @throws {ClientError} `ERR_DECLINED` when the user stops, and those of the plan
 */
export async function decideFiles(
  project: string,
  change: Change,
  choices: PlanChoices,
  choose: Choose | undefined,
  signal: AbortSignal,
): Promise<Draft> {
  const first = await tryDraft(project, change, choices, signal);
  if (!(first instanceof FilesInTheWay)) return first;
  if (choose === undefined) throw first;
  return choose(async (ask) => {
    let decided = choices;
    for (let found = first; ;) {
      decided = await askAboutFiles(found.files, decided, ask);
      const next = await tryDraft(project, change, decided, signal);
      if (!(next instanceof FilesInTheWay)) return next;
      found = next;
    }
  });
}

async function tryDraft(...of: Parameters<typeof draftChange>): Promise<Draft | FilesInTheWay> {
  try {
    return await draftChange(...of);
  } catch (error) {
    if (error instanceof FilesInTheWay) return error;
    const [project, { command }, { style }] = of;
    const isConflict = error instanceof ClientError && error.code === 'ERR_CONFLICT';
    if (!isConflict || command !== 'update' || style !== undefined) throw error;
    const fixers = findFixers(project).map((one) => one.command);
    if (fixers.length === 0) throw error;
    throw new ClientError(error.code, error.message, {
      cause: error,
      hint: `${error.hint}; where only ${fixers.join(' and ')} changed these files, --style=project compares them in that style`,
    });
  }
}

/**
 * Carries out the guides that the choices of the draft name. Parsers are loaded only where a build is wired, or was.
 * @param styled files that steps create, in the style of the project
 */
async function wireDraft(
  project: string,
  draft: Draft,
  styled: ReadonlyMap<string, string> = new Map(),
): Promise<WiredDraft> {
  const { change, choices } = draft;
  const { builds, wired: installed = [], lock } = change;
  const isWanted = choices.wire !== undefined;
  const created = new Map<string, string>();
  const hasGuide = [...builds, ...installed].some(({ wiredGuide }) => wiredGuide !== undefined);
  const wasWired = Object.values(lock?.builds ?? {}).some(({ wiring }) => wiring !== undefined);
  if (!wasWired && !(isWanted && hasGuide)) return { draft, wired: undefined, created };
  const { wireBuilds } = await import('../wire/wire-builds.ts');
  const code = { ...openProjectCode(project), read: readerOf(project, draft) };
  const wired = await wireBuilds(change, choices, code, (path, text) => {
    created.set(path, text);
    return styled.get(path) ?? text;
  });
  return { draft, wired, created };
}

/** Reads the code of the project as the files and edits of a draft leave it. */
function readerOf(project: string, { overlay }: Draft): (path: string) => string | undefined {
  const code = openProjectCode(project);
  return (path) => (overlay.isChanged(path) ? tryDecodeText(overlay.get(path)) : code.read(path));
}

/** What the guides write, in the style of the project where the user chose that. */
async function wireInStyle(
  project: string,
  made: WiredDraft,
  signal: AbortSignal,
): Promise<WiredDraft & { readonly warnings: readonly Warning[] }> {
  const { draft, wired, created } = made;
  const fixers = draft.choices.style === 'project' ? findFixers(project) : [];
  const isGoing = ['remove', 'unwire'].includes(draft.change.command);
  if (wired === undefined || wired.files.size === 0 || fixers.length === 0 || isGoing) {
    return { ...made, warnings: [] };
  }
  const { findWiringStyle, withEditedStyle } = await import('../style/style-wiring.ts');
  const read = readerOf(project, draft);
  const around = new Map(
    targetPaths(draft.change.builds).flatMap((path) => {
      const text = tryDecodeText(draft.overlay.get(path));
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
  const found = await findWiringStyle(project, fixers, { created, wired, read, around }, signal);
  const again = await wireDraft(project, draft, found.created);
  // What other steps put into files that a step creates.
  const inCreated = [...again.wired!.files].filter(([path, text]) => {
    const own = found.created.get(path);
    return own !== undefined && own !== text;
  });
  const second = await findWiringStyle(
    project,
    fixers,
    {
      created: new Map(),
      wired: { ...again.wired!, files: new Map(inCreated) },
      read: (path) => found.created.get(path),
      around,
    },
    signal,
  );
  const edited = new Map([...found.edited, ...second.edited]);
  const styled = withEditedStyle(again.wired!, edited, draft.change.lock);
  const warnings = [...found.warnings, ...second.warnings, ...styled.warnings];
  return { ...again, wired: styled.wired, warnings };
}

/**
 * Asks once whether steps are carried out, where no option decides it.
 * @param choose `undefined` where nobody can answer: then nothing is wired without the requirement
 */
export async function decideWiring(
  project: string,
  draft: Draft,
  choose: Choose | undefined,
): Promise<WiredDraft> {
  if (draft.choices.wire === true || choose === undefined) return wireDraft(project, draft);
  const wired = await wireDraft(project, agreed(draft));
  const added = entriesOf(wired, 'added');
  if (added.length > 0 && (await askToWire('steps', added, choose))) return wired;
  return wireDraft(project, draft);
}

/**
 * Asks whether new text of an update may do more than the present one, where no option decides it.
 * @param choose `undefined` where nobody can answer: then such text is not put in
 */
export async function decideGains(
  project: string,
  draft: Draft,
  choose: Choose | undefined,
): Promise<WiredDraft> {
  const wired = await wireDraft(project, draft);
  const held = entriesOf(wired, 'held');
  if (choose === undefined || held.length === 0) return wired;
  return (await askToWire('gains', held, choose)) ? wireDraft(project, agreed(draft)) : wired;
}

function agreed(draft: Draft): Draft {
  return { ...draft, choices: { ...draft.choices, wire: true } };
}

function entriesOf({ wired }: WiredDraft, action: WiringEntry['action']): WiringEntry[] {
  return wired?.entries.filter((entry) => entry.action === action) ?? [];
}

/**
 * The plan of a draft, with every path that it changes checked.
 * @throws {ClientError} `ERR_CONFLICT`, `ERR_PATH_POLICY`, `ERR_WRITE`
 */
export async function finishPlan(
  project: string,
  planned: WiredDraft,
  signal: AbortSignal,
): Promise<MadePlan> {
  const { draft, wired, warnings: styling } = await wireInStyle(project, planned, signal);
  const blocks = [...(wired?.locked.values() ?? [])].flatMap((entries) => entries ?? []);
  const paths = [...(wired?.files.keys() ?? []), ...blocks.map(({ file }) => file)].filter(
    isFilePath,
  );
  const complete = completePlan(
    withScripts(project, draft, wired),
    wired,
    await takeSnapshot(project, paths),
  );
  const isStyled = draft.choices.style === 'project';
  const commit = isStyled ? await inStyle(project, complete.commit, signal) : complete.commit;
  const made = { ...complete, commit };
  const changes = [...made.changes, commit];
  await checkTargets(
    project,
    changes.map(({ path }) => path),
  );
  for (const { path, bytes } of changes) {
    const status = lstatSync(join(project, path), { throwIfNoEntry: false });
    if (bytes !== undefined && status !== undefined) checkWritable(path, status.mode);
  }
  const { plan } = made;
  const ignored = plan.command === 'remove' ? [] : await ignoredFiles(project, made);
  const held = heldWarnings(plan.wiring ?? []);
  const warnings = [...plan.warnings, ...styling, ...held, ...ignored];
  return { ...made, plan: { ...plan, warnings } };
}

/** The lock as the formatters of the project leave it, which may check every file. */
async function inStyle(
  project: string,
  commit: MadePlan['commit'],
  signal: AbortSignal,
): Promise<MadePlan['commit']> {
  const text = tryDecodeText(commit.bytes);
  const formatters = findFixers(project).filter(({ files }) => files.test(LOCK_FILE));
  if (text === undefined || formatters.length === 0) return commit;
  const { runFixers } = await import('../style/run-fixers.ts');
  const ran = await runFixers(project, formatters, [new Map([[LOCK_FILE, text]])], signal);
  const styled = 'problem' in ran ? undefined : ran.styled[0]?.get(LOCK_FILE)?.stages.at(-1);
  const isSame = styled !== undefined && isDeepStrictEqual(tryParse(styled), tryParse(text));
  return isSame ? { ...commit, bytes: Buffer.from(styled) } : commit;
}

function tryParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Without the scripts that start what a step of the guide would have created. */
function withScripts(project: string, draft: Draft, wired: PlannedWiring | undefined): Draft {
  const { change, choices, state } = draft;
  const unmade = unmadeSources(change.builds, wired, (path) => existsSync(join(project, path)));
  if (unmade.size === 0) return draft;
  return draftPlan(change, choices, { ...state, scriptFacts: { ...state.scriptFacts, unmade } });
}

/** One for each step whose new text can do more than the present one. */
function heldWarnings(wiring: readonly WiringEntry[]): Warning[] {
  const held = wiring.filter(({ action }) => action === 'held');
  return [...Map.groupBy(held, ({ build, step }) => `${build} ${step}`).values()].map((blocks) => {
    const [{ build, step, why = '', file: path }] = blocks as [WiringEntry];
    const message = `Step ${step} of "${build}" stays as it was in ${path}: ${why}. Read it above, then "stackyard add ${build} --wire" carries it out`;
    return { code: 'wiring-held', message, path };
  });
}

/**
 * One warning for all files that `made` writes and git ignores: a commit would leave them out. None without a repository or
 * without git; starts nothing that the folder configures.
 */
async function ignoredFiles(project: string, made: MadePlan): Promise<Warning[]> {
  const written = [...made.changes, made.commit].filter(({ bytes }) => bytes !== undefined);
  const paths = written.map(({ path }) => path);
  // Ends with status 1 when it ignores none of them.
  const input = paths.map((path) => `${path}\0`).join('');
  const found = await folderGit(project, ['check-ignore', '-z', '--stdin'], { input });
  const ignored = found?.split('\0').slice(0, -1) ?? [];
  const [first] = ignored;
  if (first === undefined) return [];
  const more = ignored.length - MAX_LISTED;
  const listed = ignored.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const message = `git ignores ${listed}: a commit leaves out what the builds need; change .gitignore, or use "git add -f"`;
  return [{ code: 'file-ignored', message, path: first }];
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
