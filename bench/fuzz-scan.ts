/**
 * Scans mutated files as a run of the generator does, to find what ends a scan: builds in processes of their own, with the native
 * parser.
 *
 *     npm run fuzz:scan -- [--files N] [--seed N] [--each N] [--processes N] [--keep DIR]
 *
 * The seeds are the cases of `tests/builds/` and sources of packages in `node_modules/`. A file is cut, doubled, mixed with another
 * one, nested, filled with one token, or changed at single bytes; `--each` files are one build (default: 20). The same number of
 * files and the same seed make the same files. Prints what ended a process, which rule failed, the slowest builds and the
 * processor time; `--keep` writes the files of what was found. Exit status 1: a scan ended its process or a check failed.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ExaminedBuild } from '../scan/examine-build.ts';
import { JobFailed, ScanEnded, ScanProcess } from '../scan/scan-process.ts';
import { findingMessage } from '../format/finding/finding.ts';
import { readRuleCases } from '../tests/read-rule-cases.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '20' },
    processes: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
});
const ROOT = join(import.meta.dirname, '..');
const PROGRAM = new URL('../scan/examiner.ts', import.meta.url);
const [total, each, processes] = [values.files, values.each, values.processes].map(Number) as [
  number,
  number,
  number,
];
const KINDS = ['.js', '.ts', '.tsx', '.jsx', '.cjs', '.mjs', '.py', '.md', '.sh', '.toml', '.json'];
const MAX_SEED = 60_000;
/** Of one kind, from packages. */
const MAX_SEEDS = 250;
/** A build that takes more seconds of processor time is listed. */
const SLOW = 5;
const TOKENS = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '<',
  '>',
  '"',
  "'",
  '`',
  '${',
  '"""',
  'f"{',
  'rf"""{',
  '}"',
  '\\',
  'require("',
  'import("',
  'eval(',
  'exec(',
  'await ',
  'not ',
  '-',
  '!',
  '=>',
  'a=>',
  '?',
  ':',
  ',',
  '\n',
  '\r\n',
  '\t',
  '\0',
  '\u2028',
  '\uFEFF',
  '\u{1F600}',
  '\uD800',
  '/*',
  '*/',
  '//',
  '#',
  '<!--',
  '-->',
  '<a>',
  '</a>',
  '<T>(',
  '@a ',
  'class A {',
  'function*(){',
  'async ',
  'yield ',
  'if(a)',
  'else ',
  'case ',
  'lambda: ',
  'if a:\n ',
  'match a:\n case ',
  '<<EOF\n',
  '$(',
  '`a`',
  '| sh\n',
  '[a]\n',
  'a = ',
  '{"a":',
  '> ',
  '- ',
] as const;

