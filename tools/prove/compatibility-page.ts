/** The page docs/compatibility.md: with which compilers, settings and projects our builds were proved. */
import type { CompileResult, CompileRow } from './compile-matrix.ts';
import { COMPILERS } from './compile-matrix.ts';

const OPTIONS = [
  'strict',
  'noUncheckedIndexedAccess',
  'exactOptionalPropertyTypes',
  'verbatimModuleSyntax',
  'isolatedModules',
] as const satisfies readonly (keyof CompileRow)[];

/**
 * @param builds the ids of the builds with their versions
 * @param measured the part about measured ranges
 * @param projects the part about projects
 */
export function formatCompatibility(
  builds: readonly string[],
  measured: string,
  compiled: readonly CompileResult[],
  projects: string,
): string {
  const modules = COMPILERS.modules.map((id) => `\`${id}\``);
  return `# Compatibility of our builds

Written by \`npm run prove\`; \`npm run prove -- --check\` compares. The builds: ${builds.join(', ')}.

${measured}

## Compilers

What ${modules.join(' and ')} install, compiled with a program that uses it. The rows contain every pair of two values that compiler and
type packages accept at all. Not accepted, and therefore not listed: \`verbatimModuleSyntax\` with CommonJS (the compiler refuses
every \`import\`) or with 4.9, \`exactOptionalPropertyTypes\` without \`strict\`, "bundler" with 4.9, ES2023 before 5.2, ES2024 before
5.7, and type packages with compilers that they do not support. Everywhere: \`"types": []\`, \`esModuleInterop\`, \`lib\` as the
target.

| TypeScript | Packages | Modules | Target | Options | Result |
|---|---|---|---|---|---|
${compiled.map(formatRow).join('\n')}

| Packages | Which |
|---|---|
${Object.entries(COMPILERS.packages).map(formatTypes).join('\n')}

${projects}`;
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
