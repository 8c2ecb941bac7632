/** Whether a project is JavaScript without TypeScript, and how it loads modules: builds get the same form. */
import { existsSync, readdirSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { field } from '../../../format/document/canonical-json.ts';
import { PACKAGE_JSON } from '../../edit/edited-files.ts';
import type { JavaScriptForm, CompiledTo } from '../../plan/plan.ts';
import { isDenoProject } from '../package-managers.ts';
import { openProjectCode } from '../project-code.ts';
import { readJson, readNames } from '../read-file.ts';
import { npmFacts } from './npm.ts';
import { optionPath, readTsconfig, type Tsconfig } from './tsconfig.ts';

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

/**
 * Where the compiler of a project puts what it makes of a source file, by the tsconfig that its script "build" names:
 *
 *     outDir "dist", rootDir "src"       src/db.ts becomes dist/db.js
 *     outDir "dist", test/ included      src/db.ts becomes dist/src/db.js
 */
const CONFIG = 'tsconfig.json';
const SKIPPED = /^(?:node_modules|src|\..*)$/;
/** Folders that are looked at for source files outside of `src`. */
const MAX_FOLDERS = 500;

/** `undefined` where it is not known: without a tsconfig, and where another program writes the output. */
export function readCompiledTo(project: string): CompiledTo | undefined {
  const build = field(field(readJson(join(project, PACKAGE_JSON)), 'scripts'), 'build');
  const [, named = CONFIG] =
    (typeof build === 'string' && /\btsc\b[^&|;]*?(?:-p|--project)[ =]([\w./-]+)/.exec(build)) ||
    [];
  const file = named.endsWith('.json') ? named : posix.join(named, CONFIG);
  const config = existsSync(join(project, file)) ? readTsconfig(project, file) : undefined;
  const folderOf = (name: string): string | undefined => {
    const path = config && optionPath(project, config.options, name);
    return path === undefined ? undefined : relative(project, path).split(sep).join('/');
  };
  const outDir = folderOf('outdir');
  if (config === undefined || outDir === undefined) return undefined;
  if (config.options.get('noemit')?.value === true || outDir.startsWith('..')) return undefined;
  return { outDir, rootDir: folderOf('rootdir') ?? commonRoot(project, config, outDir) };
}

/** As the compiler: the folder that all its source files have in common. */
function commonRoot(project: string, { include }: Tsconfig, outDir: string): string {
  if (include.length > 0) {
    return include.every((pattern) => /^src(?:\/|$)/.test(pattern)) ? 'src' : '';
  }
  const folders = [''];
  // The list grows during the loop.
  for (const folder of folders) {
    for (const entry of readdirSync(join(project, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (entry.isFile() && /(?<!\.d)\.[cm]?tsx?$/.test(entry.name)) return '';
      const isLooked = entry.isDirectory() && !SKIPPED.test(entry.name) && path !== outDir;
      if (isLooked && folders.length < MAX_FOLDERS) folders.push(path);
    }
  }
  return 'src';
}
