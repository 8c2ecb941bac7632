/** Tests and types, which show that the code works and let other code rely on it; tests belong to the build, not to projects. */
import { selectFiles } from '../../../format/build/file-glob.ts';
import type { Manifest } from '../../../format/build/manifest.ts';
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { Rule } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { extensionOf, isTestOrExamplePath, isTestPath } from '../../text/file-kind.ts';

const CODE = new Set(['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'py']);
const UNTYPED = new Set(['js', 'mjs', 'cjs', 'jsx']);
const MAX_READ = 200;
const MAX_COLUMNS = 120;
/** Tests in lines for each line of code. */
const FEW_TESTS = 0.2;

export const workmanship: Rule = {
  name: 'workmanship',
  run: ({ files, manifest }) => {
    const code = files.filter(
      ({ path }) =>
        CODE.has(extensionOf(path)) && !/(?:^|\/)[\w.-]+\.config\.[cm]?[jt]s$/.test(path),
    );
    if (code.length === 0) return [];
    const own = code.filter(({ path }) => !isTestPath(path));
    const found: Finding[] = code.some(({ path }) => isTestPath(path))
      ? []
      : [finding('workmanship-tests', '')];
    if (found.length === 0) found.push(...checkProportion(code, own));
    found.push(...checkLines(code));
    found.push(...checkPlacedTests(code, manifest));
    const untyped = own.filter((file) => !isTyped(file, files));
    if (own.length > 0 && untyped.length * 2 > own.length) {
      const args = { untyped: untyped.length, files: own.length };
      found.push(finding('workmanship-types', untyped[0]!.path, args));
    }
    return found;
  },
};

function checkProportion(code: readonly ScannedFile[], own: readonly ScannedFile[]): Finding[] {
  const all = lineCount(code);
  const lines = lineCount(own);
  const tests = all - lines;
  return tests < lines * FEW_TESTS
    ? [finding('workmanship-tests-few', '', { tests, code: lines })]
    : [];
}

function checkLines(code: readonly ScannedFile[]): Finding[] {
  const wide = code.map(({ path, text = '' }) => ({ path, lines: countWide(text) }));
  const found = wide.filter(({ lines }) => lines > 0);
  const [first] = found;
  if (first === undefined) return [];
  const lines = found.reduce((sum, one) => sum + one.lines, 0);
  const args = { lines, files: found.length, limit: MAX_COLUMNS };
  return [finding('workmanship-lines', first.path, args)];
}

/** Lines with more columns than a screen shows; an address cannot be wrapped. */
function countWide(text: string): number {
  return text
    .split('\n')
    .filter((line) => line.length > MAX_COLUMNS && !/https?:\/\/\S{60}/.test(line)).length;
}

function lineCount(files: readonly ScannedFile[]): number {
  return files.reduce((sum, { text = '' }) => sum + text.split('\n').length - 1, 0);
}

/** A module adds to a project that has its own compiler, test program and settings: tests of others fail there. */
function checkPlacedTests(code: readonly ScannedFile[], manifest: Manifest): Finding[] {
  // A foundation starts a project, which keeps its tests.
  if (manifest.kind !== 'module') return [];
  const paths = code.map(({ path }) => path);
  const placed = selectFiles(paths, manifest.files).filter(isTestOrExamplePath);
  const [first] = placed;
  return first === undefined
    ? []
    : [finding('workmanship-tests-placed', first, { tests: placed.length })];
}

function isTyped({ path, text = '' }: ScannedFile, files: readonly ScannedFile[]): boolean {
  if (path.endsWith('.py')) return isAnnotated(text);
  if (!UNTYPED.has(extensionOf(path))) return true;
  const declaration = path.replace(/\.([cm]?)jsx?$/, '.d.$1ts');
  return (
    /@(?:type|param|returns?|typedef)\s{0,3}\{/.test(text) ||
    files.some((file) => file.path === declaration)
  );
}

/** At least half of the functions have type annotations; a module without functions needs none. */
function isAnnotated(text: string): boolean {
  const heads = Array.from(
    text.matchAll(/^[ \t]{0,40}(?:async )?def \w{1,80}\(([^\n]{0,300})/gm),
  ).slice(0, MAX_READ);
  const annotated = heads.filter(
    ([head, rest = '']) =>
      head.includes('->') || (rest.includes(':') && /\w:\s?\w/.test(rest)) || rest === '',
  );
  return annotated.length * 2 >= heads.length;
}
