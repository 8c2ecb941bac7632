/** The text of a plan for people, and of its wiring: each block that goes in or out, each step that is left to the user. */
import { structuredPatch } from 'diff';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { ENV_EXAMPLE, PACKAGE_JSON } from '../edit/edited-files.ts';
import { oneLine, printable } from './printable.ts';
import type { Plan, PlannedBuild, PlannedFile } from '../plan/plan.ts';
import type { WiringEntry } from '../plan/planned-entries.ts';
import { span, type StyledText } from './styled-text.ts';
import { type FileLine, fileLines } from './file-lines.ts';

/** A file of the project itself, which "new" writes. */
export const PROJECT_README = 'README.md';
const WRITTEN = [PROJECT_README, 'compose.yaml', 'dev.mjs', 'pnpm-workspace.yaml'];

/**
 * Lines for people: builds, files, edits, variables.
 * @param isVerbose whether to list each file where many are treated alike
 */
export function describePlan(plan: Plan, isVerbose: boolean): StyledText[] {
  const lines: StyledText[] = [];
  for (const build of plan.builds) {
    lines.push(describeBuild(build, plan));
    lines.push(...describeFiles(build, plan, isVerbose));
  }
  // The edits of an install are listed below, entry by entry.
  if (plan.command === 'remove') lines.push(...plan.edits.map(describeEdit));
  if (plan.command === 'new')
    lines.push(...plan.edits.filter(({ path }) => WRITTEN.includes(path)).map(describeNewFile));
  lines.push(...describeEntries(plan), ...describeWiring(plan.wiring ?? []));
  const foundations = plan.builds.flatMap(({ kind, id }) => (kind === 'foundation' ? [id] : []));
  // The scripts of a foundation are in the package.json that it brings.
  const kept = plan.scripts.filter((s) => s.action === 'kept' && !foundations.includes(s.build));
  for (const name of new Set(kept.map((script) => script.name))) {
    lines.push(`  = package.json: script ${name} already exists`);
  }
  const required = plan.env.filter((variable) => variable.required && !isUnchanged(variable));
  if (required.length > 0) {
    lines.push([span('strong', 'Set these variables:')]);
    // Several builds may need the same one.
    for (const { name, description } of new Map(required.map((one) => [one.name, one])).values()) {
      lines.push(`  ${name}${description === undefined ? '' : `  ${oneLine(description)}`}`);
    }
  }
  return lines;
}

/** The entries that are added to the project's own files, and other files of these that change. */
function describeEntries(plan: Plan): string[] {
  const added = <Entry extends { action: string; unchanged?: true | undefined }>(
    entries: readonly Entry[],
  ): Entry[] => entries.filter((entry) => entry.action === 'added' && !isUnchanged(entry));
  const entry = (path: string, what: string): { path: string; what: string } => ({ path, what });
  const entries = [
    ...added(plan.npm).map((e) => entry(PACKAGE_JSON, `${e.table} ${e.name} ${e.range}`)),
    ...added(plan.scripts).map((e) =>
      entry(PACKAGE_JSON, `script ${e.name} = ${oneLine(e.value)}`),
    ),
    ...added(plan.pip).map((e) => entry(e.file, `${e.name} ${e.specifier}`)),
    ...added(plan.env).map((e) => entry(ENV_EXAMPLE, e.name)),
  ];
  // Several builds may share an entry.
  const lines = [...new Set(entries.map(({ path, what }) => `  ~ ${path}: ${what}`))];
  if (plan.command !== 'update') return lines;
  // The other files only lose entries; the lock always changes.
  const moved = plan.files.map(({ moved_from: from }) => from);
  const listed = new Set([LOCK_FILE, ...entries.map(({ path }) => path), ...moved]);
  return [...lines, ...plan.edits.filter(({ path }) => !listed.has(path)).map(describeEdit)];
}

function isUnchanged({ unchanged }: { readonly unchanged?: true | undefined }): boolean {
  return unchanged === true;
}

function describeNewFile({ path }: Plan['edits'][number]): string {
  return `  + ${path}`;
}

function describeEdit({ path, action }: Plan['edits'][number]): string {
  return action === 'delete' ? `  x ${path}  removed` : `  ~ ${path}`;
}

