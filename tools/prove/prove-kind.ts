/**
 * Proves our modules in a project that was made without our client: its type check and its tests before and after, the
 * modules in use, and a removal that leaves every byte as it was.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { ProjectKind } from './project-kind.ts';

/** The results of one kind, by column of the page; `–` where the project has nothing of the sort. */
export interface KindProof {
  readonly kind: ProjectKind;
  readonly cells: Readonly<Record<KindColumn, string>>;
  readonly failures: readonly string[];
}

export const KIND_COLUMNS = [
  'Type check before',
  'Tests before',
  'Type check after',
  'Tests after',
  'In use',
  'Removal',
] as const;
type KindColumn = (typeof KIND_COLUMNS)[number];

/** What belongs to the package manager: it writes these again on every change. */
const NOT_OURS = new Set([
  'node_modules',
  'package-lock.json',
  'dist',
  '.vite',
  'tsconfig.tsbuildinfo',
]);

/** @param client runs the client with these arguments in the project */
export async function proveKind(
  kind: ProjectKind,
  project: string,
  client: (...args: string[]) => Promise<string>,
): Promise<KindProof> {
  const failures: string[] = [];
  const run = (command: string): boolean => {
    const env = { ...process.env, NODE_ENV: 'test', CI: '1', NO_COLOR: '1' };
    const { status, stdout, stderr } = spawnSync(command, {
      cwd: project,
      env,
      shell: true,
      encoding: 'utf8',
    });
    if (status !== 0) {
      failures.push(`"${command}" ended with status ${status}: ${(stdout + stderr).slice(-2000)}`);
    }
    return status === 0;
  };
  const cell = (command: string | undefined): string => {
    if (command === undefined) return '–';
    return run(command) ? 'passed' : 'FAILED';
  };

  await create(kind, project);
  run('npm install --no-audit --no-fund --loglevel=error --ignore-scripts');
  const before = readTree(project);
  const typesBefore = cell(kind.typeCheck);
  const testsBefore = cell(kind.test);
  await client('add', ...kind.builds);
  const typesAfter = cell(kind.typeCheck);
  const testsAfter = cell(kind.test);
  const inUse = use(kind, project, cell);
  await client('remove', ...[...kind.builds].reverse());
  const difference = compareTrees(before, readTree(project));
  if (difference !== undefined) failures.push(`After the removal ${difference}`);
  return {
    kind,
    failures,
    cells: {
      'Type check before': typesBefore,
      'Tests before': testsBefore,
      'Type check after': typesAfter,
      'Tests after': testsAfter,
      'In use': inUse,
      Removal: difference === undefined ? 'every byte as before' : 'FAILED',
    },
  };
}

async function create({ generator, files }: ProjectKind, project: string): Promise<void> {
  mkdirSync(dirname(project), { recursive: true });
  if (generator !== undefined) {
    const [id = '', ...args] = generator;
    const name = relative(dirname(project), project);
    const options = { cwd: dirname(project) };
    await promisify(execFile)('npx', ['--yes', id, name, ...args], options);
  }
  write(project, files);
}

/** Writes what its people would write, runs it, and takes it back. */
function use(
  kind: ProjectKind,
  project: string,
  cell: (command: string | undefined) => string,
): string {
  if (kind.use === undefined) return '–';
  const { files, command } = kind.use;
  const old = Object.fromEntries(
    Object.keys(files)
      .filter((path) => existsSync(join(project, path)))
      .map((path) => [path, readFileSync(join(project, path), 'utf8')]),
  );
  write(project, files);
  const result = cell(command);
  for (const path of Object.keys(files)) rmSync(join(project, path));
  write(project, old);
  return result;
}

function write(project: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

/** The digest of every file of a project, by path. */
function readTree(project: string): Map<string, string> {
  const tree = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (NOT_OURS.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else {
        const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
        tree.set(relative(project, path), digest);
      }
    }
  };
  visit(project);
  return tree;
}

function compareTrees(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string | undefined {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const different = paths.filter((path) => before.get(path) !== after.get(path));
  return different.length === 0 ? undefined : `these files differ: ${different.join(', ')}`;
}
