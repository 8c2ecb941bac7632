/** A plan in words. */
import type { Plan } from '../plan.ts';
import { oneLine } from '../terminal.ts';

const MARKS = { create: '+', replace: '!', identical: '=', skip: '-' } as const;
const NOTES = {
  create: '',
  replace: '  replaced',
  identical: '  there already',
  skip: '  yours is kept',
} as const;

/** Lines for people: builds, files, edits, variables. */
export function describePlan(plan: Plan): string[] {
  const lines: string[] = [];
  for (const build of plan.builds) {
    const reason =
      build.required_by.length === 0 ? '' : `, required by ${build.required_by.join(', ')}`;
    lines.push(`${build.id} ${build.version} from ${plan.registry}${reason}`);
    for (const file of plan.files.filter((f) => f.build === build.id)) {
      lines.push(`  ${MARKS[file.action]} ${file.path}${NOTES[file.action]}`);
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
