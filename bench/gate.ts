/**
 * Measures the speed of the gate: seconds for a pull request of one build in a large registry, including the start
 * of the program.
 *
 *     npm run bench:gate -- [--builds N] [--versions N] [--rounds N]
 *
 * Prints the best and the median of the rounds, for a new version of a build and for a new name, which is
 * compared with every other; the lowest processor time including git's, which other work on the machine
 * affects least; and the highest peak memory.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeRepository, publishOne } from './made-repository.ts';
import { median } from './paired.ts';
import { repositoryOptions } from './repository-options.ts';

const options = repositoryOptions({ builds: 10_000, versions: 1, files: 8, rounds: 5 });
const { builds, versions, files, rounds } = options;
const folder = mkdtempSync(join(options.folder, 'stackyard-bench-'));
const repository = join(folder, 'repository');
const GATE = join(import.meta.dirname, '../generator/commands/gate.ts');
const ACCOUNT = '7';

try {
  await makeRepository(repository, { builds, versions, files });
  const owner = `owner-${Math.floor(builds / 2 / 4)}`;
  ownBy(owner);
  const base = git('rev-parse', 'main');
  const update = await proposal(base, Math.floor(builds / 2), versions);
  // The first number that no build has; its folder belongs to the same owner.
  const name = newName(base, owner);
  report('a new version', measure(base, update, owner), 'merge');
  report('a new name', measure(base, name, owner), 'review');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Adds an account to the owner's folder, as in the base branch of a registry. */
function ownBy(owner: string): void {
  commitFile(`builds/${owner}/owner.json`, JSON.stringify({ account_id: Number(ACCOUNT) }), 'main');
}

async function proposal(base: string, build: number, version: number): Promise<string> {
  await publishOne(repository, build, version, files);
  const head = git('rev-parse', 'main');
  git('update-ref', 'refs/heads/main', base);
  return head;
}

function newName(base: string, owner: string): string {
  const manifest = {
    name: 'painted-harbours',
    version: '1.0.0',
    kind: 'module',
    description: 'A new name, for measuring',
    license: 'MIT',
  };
  const path = `builds/${owner}/painted-harbours/stackyard.json`;
  git('update-ref', 'refs/heads/name', base);
  commitFile(path, JSON.stringify(manifest), 'name');
  return git('rev-parse', 'name');
}

function commitFile(path: string, text: string, branch: string): void {
  const head = `commit refs/heads/${branch}\ncommitter Bench <bench@example.org> 1790000000 +0000\n`;
  const body = `data 1\nx\nfrom refs/heads/${branch}^0\nM 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  execFileSync('git', ['fast-import', '--quiet'], { cwd: repository, input: `${head}${body}\n` });
}

interface Measured {
  readonly seconds: readonly number[];
  readonly processor: number;
  readonly peakMb: number;
  readonly verdict: string;
}

function measure(base: string, head: string, owner: string): Measured {
  const args = ['--repo', repository, '--base', base, '--head', head, '--json'];
  const author = ['--author', owner, '--author-id', ACCOUNT];
  const seconds: number[] = [];
  let [processor, peakMb, verdict] = [Infinity, 0, ''];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const { stdout, stderr } = spawnSync(
      '/usr/bin/time',
      ['-f', '%U %S %M', process.execPath, GATE, ...args, ...author],
      { encoding: 'utf8' },
    );
    seconds.push((performance.now() - started) / 1000);
    const [user = 0, system = 0, peakKb = 0] = (stderr.trim().split('\n').at(-1) ?? '')
      .split(' ')
      .map(Number);
    processor = Math.min(processor, user + system);
    peakMb = Math.max(peakMb, peakKb / 1024);
    ({ verdict } = JSON.parse(stdout) as { verdict: string });
  }
  return { seconds, processor, peakMb, verdict };
}

function report(
  what: string,
  { seconds, processor, peakMb, verdict }: Measured,
  expected: string,
): void {
  // With another verdict the gate would do other work, and the figure would be wrong.
  if (verdict !== expected) throw new Error(`${what}: verdict ${verdict}, expected ${expected}`);
  const best = Math.min(...seconds);
  const figures = `best ${best.toFixed(2)} s, median ${median(seconds).toFixed(2)} s`;
  const cost = `processor ${processor.toFixed(2)} s, peak ${peakMb.toFixed(0)} MB`;
  console.log(`${what} among ${builds} builds: ${figures}, ${cost}`);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();
}
