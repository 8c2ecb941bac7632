/**
 * Measures the checks on the largest packages of npm and PyPI, and beside GuardDog on the same files in the same run.
 *
 *     npm run bench:checks                                    all
 *     npm run bench:checks -- --only largest --cache <folder>
 *     npm run bench:checks -- --only guarddog
 *     npm run bench:checks -- --tiny                          one small package that is installed here, to show that it runs
 *
 * Packages are downloaded once by npm and pip into the cache folder; of one that exceeds the limits of a build, as much as fits
 * is checked. GuardDog is installed there as well, unless GUARDDOG names the program. Each scan is a process of its own, measured
 * with its start. Targets are judged by processor time, which other work on the machine does not change much. Exits with
 * status 1 when a target is missed: 20 s and 1 GB for each build, three times the speed of GuardDog for all of them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fetchPackage } from './package-files.ts';
import type { Registry } from './package-files.ts';
import type { ScannedPackage } from './scan-package.ts';

const LARGEST: readonly (readonly [Registry, string])[] = [
  ['npm', 'next'],
  ['npm', 'typescript@5.9.3'],
  ['npm', 'aws-cdk-lib'],
  ['npm', 'googleapis'],
  ['npm', 'monaco-editor'],
  ['npm', 'three'],
  ['pypi', 'transformers'],
  ['pypi', 'sympy'],
  ['pypi', 'django'],
  ['pypi', 'botocore'],
  ['pypi', 'ansible'],
];
/** Small enough for both in a few minutes; GuardDog has a scanner for each registry. */
const COMPARED: readonly (readonly [Registry, string])[] = [
  ['npm', 'three'],
  ['pypi', 'django'],
];
const GUARDDOG = 'guarddog==3.2.0';
const [MAX_SECONDS, MAX_BYTES, MIN_RATIO] = [20, 1e9, 3];
const MEASURE = join(import.meta.dirname, 'peers/run-measured.py');
const SCAN = join(import.meta.dirname, 'scan-package.ts');

interface Measured {
  readonly out: string;
  readonly status: number;
  readonly seconds: number;
  readonly processor: number;
  readonly peakBytes: number;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    cache: { type: 'string' },
    tiny: { type: 'boolean', default: false },
  },
});
const cache = resolve(values.cache ?? join(tmpdir(), 'stackyard-bench-packages'));
const missed: string[] = [];
if (values.tiny) measureInstalled('yaml');
else {
  if (values.only !== 'guarddog') measureLargest();
  if (values.only !== 'largest') compare();
}
for (const one of missed) console.log(`missed: ${one}`);
if (missed.length > 0) process.exitCode = 1;

function measureInstalled(name: string): void {
  printHead();
  const ours = scan(join(import.meta.dirname, '../node_modules', name));
  line(name, ours.codeBytes, ours.bytes, ours);
}

function measureLargest(): void {
  printHead();
  for (const [registry, name] of LARGEST) {
    const folder = fetchPackage(registry, name, cache);
    if (folder === undefined) throw new Error(`${registry} has no ${name}`);
    const ours = scan(folder);
    const { codeBytes, bytes, isCut, processor } = ours;
    line(`${registry} ${name}${isCut ? ' (cut)' : ''}`, codeBytes, bytes, ours);
    if (processor > MAX_SECONDS) missed.push(`${name} takes ${processor.toFixed(1)} s`);
    if (ours.peakBytes > MAX_BYTES) missed.push(`${name} takes ${megabytes(ours.peakBytes)} MB`);
  }
}

function compare(): void {
  const program = findGuardDog();
  if (typeof program !== 'string') {
    console.log(`not compared with GuardDog: ${program.problem}`);
    return;
  }
  const [ours, theirs] = [
    { seconds: 0, processor: 0 },
    { seconds: 0, processor: 0 },
  ];
  let code = 0;
  for (const [registry, name] of COMPARED) {
    const folder = fetchPackage(registry, name, cache);
    if (folder === undefined) throw new Error(`${registry} has no ${name}`);
    const one = scan(folder);
    const other = measured([program, registry, 'scan', folder, '--output-format', 'json']);
    if (!other.out.includes('"results"')) throw new Error(`GuardDog did not scan ${name}`);
    line(`checks   ${name}`, one.codeBytes, one.bytes, one);
    line(`GuardDog ${name}`, one.codeBytes, one.bytes, other);
    code += one.codeBytes;
    for (const key of ['seconds', 'processor'] as const) {
      ours[key] += one[key];
      theirs[key] += other[key];
    }
  }
  for (const key of ['seconds', 'processor'] as const) {
    const ratio = theirs[key] / ours[key];
    console.log(
      `code by ${key}: checks ${rate(code, ours[key])}, GuardDog ${rate(code, theirs[key])}: ${ratio.toFixed(1)} times its speed`,
    );
    if (key === 'processor' && ratio < MIN_RATIO)
      missed.push(`${ratio.toFixed(1)} times the speed`);
  }
}

/** A scan measured from outside, as that of GuardDog. */
function scan(folder: string): ScannedPackage & Measured {
  const run = measured([process.execPath, '--max-semi-space-size=8', SCAN, folder]);
  return { ...(JSON.parse(run.out) as ScannedPackage), ...run };
}

function measured(command: readonly string[]): Measured {
  const out = execFileSync('python3', [MEASURE, ...command], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  }).trimEnd();
  const end = out.lastIndexOf('\n');
  return {
    out: out.slice(0, end).trim(),
    ...(JSON.parse(out.slice(end)) as Omit<Measured, 'out'>),
  };
}

function findGuardDog(): string | { readonly problem: string } {
  const named = process.env['GUARDDOG'];
  if (named !== undefined) return named;
  const environment = join(cache, 'guarddog');
  const program = join(environment, 'bin/guarddog');
  try {
    if (!existsSync(program)) {
      execFileSync('python3', ['-m', 'venv', environment], { stdio: 'pipe' });
      execFileSync(join(environment, 'bin/pip'), ['install', '-q', GUARDDOG], { stdio: 'pipe' });
    }
    execFileSync(program, ['--version'], { stdio: 'pipe' });
    return program;
  } catch (error) {
    return { problem: (error instanceof Error ? error.message : String(error)).split('\n')[0]! };
  }
}

function printHead(): void {
  console.log('package                      code MB     all MB    seconds  processor       peak');
}

function line(name: string, code: number, all: number, run: Omit<Measured, 'out'>): void {
  const cells = [megabytes(code), megabytes(all), `${run.seconds.toFixed(1)} s`];
  const more = [`${run.processor.toFixed(1)} s`, `${megabytes(run.peakBytes)} MB`];
  console.log(name.padEnd(28) + [...cells, ...more].map((cell) => cell.padStart(11)).join(''));
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

function rate(bytes: number, seconds: number): string {
  return `${(bytes / 1e6 / seconds).toFixed(1)} MB/s`;
}
