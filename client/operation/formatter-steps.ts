/** Names the project's formatter after an update, which writes files as their publisher formats them. */
import { findFormatters } from '../project/stack/formatters.ts';
import { findWorkspaceRoot } from '../project/workspace-root.ts';
import type { NextStep } from '../output-schema/envelope.ts';
import type { Plan } from '../plan/plan.ts';
import { nodeCommand } from './package-manager.ts';

/** More files are not listed: then the whole project is formatted. */
const MAX_LISTED = 5;
const WRITTEN = new Set(['create', 'replace', 'merge']);
const NODE_FILE = /\.(?:[cm]?[jt]sx?|jsonc?|css)$/i;
const PYTHON_FILE = /\.pyi?$/i;

/** Runs a program of node_modules, by package manager. */
const RUNNERS: Readonly<Record<string, string>> = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  yarn: 'yarn',
  bun: 'bunx',
};

/** The formatter commands for the files that `plan` writes; none for other plans than updates. */
export async function formatterSteps(project: string, plan: Plan): Promise<NextStep[]> {
  if (plan.command !== 'update') return [];
  const written = plan.files.filter(({ action }) => WRITTEN.has(action)).map(({ path }) => path);
  const steps: NextStep[] = [];
  for (const { kind, command } of findFormatters(project, findWorkspaceRoot(project))) {
    const pattern = kind === 'python' ? PYTHON_FILE : NODE_FILE;
    const files = written.filter((path) => pattern.test(path));
    if (files.length === 0) continue;
    const why = 'formats the files that the update wrote';
    const targets = files.length > MAX_LISTED ? '.' : files.map(quoted).join(' ');
    if (kind === 'python') {
      steps.push({ command: `${command} ${targets}`, why });
      continue;
    }
    const { program } = await nodeCommand(project);
    const run = kind === 'script' ? `${program} run ${command}` : '';
    steps.push({
      command: run === '' ? `${RUNNERS[program] ?? 'npx'} ${command} ${targets}` : run,
      why,
    });
  }
  return steps;
}

function quoted(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
