/** Whether a project is JavaScript without TypeScript, and how it loads modules: builds get the same form. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { field } from '../../../format/document/canonical-json.ts';
import { PACKAGE_JSON } from '../../edit/project-file.ts';
import type { JavaScriptForm } from '../../plan/plan.ts';
import { isDenoProject } from '../node-manager.ts';
import { openProjectCode } from '../project-code.ts';
import { readJson, readNames } from '../read-file.ts';
import { npmFacts } from './npm.ts';

/** Programs that take `./a.js` for a JavaScript file where they compile to CommonJS, though the compiler finds `./a.ts`. */
const LITERAL_RUNNERS = ['ts-node', 'ts-node-dev', 'ts-jest'];
/** Programs that run TypeScript. */
const RUNNERS = ['typescript', 'tsx', 'ts-node', '@types/bun', '@swc-node/register'];
const MAX_READ = 50;

/**
 * What builds become in the project; `undefined`: they stay as they are shipped. The bundlers of Next.js take `./a.js` for no name of
 * `a.ts`.
 */
export function placedForm(project: string): JavaScriptForm | undefined {
  const form = javaScriptForm(project);
  if (form !== undefined) return form;
  const facts = npmFacts(project);
  if (facts.has('next')) return 'bundled';
  const manifest = readJson(join(project, PACKAGE_JSON));
  if (manifest === undefined || field(manifest, 'type') === 'module') return undefined;
  return LITERAL_RUNNERS.some((name) => facts.has(name)) ? 'bare' : undefined;
}

/** `undefined` for a project with TypeScript, and for one that is not of Node.js. */
export function javaScriptForm(project: string): JavaScriptForm | undefined {
  const manifest = readJson(join(project, PACKAGE_JSON));
  if (manifest === undefined || isDenoProject(project)) return undefined;
  const facts = npmFacts(project);
  if (RUNNERS.some((name) => facts.has(name))) return undefined;
  if (
    readNames(project).some((name) => /^(?:tsconfig.*\.json|bunfig\.toml|bun\.lockb?)$/.test(name))
  )
    return undefined;
  const { paths, read } = openProjectCode(project);
  const sources = paths().filter(
    (path) => /\.[cm]?[jt]sx?$/.test(path) && existsSync(join(project, path)),
  );
  if (sources.length === 0 || sources.some((path) => /(?<!\.d)\.[cm]?tsx?$/.test(path)))
    return undefined;
  if (field(manifest, 'type') === 'module') return 'esm';
  const texts = sources.slice(0, MAX_READ).map((path) => ({ path, text: read(path) ?? '' }));
  const modules = texts.filter(({ text }) => /^[ \t]*(?:import\b(?!\s*\()|export\b)/m.test(text));
  if (modules.length * 2 <= texts.length) return 'cjs';
  // A compiler of JavaScript reads modules whatever their ending.
  return modules.some(({ path }) => path.endsWith('.mjs')) ? 'mjs' : 'esm';
}