function describeBuild(
  { id, version, action, from, to, required_by, registry, form, source: local }: PlannedBuild,
  { registry: address, registries }: Plan,
): string {
  if (action === 'remove') return `${id} ${version} is removed`;
  const known = registry === undefined ? undefined : registries?.[registry];
  const served = known === undefined ? address : `${known.address} (${registry})`;
  const source = local ?? served;
  const kind = form === 'cjs' ? 'CommonJS' : 'ES modules';
  const formed =
    form === 'bare' || form === 'bundled'
      ? ', imports have no ending'
      : `, types are removed (${kind})`;
  const removed = form === undefined ? '' : formed;
  const place = (to === undefined ? '' : ` in ${to === '' ? 'the project root' : to}`) + removed;
  // A build that moves, or that requires one that moves, keeps its version.
  if (action === 'update' && from === version) return `${id} ${version}${place}`;
  if (action === 'update') return `${id} ${from} -> ${version} from ${source}${place}`;
  const reason = required_by.length === 0 ? '' : `, required by ${required_by.join(', ')}`;
  return `${id} ${version} from ${source}${place}${reason}`;
}

const MARKS: Readonly<Record<PlannedFile['action'], string>> = {
  create: '+',
  replace: '!',
  identical: '=',
  skip: '=',
  merge: '~',
  keep: '=',
  conflict: '?',
  delete: 'x',
  orphan: '=',
};
const NOTES: Readonly<Record<PlannedFile['action'], string>> = {
  create: '',
  replace: 'replaced',
  identical: 'already present',
  skip: 'your file is kept',
  merge: 'merged with your edits',
  keep: 'your version is kept',
  conflict: 'both sides are between markers',
  delete: 'removed',
  orphan: 'kept, because you edited it',
};

/** @param isVerbose whether to list each file where many are treated alike */
function describeFiles(build: PlannedBuild, plan: Plan, isVerbose: boolean): StyledText[] {
  const files = plan.files.filter((file) => file.build === build.id);
  return fileLines(
    files.flatMap((file) => describeFile(file, build)),
    isVerbose,
  );
}

function describeFile(file: PlannedFile, build: PlannedBuild): FileLine[] {
  const { path, action, moved_from: from } = file;
  // An update keeps most files: only changed files are listed.
  const isKept = action === 'keep' && file.reformatted === true;
  const moved = from === undefined ? [] : [`moved from ${from}`];
  if (build.action === 'update' && (action === 'identical' || isKept)) {
    return moved.map((note) => ({ mark: '~', path, note }));
  }
  const isPlaced = !['skip', 'keep', 'delete', 'orphan'].includes(action);
  const note = [noteOf(file, build), ...moved].filter((text) => text !== '').join('  ');
  return [
    {
      mark: MARKS[action],
      path,
      note,
      below: isPlaced ? [...describeImports(file), ...describeHeader(file)] : [],
    },
  ];
}

function noteOf({ action, reformatted, before }: PlannedFile, build: PlannedBuild): string {
  if (action === 'skip' && before === undefined) return 'left out';
  if (action === 'keep' && build.action === 'add') {
    return `adopted: only its ${reformatted === true ? 'formatting differs' : 'line ends differ'}`;
  }
  const isReplaced = action === 'replace' && reformatted === true;
  return isReplaced ? 'replaced, because you only formatted it' : NOTES[action];
}

function describeHeader({ header }: PlannedFile): string[] {
  return header === undefined ? [] : [`      not fixable, ignored: ${oneLine(header)}`];
}

/** Each import that is rewritten once, with its lines: `      ../sqlite/index.js -> ../db/index.js  (line 4)`. */
function describeImports({ imports = [] }: PlannedFile): string[] {
  const groups = Map.groupBy(imports, ({ from, to }) => `${oneLine(from)} -> ${oneLine(to)}`);
  return Array.from(groups, ([change, group]) => {
    const numbers = group.map(({ line }) => line).join(', ');
    return `      ${change}  (${group.length === 1 ? 'line' : 'lines'} ${numbers})`;
  });
}

/** Each build after those that it requires; otherwise in the given order. */
export function integrationOrder(builds: readonly PlannedBuild[]): PlannedBuild[] {
  const ordered: PlannedBuild[] = [];
  const visit = (build: PlannedBuild, above: ReadonlySet<string>): void => {
    if (ordered.includes(build) || above.has(build.id)) return;
    const path = new Set([...above, build.id]);
    for (const other of builds) if (other.required_by.includes(build.id)) visit(other, path);
    ordered.push(build);
  };
  for (const build of builds) visit(build, new Set());
  return ordered;
}

