/** The page docs/compatibility.md: with which compilers, settings and projects our modules were proved. */
import type { CompileResult } from './compile-matrix.ts';
import { TYPE_SETS } from './compile-matrix.ts';
import type { CompileRow } from './compile-rows.ts';
import { KIND_COLUMNS } from './prove-kind.ts';
import type { KindProof } from './prove-kind.ts';

const OPTIONS = [
  'strict',
  'noUncheckedIndexedAccess',
  'exactOptionalPropertyTypes',
  'verbatimModuleSyntax',
  'isolatedModules',
] as const satisfies readonly (keyof CompileRow)[];

/** @param modules the ids of the modules with their versions */
export function formatCompatibility(
  modules: readonly string[],
  compiled: readonly CompileResult[],
  proofs: readonly KindProof[],
): string {
  return `# Compatibility of our modules

Written by \`npm run prove\`; \`npm run prove -- --check\` compares. The modules: ${modules.join(', ')}.

## Compilers

What the modules install, compiled with a program that uses it. The rows contain every pair of two values that compiler and
type packages accept at all. Not accepted, and therefore not listed: \`verbatimModuleSyntax\` with CommonJS (the compiler refuses
every \`import\`) or with 4.9, \`exactOptionalPropertyTypes\` without \`strict\`, "bundler" with 4.9, ES2023 before 5.2, ES2024 before
5.7, and type packages with compilers that they do not support. Everywhere: \`"types": []\`, \`esModuleInterop\`, \`lib\` as the
target.

| TypeScript | Packages | Modules | Target | Options | Result |
|---|---|---|---|---|---|
${compiled.map(formatRow).join('\n')}

| Packages | Which |
|---|---|
${Object.entries(TYPE_SETS).map(formatTypes).join('\n')}

## Projects

Each project is made as its people would make it; then the client adds the modules, and removes them at the end.
"In use" is what the guides ask to write, with tests of it over HTTP; "Removal" compares every file but those that belong to
the package manager.

| Project | Modules | ${KIND_COLUMNS.join(' | ')} |
|---|---|${KIND_COLUMNS.map(() => '---|').join('')}
${proofs.map(formatProof).join('\n')}
`;
}

function formatRow({ row, errors }: CompileResult): string {
  const options = OPTIONS.filter((option) => row[option]).map((option) => `\`${option}\``);
  const result = errors === '' ? 'no errors' : `FAILED: ${errors.split('\n').length} lines`;
  const { typescript, types, modules, target } = row;
  return `| ${typescript} | ${types} | ${modules} | ${target} | ${options.join(', ')} | ${result} |`;
}

function formatTypes([name, packages]: [string, Readonly<Record<string, string>>]): string {
  const list = Object.entries(packages).map(([id, version]) => `\`${id}\` ${version}`);
  return `| ${name} | ${list.join(', ')} |`;
}

function formatProof({ kind, cells }: KindProof): string {
  const builds = kind.builds.map((id) => `\`${id}\``).join(', ');
  return `| ${kind.name} | ${builds} | ${KIND_COLUMNS.map((column) => cells[column]).join(' | ')} |`;
}
