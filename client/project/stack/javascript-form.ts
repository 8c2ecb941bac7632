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

/**
 * How builds get into a project: without types in one of JavaScript, without the endings of imports in one of TypeScript with Next.js, whose
 * bundlers take `./a.js` for no name of `a.ts`; `undefined`: as they were shipped.
 */
export function buildForm(project: string): JavaScriptForm | undefined {
  const stripped = javaScriptForm(project);
  return stripped ?? (npmFacts(project).has('next') ? 'bundled' : undefined);
}

/** Programs that run TypeScript. */
const RUNNERS = ['typescript', 'tsx', 'ts-node', '@types/bun', '@swc-node/register'];
const MAX_READ = 50;

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
