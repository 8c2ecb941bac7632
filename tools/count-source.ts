/**
 * Counts what has to be held in mind: source files and lines, the rooms that a command walks through, options and
 * commands, and exported types that one other file uses at most. Run by hand: `node tools/count-source.ts [root]`.
 *
 * Source is every TypeScript file without tests, published builds and the index. A room is a folder of the second
 * level (`client/plan`); `format` and `scan` count as one each. A walk follows imports of values, lazy ones included.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirname, normalize } from 'node:path/posix';
import { parseSync } from 'oxc-parser';

interface Source {
  readonly lines: number;
  /** Files that it imports values of. */
  readonly imports: readonly string[];
  /** Exported interfaces and types. */
  readonly types: readonly string[];
  readonly text: string;
}

const WALKS = {
  add: ['client/commands/add.ts'],
  generate: ['generator/commands/generate.ts', 'generator/commands/main/generate.ts'],
  gate: ['generator/commands/gate.ts', 'generator/commands/main/gate.ts'],
};

const root = process.argv[2] ?? join(import.meta.dirname, '..');
const sources = new Map(sourceFiles().map((file) => [file, readSource(file)]));
const lines = [...sources.values()].reduce((sum, { lines: count }) => sum + count, 0);
console.log(`source files: ${sources.size}`);
console.log(`source lines: ${lines}`);
for (const [command, starts] of Object.entries(WALKS)) {
  const start = starts.findLast((file) => sources.has(file));
  if (start !== undefined) console.log(`rooms of ${command}: ${roomsFrom(start).length}`);
}
const helps = helpTexts();
const options = helps.flatMap((text) => text.split('\n')).filter((line) => /^ +-/.test(line));
console.log(`commands: ${helps.length - 1}`);
console.log(`option lines: ${options.length}`);
const rare = [...sources].flatMap(([file, { types }]) =>
  types.filter((name) => isRare(file, name)),
);
console.log(`exported types used in at most one other file: ${rare.length}`);

function sourceFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' });
  const isSource = (file: string): boolean =>
    !/^(?:builds|tests|index)\/|\.test\.ts$|\.d\.ts$|^$/.test(file) && existsSync(join(root, file));
  return listed.split('\n').filter(isSource);
}

function readSource(file: string): Source {
  const text = readFileSync(join(root, file), 'utf8');
  const { module, program } = parseSync(file, text);
  const specifiers = [
    ...module.staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      text.slice(start + 1, end - 1),
    ),
  ];
  const imports = specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file), specifier)));
  const types = program.body.flatMap((node) => {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : undefined;
    const isType = /^TS(?:Interface|TypeAlias)Declaration$/.test(declaration?.type ?? '');
    return isType && declaration && 'id' in declaration ? [nameOf(declaration.id)] : [];
  });
  return { lines: text.split('\n').length - 1, imports, types, text };
}

function nameOf(id: object | null): string {
  return id !== null && 'name' in id ? String(id.name) : '';
}

function roomsFrom(start: string): string[] {
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

/** The help of the client and of each of its commands. */
function helpTexts(): string[] {
  const help = (...words: string[]): string =>
    execFileSync(process.execPath, [join(root, 'client/main.ts'), ...words, '--help'], {
      encoding: 'utf8',
    });
  const program = help();
  const names = [...program.matchAll(/^ {2}([a-z][a-z-]*)\b/gm)].map(([, name = '']) => name);
  return [program, ...names.filter((name) => name !== 'help').map((name) => help(name))];
}

function isRare(file: string, name: string): boolean {
  const word = new RegExp(String.raw`\b${name}\b`);
  let uses = 0;
  for (const [other, { text }] of sources) if (other !== file && word.test(text)) uses++;
  return uses <= 1;
}
