/**
 * Measures the gate on a made repository: a new version of a build, and a new name, which is compared with every other;
 * each without and with filters of changed paths in git's commit-graph.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildFolder, ownerFilePath } from '../format/registry/repository-layout.ts';
import type { MadeRepository } from './made-repository.ts';
import { publishOne } from './made-repository.ts';
import { measureProcess } from './measured-process.ts';
import type { MeasuredProcess } from './measured-process.ts';

const GATE = join(import.meta.dirname, '../generator/main.ts');
const ACCOUNT = 7;

export interface MeasuredGate {
  readonly what: string;
  /** One for each round. */
  readonly measured: readonly MeasuredProcess[];
}

/** Changes the repository: adds an owner's file, branches, and the filters. */
export async function* measureGate(
  repository: string,
  { builds, versions, files, layout = 'flat' }: MadeRepository,
  rounds: number,
): AsyncGenerator<MeasuredGate> {
  const build = Math.floor(builds / 2);
  const owner = `owner-${Math.floor(build / 4)}`;
  const file = JSON.stringify({ account_id: ACCOUNT });
  commitFiles(repository, 'main', { [ownerFilePath(owner, layout)]: file });
  const base = git(repository, 'rev-parse', 'main');
  await publishOne(repository, build, versions + 9, files, undefined, layout);
  const update = git(repository, 'rev-parse', 'main');
  git(repository, 'update-ref', 'refs/heads/main', base);
  git(repository, 'update-ref', 'refs/heads/name', base);
  commitFiles(repository, 'name', newBuild(`${owner}/painted-harbours`, layout));
  const name = git(repository, 'rev-parse', 'name');
  for (const graph of ['', ', with filters of paths']) {
    if (graph !== '') git(repository, 'commit-graph', 'write', '--reachable', '--changed-paths');
    for (const [what, head, expected] of [
      ['a new version', update, 'merge'],
      ['a new name', name, 'review'],
    ] as const) {
      const measured: MeasuredProcess[] = [];
      for (let round = 0; round < rounds; round += 1) {
        measured.push(await judge(repository, { base, head, owner }, expected));
      }
      yield { what: `${what}${graph}`, measured };
    }
  }
}

async function judge(
  repository: string,
  { base, head, owner }: { base: string; head: string; owner: string },
  expected: string,
): Promise<MeasuredProcess> {
  const args = ['--repo', repository, '--base', base, '--head', head, '--json'];
  const author = ['--author', owner, '--author-id', String(ACCOUNT)];
  const run = await measureProcess([GATE, 'gate', ...args, ...author]);
  // With another verdict the gate would do other work, and the figure would be wrong.
  const { verdict } = JSON.parse(run.stdout) as { verdict: string };
  if (verdict !== expected) throw new Error(`Verdict ${verdict}, expected ${expected}`);
  return run;
}

/** A whole valid build, so that the gate does all its work. */
function newBuild(id: string, layout: 'flat' | 'sharded'): Record<string, string> {
  const folder = buildFolder(id, layout);
  const manifest = {
    name: id.split('/')[1],
    version: '1.0.0',
    kind: 'module',
    description: 'A new name, for measuring',
    license: 'MIT',
    base: 'src/harbours',
  };
  return {
    [`${folder}/stackyard.json`]: JSON.stringify(manifest),
    [`${folder}/README.md`]: '# Painted harbours\n\nA build for measuring.\n',
    [`${folder}/LICENSE`]: 'MIT License\n',
    [`${folder}/src/harbours.ts`]: 'export const harbours = 1;\n',
  };
}

function commitFiles(
  repository: string,
  branch: string,
  files: Readonly<Record<string, string>>,
): void {
  const seconds = Number(git(repository, 'log', '-1', '--format=%ct', branch)) + 60;
  const head = `commit refs/heads/${branch}\ncommitter Bench <bench@example.org> ${seconds} +0000\n`;
  const contents = Object.entries(files).map(([path, text]) => {
    return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  });
  const input = `${head}data 1\nx\nfrom refs/heads/${branch}^0\n${contents.join('')}\n`;
  execFileSync('git', ['fast-import', '--quiet'], { cwd: repository, input });
}

function git(repository: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
