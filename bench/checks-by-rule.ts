/**
 * Measures how fast builds are checked, and which rule takes how much: every package in `node_modules` as a build of its own,
 * on one core.
 *
 *     node bench/checks-by-rule.ts [<folder>]
 *
 * The floor, in the same run, is only the native parser on the same files, without reading the trees.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import type { Finding } from '../format/finding/finding.ts';
import { allRules } from '../checks/rules/all.ts';
import type { Rule } from '../checks/rule.ts';
import type { BuildContent, BuildFile } from '../checks/scanned-file.ts';
import { deriveCapabilities } from '../checks/capabilities.ts';
import { openBuild } from '../checks/open-build.ts';
import { riskOf } from '../examine/risk.ts';
import { BENCH_MANIFEST } from './bench-manifest.ts';

if (process.env['BENCH_PINNED'] === undefined && availableParallelism() > 1) {
  // One core, so that other work on the machine is not counted.
  const env = { ...process.env, BENCH_PINNED: 'yes' };
  const args = ['-c', '0', process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  execFileSync('taskset', args, { env, stdio: 'inherit' });
} else {
  measure(resolve(process.argv[2] ?? 'node_modules'));
}

function measure(root: string): void {
  const builds = packagesIn(root);
  const files = builds.reduce((sum, b) => sum + b.files.length, 0);
  const bytes = builds.reduce((sum, b) => sum + sizeOf(b.files), 0);
  const code = builds.flatMap((b) => b.files).filter((f) => /\.[mc]?[jt]sx?$/.test(f.path));
  const floor = timed(() => {
    for (const { path, bytes: content } of code)
      void parseSync(path, decode(content)).errors.length;
  });
  const shares = new Map<string, number>();
  const risks = new Map<string, number>();
  let slowest = { id: '', milliseconds: 0 };
  const whole = timed(() => {
    for (const build of builds) {
      const milliseconds = timed(() => checkOne(build, shares, risks));
      if (milliseconds > slowest.milliseconds) slowest = { id: build.id, milliseconds };
    }
  });
  report('all checks', whole, files, bytes);
  report('floor: parsing alone', floor, code.length, sizeOf(code));
  for (const [name, milliseconds] of [...shares].sort((a, b) => b[1] - a[1])) {
    console.log(`  ${name.padEnd(24)} ${((100 * milliseconds) / whole).toFixed(1).padStart(5)} %`);
  }
  console.log(`slowest: ${slowest.id}, ${Math.round(slowest.milliseconds)} ms`);
  console.log(`risks: ${[...risks].map(([risk, count]) => `${risk} ${count}`).join(', ')}`);
}

/** Data that checks share (texts, trees, taint facts) is computed and timed before the first check needs it. */
function checkOne(
  build: BuildContent,
  shares: Map<string, number>,
  risks: Map<string, number>,
): void {
  const spend = (name: string, work: () => void): void => {
    shares.set(name, (shares.get(name) ?? 0) + timed(work));
  };
  const opened = openBuild(build);
  const found: Finding[] = [];
  spend('(decoding)', () => opened.files.forEach((f) => void f.text));
  spend('(parsing)', () => opened.files.forEach((f) => void f.syntax));
  spend('(taint)', () => void opened.taint);
  for (const check of allRules) spend(check.name, () => found.push(...run(check, opened)));
  spend('(capabilities)', () => void deriveCapabilities(opened));
  const risk = riskOf(found);
  risks.set(risk, (risks.get(risk) ?? 0) + 1);
}

function run(check: Rule, opened: ReturnType<typeof openBuild>): Finding[] {
  return check.run(opened);
}

function packagesIn(root: string): BuildContent[] {
  const names = readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith('.')) return [];
    if (!entry.name.startsWith('@')) return [entry.name];
    return readdirSync(join(root, entry.name)).map((name) => `${entry.name}/${name}`);
  });
  return names.map((name) => {
    return { id: name, manifest: BENCH_MANIFEST, files: filesIn(join(root, name)) };
  });
}

function filesIn(folder: string): BuildFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((e) => e.isFile() && !e.parentPath.slice(folder.length).includes('/node_modules'))
    .map((e) => {
      const path = join(e.parentPath, e.name);
      return { path: path.slice(folder.length + 1), bytes: readFileSync(path), executable: false };
    });
}

function report(name: string, milliseconds: number, files: number, bytes: number): void {
  const seconds = milliseconds / 1000;
  const speed = `${Math.round(files / seconds)} files/s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s`;
  console.log(
    `${name}: ${speed} (${files} files, ${(bytes / 1e6).toFixed(1)} MB, ${seconds.toFixed(1)} s)`,
  );
}

function sizeOf(files: readonly BuildFile[]): number {
  return files.reduce((sum, f) => sum + f.bytes.length, 0);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
