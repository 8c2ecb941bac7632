import { describe, expect, test } from 'vitest';
import { rewriteTexts } from '../../../tests/client/rewrite-fixture.ts';
import type { BuildTexts, ProjectTexts } from '../../../tests/client/rewrite-fixture.ts';

const SQLITE = {
  'index.ts': 'export {};',
  'view.tsx': 'export {};',
  'sql/index.js': 'export {};',
  'data.json': '{}',
  'types.d.ts': 'export {};',
};

/** `text` of `src/account/deep/a.ts`, placed in `src/auth`, next to `x/sqlite`, placed in `lib/db`. */
function rewrite(
  text: string,
  {
    file = 'deep/a.ts',
    place = 'src/auth',
    ...project
  }: ProjectTexts & { file?: string; place?: string } = {},
): { text: string; left: readonly string[] } {
  const builds: Record<string, BuildTexts> = {
    'x/account': {
      base: 'src/account',
      place,
      requires: ['x/sqlite'],
      files: { [file]: text, 'index.ts': 'export {};', 'deep/b.ts': 'export {};' },
    },
    'x/sqlite': { base: 'src/sqlite', place: 'lib/db', files: SQLITE },
  };
  const { files, left } = rewriteTexts('x/account', builds, project);
  const path = `${place}/${file}`;
  return {
    text: files[path] ?? '',
    left: (left[path] ?? []).map(({ line, what }) => `${line}: ${what}`),
  };
}

describe('rewriteJavaScript() rewrites', () => {
  test.each([
    ["import { a } from '../../sqlite/index.js';", "import { a } from '../../../lib/db/index.js';"],
    ['import type { A } from "../../sqlite";', 'import type { A } from "../../../lib/db";'],
    [
      "import type A from '../../sqlite/types.js';",
      "import type A from '../../../lib/db/types.js';",
    ],
    ["export * from '../../sqlite/view';", "export * from '../../../lib/db/view';"],
    ["export { a } from '../../sqlite/sql';", "export { a } from '../../../lib/db/sql';"],
    ["import '../../sqlite';", "import '../../../lib/db';"],
    ["await import('../../sqlite/view.jsx');", "await import('../../../lib/db/view.jsx');"],
    ['await import(`../../sqlite/index.js`);', 'await import(`../../../lib/db/index.js`);'],
    ["require('../../sqlite');", "require('../../../lib/db');"],
    ["require.resolve('../../sqlite');", "require.resolve('../../../lib/db');"],
    ["import.meta.resolve('../../sqlite');", "import.meta.resolve('../../../lib/db');"],
    ["import x = require('../../sqlite');", "import x = require('../../../lib/db');"],
    ["let x: typeof import('../../sqlite');", "let x: typeof import('../../../lib/db');"],
    ["let x: import('../../sqlite').A;", "let x: import('../../../lib/db').A;"],
    ["declare module '../../sqlite' {}", "declare module '../../../lib/db' {}"],
    ["vi.mock('../../sqlite/index.js', f);", "vi.mock('../../../lib/db/index.js', f);"],
    ["vi.mock(import('../../sqlite'));", "vi.mock(import('../../../lib/db'));"],
    ["jest.requireActual('../../sqlite');", "jest.requireActual('../../../lib/db');"],
    [
      "import d from '../../sqlite/data.json' with { type: 'json' };",
      "import d from '../../../lib/db/data.json' with { type: 'json' };",
    ],
    [
      "import d from '../../sqlite/data.json?raw';",
      "import d from '../../../lib/db/data.json?raw';",
    ],
    [
      '/// <reference path="../../sqlite/types.d.ts" />',
      '/// <reference path="../../../lib/db/types.d.ts" />',
    ],
    ["/** @type {import('../../sqlite').A} */", "/** @type {import('../../../lib/db').A} */"],
    // Its own modules: only what names the folder of the build.
    ["import '../index.js';", "import '../index.js';"],
    ["import '../../account/index.js';", "import '../index.js';"],
    ["import './made-later.js';", "import './made-later.js';"],
    ["import '../../account/made-later.js';", "import '../made-later.js';"],
    // Of the project: it stays where it is.
    ["import '../../app.js';", "import '../../app.js';"],
    ["import '../../../config.js';", "import '../../../config.js';"],
    // No import.
    ["// import '../../sqlite/index.js'", "// import '../../sqlite/index.js'"],
    ["const x = `import '../../sqlite'`;", "const x = `import '../../sqlite'`;"],
    [
      "const glob = 'src/**'; import('../../sqlite'); const b = '**/';",
      "const glob = 'src/**'; import('../../../lib/db'); const b = '**/';",
    ],
    [
      "import 'express'; import 'node:fs'; import 'fs';",
      "import 'express'; import 'node:fs'; import 'fs';",
    ],
  ])('%s', (before, after) => {
    const modules = ['src/app.js', 'config.js'];
    expect(rewrite(before, { modules }).text).toBe(after);
  });

  test('modules of the project from a deeper folder', () => {
    const modules = ['src/app.js', 'config.js'];
    const options = { modules, place: 'src/features/auth' };
    const text = "import '../../app.js';\nimport '../../../config.js';";
    const after = "import '../../../app.js';\nimport '../../../../config.js';";
    expect(rewrite(text, options)).toEqual({ text: after, left: [] });
  });

  test('JSX, a byte order mark, CRLF and tabs, and keeps every other byte', () => {
    const text =
      "\u{FEFF}'use client';\r\n\timport { A } from\t\"../../sqlite/view\";\r\nexport const b = <A  x='../../sqlite' />;\r\n";
    expect(rewrite(text, { file: 'deep/a.tsx' }).text).toBe(
      text.replace('"../../sqlite/view"', '"../../../lib/db/view"'),
    );
  });

  test('to the root of the project and from it', () => {
    const files = { 'src/a.ts': "import '../lib/b.js';", 'lib/b.ts': "import '../../up.js';" };
    const builds = { 'x/y': { base: 'packages/y', place: '', files } };
    expect(rewriteTexts('x/y', builds, { modules: ['packages/up.js'] }).files).toEqual({
      'src/a.ts': "import '../lib/b.js';",
      'lib/b.ts': "import '../packages/up.js';",
    });
    const moved = { 'x/y': { base: '', place: 'packages/y', files } };
    expect(rewriteTexts('x/y', moved).files).toEqual({
      'packages/y/src/a.ts': "import '../lib/b.js';",
      'packages/y/lib/b.ts': "import '../../up.js';",
    });
  });
});

