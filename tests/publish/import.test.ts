/** `import` of a registry for shadcn: what it writes, what it refuses, and that the builds can be published and added. */
import { cpSync, existsSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outputSchema } from '../../client/commands/schema.ts';
import { PROGRAM } from '../../client/program.ts';
import { serveAnswers, makeProject, serveRegistry, stackyard } from '../client/registry-fixture.ts';
import { GitFixture } from '../generate/git-fixture.ts';
import { readTree } from '../generate/index-reader.ts';

const BUTTON = `import * as React from 'react';
import { cn } from '@/lib/utils';
export const Button = (): string => cn(React.version);
`;

const UTILS = {
  name: 'utils',
  type: 'registry:lib',
  description: 'Joins the names of classes.',
  dependencies: ['clsx@^2.0.0'],
  files: [
    {
      path: 'registry/lib/utils.ts',
      type: 'registry:lib',
      content: `import clsx from 'clsx';\nexport const cn = (name: string): string => clsx(name);\n`,
    },
  ],
};
const ITEMS = [
  UTILS,
  {
    name: 'button',
    type: 'registry:ui',
    categories: ['ui'],
    envVars: { API_URL: 'https://api.example' },
    registryDependencies: ['utils'],
    cssVars: { light: { brand: '#fff' } },
    files: [{ path: 'registry/ui/button.tsx', type: 'registry:ui', content: BUTTON }],
  },
];

const LIST = JSON.stringify({
  name: 'acme',
  homepage: 'https://ui.acme.example',
  items: ITEMS.map(({ name, type }) => ({ name, type })),
});

/** A folder with the registry, as `shadcn build` writes it. */
function registryFolder(files: Readonly<Record<string, string>> = {}): string {
  const items = Object.fromEntries(
    ITEMS.map((item) => [`${item.name}.json`, JSON.stringify(item)]),
  );
  return makeProject({ 'registry.json': LIST, ...items, ...files });
}

type Run = { status: number | null; data: any; error: any; stdout: string };

async function run(cwd: string, ...args: string[]): Promise<Run> {
  const { status, stdout } = await stackyard(['import', ...args, '--json'], {}, undefined, cwd);
  const document = JSON.parse(stdout) as { data: any; error: any };
  if (status === 0) {
    expect(
      (await outputSchema('import', PROGRAM)).safeParse(document).error?.message,
    ).toBeUndefined();
  }
  return { status, data: document.data, error: document.error, stdout };
}

