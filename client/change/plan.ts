/**
 * Plans a change from what the project has: files and edits, then the steps of guides, then the lock. What only the user decides
 * comes back as questions; the plan is made again with the answers. Pure.
 */
import { isFilePath } from '../../format/build/file-path.ts';
import { InternalError } from '../../format/errors.ts';
import { tryDecodeText } from '../edit/project-file.ts';
import { ClientError } from '../errors.ts';
import { FilesInTheWay } from '../plan/existing-file.ts';
import { targetPaths } from '../plan/files.ts';
import { completePlan, type Draft, draftPlan } from '../plan/make-plan.ts';
import type { MadePlan, Warning } from '../plan/plan.ts';
import type { PlannedWiring, WiringEntry } from '../plan/planned-entries.ts';
import type { ProjectView, Texts } from '../plan/project-view.ts';
import { unmadeSources } from '../plan/project-scripts.ts';
import { fileQuestions, type Question } from '../plan/question.ts';

/** A plan, or what must be answered before there is one. */
export type Planned = { readonly made: MadePlan } | { readonly open: readonly Question[] };

/** What the guides of a draft change; `wired` is `undefined` where no build is wired or was. */
interface Steps {
  readonly wired: PlannedWiring | undefined;
  /** The files that steps create, before they get the style of the project. */
  readonly created: Texts;
  readonly warnings: readonly Warning[];
}

/** @throws {ClientError} those of the parts of a plan, and {@link FilesInTheWay} with `open` */
export async function planChange(
  view: ProjectView | { readonly open: Question },
): Promise<Planned> {
  if ('open' in view) return { open: [view.open] };
  const draft = tryDraft(view);
  if (draft instanceof FilesInTheWay) return { open: fileQuestions(draft) };
  const steps = await carryOut(view, draft);
  const open = await openSteps(view, draft, steps);
  if (open !== undefined) return { open: [open] };
  const { wired, warnings: styling } = await inStyle(view, draft, steps);
  const blocks = [...(wired?.locked.values() ?? [])].flatMap((entries) => entries ?? []);
  const paths = [...(wired?.files.keys() ?? []), ...blocks.map(({ file }) => file)];
  const also = await view.read(paths.filter(isFilePath));
  const { plan, commit, ...rest } = completePlan(withScripts(view, draft, wired), wired, also);
  const warnings = [...plan.warnings, ...styling, ...heldWarnings(plan.wiring ?? [])];
  const text = tryDecodeText(commit.bytes);
  const bytes =
    view.style === undefined || text === undefined
      ? commit.bytes
      : Buffer.from(await view.style.ofLock(text));
  return { made: { ...rest, plan: { ...plan, warnings }, commit: { ...commit, bytes } } };
}

/** Plans what leaves no question but that about files in the way. @throws {FilesInTheWay} {@link ClientError} those of a plan */
export async function planUnasked(view: Parameters<typeof planChange>[0]): Promise<MadePlan> {
  const planned = await planChange(view);
  if ('made' in planned) return planned.made;
  const [first] = planned.open;
  throw first?.about === 'file' ? first.error : new InternalError('A question is open');
}

function tryDraft({ change, state, fixers }: ProjectView): Draft | FilesInTheWay {
  try {
    return draftPlan(change, state);
  } catch (error) {
    if (error instanceof FilesInTheWay) return error;
    const isConflict = error instanceof ClientError && error.code === 'ERR_CONFLICT';
    const isPlain = change.command === 'update' && change.choices.style !== 'project';
    const commands = isConflict && isPlain ? fixers() : [];
    if (!isConflict || commands.length === 0) throw error;
    throw new ClientError(error.code, error.message, {
      cause: error,
      hint: `${error.hint}; where only ${commands.join(' and ')} changed these files, --style=project compares them in that style`,
    });
  }
}

/**
 * Carries out the guides that the choices name. Parsers are loaded only where a build is wired, or was.
 * @param styled files that steps create, in the style of the project
 */