describe('rewriteJavaScript() with the aliases of a project', () => {
  const aliases = [
    { pattern: '@/*', targets: ['src/*'] },
    { pattern: '@/db', targets: ['lib/db/index.ts'] },
    { pattern: '~lib/*', targets: ['lib/*'] },
    { pattern: '#lib/*', targets: ['lib/*.ts', 'lib/*.js'] },
  ];

  test.each([
    ['alias', "import '../../sqlite/index.js';", "import '~lib/db/index.js';"],
    ['alias', "import '../../sqlite';", "import '~lib/db';"],
    ['alias', "import '../index.js';", "import '../index.js';"],
    ['relative', "import '@/sqlite/index.js';", "import '../../../lib/db/index.js';"],
    [undefined, "import '@/sqlite/view';", "import '~lib/db/view';"],
    [undefined, "import '@/account/index.js';", "import '@/auth/index.js';"],
    ['relative', "import '@/account/index.js';", "import '../index.js';"],
    [undefined, "import '@/app.js';", "import '@/app.js';"],
  ] as const)('%s: %s', (style, before, after) => {
    const options = { aliases, alias: '~lib/*', modules: ['src/app.js'] };
    expect(rewrite(before, style === undefined ? options : { ...options, style })).toEqual({
      text: after,
      left: [],
    });
  });

  test('takes a name with an ending where the alias needs the file', () => {
    const only = [{ pattern: '#lib/*', targets: ['lib/*.ts'] }];
    const { text } = rewrite("import '../../sqlite/index.js';", { style: 'alias', aliases: only });
    expect(text).toBe("import '#lib/db/index';");
  });

  test('keeps the relative import that no alias reaches, and reports it', () => {
    const only = [{ pattern: '@/*', targets: ['src/*'] }];
    expect(rewrite("import '../../sqlite';", { style: 'alias', aliases: only })).toEqual({
      text: "import '../../../lib/db';",
      left: ['1: no alias of the project reaches "lib/db"'],
    });
  });

  test('resolves names from baseUrl, and @/ by convention without an alias', () => {
    expect(rewrite("import 'sqlite/view';", { baseUrl: 'src' }).text).toBe(
      "import '../../../lib/db/view';",
    );
    expect(rewrite("import '@/sqlite/view';").text).toBe("import '../../../lib/db/view';");
  });

  test('does not read the aliases for packages', () => {
    const { text } = rewrite("import '@x/y/z';", {
      packages: ['@x/y'],
      aliases: [{ pattern: '@x/*', targets: ['src/*'] }],
    });
    expect(text).toBe("import '@x/y/z';");
  });
});

describe('rewriteJavaScript() leaves and reports', () => {
  test.each([
    ['import(name);', '1: imports a name that is computed at run time'],
    ['\n\nrequire(`./${name}.js`);', '3: imports a name that is computed at run time'],
    [
      "import '../../absent.js';",
      '1: "../../absent.js" names "src/absent.js", which is not in the project',
    ],
    ["import '../../../../up.js';", '1: "../../../../up.js" leaves the project'],
    ["import '@/absent.js';", '1: "@/absent.js" is no module that the project has'],
    [
      "new URL('../../sqlite/a.sql', import.meta.url);",
      '1: the string "../../sqlite/a.sql" may be a path that has moved',
    ],
    [
      "read('src/account/a.sql');",
      '1: the string "src/account/a.sql" may be a path that has moved',
    ],
    [
      "import '../../sqlite' from;",
      '1: its syntax cannot be read, so its imports are left as they are',
    ],
  ])('%s', (text, left) => {
    expect(rewrite(text)).toEqual({ text, left: [left] });
  });

  test('no strings that only look like paths', () => {
    const text = "const a = ['..', '../../dev/null', '../own.sql', './x', 'src/accounts'];";
    expect(rewrite(text)).toEqual({ text, left: [] });
  });

  test('paths that leave the build in files that are not read', () => {
    const files = { 'a.css': "@import '../theme.css';\n@import './own.css';" };
    const { left } = rewriteTexts('x/y', { 'x/y': { base: 'src/y', place: 'y', files } });
    expect(left).toEqual({
      'y/a.css': [{ line: 1, what: '"../theme.css" is not rewritten in files of this kind' }],
    });
  });
});
