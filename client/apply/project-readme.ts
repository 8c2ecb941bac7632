/** Writes the README.md of a new project whose foundation brings none. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrityOf } from '../../format/archive/integrity.ts';
import { field } from '../../format/document/canonical-json.ts';
import { ENV_EXAMPLE, PACKAGE_JSON } from '../edit/edited-files.ts';
import type { Plan } from '../plan/plan.ts';
import { findNodeManager } from '../project/package-managers.ts';
import { readJson } from '../project/read-file.ts';
import { PROJECT_README } from '../terminal/plan-text.ts';
import { needOfTests, pythonSteps } from './first-steps.ts';
import { formatCommand, type PackageCommand } from './package-command.ts';
import { setUpCommands } from './packages.ts';

interface Row {
  readonly command: string;
  readonly what: string;
}

/**
 * Writes the file into `project`, which has all other files of `plan`.
 * @param name that of the project's folder
 * @returns the plan with the file
 */
export async function addReadme(project: string, name: string, plan: Plan): Promise<Plan> {
  const path = join(project, PROJECT_README);
  if (existsSync(path)) return plan;
  const text = formatReadme(name, plan, await commandRows(project), (file) =>
    existsSync(join(project, file)),
  );
  writeFileSync(path, text);
  const after = integrityOf(Buffer.from(text));
  const edits = [...plan.edits, { path: PROJECT_README, action: 'create' as const, after }];
  return { ...plan, edits: edits.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function formatReadme(
  name: string,
  { builds }: Plan,
  rows: readonly Row[],
  has: (file: string) => boolean,
): string {
  const [foundation, ...modules] = builds.map(({ id, version }) => `\`${id}\` ${version}`);
  const from = modules.length === 0 ? foundation : `${foundation}, with ${modules.join(', ')}`;
  const notes = [
    [ENV_EXAMPLE, `Variables: copy \`${ENV_EXAMPLE}\`, which describes them, to \`.env\`.`],
    [
      'compose.yaml',
      'In production: `docker compose up --build`, with the required variables in `.env`.',
    ],
    ['AGENTS.md', 'How to work on it: [AGENTS.md](AGENTS.md).'],
  ].flatMap(([file = '', note]) => (has(file) ? [note] : []));
  const table = ['| Command | What it does |', '|---|---|'].concat(
    rows.map(({ command, what }) => `| ${cell(command)} | ${what} |`),
  );
  const parts = [
    // A folder may have any name: none of it may become markup.
    `# ${name.replaceAll(/[\\`*_[\]<>#|]/g, String.raw`\$&`)}`,
    `Started from ${from}.`,
    ...(rows.length === 0 ? [] : ['## Commands', table.join('\n')]),
    ...notes,
  ];
  return `${parts.join('\n\n')}\n`;
}

async function commandRows(project: string): Promise<Row[]> {
  const rows = (await setUpCommands(project)).map((command): Row => {
    // The other arguments are for the client, which runs it automatically.
    const isNode = command.args[0] === 'install';
    const typed = isNode ? { ...command, args: ['install'] } : command;
    return { command: formatCommand(typed), what: command.why ?? whatOf(command) };
  });
  const scripts = Object.entries(field(readJson(join(project, PACKAGE_JSON)), 'scripts') ?? {});
  const { name } = await findNodeManager(project);
  const run = name === 'deno' ? 'deno task' : `${name} run`;
  const ran = scripts
    .filter((script): script is [string, string] => typeof script[1] === 'string')
    .map(([script, value]): Row => {
      const need = script === 'test' ? needOfTests(project) : '';
      return { command: `${run} ${script}`, what: `${cell(value)}${need}` };
    });
  const python = pythonSteps(project).map(({ command, why }): Row => ({ command, what: why }));
  return [...rows, ...ran, ...python];
}

function whatOf({ args }: PackageCommand): string {
  return args.includes('install') ? 'installs the packages' : 'makes the environment';
}

function cell(code: string): string {
  return `\`${code
    .replaceAll('`', "'")
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s+/g, ' ')}\``;
}
