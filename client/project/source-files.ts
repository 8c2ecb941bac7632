/** Lists the files of code that a project has itself, and finds the package of a file. Reads folders, not files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_JSON } from '../edit/edited-files.ts';

const SOURCE = /\.(?:[mc]?[jt]sx?|py)$/;
/** Folders without code of the project: of packages, results, tests, examples. */
const SKIPPED =
  /^(?:node_modules|dist|build|out|coverage|vendor|public|venv|env|site-packages|__pycache__|__tests__|__mocks__|tests?|e2e|examples?|fixtures|\..*)$/;
const NO_CODE =
  /\.(?:test|spec|d)\.[mc]?[jt]sx?$|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$|\.min\.js$/;
/** A project with more is no single application. */
const MAX_FILES = 5_000;

/** Paths of source files, sorted; tests are none. */
export function sourceFiles(project: string): string[] {
  const files: string[] = [];
  const folders = [''];
  // The list grows during the loop.
  for (const folder of folders) {
    for (const entry of readdirSync(join(project, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) folders.push(path);
      if (entry.isFile() && SOURCE.test(entry.name) && !NO_CODE.test(path)) files.push(path);
    }
    if (files.length >= MAX_FILES) break;
  }
  return files.sort();
}

/** Whether the nearest package.json makes a `.js` file at `path` an ES module. */
export function isEsPackage(project: string, path: string): boolean {
  const segments = path.split('/').slice(0, -1);
  for (let depth = segments.length; depth >= 0; depth -= 1) {
    const file = join(project, ...segments.slice(0, depth), PACKAGE_JSON);
    if (!existsSync(file)) continue;
    try {
      const { type } = JSON.parse(readFileSync(file, 'utf8')) as { readonly type?: unknown };
      return type === 'module';
    } catch {
      return false;
    }
  }
  return false;
}
