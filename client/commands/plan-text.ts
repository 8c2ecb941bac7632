/** A plan in words. */
import type { PlannedBuild, PlannedFile } from '../plan-files.ts';
import type { Plan } from '../plan.ts';
import { oneLine } from '../terminal.ts';

const MARKS: Readonly<Record<PlannedFile['action'], string>> = {
  create: '+',
  replace: '!',
  identical: '=',
  skip: '-',
  merge: '~',
  keep: '=',
  conflict: '?',
  delete: 'x',
  orphan: '-',
};
const NOTES: Readonly<Record<PlannedFile['action'], string>> = {
  create: '',
  replace: '  replaced',
  identical: '  there already',
  skip: '  yours is kept',
  merge: '  joined with your edits',
  keep: '  yours stays as it is',
  conflict: '  both sides stand between markers',
  delete: '  removed',
  orphan: '  stays, for you edited it',
};

/** Lines for people: builds, files, edits, variables. */
export function describePlan(plan: Plan): string[] {
  const lines: string[] = [];
  for (const build of plan.builds) {
    lines.push(describeBuild(build, plan.registry));
    for (const file of plan.files.filter((f) => f.build === build.id)) {
      // An update leaves most files as they are: only what happens is told.
      if (build.action === 'update' && file.action === 'identical') continue;
      const moved = file.moved_from === undefined ? '' : `  moved from ${file.moved_from}`;
      lines.push(`  ${MARKS[file.action]} ${file.path}${NOTES[file.action]}${moved}`);
    }
  }
  // What an install adds is told below entry by entry.
  if (plan.command === 'remove') {
    for (const { path, action } of plan.edits) {
      lines.push(action === 'delete' ? `  x ${path}  removed` : `  ~ ${path}`);
    }
  }
  const added = <Entry extends { action: string }>(entries: readonly Entry[]): Entry[] =>
    entries.filter((entry) => entry.action === 'added');
  for (const { name, range, table } of added(plan.npm))
    lines.push(`  ~ package.json: ${table} ${name} ${range}`);
  for (const { name, value } of added(plan.scripts))
    lines.push(`  ~ package.json: script ${name} = ${oneLine(value)}`);
  for (const { name, specifier, file } of added(plan.pip))
    lines.push(`  ~ ${file}: ${name} ${specifier}`);
  for (const { name } of added(plan.env)) lines.push(`  ~ .env.example: ${name}`);
  const foundation = plan.builds.find((build) => build.kind === 'foundation')?.id;
  // What a foundation names stands in the package.json that it brings.
  for (const { name } of plan.scripts.filter(
    (s) => s.action === 'kept' && s.build !== foundation,
  )) {
    lines.push(`  = package.json: script ${name} is there already`);
  }
  const required = plan.env.filter((variable) => variable.required);
  if (required.length > 0) {
    lines.push('Set these variables:');
    for (const { name, description } of required) {
      lines.push(`  ${name}${description === undefined ? '' : `  ${oneLine(description)}`}`);
    }
  }
  return lines;
}

function describeBuild(
  { id, version, action, from, required_by }: PlannedBuild,
  registry: string,
): string {
  if (action === 'remove') return `${id} ${version} is removed`;
  if (action === 'update') return `${id} ${from} -> ${version} from ${registry}`;
  const reason = required_by.length === 0 ? '' : `, required by ${required_by.join(', ')}`;
  return `${id} ${version} from ${registry}${reason}`;
}
