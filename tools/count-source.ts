/**
 * Counts what has to be held in mind, and keeps it within `tools/budget.json`:
 *
 *     node tools/count-source.ts                  prints the counts, with the rooms that a command walks through
 *     node tools/count-source.ts --write-budget   lowers the budget to the counts; exits with 1 where one is above it
 *
 * Counts the files that git tracks. Source is TypeScript without tests, published builds and the index. Tests are TypeScript in
 * `tests/`, and test files beside the source and in builds. A room is a folder of the second level (`client/plan`); `format` and
 * `scan` count as one each. A walk follows imports of values, lazy ones included.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirname, normalize } from 'node:path/posix';
import { parse } from '@babel/parser';
import { PROGRAM as CLIENT } from '../client/program.ts';
import { readCommandLine } from '../format/command/command.ts';
import { PROGRAM as GENERATOR } from '../generator/program.ts';
import { isTestPath } from '../scan/text/file-kind.ts';

/** Numbers by what they count. */
export type Counts = Readonly<Record<string, number>>;

interface Source {
  /** Files that it imports values of. */
  readonly imports: readonly string[];
  /** Exported interfaces and types. */
  readonly types: readonly string[];
  readonly text: string;
}

const WALKS = {
  add: 'client/commands/add.ts',
  generate: 'generator/commands/generate.ts',
  gate: 'generator/commands/gate.ts',
};
const ROOMS = ['format', 'scan', 'generator', 'client', 'auth-service', 'tools', 'bench'];
/** Of builds: code and styles. */
const CODE = /\.(?:tsx?|py|css|html|js)$/;
const ROOT = join(import.meta.dirname, '..');
export const BUDGET = join(import.meta.dirname, 'budget.json');

/** What the budget limits. */
export async function countBudget(): Promise<Counts> {
  const files = trackedFiles();
  const builds = files.filter((file) => file.startsWith('builds/stackyard/'));
  const shipped = builds.filter((file) => !isTestPath(file) && !file.endsWith('package-lock.json'));
  const rooms = ROOMS.map((room): [string, number] => {
    return [room, linesOf(files.filter((file) => isSource(file) && file.startsWith(`${room}/`)))];
  });
  const tests = files.filter((file) => {
    if (file.startsWith('builds/')) return isTestPath(file) && /\.(?:tsx?|py)$/.test(file);
    return file.endsWith('.test.ts') || /^tests\/.*\.ts$/.test(file);
  });
  const pages = files.filter((file) => /^(?:README|docs\/[^/]+)\.md$/.test(file));
  const decisions = files.filter((file) => file.startsWith('docs/decisions/'));
  return {
    ...Object.fromEntries(rooms.map(([room, lines]) => [`lines of ${room}`, lines])),
    'lines of source': rooms.reduce((sum, [, lines]) => sum + lines, 0),
    'lines of builds': linesOf(shipped.filter((file) => CODE.test(file))),
    'lines of builds that are no code': linesOf(shipped.filter((file) => !CODE.test(file))),
    'lines of tests': linesOf(tests),
    'first-party builds': builds.filter((file) => /^(?:[^/]+\/){3}stackyard\.json$/.test(file))
      .length,
    'commands of stackyard': CLIENT.commands.length,
    'commands of stackyard-registry': GENERATOR.commands.length,
    'option lines of stackyard': await countOptions(),
    'words of README.md and docs': wordsOf(pages),
    'words of decisions': wordsOf(decisions),
  };
}

/**
 * The counts, rounded up by one percent at most, where they are below the budget.
 * @throws {RangeError} counts above the budget
 */
export function lowerBudget(budget: Counts, counts: Counts): Counts {
  const above = overBudget(budget, counts);
  if (above.length > 0) throw new RangeError(`Cannot raise the budget: ${above.join('; ')}`);
  const lowered = Object.entries(counts).map(([name, count]) => {
    const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(count, 1) / 100)));
    return [name, Math.min(budget[name] ?? Infinity, Math.ceil(count / step) * step)] as const;
  });
  return Object.fromEntries(lowered);
}

