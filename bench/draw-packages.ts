/**
 * Scans a fresh draw of popular packages, to count how many the checks report. Measure first, correct the rules then, and
 * measure again with another seed: figures of a draw for which rules were corrected tell nothing.
 *
 *     node bench/draw-packages.ts --seed a --out draw-a.json
 *     node bench/draw-packages.ts --seed b --out draw-b.json --exclude draw-a.json
 *     node bench/draw-packages.ts --seed a --npm 5 --pypi 5 --npm-list names.txt
 *
 * The seed orders the names of the popular packages (`checks/package/`, or lists with a name a line), and the first ones that
 * have an archive are taken: 300 of npm, and 300 source distributions of PyPI. They are downloaded one after the other by
 * npm and pip, into a cache folder, and nothing of them is run. That asks a registry for hundreds of packages: use a mirror, or
 * a registry whose terms allow it. `--exclude` names earlier results: packages that were looked at are not drawn again.
 */
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import npm from '../checks/package/popular-npm.json' with { type: 'json' };
import pip from '../checks/package/popular-pip.json' with { type: 'json' };
import { fetchPackage } from './package-files.ts';
import type { Registry } from './package-files.ts';
import type { PackageFinding, ScannedPackage } from './scan-package.ts';

interface Drawn {
  readonly registry: Registry;
  readonly name: string;
  readonly risk: string;
  readonly findings: readonly PackageFinding[];
}

const SCAN = join(import.meta.dirname, 'scan-package.ts');
const TARGETS = { npm: 2, pypi: 5, danger: 0.3 };
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    npm: { type: 'string', default: '300' },
    pypi: { type: 'string', default: '300' },
    'npm-list': { type: 'string' },
    'pypi-list': { type: 'string' },
    exclude: { type: 'string', multiple: true, default: [] },
    cache: { type: 'string', default: join(tmpdir(), 'stackyard-bench-packages') },
    out: { type: 'string' },
  },
});
const { seed } = values;
if (seed === undefined) throw new Error('Name a seed: --seed <word>');
const seen = new Set(
  values.exclude.flatMap((file) =>
    (JSON.parse(readFileSync(file, 'utf8')) as Drawn[]).map((one) => `${one.registry} ${one.name}`),
  ),
);
const drawn = [
  ...draw('npm', namesIn(values['npm-list'], npm.names), Number(values.npm)),
  ...draw('pypi', namesIn(values['pypi-list'], pip.names), Number(values.pypi)),
];
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(drawn, null, 2)}\n`);
report(drawn);

function namesIn(file: string | undefined, known: readonly string[]): readonly string[] {
  if (file === undefined) return known;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((name) => name !== '');
}

/** The first `count` packages in the order of the seed that have an archive. */
function draw(registry: Registry, names: readonly string[], count: number): Drawn[] {
  const found: Drawn[] = [];
  const order = names
    .filter((name) => !seen.has(`${registry} ${name}`))
    .map((name) => ({ name, key: createHash('sha256').update(`${seed} ${name}`).digest('hex') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { name } of order) {
    if (found.length >= count) break;
    const folder = fetched(registry, name);
    if (folder === undefined) continue;
    const { status, stdout } = spawnSync(process.execPath, [SCAN, folder], {
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    // A scan that ends early is a fault of the checks, and counts as one.
    const scanned = status === 0 ? (JSON.parse(stdout) as ScannedPackage) : undefined;
    found.push({
      registry,
      name,
      risk: scanned?.risk ?? 'failed',
      findings: scanned?.findings ?? [],
    });
  }
  return found;
}

function fetched(registry: Registry, name: string): string | undefined {
  try {
    return fetchPackage(registry, name, resolve(values.cache));
  } catch {
    console.error(`${registry} ${name} could not be downloaded and was left out`);
    return undefined;
  }
}

function report(all: readonly Drawn[]): void {
  const reported = all.filter(({ risk }) => risk !== 'ok');
  for (const { registry, name, risk, findings } of reported) {
    const causes = findings.map(({ code, file, line }) => `${code} ${file}:${line}`);
    console.log(`- ${registry} ${name} (${risk}): ${[...new Set(causes)].slice(0, 5).join(', ')}`);
  }
  for (const registry of ['npm', 'pypi'] as const) {
    const of = all.filter((one) => one.registry === registry);
    const count = reported.filter((one) => one.registry === registry).length;
    console.log(`${registry}: ${share(count, of.length)} reported, target ${TARGETS[registry]} %`);
  }
  const dangers = all.filter(({ risk }) => risk === 'danger').length;
  console.log(`danger: ${share(dangers, all.length)}, target ${TARGETS.danger} %`);
}

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`;
}