/** Small, fast, and the same everywhere (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const random = randomNumbers(Number(values.seed));
const pick = <Item>(all: readonly Item[]): Item => all[random(all.length)]!;

interface Seed {
  readonly ending: string;
  readonly text: string;
}

function readSeeds(): Seed[] {
  const cases = readRuleCases().flatMap(({ files }) => files);
  const known = cases.map(({ path, bytes }) => ({ path, text: Buffer.from(bytes).toString() }));
  const packages = join(ROOT, 'node_modules');
  const found = readdirSync(packages, { recursive: true, encoding: 'utf8' }).sort();
  const counts = new Map<string, number>();
  // Every 37th file: those of many packages.
  const chosen = found.filter((path, at) => {
    const ending = extname(path);
    if (at % 37 !== 0 || !KINDS.includes(ending)) return false;
    const count = (counts.get(ending) ?? 0) + 1;
    counts.set(ending, count);
    return count <= MAX_SEEDS;
  });
  const sources = chosen.map((path) => ({ path, text: tryRead(join(packages, path)) }));
  return [...known, ...sources]
    .filter(({ path, text }) => KINDS.includes(extname(path)) && text.length > 0)
    .map(({ path, text }) => ({ ending: extname(path), text: text.slice(0, MAX_SEED) }));
}

function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const seeds = readSeeds();

function mutated(): { ending: string; bytes: Buffer } {
  const { ending, text: original } = pick(seeds);
  let text = original;
  for (let times = 1 + random(4); times > 0; times -= 1)
    text = mutation(text).slice(0, 4 * MAX_SEED);
  const bytes = Buffer.from(text);
  if (random(4) === 0) {
    for (let times = random(8); times > 0; times -= 1) bytes[random(bytes.length)] = random(256);
  }
  return { ending: random(10) === 0 ? pick(KINDS) : ending, bytes };
}

function mutation(text: string): string {
  const [from, size] = [random(text.length + 1), random(2_000)];
  const part = text.slice(from, from + size);
  const before = text.slice(0, from);
  const after = text.slice(from + size);
  const token = pick(TOKENS);
  switch (random(9)) {
    case 0:
      return before + after;
    case 1:
      return before + part.repeat(2 + random(20)) + after;
    case 2:
      return before + pick(seeds).text.slice(0, size) + after;
    case 3:
      return before + token.repeat(1 + random(random(4) === 0 ? 5_000 : 20)) + text.slice(from);
    case 4: {
      // Nested, closed or not.
      const close = random(2) === 0 ? '' : Array.from(token).reverse().map(closing).join('');
      const depth = 1 + random(random(4) === 0 ? 6_000 : 400);
      return before + token.repeat(depth) + part + close.repeat(depth) + after;
    }
    case 5:
      return text.replaceAll(pick(TOKENS), token);
    case 6:
      return (
        before +
        part
          .split('')
          .sort(() => random(3) - 1)
          .join('') +
        after
      );
    case 7:
      return text.replaceAll(/\b\w+\b/g, (word) => (random(40) === 0 ? token : word));
    default:
      return before + token + text.slice(from);
  }
}

function closing(character: string): string {
  return { '(': ')', '[': ']', '{': '}', '<': '>' }[character] ?? character;
}

const MANIFEST = JSON.stringify({
  name: 'fuzz',
  version: '1.0.0',
  kind: 'module',
  description: 'Mutated files',
  license: 'MIT',
});

interface Source {
  readonly path: string;
  readonly bytes: Buffer;
}

let made = 0;
let scanned = 0;

function nextBuild(): readonly Source[] {
  const files: Source[] = [{ path: 'stackyard.json', bytes: Buffer.from(MANIFEST) }];
  for (let n = 0; n < each && made < total; n += 1, made += 1) {
    const { ending, bytes } = mutated();
    files.push({ path: `src/f${made}${ending}`, bytes });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const counts = { builds: 0, invalid: 0, unread: 0, ended: 0, failed: 0 };
const slow: { seconds: number; first: string }[] = [];
let used = 0;

async function scanBuilds(): Promise<void> {
  let process = start();
  while (made < total) {
    const files = nextBuild();
    const first = files[0]?.path ?? '';
    try {
      const examined = await examine(process, files);
      report(examined, files);
    } catch (error) {
      if (error instanceof JobFailed) found('failed', error.message, files);
      else if (error instanceof ScanEnded) {
        const { cause, detail } = error.end;
        found('ended', `${cause} ${detail}`, files);
        process = start();
      } else throw error;
    }
    const seconds = process.take();
    used += seconds;
    if (seconds > SLOW) {
      slow.push({ seconds, first });
      keep(`slow-${first.replaceAll('/', '-')}`, files);
    }
  }
  process.close();
}

function start(): ScanProcess {
  return new ScanProcess({ program: PROGRAM, setup: null });
}

function examine(process: ScanProcess, files: readonly Source[]): Promise<ExaminedBuild> {
  const listed = files.map(({ path, bytes }) => {
    return { path, isUtf8Path: true, type: 'file', size: bytes.length, bytes };
  });
  const source = { owner: 'fuzz', name: 'fuzz', source: { files: listed, isCut: false } };
  return process.perform({ ask: 'build', source, care: {} }) as Promise<ExaminedBuild>;
}

function report({ valid, findings }: ExaminedBuild, files: readonly Source[]): void {
  counts.builds += 1;
  scanned += files.length - 1;
  if (valid === undefined) counts.invalid += 1;
  counts.unread += findings.filter(({ code }) => code === 'source-unread').length;
  for (const one of findings)
    if (one.code === 'check-failed') found('failed', findingMessage(one), files);
}

function found(kind: 'ended' | 'failed', what: string, files: readonly Source[]): void {
  counts[kind] += 1;
  const first = files.at(-1)?.path ?? '';
  console.log(`${kind}: ${what} (build with ${first})`);
  keep(`${kind}-${counts[kind]}`, files);
}

function keep(name: string, files: readonly Source[]): void {
  if (values.keep === undefined) return;
  for (const { path, bytes } of files) {
    const file = join(values.keep, name, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, bytes);
  }
}

// Ends early, with what it has.
process.once('SIGINT', () => (made = Math.max(made, total)));
const progress = setInterval(() => {
  process.stderr.write(`${scanned} of ${total} files, ${used.toFixed(0)} s of processor time\n`);
}, 30_000);
await Promise.all(Array.from({ length: processes }, scanBuilds));
clearInterval(progress);
const { builds, invalid, unread, ended, failed } = counts;
console.log(
  `${scanned} files in ${builds} builds (${invalid} of no valid form), seed ${values.seed}`,
);
console.log(`${unread} files unread, ${ended} scans ended their process, ${failed} checks failed`);
for (const { seconds, first } of slow.sort((a, b) => b.seconds - a.seconds).slice(0, 10)) {
  console.log(`slow: ${seconds.toFixed(1)} s (build with ${first})`);
}
console.log(
  `${used.toFixed(0)} s of processor time, ${((used / scanned) * 1e3).toFixed(2)} ms a file`,
);
process.exitCode = ended + failed > 0 ? 1 : 0;