describe('stackyard import', () => {
  it('writes builds that can be published and added, with relative imports', async () => {
    const folder = makeProject({});
    const { status, data } = await run(
      folder,
      registryFolder({ LICENSE: 'MIT License\n' }),
      '--owner',
      'acme',
      '--license',
      'MIT',
    );
    expect(status).toBe(0);
    expect(data.builds.map(({ id }: { id: string }) => id)).toEqual(['acme/utils', 'acme/button']);
    const build = join(folder, 'builds/acme/button');
    expect(JSON.parse(readFileSync(join(build, 'stackyard.json'), 'utf8'))).toMatchObject({
      license: 'MIT',
      homepage: 'https://ui.acme.example',
      keywords: ['ui'],
      builds: { 'acme/utils': '^1.0.0' },
      stack: { requires: { react: '*' } },
      base: 'src',
      env: { API_URL: { example: 'https://api.example' } },
    });
    expect(readFileSync(join(build, 'components/ui/button.tsx'), 'utf8')).toBe(
      BUTTON.replace('@/lib/utils', '../../lib/utils'),
    );
    expect(readFileSync(join(build, 'styles/button.css'), 'utf8')).toContain('--brand: #fff;');
    expect(readFileSync(join(build, 'INTEGRATION.md'), 'utf8')).toContain('src/styles/button.css');
    const checked = await stackyard(['check', build, '--json']);
    expect(checked.status).toBe(0);

    const git = new GitFixture();
    cpSync(join(folder, 'builds'), join(git.folder, 'builds'), { recursive: true });
    git.commit({});
    const { url } = await serveRegistry(git);
    const project = makeProject({ 'package.json': '{ "dependencies": { "react": "^19.0.0" } }' });
    const added = await stackyard(
      ['add', 'acme/button', '--registry', url, '--no-install', '--to', 'app'],
      {},
      undefined,
      project,
    );
    expect(added.stderr + added.stdout).toContain('acme/button');
    expect(readFileSync(join(project, 'app/components/ui/button.tsx'), 'utf8')).toContain(
      "'../../../src/lib/utils'",
    );
    expect(existsSync(join(project, 'src/lib/utils.ts'))).toBe(true);
    expect(existsSync(join(project, 'app/README.md'))).toBe(false);
  });

  it('reads an address, a template, one item, and writes nothing with --dry-run', async () => {
    const folder = registryFolder();
    const url = await serveAnswers((request, response) => {
      const file = join(folder, (request.url ?? '').replace('/r/', ''));
      if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    });
    const common = ['--owner', 'acme', '--license', 'MIT'];
    const project = makeProject({});
    for (const source of [`${url}/r/registry.json`, `${url}/r/{name}.json`]) {
      const { status, data } = await run(project, source, ...common, '--dry-run');
      expect([status, data.builds.length]).toEqual([0, 2]);
    }
    const one = await run(project, `${url}/r/utils.json`, ...common, '--dry-run');
    expect(one.data.builds.map(({ id }: { id: string }) => id)).toEqual(['acme/utils']);
    const some = await run(project, `${url}/r/registry.json`, ...common, '--items', 'button');
    expect(some.data.builds).toHaveLength(2);
    const before = readTree(project);
    const again = await run(project, `${url}/r/registry.json`, ...common);
    expect([again.status, again.error.code]).toEqual([5, 'ERR_CONFLICT']);
    expect(readTree(project)).toEqual(before);
    const offline = await run(project, `${url}/r/registry.json`, ...common, '--offline');
    expect(offline.error.code).toBe('ERR_NETWORK');
  });

  it('imports what a Stackyard registry serves to shadcn, with the licence and the files', async () => {
    const folder = registryFolder();
    const source = makeProject({});
    await run(source, folder, '--owner', 'acme', '--license', 'MIT');
    const git = new GitFixture();
    cpSync(join(source, 'builds'), join(git.folder, 'builds'), { recursive: true });
    const config = { base_url: 'https://r.example', shadcn: true };
    git.commit({ 'registry.config.json': JSON.stringify(config) });
    const { index } = await serveRegistry(git);
    const project = makeProject({});
    const { data } = await run(project, join(index, 'r'), '--owner', 'bob');
    expect(data.builds).toMatchObject([
      { id: 'bob/acme-button', license: 'MIT', requires: ['bob/acme-utils'], notes: [] },
      { id: 'bob/acme-utils', license: 'MIT' },
    ]);
    for (const path of ['components/ui/button.tsx', 'styles/button.css']) {
      const text = readFileSync(join(project, 'builds/bob/acme-button', path), 'utf8');
      expect(text).toBe(readFileSync(join(source, 'builds/acme/button', path), 'utf8'));
    }
  });
});

const item = (changes: object): string =>
  JSON.stringify({ items: [UTILS, { ...UTILS, name: 'bad', ...changes }] });
const withTarget = (target: string): string =>
  item({ files: [{ path: 'a.ts', type: 'registry:file', target, content: 'x' }] });