/** What exceeds the budget, one text each. */
export function overBudget(budget: Counts, counts: Counts): string[] {
  return Object.entries(counts)
    .filter(([name, count]) => count > (budget[name] ?? Infinity))
    .map(([name, count]) => `${name}: ${count}, budget ${budget[name]}`);
}

if (import.meta.main) await main();

async function main(): Promise<void> {
  const counts = await countBudget();
  const budget = JSON.parse(readFileSync(BUDGET, 'utf8')) as Counts;
  if (process.argv[2] === '--write-budget') {
    try {
      writeFileSync(BUDGET, `${JSON.stringify(lowerBudget(budget, counts), null, 2)}\n`);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      console.error(`error: ${error.message}`);
      process.exitCode = 1;
    }
    return;
  }
  for (const [name, count] of Object.entries(counts))
    console.log(`${name}: ${count}, budget ${budget[name] ?? 'none'}`);
  const sources = new Map(
    trackedFiles()
      .filter(isSource)
      .map((file) => [file, readSource(file)]),
  );
  console.log(`source files: ${sources.size}`);
  for (const [command, start] of Object.entries(WALKS))
    console.log(`rooms of ${command}: ${roomsFrom(sources, start).length}`);
  const rare = [...sources].flatMap(([file, { types }]) =>
    types.filter((name) => isRare(sources, file, name)),
  );
  console.log(`exported types used in at most one other file: ${rare.length}`);
}

function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));
}

function isSource(file: string): boolean {
  return file.endsWith('.ts') && !/^(?:builds|tests|index)\/|\.test\.ts$|\.d\.ts$/.test(file);
}

function linesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);
}

function wordsOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (read(file).match(/\S+/g)?.length ?? 0), 0);
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Lines about options in the help of the program and of its commands. */
async function countOptions(): Promise<number> {
  // With "--help" and "--version".
  let count = CLIENT.shared.length + 2;
  for (const { name } of CLIENT.commands) {
    const reading = await readCommandLine(CLIENT, [name, '--help']);
    if (reading.kind !== 'command-help') throw new Error(`"${name}" has no help`);
    count += reading.fields.filter(({ isArgument }) => isArgument !== true).length;
  }
  return count;
}

function readSource(file: string): Source {
  const text = read(file);
  const { body } = parse(text, { sourceType: 'module', plugins: ['typescript'] }).program;
  const specifiers = body.flatMap((node) => {
    if (!/^(?:Import|Export(?:Named|All))Declaration$/.test(node.type) || !('source' in node))
      return [];
    const kinds = 'specifiers' in node ? (node.specifiers ?? []).map((one) => kindOf(one)) : [];
    const isType =
      kindOf(node) === 'type' || (kinds.length > 0 && kinds.every((one) => one === 'type'));
    return isType || !node.source ? [] : [node.source.value];
  });
  for (const [, specifier = ''] of text.matchAll(/\bimport\('([^']+)'\)/g))
    specifiers.push(specifier);
  const imports = specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file), specifier)));
  const types = body.flatMap((node) => {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : undefined;
    const isType = /^TS(?:Interface|TypeAlias)Declaration$/.test(declaration?.type ?? '');
    return isType && declaration && 'id' in declaration ? [nameOf(declaration.id ?? null)] : [];
  });
  return { imports, types, text };
}

function kindOf(node: object): unknown {
  return 'importKind' in node
    ? node.importKind
    : 'exportKind' in node
      ? node.exportKind
      : undefined;
}

function nameOf(id: object | null): string {
  return id !== null && 'name' in id ? String(id.name) : '';
}

function roomsFrom(sources: ReadonlyMap<string, Source>, start: string): string[] {
  const seen = new Set([start]);
  for (const file of seen) {
    for (const target of sources.get(file)?.imports ?? []) {
      if (sources.has(target)) seen.add(target);
    }
  }
  const room = (file: string): string =>
    /^(?:format|scan)\//.exec(file)?.[0] ?? dirname(file).split('/', 2).join('/');
  return [...new Set([...seen].map(room))].sort();
}

function isRare(sources: ReadonlyMap<string, Source>, file: string, name: string): boolean {
  const word = new RegExp(String.raw`\b${name}\b`);
  let uses = 0;
  for (const [other, { text }] of sources) if (other !== file && word.test(text)) uses++;
  return uses <= 1;
}
