/**
 * A build that is installed into a folder has the imports that an editor would write when the build is moved
 * there: `getEditsForFileRename` of TypeScript's language service is the oracle.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import ts from 'typescript-5';
import { runs } from '../../../tests/run/runs.ts';
import { folderOf, joinPath, resolvePath } from './paths.ts';
import { rewriteTexts } from '../../../tests/client/rewrite-fixture.ts';
import type { BuildTexts } from '../../../tests/client/rewrite-fixture.ts';

const SQLITE = 'src/sqlite';
const ACCOUNT = 'src/account';
const OWN = [
  'index.ts',
  'login.ts',
  'http/index.ts',
  'http/view.tsx',
  'http/deep/part.mts',
  'a.json',
];
const REQUIRED = [
  'index.ts',
  'database.ts',
  'sql/query.ts',
  'sql/index.tsx',
  'types.d.ts',
  'b.json',
];
/** Files of the project itself. */
const PROJECT = ['src/app.ts', 'config.ts', 'lib/index.ts'];

// Not a folder around the present one: to an editor that is no move.
const folder = fc.constantFrom(
  'src/auth',
  'src/features/user/auth',
  'lib/auth',
  'auth',
  'src/account2',
  'packages/a b/src',
);

const form = fc.constantFrom<(name: string, at: number) => string>(
  (name, at) => `import * as x${at} from '${name}';`,
  (name, at) => `import type X${at} from "${name}";`,
  (name) => `import '${name}';`,
  (name) => `export * from '${name}';`,
  (name, at) => `export { y as y${at} } from "${name}";`,
  (name, at) => `const z${at} = await import('${name}');`,
  (name, at) => `import r${at} = require('${name}');`,
  (name, at) => `let t${at}: typeof import('${name}');`,
  (name, at) => `let q${at}: import("${name}").Q;`,
);

/** How an import names a file: a form that the target allows, chosen by `choice`. */
function nameOf(from: string, target: string, choice: number): string {
  const [source, path] = [from.split('/').slice(0, -1), target.split('/')];
  while (source.length > 0 && source[0] === path[0]) {
    source.shift();
    path.shift();
  }
  const up = source.map(() => '..');
  const name = [...(up.length === 0 ? ['.'] : up), ...path].join('/');
  if (name.endsWith('.json')) return name;
  const stem = name.replace(/(?:\.d)?\.[mc]?tsx?$/, '');
  const compiled = name.endsWith('.mts') ? `${stem}.mjs` : `${stem}.js`;
  if (name.endsWith('.mts')) return compiled;
  const forms = [compiled, stem];
  if (stem.endsWith('/index') && stem !== './index') forms.push(stem.slice(0, -'/index'.length));
  return forms[choice % forms.length]!;
}

const imports = fc.array(
  fc.tuple(
    form,
    fc.constantFrom(
      ...OWN.map((path) => `${ACCOUNT}/${path}`),
      ...REQUIRED.map((path) => `${SQLITE}/${path}`),
      ...PROJECT,
    ),
    fc.nat(5),
  ),
  { maxLength: 5 },
);
const texts = fc.tuple(...OWN.map(() => imports), fc.constantFrom('\n', '\r\n'), fc.boolean());

