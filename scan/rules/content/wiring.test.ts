import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../format/build/manifest.ts';
import { openBuild } from '../../open-build.ts';
import { wiring } from './wiring.ts';

const MANIFEST: Manifest = {
  name: 'account',
  version: '1.0.0',
  kind: 'module',
  description: 'd',
  license: 'MIT',
  base: 'src/account',
  stack: { requires: { express: '*' } },
  dependencies: { npm: { zod: '^4.0.0' } },
  builds: { 'alice/sqlite': '^1.0.0' },
};

function codes(fences: string, manifest: Manifest = MANIFEST): (string | undefined)[] {
  const files = {
    'INTEGRATION.md': `## Steps\n\n1. x\n\n${fences}\n`,
    'stackyard.json': JSON.stringify(manifest),
    'index.ts': 'export {}',
    'router.py': '',
  };
  const list = Object.entries(files).map(([path, text]) => {
    return { path, bytes: Buffer.from(text), executable: false };
  });
  const found = wiring.run(openBuild({ id: 'alice/account', manifest, files: list }));
  return found.map(({ code, place, args }) =>
    `${code} ${place?.line} ${args['name'] ?? args['specifier'] ?? ''}`.trim(),
  );
}

function fence(info: string, text: string): string {
  return `   \`\`\`${info}\n${text.replaceAll(/^/gm, '   ')}\n   \`\`\`\n\n`;
}

const IMPORT = fence('ts wire import @express', "import { mount } from './account/index.js';");

describe('wiring', () => {
  it('reports nothing for blocks that bind all their names', () => {
    const good =
      fence(
        'ts wire file src/account.wire.ts',
        "import { database, type Migration } from 'tag:database';\nimport { z } from 'zod';\nimport type { Express } from 'express';\nimport { open } from './sqlite/index.js';\nexport const f = (app: Express) => z(open(app), process.env, database);",
      ) +
      IMPORT +
      fence('ts wire import @express', "import { f } from './account.wire.js';") +
      fence('ts wire insert @express routes', 'mount(app, f);');
    expect(codes(good)).toEqual([]);
    const python =
      fence('py wire import @fastapi', 'from app.account.router import router') +
      fence('py wire insert @fastapi routers:api', 'api.include_router(router)');
    expect(codes(python, { ...MANIFEST, base: 'app/account' })).toEqual([]);
  });

  it.each([
    [
      'a name of nobody',
      fence('ts wire insert @express routes', 'mount(app);'),
      ['wiring-block-name 6 mount'],
    ],
    [
      'a name of another step alternative',
      `${IMPORT}   Otherwise\n\n${fence('ts wire insert @express routes', 'mount(app);')}`,
      ['wiring-block-name 12 mount'],
    ],
    [
      'a package that is not declared',
      fence('ts wire import src/a.ts', "import x from 'left-pad';"),
      ['wiring-block-import 6 left-pad'],
    ],
    [
      'a file of the project',
      fence('ts wire import src/a.ts', "import x from './config.js';"),
      ['wiring-block-import 6 ./config.js'],
    ],
    [
      'a name that a tag does not promise',
      fence('ts wire file src/a.ts', "import { database, close } from 'tag:database';"),
      ['wiring-tag 6 tag:database'],
    ],
    [
      'all of a tag',
      fence('ts wire import src/a.ts', "import * as mail from 'tag:mail';"),
      ['wiring-tag 6 tag:mail'],
    ],
    [
      'a tag that promises nothing',
      fence('ts wire import src/a.ts', "import { x } from 'tag:other';"),
      ['wiring-tag 6 tag:other'],
    ],
    [
      'a file outside',
      fence('ts wire import src/a.ts', "import x from '../../../x.js';"),
      ['wiring-block-import 6 ../../../x.js'],
    ],
    [
      'statements for an expression',
      fence('ts wire append src/a.ts list:x', 'a(); b();'),
      ['wiring-block-syntax 6'],
    ],
    [
      'a syntax error',
      fence('ts wire insert @express routes', 'app.use('),
      ['wiring-block-syntax 6'],
    ],
    [
      'Python that uses another name',
      fence('py wire insert @fastapi routers:api', 'app.include_router(api)'),
      ['wiring-block-name 6 app'],
    ],
    ['a protected target', fence('ts wire file .github/x.ts', 'a'), ['wiring-target 5']],
  ])('reports %s', (_, fences, expected) => {
    expect(codes(fences)).toEqual(expected);
  });
});
