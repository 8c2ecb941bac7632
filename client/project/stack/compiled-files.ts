/**
 * Where the compiler of a project puts what it makes of a source file, by the tsconfig that its script "build" names:
 *
 *     outDir "dist", rootDir "src"       src/db.ts becomes dist/db.js
 *     outDir "dist", test/ included      src/db.ts becomes dist/src/db.js
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { field } from '../../../format/document/canonical-json.ts';
import { PACKAGE_JSON } from '../../edit/project-file.ts';
import type { CompiledTo } from '../../plan/plan.ts';
import { readJson } from '../read-file.ts';
import { readTsconfig, type Tsconfig } from './tsconfig.ts';

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
  const outDir = config && folderIn(config, 'outdir');
  if (config === undefined || outDir === undefined) return undefined;
  if (config.options.get('noemit')?.value === true || outDir.startsWith('..')) return undefined;
  return { outDir, rootDir: folderIn(config, 'rootdir') ?? commonRoot(project, config, outDir) };
}

/** A folder relative to the project; `""` is the project. */
function folderIn({ options }: Tsconfig, name: string): string | undefined {
  const option = options.get(name);
  if (typeof option?.value !== 'string') return undefined;
  const path = posix.join(dirname(option.file), option.value).replace(/\/$/, '');
  return path === '.' ? '' : path;
}

/** As the compiler: the folder that all its source files have in common. */
function commonRoot(project: string, { include }: Tsconfig, outDir: string): string {
  if (include.length > 0) {
    return include.every((pattern) => /^(?:\.\/)?src(?:\/|$)/.test(pattern)) ? 'src' : '';
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