function filesOf(value: unknown[]): Record<string, string> {
  const lists = value.slice(0, OWN.length) as [
    (name: string, at: number) => string,
    string,
    number,
  ][][];
  const [end, mark] = value.slice(OWN.length) as [string, boolean];
  const entries = OWN.map((path, at) => {
    if (path.endsWith('.json')) return [path, '{}'];
    const from = `${ACCOUNT}/${path}`;
    const lines = (lists[at] ?? [])
      .filter(([, target]) => target !== from)
      .map(([write, target, choice], line) => write(nameOf(from, target, choice), line));
    return [path, (mark ? '\u{FEFF}' : '') + [...lines, 'export {};', ''].join(end)];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ESNext,
  jsx: ts.JsxEmit.ReactJSX,
  resolveJsonModule: true,
  noLib: true,
};

/** `files` after an editor has moved the folder `from` to `to`. */
function moveInEditor(
  files: ReadonlyMap<string, string>,
  from: string,
  to: string,
): Map<string, string> {
  const at = (path: string): string => `/${path}`;
  const contents = new Map([...files].map(([path, text]) => [at(path), text]));
  const folders = new Set<string>(['/']);
  for (const path of contents.keys()) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      folders.add(path.slice(0, end));
    }
  }
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => [...contents.keys()],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = contents.get(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => '/lib.d.ts',
    fileExists: (path) => contents.has(path),
    readFile: (path) => contents.get(path),
    directoryExists: (path) => folders.has(path),
    useCaseSensitiveFileNames: () => true,
  };
  const service = ts.createLanguageService(host);
  const changes = service.getEditsForFileRename(at(from), at(to), {}, {});
  const moved = new Map<string, string>();
  for (const [path, text] of contents) {
    const edits = changes.filter((change) => change.fileName === path);
    const spans = edits.flatMap(({ textChanges }) => [...textChanges]);
    spans.sort((a, b) => b.span.start - a.span.start);
    let next = text;
    for (const { span, newText } of spans) {
      next = next.slice(0, span.start) + newText + next.slice(span.start + span.length);
    }
    const place = path.startsWith(`/${from}/`) ? at(to) + path.slice(from.length + 1) : path;
    moved.set(place.slice(1), next);
  }
  service.dispose();
  return moved;
}

/** An editor also changes endings to those of the other imports, and `../../lib` to `..` in `lib/auth/x.ts`. */
function plain(path: string, text: string): string {
  return text.replace(/(['"])(\.[^'"\n]*)\1/g, (_, quote: string, name: string) => {
    const full = resolvePath(folderOf(path), name.replace(/(?<=\/[^./]*)\.[mc]?js$/, ''));
    return `${quote}/${(full ?? name).replace(/(?:^|\/)index$/, '')}${quote}`;
  });
}

/** Which file each import of `files` names, by line; an import that names none is `undefined`. */
function targetsOf(files: ReadonlyMap<string, string>): Map<string, (string | undefined)[]> {
  const host: ts.ModuleResolutionHost = {
    fileExists: (path) => files.has(path.slice(1)),
    readFile: (path) => files.get(path.slice(1)),
  };
  const targets = Array.from(files, ([path, text]) => {
    const names = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
    const found = names.map((name) => {
      return ts.resolveModuleName(name, `/${path}`, OPTIONS, host).resolvedModule?.resolvedFileName;
    });
    return [path, found] as const;
  });
  return new Map(targets);
}

test('rewriteBuild() writes what an editor writes that moves the build', () => {
  fc.assert(
    fc.property(
      texts,
      folder,
      fc.option(fc.constantFrom('src/db', 'lib/db/core', 'db')),
      (value, to, db) => {
        const own = filesOf(value);
        const required = Object.fromEntries(
          REQUIRED.map((path) => [path, path.endsWith('.json') ? '{}' : 'export {};']),
        );
        const builds: Record<string, BuildTexts> = {
          'x/account': { base: ACCOUNT, place: to, requires: ['x/sqlite'], files: own },
          'x/sqlite': { base: SQLITE, place: db ?? SQLITE, files: required },
        };
        const shipped = new Map([
          ...Object.entries(own).map(([path, text]) => [joinPath(ACCOUNT, path), text] as const),
          ...Object.entries(required).map(
            ([path, text]) => [joinPath(SQLITE, path), text] as const,
          ),
          ...PROJECT.map((path) => [path, 'export {};'] as const),
        ]);
        const between = db === null ? shipped : moveInEditor(shipped, SQLITE, db);
        const expected = moveInEditor(between, ACCOUNT, to);
        const modules = PROJECT.flatMap((path) => [
          path,
          path.replace('.ts', '.js'),
          path.replace('.ts', ''),
          path.replace('/index.ts', ''),
        ]);
        const { files, left } = rewriteTexts('x/account', builds, { modules });
        expect(left).toEqual({});
        for (const [path, text] of Object.entries(files))
          expect(plain(path, text)).toBe(plain(path, expected.get(path) ?? ''));
        const after = new Map([...expected, ...Object.entries(files)]);
        expect([...targetsOf(after).values()].flat()).not.toContain(undefined);
      },
    ),
    { numRuns: runs(100) },
  );
}, 60_000);
