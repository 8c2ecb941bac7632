/** The text of a plan for people. */
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { ENV_EXAMPLE, PACKAGE_JSON } from '../edit/edited-files.ts';
import { oneLine } from '../terminal/printable.ts';
import type { Plan, PlannedBuild } from '../plan/plan.ts';
import type { StyledText } from '../terminal/styled-text.ts';
import { span } from '../terminal/styled-text.ts';
import { describeFiles } from './plan-file-lines.ts';
import { describeWiring } from './wiring-lines.ts';

/** A file of the project itself, which "new" writes. */
export const PROJECT_README = 'README.md';

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
  if (plan.command === 'new') lines.push(...plan.edits.filter(isReadme).map(describeNewFile));
  lines.push(...describeEntries(plan), ...describeWiring(plan.wiring ?? []));
  const foundation = plan.builds.find((build) => build.kind === 'foundation')?.id;
  // The scripts of a foundation are in the package.json that it brings.
  const kept = plan.scripts.filter((s) => s.action === 'kept' && s.build !== foundation);
  for (const name of new Set(kept.map((script) => script.name))) {
    lines.push(`  = package.json: script ${name} already exists`);
  }
  const required = plan.env.filter((variable) => variable.required && !isUnchanged(variable));
  if (required.length > 0) {
    lines.push([span('strong', 'Set these variables:')]);
    for (const { name, description } of required) {
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

function isReadme({ path }: Plan['edits'][number]): boolean {
  return path === PROJECT_README;
}

function describeNewFile({ path }: Plan['edits'][number]): string {
  return `  + ${path}`;
}

function describeEdit({ path, action }: Plan['edits'][number]): string {
  return action === 'delete' ? `  x ${path}  removed` : `  ~ ${path}`;
}

function describeBuild(
  { id, version, action, from, to, required_by, registry, source: local }: PlannedBuild,
  { registry: address, registries }: Plan,
): string {
  if (action === 'remove') return `${id} ${version} is removed`;
  const known = registry === undefined ? undefined : registries?.[registry];
  const served = known === undefined ? address : `${known.address} (${registry})`;
  const source = local ?? served;
  const place = to === undefined ? '' : ` in ${to === '' ? 'the project root' : to}`;
  // A build that moves, or that requires one that moves, keeps its version.
  if (action === 'update' && from === version) return `${id} ${version}${place}`;
  if (action === 'update') return `${id} ${from} -> ${version} from ${source}${place}`;
  const reason = required_by.length === 0 ? '' : `, required by ${required_by.join(', ')}`;
  return `${id} ${version} from ${source}${place}${reason}`;
}
