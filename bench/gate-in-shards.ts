/** Measures the gate on a made repository in shards: a new version of a build, and a new name, by their owner. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildFolder, ownerFilePath } from '../format/registry/repository-layout.ts';
import type { MadeRepository } from './made-repository.ts';
import { publishOne } from './made-repository.ts';
import { measureProcess } from './measured-process.ts';
import type { MeasuredProcess } from './measured-process.ts';

const GATE = join(import.meta.dirname, '../generator/commands/gate.ts');
const ACCOUNT = 7;

export interface MeasuredGate {
  readonly what: string;
  readonly measured: MeasuredProcess;
}

export async function measureGate(
  repository: string,
  { builds, versions, files }: MadeRepository,
): Promise<MeasuredGate[]> {
  const build = Math.floor(builds / 2);
  const owner = `owner-${Math.floor(build / 4)}`;
  const file = JSON.stringify({ account_id: ACCOUNT });
  commitFile(repository, 'main', ownerFilePath(owner, 'sharded'), file);
  const base = git(repository, 'rev-parse', 'main');
  await publishOne(repository, build, versions + 9, files, undefined, 'sharded');
  const update = git(repository, 'rev-parse', 'main');
  git(repository, 'update-ref', 'refs/heads/main', base);
  git(repository, 'update-ref', 'refs/heads/name', base);
  const name = 'painted-harbours';
  const manifest = {
    name,
    version: '1.0.0',
    kind: 'module',
    description: 'A new name, for measuring',
    license: 'MIT',
  };
  const added = buildFolder(`${owner}/${name}`, 'sharded');
  commitFile(repository, 'name', `${added}/stackyard.json`, JSON.stringify(manifest));
  commitFile(repository, 'name', `${added}/src/harbours.ts`, 'export const harbours = 1;\n');
  const measured: MeasuredGate[] = [];
  for (const [what, head, expected] of [
    ['a new version', update, 'merge'],
    ['a new name', git(repository, 'rev-parse', 'name'), 'review'],
  ] as const) {
    const args = ['--repo', repository, '--base', base, '--head', head, '--json'];
    const author = ['--author', owner, '--author-id', String(ACCOUNT)];
    const run = await measureProcess([GATE, ...args, ...author]);
    // With another verdict the gate would do other work, and the figure would be wrong.
    const { verdict } = JSON.parse(run.stdout) as { verdict: string };
    if (verdict !== expected) throw new Error(`${what}: verdict ${verdict}, expected ${expected}`);
    measured.push({ what, measured: run });
  }
  return measured;
}

function commitFile(repository: string, branch: string, path: string, text: string): void {
  const seconds = Number(git(repository, 'log', '-1', '--format=%ct', branch)) + 60;
  const head = `commit refs/heads/${branch}\ncommitter Bench <bench@example.org> ${seconds} +0000\n`;
  const body = `data 1\nx\nfrom refs/heads/${branch}^0\nM 100644 inline ${path}\n`;
  const content = `data ${Buffer.byteLength(text)}\n${text}\n`;
  const input = `${head}${body}${content}\n`;
  execFileSync('git', ['fast-import', '--quiet'], { cwd: repository, input });
}

function git(repository: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();
}