const WIRING_MARKS = {
  added: '+',
  replaced: '~',
  removed: 'x',
  kept: '=',
  left: '!',
  held: '!',
  by_hand: '!',
} as const;
const WORDS = {
  added: '',
  replaced: '  new text',
  removed: '  removed',
  kept: '  is there already',
  left: '  stays',
  held: '  stays without your yes',
  by_hand: '',
} as const;
/** Longer texts are in the guide. */
const MAX_LINES = 40;
/** What replaces text is shown, and not only its beginning. */
const MAX_CHANGED_LINES = 400;
/** Time limit for the comparison of one text. */
const TIMEOUT_MS = 1000;

/** What was done, each step in a file once, with its texts; then what is left to the user, as it is written, by build. */
export function describeWiring(entries: readonly WiringEntry[]): string[] {
  const isSeveral = new Set(entries.map(({ build }) => build)).size > 1;
  const nameOf = ({ build, step }: WiringEntry): string =>
    isSeveral ? `step ${step} of ${build}` : `step ${step}`;
  const done = entries.filter(({ action }) => action !== 'by_hand');
  const byHand = entries.filter(({ action }) => action === 'by_hand');
  const steps = Map.groupBy(done, ({ build, step, file, action, why }) =>
    [build, step, file, action, why].join('\n'),
  );
  return [
    ...[...steps.values()].flatMap((blocks) => {
      const [{ file, action, why }] = blocks as [WiringEntry];
      const reason = why === undefined ? '' : `: ${oneLine(why)}`;
      const head = `  ${WIRING_MARKS[action]} ${file}: ${nameOf(blocks[0]!)}${WORDS[action]}${reason}`;
      return [head, ...blocks.flatMap(describeBlock)];
    }),
    ...(byHand.length === 0 ? [] : ['By hand:']),
    ...byHand.flatMap((entry) => [
      `  ${nameOf(entry)}, ${entry.file}: ${oneLine(entry.why ?? '')}`,
      ...linesOf(entry.text, '      '),
    ]),
  ];
}

function describeBlock({ action, text, before }: WiringEntry): string[] {
  const isChanged = action === 'held' || (action === 'replaced' && before !== undefined);
  if (isChanged) return differenceOf(before ?? '', text);
  if (action === 'removed' && before !== undefined) return differenceOf(before, '');
  return action === 'added' || action === 'replaced' ? linesOf(text, '      ') : [];
}

/** The lines that go and that come, with those around them. */
function differenceOf(before: string, after: string): string[] {
  const [old, fresh] = [before, after].map((text) => {
    const lines = text.replaceAll('\r\n', '\n');
    return lines === '' ? '' : `${lines}\n`;
  }) as [string, string];
  const names = ['', '', old, fresh, '', ''] as const;
  const patch = structuredPatch(...names, { context: 3, timeout: TIMEOUT_MS });
  const hunks = patch?.hunks.map(({ lines }) => lines) ?? [
    [...marked(old, '-'), ...marked(fresh, '+')],
  ];
  const lines = hunks.flatMap((hunk, at) => (at === 0 ? hunk : ['  ...', ...hunk]));
  const more = lines.length - MAX_CHANGED_LINES;
  const shown = lines
    .slice(0, MAX_CHANGED_LINES)
    .map((line) => `      ${line.slice(0, 1)} ${shownLine(line.slice(1))}`.trimEnd());
  return more > 0 ? [...shown, `      ... ${more} more lines: --json has them`] : shown;
}

function marked(text: string, mark: string): string[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => mark + line);
}

function linesOf(text: string, indent: string): string[] {
  const lines = text.split(/\r?\n/);
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => (line.trim() === '' ? '' : indent + shownLine(line)));
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...shown, `${indent}... ${more} more lines`] : shown;
}

/** Control characters of a publisher must not reach the terminal; the indentation of code may. */
function shownLine(line: string): string {
  const [lead = ''] = /^\s*/.exec(line) ?? [];
  return printable(lead.replaceAll('\t', '    ') + line.slice(lead.length));
}