describe('stackyard import refuses, with nothing written,', () => {
  it.each([
    ['a path out of the project', withTarget('~/../../x'), 'ERR_PATH_POLICY'],
    ['an absolute path', withTarget('~//etc/passwd'), 'ERR_PATH_POLICY'],
    ['a file of git', withTarget('~/.git/hooks/pre-commit'), 'ERR_PATH_POLICY'],
    ['package.json', withTarget('~/package.json'), 'ERR_PATH_POLICY'],
    ['its own manifest', withTarget('~/stackyard.json'), 'ERR_PATH_POLICY'],
    [
      'a file that is not there',
      item({ files: [{ path: 'no.ts', type: 'x' }] }),
      'ERR_REGISTRY_ANSWER',
    ],
    [
      'a source out of the folder',
      item({ files: [{ path: '../x.ts', type: 'x' }] }),
      'ERR_PATH_POLICY',
    ],
    [
      'a link out of the folder',
      item({ files: [{ path: 'link.ts', type: 'x' }] }),
      'ERR_PATH_POLICY',
    ],
    ['an item without files', item({ files: [] }), 'ERR_ARCHIVE'],
    ['a name without letters', item({ name: '--' }), 'ERR_ARCHIVE'],
    ['two items of one name', item({ name: 'Utils' }), 'ERR_CONFLICT'],
    ['another document', '{ "items": 3 }', 'ERR_DOCUMENT'],
    ['no JSON', '<html>', 'ERR_DOCUMENT'],
  ])('%s', async (_, registry, code) => {
    const source = makeProject({ 'registry.json': registry });
    symlinkSync('/etc/hostname', join(source, 'link.ts'));
    const project = makeProject({});
    const { status, error } = await run(project, source, '--owner', 'acme', '--license', 'MIT');
    expect([error.code, status === 0]).toEqual([code, false]);
    expect(error.message).toMatch(/^Cannot /);
    expect(readdirSync(project)).toEqual([]);
  });

  it('what a server answers: 404, another host, an endless or a large document', async () => {
    const url = await serveAnswers((request, response) => {
      if (request.url === '/r/registry.json') {
        response.end(JSON.stringify({ items: ['gone', 'moved', 'large'].map(listed) }));
      } else if (request.url === '/r/moved.json') {
        response.writeHead(302, { location: 'http://127.0.0.1:1/moved.json' }).end();
      } else if (request.url === '/r/large.json') {
        response.end(Buffer.alloc(50_000_000, 'x'));
      } else response.writeHead(404).end();
    });
    const project = makeProject({});
    const common = [`${url}/r/registry.json`, '--owner', 'acme', '--license', 'MIT'];
    const { error } = await run(project, ...common);
    for (const name of ['gone', 'moved', 'large']) expect(error.message).toContain(`\n  ${name}: `);
    expect(error.message).toContain('redirects');
    expect(readdirSync(project)).toEqual([]);
    const skipped = await run(project, ...common, '--skip-broken');
    expect(skipped.data.left_out).toHaveLength(3);
  });

  it('an item without a licence, and options that are none', async () => {
    const source = registryFolder();
    const project = makeProject({});
    const unlicensed = await run(project, source, '--owner', 'acme');
    expect(unlicensed.error).toMatchObject({
      code: 'ERR_USAGE',
      hint: expect.stringContaining('--license'),
    });
    for (const args of [
      [source, '--owner', 'Not A Login'],
      [source, '--owner', 'acme', '--license', 'Mine'],
      [source, '--owner', 'acme', '--items', 'none'],
      ['nowhere', '--owner', 'acme'],
    ]) {
      expect((await run(project, ...args)).error.code).toBe('ERR_USAGE');
    }
    expect(readdirSync(project)).toEqual([]);
  });

  it('asks for what programs run or read by themselves', async () => {
    const rules = {
      name: 'rules',
      type: 'registry:item',
      files: [
        {
          path: 'rules.mdc',
          type: 'registry:file',
          target: '~/.cursor/rules/x.mdc',
          content: 'Obey.\n',
        },
      ],
    };
    const items = [...ITEMS, rules].map(({ name, type }) => ({ name, type }));
    const from = registryFolder({
      'registry.json': JSON.stringify({ name: 'acme', items }),
      'rules.json': JSON.stringify(rules),
    });
    const cwd = makeProject({});
    const args = [from, '--owner', 'acme', '--license', 'MIT'];
    const refused = await run(cwd, ...args);
    expect([refused.status, refused.error.code]).toEqual([6, 'ERR_CONSENT']);
    expect(refused.error.message).toContain('agent: .cursor/rules/x.mdc');
    expect(refused.error.hint).toMatch(/--allow agent$/);
    expect(readdirSync(cwd)).toEqual([]);
    const planned = await run(cwd, ...args, '--dry-run');
    expect(planned.data.consent).toMatchObject([
      { build: 'acme/rules', path: '.cursor/rules/x.mdc', class: 'agent', given: false },
    ]);
    expect((await run(cwd, ...args, '--allow', 'agent')).status).toBe(0);
  });
});

function listed(name: string): object {
  return { name, type: 'registry:ui', files: [{ path: `${name}.tsx`, type: 'registry:ui' }] };
}
