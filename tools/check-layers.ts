/**
 * Fails when a run-time import crosses a wall of the house or closes a cycle, when a file is longer than
 * 300 lines, and when a file or folder has a name that says nothing. `--graph` prints the rooms that
 * import each other.
 *
 *     examine/validate.ts: may not import generator/git/history.ts
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import fastGlob from 'fast-glob';
import { parseSync } from 'vite';

const MAX_FILE_LINES = 300;

/** Every room and what it may import at run time besides itself: rooms, folders and single files. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  format: [],
  checks: ['format'],
  examine: ['format', 'checks'],
  'generator/site': ['format'],
  'generator/git': ['format', 'generator/errors.ts'],
  'generator/state': ['format', 'generator/errors.ts'],
  'generator/score': ['format', 'generator/errors.ts'],
  'generator/ingest': [
    'format',
    'generator/errors.ts',
    'generator/git',
    'generator/score',
    'generator/state',
  ],
  'generator/gate': [
    'format',
    'checks',
    'examine',
    'generator/config.ts',
    'generator/errors.ts',
    'generator/git',
    'generator/ingest',
    'generator/score',
  ],
  'generator/pipeline': [
    'format',
    'checks',
    'examine',
    'generator/config.ts',
    'generator/errors.ts',
    'generator/git',
    'generator/score',
    'generator/site',
    'generator/state',
  ],
  generator: ['format', 'generator'],
  // `check`, `pack` and `publish` run the registry's validation, checks and packing: docs/decisions/0011-check-in-the-client.md.
  client: ['format', 'checks', 'examine'],
  'auth-service': ['format', 'builds/stackyard/account', 'builds/stackyard/sqlite'],
  builds: [],
};

/** Packages that talk to the network, and the places that may import them at run time. */
const NETWORK: readonly string[] = ['undici', 'http', 'https', 'http2', 'net', 'tls', 'dns'];
const MAY_TALK: readonly string[] = [
  'client/registry/network',
  'client/publish',
  'auth-service',
  'builds',
];

/** Folders that may import anything, and that no room may import. */
const OUTSIDE = ['tests', 'tools', 'bench'];

const EMPTY_NAMES = /^(?:utils?|helpers?|common|shared|misc|lib)(?:\.|$)/;

/** What `checkLayers` found. */
export interface Layers {
  /** One line each, beginning with the file. */
  readonly problems: readonly string[];
  /** `room -> room`, sorted. */
  readonly crossings: readonly string[];
}

/** Checks every source file below the folder `root`. */
export function checkLayers(root: string): Layers {
  const rooms = [...new Set(Object.keys(MAY_IMPORT).map((room) => room.split('/')[0]))];
  const files = fastGlob
    .sync(`{${[...rooms, ...OUTSIDE].join(',')}}/**/*.{ts,mts,js,mjs}`, {
      cwd: root,
      dot: true,
      ignore: ['**/node_modules/**', '**/dist/**', '**/*.d.ts'],
    })
    .sort();
  const sources = files.filter((file) => !/\.(?:test|contract)\.[mc]?[jt]s$/.test(file));
  const known = new Set(sources);
  const graph = new Map<string, readonly string[]>();
  const problems = files.flatMap(nameProblems);
  const crossings = new Set<string>();
  for (const file of sources) {
    const source = readFileSync(join(root, file), 'utf8');
    const lines = source.split('\n').length - 1;
    if (lines > MAX_FILE_LINES) {
      problems.push(`${file}: has ${lines} lines, at most ${MAX_FILE_LINES} are allowed`);
    }
    const imports = runtimeImports(file, source);
    problems.push(...networkProblems(file, imports));
    const relative = imports.filter((i) => /^\.\.?\//.test(i) && !i.endsWith('.json'));
    const targets = relative.map((specifier) => resolve(file, specifier, known));
    graph.set(file, targets);
    for (const target of targets) {
      if (!mayImport(file, target)) problems.push(`${file}: may not import ${target}`);
      const [from, to] = [roomOf(file), roomOf(target)];
      if (from !== undefined && to !== undefined && from !== to) crossings.add(`${from} -> ${to}`);
    }
  }
  problems.push(...cycles(graph).map((cycle) => `${cycle[0]}: import cycle ${cycle.join(' -> ')}`));
  return { problems: [...new Set(problems)].sort(), crossings: [...crossings].sort() };
}

/** Specifiers that are still there when types are erased; `import('...')` with a literal too. */
function runtimeImports(file: string, source: string): string[] {
  const { module, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`Cannot parse ${file}: ${error.message}`);
  const found: string[] = [];
  for (const { start, end, moduleRequest } of module.staticImports) {
    // `import { type A } from` is kept as `import {} from`: only `import type` is erased whole.
    if (!/^import\s+type\s+(?:[{*]|\w+\s+from\b)/.test(source.slice(start, end))) {
      found.push(moduleRequest.value);
    }
  }
  for (const { entries, start, end } of module.staticExports) {
    const request = entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest?.value;
    if (request === undefined || /^export\s+type\b/.test(source.slice(start, end))) continue;
    found.push(request);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = source.slice(moduleRequest.start, moduleRequest.end);
    const [, specifier] = /^['"`]([^'"`$]*)['"`]$/.exec(literal) ?? [];
    if (specifier !== undefined) found.push(specifier);
  }
  return found;
}

function networkProblems(file: string, imports: readonly string[]): string[] {
  const isAllowed =
    roomOf(file) === undefined || MAY_TALK.some((place) => file.startsWith(`${place}/`));
  const names = imports.map((specifier) => specifier.replace(/^node:/, '').split('/')[0] ?? '');
  return names
    .filter((name) => !isAllowed && NETWORK.includes(name))
    .map((name) => `${file}: may not import ${name}, which talks to the network`);
}

/** The file that a specifier means: `.js` stands for `.ts` in builds. */
function resolve(file: string, specifier: string, known: ReadonlySet<string>): string {
  const target = join(dirname(file), specifier);
  const typed = target.replace(/\.(m?)js$/, '.$1ts');
  return known.has(typed) ? typed : target;
}

function mayImport(file: string, target: string): boolean {
  const from = roomOf(file);
  if (from === undefined) return true;
  const isWithin = (place: string): boolean => target === place || target.startsWith(`${place}/`);
  if (from === roomOf(target)) return true;
  return (MAY_IMPORT[from] ?? []).some(isWithin);
}

/** The innermost room of a file; `undefined` outside the house. */
function roomOf(file: string): string | undefined {
  return Object.keys(MAY_IMPORT)
    .filter((room) => file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

function nameProblems(file: string): string[] {
  const name = file.split('/').find((segment) => EMPTY_NAMES.test(segment));
  return name === undefined
    ? []
    : [`${file}: "${name}" says nothing, name it after what it is about`];
}

/** Each import cycle once, beginning and ending with its first file by name. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (file: string): void => {
    const at = trail.indexOf(file);
    if (at >= 0) {
      const cycle = trail.slice(at);
      const first = cycle.indexOf([...cycle].sort()[0] ?? file);
      const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
      found.push([...turned, turned[0] ?? file]);
    }
    if (at >= 0 || done.has(file)) return;
    trail.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    trail.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return found;
}

if (import.meta.main) {
  const { problems, crossings } = checkLayers(join(import.meta.dirname, '..'));
  if (process.argv.includes('--graph')) console.log(crossings.join('\n'));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
