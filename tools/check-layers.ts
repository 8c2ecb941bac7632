/**
 * Fails when an import crosses a wall of `layers/walls.ts` or closes a cycle of files or folders (imports of
 * types count), when a pure place imports disk or network, when a file is longer than 500 lines, and when a
 * name is empty of meaning, such as "utils". `--graph` prints each place with the places that it imports.
 *
 *     examine/validate.ts: may not import generator/git/history.ts
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import fastGlob from 'fast-glob';
import { findCycles } from './layers/cycles.ts';
import { sourceImports } from './layers/source-imports.ts';
import type { SourceImport } from './layers/source-imports.ts';
import { EXCEPTIONS, IMPURE, MAY_TALK, NETWORK, OUTSIDE, PURE } from './layers/places.ts';
import { WALLS } from './layers/walls.ts';

const MAX_FILE_LINES = 500;

const EMPTY_NAMES = /^(?:utils?|helpers?|common|shared|misc|lib)(?:\.|$)/;

/** What `checkLayers` found. */
export interface Layers {
  /** One line each, beginning with the file. */
  readonly problems: readonly string[];
  /** Each place with the places that it imports, both sorted. */
  readonly graph: ReadonlyMap<string, readonly string[]>;
}

/** Checks every source file below the folder `root`. */
export function checkLayers(root: string): Layers {
  const files = sourceFiles(root);
  const sources = files.filter((file) => !/\.(?:test|contract)\.[mc]?[jt]s$/.test(file));
  const known = new Set(sources);
  const fileGraph = new Map<string, readonly string[]>();
  const placeGraph = new Map<string, Set<string>>();
  const problems = files.flatMap(nameProblems);
  for (const file of sources) {
    const source = readFileSync(join(root, file), 'utf8');
    const imports = sourceImports(file, source);
    problems.push(...lengthProblems(file, source), ...rowProblems(file));
    problems.push(...packageProblems(file, imports));
    const targets = imports
      .map(({ specifier }) => specifier)
      .filter((specifier) => /^\.\.?\//.test(specifier) && !specifier.endsWith('.json'))
      .map((specifier) => targetOf(file, specifier, known));
    fileGraph.set(file, targets);
    for (const target of targets) {
      if (!mayImport(file, target)) problems.push(`${file}: may not import ${target}`);
      addEdge(placeGraph, file, target);
    }
  }
  for (const cycle of [...findCycles(fileGraph), ...findCycles(placeGraph)]) {
    problems.push(`${cycle[0]}: import cycle ${cycle.join(' -> ')}`);
  }
  return { problems: [...new Set(problems)].sort(), graph: sorted(placeGraph) };
}

function sourceFiles(root: string): string[] {
  const rooms = new Set(Object.keys(WALLS).map((place) => place.split('/')[0]));
  return fastGlob
    .sync(`{${[...rooms, ...OUTSIDE].join(',')}}/**/*.{ts,mts,js,mjs}`, {
      cwd: root,
      dot: true,
      ignore: ['**/node_modules/**', '**/dist/**', '**/*.d.ts'],
    })
    .sort();
}

/** The row that a file stands under; `undefined` outside the rooms. All of `builds/` is one place. */
function placeOf(file: string): string | undefined {
  const [room = ''] = file.split('/');
  if (OUTSIDE.includes(room) || !(room in WALLS || hasRows(room))) return undefined;
  if (room === 'builds') return room;
  return file in WALLS ? file : dirname(file);
}

function hasRows(room: string): boolean {
  return Object.keys(WALLS).some((place) => place.startsWith(`${room}/`));
}

function rowProblems(file: string): string[] {
  const place = placeOf(file);
  return place === undefined || place in WALLS
    ? []
    : [`${place}: has no row in tools/layers/walls.ts`];
}

function mayImport(file: string, target: string): boolean {
  const from = placeOf(file);
  if (from === undefined || from === placeOf(target)) return true;
  if (`${file} -> ${target}` in EXCEPTIONS) return true;
  return (WALLS[from] ?? []).some((place) => isWithin(target, place));
}

function packageProblems(file: string, imports: readonly SourceImport[]): string[] {
  const place = placeOf(file);
  if (place === undefined) return [];
  const names = imports
    .filter(({ isType }) => !isType)
    .map(({ specifier }) => specifier.replace(/^node:/, '').split('/')[0] ?? '');
  const mayTalk = MAY_TALK.some((allowed) => isWithin(file, allowed));
  const isPure = PURE.some((pure) => isWithin(file, pure));
  return names.flatMap((name) => {
    if (!mayTalk && NETWORK.includes(name)) {
      return [`${file}: may not import ${name}, which talks to the network`];
    }
    return isPure && IMPURE.includes(name) ? [`${file}: is pure and may not import ${name}`] : [];
  });
}

function lengthProblems(file: string, source: string): string[] {
  const lines = source.split('\n').length - 1;
  return lines > MAX_FILE_LINES
    ? [`${file}: has ${lines} lines, at most ${MAX_FILE_LINES} are allowed`]
    : [];
}

function nameProblems(file: string): string[] {
  const name = file.split('/').find((segment) => EMPTY_NAMES.test(segment));
  return name === undefined
    ? []
    : [`${file}: "${name}" has no meaning, name the file after its subject`];
}

/** The file that a specifier means: `.js` stands for `.ts` in builds. */
function targetOf(file: string, specifier: string, known: ReadonlySet<string>): string {
  const target = join(dirname(file), specifier);
  const typed = target.replace(/\.(m?)js$/, '.$1ts');
  return known.has(typed) ? typed : target;
}

function isWithin(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

function addEdge(graph: Map<string, Set<string>>, file: string, target: string): void {
  const [from, to] = [placeOf(file), placeOf(target)];
  if (from === undefined || to === undefined || from === to) return;
  graph.set(from, (graph.get(from) ?? new Set()).add(to));
}

function sorted(graph: ReadonlyMap<string, ReadonlySet<string>>): Map<string, readonly string[]> {
  const rows = [...graph].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(rows.map(([from, to]) => [from, [...to].sort()]));
}

if (import.meta.main) {
  const { problems, graph } = checkLayers(join(import.meta.dirname, '..'));
  if (process.argv.includes('--graph')) {
    for (const [from, to] of graph) console.log(`${from} -> ${to.join(' ')}`);
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