async function carryOut(
  view: ProjectView,
  { change, overlay }: Draft,
  styled: Texts = new Map(),
): Promise<Steps> {
  const { builds, wired: installed = [], lock, choices } = change;
  const isWanted = choices.wire !== undefined && choices.wire !== false;
  const created = new Map<string, string>();
  const hasGuide = [...builds, ...installed].some(({ wiredGuide }) => wiredGuide !== undefined);
  const wasWired = Object.values(lock?.builds ?? {}).some(({ wiring }) => wiring !== undefined);
  if (!wasWired && !(isWanted && hasGuide)) return { wired: undefined, created, warnings: [] };
  const { wireBuilds } = await import('../wire/wire-builds.ts');
  const code = { ...view.code, read: readerOf(view, overlay) };
  const wired = await wireBuilds(change, code, (path, text) => {
    created.set(path, text);
    return styled.get(path) ?? text;
  });
  return { wired, created, warnings: [] };
}

/** Reads the code of the project as the files and edits of a draft leave it. */
function readerOf(
  { code }: ProjectView,
  overlay: Draft['overlay'],
): (path: string) => string | undefined {
  return (path) => (overlay.isChanged(path) ? tryDecodeText(overlay.get(path)) : code.read(path));
}

/** Whether steps are carried out, and whether new text may do more than the present one, where no choice decides it. */
async function openSteps(
  view: ProjectView,
  draft: Draft,
  { wired }: Steps,
): Promise<Question | undefined> {
  const { command, choices } = draft.change;
  if (choices.wire !== undefined) return undefined;
  const held = wired?.entries.filter(({ action }) => action === 'held') ?? [];
  if (command === 'update')
    return held.length === 0 ? undefined : { about: 'gains', entries: held };
  const agreed = { ...draft, change: { ...draft.change, choices: { ...choices, wire: true } } };
  const all = (await carryOut(view, agreed)).wired?.entries ?? [];
  const entries = all.filter(({ action }) => action === 'added');
  return entries.length === 0 ? undefined : { about: 'steps', entries };
}

/** What the guides write, in the style of the project where the user chose that. */
async function inStyle(view: ProjectView, draft: Draft, made: Steps): Promise<Steps> {
  const { style } = view;
  const { wired, created } = made;
  const isGoing = ['remove', 'unwire'].includes(draft.change.command);
  if (style === undefined || wired === undefined || wired.files.size === 0 || isGoing) return made;
  const { withEditedStyle } = await import('../wire/wired-style.ts');
  const read = readerOf(view, draft.overlay);
  const around = new Map(
    targetPaths(draft.change.builds).flatMap((path) => {
      const text = tryDecodeText(draft.overlay.get(path));
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
  const found = await style.ofWiring({ created, wired, read, around });
  const again = (await carryOut(view, draft, found.created)).wired!;
  // What other steps put into files that a step creates.
  const inCreated = [...again.files].filter(([path, text]) => {
    const own = found.created.get(path);
    return own !== undefined && own !== text;
  });
  const second = await style.ofWiring({
    created: new Map(),
    wired: { ...again, files: new Map(inCreated) },
    read: (path) => found.created.get(path),
    around,
  });
  const edited = new Map([...found.edited, ...second.edited]);
  const styled = withEditedStyle(again, edited, draft.change.lock);
  const warnings = [...found.warnings, ...second.warnings, ...styled.warnings];
  return { wired: styled.wired, created, warnings };
}

/** Without the scripts that start what a step of the guide would have created. */
function withScripts(view: ProjectView, draft: Draft, wired: PlannedWiring | undefined): Draft {
  const { change, state } = draft;
  const unmade = unmadeSources(change.builds, wired, view.code.has);
  if (unmade.size === 0) return draft;
  return draftPlan(change, { ...state, scriptFacts: { ...state.scriptFacts, unmade } });
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
